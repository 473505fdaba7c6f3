# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings, in docs/python.md and in the notebooks are executed; types are checked where mypy is there."""
import doctest
import importlib
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import vinculum

SOURCE = Path(__file__).resolve().parents[2]
MODULES = ["vinculum", *(f"vinculum.{each.name}" for each in pkgutil.iter_modules(vinculum.__path__) if each.name != "_vinculum")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0


def test_tour(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 8
    names: dict = {"__name__": "tour"}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102


NOTEBOOKS = sorted((SOURCE / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=[each.stem for each in NOTEBOOKS])
def test_notebook(file, tmp_path, monkeypatch):
    needed = set(re.findall(r"^import (scipy|matplotlib|pandas)", file.read_text(), re.MULTILINE)) | {"matplotlib"}
    for each in needed:
        pytest.importorskip(each)
    try:
        import nbclient
        import nbformat
    except ImportError:
        nbclient = None
    if nbclient is not None and shutil.which("jupyter") is not None or _has_kernel():
        notebook = nbformat.read(file, as_version=4)
        nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
        return
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "notebook"}
    for cell in json.loads(file.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(file), "exec"), names)  # noqa: S102


def _has_kernel():
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        return "python3" in KernelSpecManager().find_kernel_specs()
    except ImportError:
        return False


def _mypy(*words):
    pytest.importorskip("mypy")
    environment = {**os.environ, "MYPYPATH": str(Path(vinculum.__file__).parents[1])}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=environment, check=False)


def test_types(tmp_path):
    answer = _mypy("-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "-p", "vinculum")
    assert answer.returncode == 0, answer.stdout


def test_stub(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(
        "vinculum._vinculum.(Batch|Model|Recording|Run|State)\n"  # their metaclass is pybind11's
    )
    answer = _mypy("-m", "mypy.stubtest", "vinculum._vinculum", "--ignore-missing-stub", "--allowlist", str(allowed),
                   "--ignore-unused-allowlist")  # fmt: skip
    assert answer.returncode == 0, answer.stdout


def test_contract_names():
    import vinculum as vn

    for name in (
        "equilibrium linearise steady variants limit realize balance integrals series derive sweep Model State Result Run Controller "
        "Error ModelError UsageError UnknownNameError UnsupportedError MotionError VerdictError FileError"
    ).split():
        assert hasattr(vn, name), name
    for name in (
        "from_file from_string from_urdf coordinates velocities inputs outputs parameters initial state with_ forward inverse "
        "mass_matrix bias poses jacobian forward_derivatives regressor evaluate simulate batch"
    ).split():
        assert hasattr(vn.Model, name), name
    for name in "final at events verdicts ok check plot report to_dataframe".split():
        assert hasattr(vn.Result, name), name
    for name in "advance inputs state verdicts events image resume result".split():
        assert hasattr(vn.Run, name), name
