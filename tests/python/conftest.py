# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("VINCULUM_PROGRAM", str(SOURCE / "build" / "vinculum"))

try:
    import matplotlib

    matplotlib.use("Agg")
except ImportError:
    pass


@pytest.fixture(scope="session")
def examples() -> Path:
    return SOURCE / "examples"


@pytest.fixture(scope="session")
def command_line():
    """The document that the program prints."""

    def call(*words: object) -> dict:
        answer = subprocess.run([PROGRAM, *map(str, words), "--json"], capture_output=True, text=True, check=False)
        assert answer.stdout, answer.stderr
        return json.loads(answer.stdout)

    return call


# A block of 2 kg on a rail, pushed by an input: everything can be written down by hand.
PUSHED = """
vinculum: 1
name: pushed block
bodies:
  block: { joint: {type: prismatic, axis: x}, mass: 2 kg, inertia: [0, 0, 0] }
inputs: { push: {unit: N, range: [-10, 10]} }
forces: { motor: {joint: block, law: push} }
outputs: { twice: "2*block" }
"""


@pytest.fixture
def pushed():
    import vinculum

    return vinculum.Model.from_string(PUSHED)


# A child process with the same module.
@pytest.fixture
def run_python():
    def call(script: str, **options):
        return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, **options)

    return call
