# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""What a call from Python costs beside the same call from C++ (build/bench_python, built with VINCULUM_PYTHON and VINCULUM_BENCH).

    PYTHONPATH=build/python python3 bench/python/overhead.py [build/bench_python]

Goals: forward(state, out=a) at most 1 us above C++, a batch of 10^4 states within 5 %, simulate within 3 %, import below 150 ms.
"""
from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import vinculum as vn

SOURCE = Path(__file__).resolve().parents[2]


def median_of(call, repeats: int, inner: int) -> float:
    """Seconds of one call: the median over repeats of the mean over inner calls."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        for _ in range(inner):
            call()
        times.append((time.perf_counter() - begin) / inner)
    return statistics.median(times)


def import_time() -> tuple[float, float]:
    """Of vinculum with numpy, and of numpy alone, in fresh processes."""
    times: dict[str, list[float]] = {"import vinculum": [], "import numpy": []}
    for _ in range(7):
        for line, list_ in times.items():
            script = f"import time; t = time.perf_counter(); {line}; print(time.perf_counter() - t)"
            list_.append(float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout))
    return statistics.median(times["import vinculum"]), statistics.median(times["import numpy"])


def main() -> None:
    program = sys.argv[1] if len(sys.argv) > 1 else str(SOURCE / "build" / "bench_python")
    file = SOURCE / "examples" / "six-axis-arm" / "model.yaml"
    model = vn.Model.from_file(file)
    plain = vn.Model.from_file(SOURCE / "examples" / "double-pendulum" / "model.yaml")
    # The two sides take turns, so that a busy machine slows both.
    ours: dict[str, list[float]] = {}
    theirs: dict[str, list[float]] = {}
    for _ in range(5):
        answer = subprocess.run([program, str(file), str(plain.path)], capture_output=True, text=True, check=True).stdout
        for name, seconds in json.loads(answer).items():
            theirs.setdefault(name, []).append(seconds)
        state, out = model.initial, np.empty(len(model.velocities))
        loop = median_of(lambda: None, 50, 2000)
        forward = model.forward
        ours.setdefault("forward", []).append(median_of(lambda: forward(state, out=out), 50, 2000) - loop)
        batch = model.batch(10_000)
        into = np.empty((10_000, len(model.velocities)), order="F")
        ours.setdefault("batch", []).append(median_of(lambda: batch.forward(out=into), 15, 1))
        ours.setdefault("simulate", []).append(median_of(lambda: plain.simulate(20), 5, 1))
    mean = {name: (statistics.median(ours[name]), statistics.median(theirs[name])) for name in ours}
    python, cpp = mean["forward"]
    print(f"forward(state, out=a)  {1e6 * python:8.3f} us   C++ {1e6 * cpp:8.3f} us   {1e6 * (python - cpp):+.3f} us (goal 1)")
    for name, goal in (("batch", 5), ("simulate", 3)):
        python, cpp = mean[name]
        print(f"{name:<22} {1e3 * python:8.3f} ms   C++ {1e3 * cpp:8.3f} ms   {100 * (python / cpp - 1):+.1f} % (goal {goal})")
    whole, numpy = import_time()
    print(f"import vinculum        {1e3 * whole:8.1f} ms   numpy {1e3 * numpy:6.1f} ms   (goal 150)")


if __name__ == "__main__":
    main()
