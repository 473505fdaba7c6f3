# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Studies: one question over a grid or sample of parameters, in threads, kept in a store."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _vinculum as _core
from . import html
from .analyses import run_command
from .errors import Error, UsageError
from .model import Model
from .result import Result, unknown

Collected = Union[str, Callable[[Result], Any]]


@dataclass(frozen=True)
class Axis:
    """Values of one parameter; made by grid, values, uniform, normal, sobol."""

    entry: Mapping[str, Any] | Sequence[float]  # as a study file has it
    points: tuple[float, ...] = ()  # of a grid

    @property
    def is_grid(self) -> bool:
        return bool(self.points)


def grid(a: float, b: float, n: int, *, log: bool = False) -> Axis:
    """n values from a to b, evenly or, with `log`, in equal ratios."""
    if not (np.isfinite(a) and np.isfinite(b)) or n < 1:
        raise UsageError("a grid has finite ends and at least one value")
    if log:
        if not a * b > 0:
            raise UsageError("a grid in equal ratios has ends of one sign")
        return values(np.geomspace(a, b, n))
    step = [float(a + (b - a) * k / (n - 1)) if n > 1 else float(a) for k in range(n)]
    return Axis({"from": float(a), "to": float(b), "count": int(n)}, tuple(step))


def values(list_: Any) -> Axis:
    """These values."""
    numbers = tuple(float(each) for each in list_)
    if not numbers or not all(np.isfinite(numbers)):
        raise UsageError("an axis has at least one value, all of them finite")
    return Axis(numbers, numbers)


def uniform(a: float, b: float) -> Axis:
    """Random values between a and b; say how many with `samples`."""
    return Axis({"uniform": [float(a), float(b)]})


def normal(mean: float, sd: float) -> Axis:
    """Random values about a mean; say how many with `samples`."""
    return Axis({"normal": [float(mean), float(sd)]})


def sobol(a: float, b: float) -> Axis:
    """Evenly spread values between a and b; say how many with `samples`."""
    return Axis({"sobol": [float(a), float(b)]})


@dataclass(frozen=True)
class Study:
    """The answers at all points: `study.array("margin")` has the shape of the grid."""

    axes: Mapping[str, NDArray[np.float64]]
    table: NDArray[Any]  # one row a point: parameters, collected values, status, code, message
    is_grid: bool = True
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _page: bytes = field(default=b"", repr=False)

    def array(self, name: str) -> NDArray[Any]:
        """A collected value over the grid; NaN (or "") where a point failed. Over samples: one entry a point."""
        if name not in (self.table.dtype.names or ()):
            raise unknown("collected value", name, list(self.table.dtype.names or ()))
        column = self.table[name]
        return column.reshape([len(axis) for axis in self.axes.values()]) if self.is_grid else column

    __getitem__ = array

    @property
    def failed(self) -> dict[int, str]:
        """Why points have no answer, by their number."""
        return {int(row["point"]): str(row["message"]) for row in self.table if row["status"] == "failed"}

    def statistics(self) -> Mapping[str, Any]:
        """What the points say together; of studies by the command line."""
        statistics: Mapping[str, Any] = self.document.get("statistics", {})
        return statistics

    def to_dataframe(self) -> Any:
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_dataframe() needs pandas: apt install python3-pandas") from error
        return pandas.DataFrame({name: self.table[name] for name in self.table.dtype.names or ()})

    def plot(self, x: str, y: str, z: str | None = None, *, ax: Any = None) -> Any:
        """A curve y over x, or z as colours over x and y; of a margin the level 1 is drawn."""
        from .plot import plot_study

        return plot_study(self, x, y, z, ax)

    def report(self, path: str | os.PathLike[str] | None = None, *, height: int = 640) -> html.Page:
        """The page of a study that the command line has run."""
        if not self._page:
            raise UsageError("there is no page of a study whose values are collected by functions")
        page = html.Page(self._page, height=height)
        if path is not None:
            page.save(os.fspath(path))
        return page

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        axes = ", ".join(f"{name} ({len(axis)})" for name, axis in self.axes.items())
        return f"<Study over {axes}: {len(self)} points, {len(self.failed)} failed>"

    def _repr_html_(self) -> str:
        names = list(self.table.dtype.names or ())
        shown = [[html.escape(row[name]) for name in names] for row in self.table[:20]]
        return html.table(names, shown, f"{len(self)} points, {len(self.failed)} failed")


class ask:
    """What a study asks at each point: options as of the command line or of `Model.simulate`."""

    @dataclass(frozen=True)
    class Question:
        command: str
        options: Mapping[str, Any]

    @staticmethod
    def Simulate(until: float, **options: Any) -> ask.Question:
        return ask.Question("simulate", {"until": until, **options})

    @staticmethod
    def Evaluate(**options: Any) -> ask.Question:
        return ask.Question("evaluate", options)

    @staticmethod
    def Realize(**options: Any) -> ask.Question:
        if "forced_by" in options:
            options["inputs"] = options.pop("forced_by")
        return ask.Question("realize", options)

    @staticmethod
    def Variants(**options: Any) -> ask.Question:
        return ask.Question("variants", options)

    @staticmethod
    def Limit(load: str, **options: Any) -> ask.Question:
        return ask.Question("limit", {"load": load, **options})

    @staticmethod
    def Steady(**options: Any) -> ask.Question:
        return ask.Question("steady", options)

    @staticmethod
    def Equilibrium(**options: Any) -> ask.Question:
        return ask.Question("equilibrium", options)

    @staticmethod
    def Linearise(**options: Any) -> ask.Question:
        return ask.Question("linearise", options)


_PARTS = ("final", "verdicts", "outputs", "integrals", "events", "accelerations", "multipliers", "statistics")


def _path_of(name: str, model: Model, command: str) -> str:
    """A path of the command line for a plain name: a coordinate, a velocity, an output, SUBJECT.margin."""
    if command != "simulate" or name.split(".", 1)[0] in _PARTS:
        return name
    if name in model.outputs:
        return f"outputs.{name}"
    if name in model.coordinates:
        return f"final.q.{name}"
    if name in model.velocities:
        return f"final.v.{name}"
    for part in ("margin", "verdict", "first_violation"):
        if name.endswith("." + part):
            return f"verdicts.{name}"
    return name


def sweep(
    model: Model,
    over: Mapping[str, Axis | Sequence[float]],
    ask: ask.Question,
    collect: Mapping[str, Collected] | Sequence[str],
    *,
    samples: int = 0,
    seed: int = 1,
    refine: Mapping[str, Any] | None = None,
    threads: int = 0,
    limit: float | None = None,
    store: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[int, int], Any] | None = None,
) -> Study:
    """One question over parameters and initial values.

    `collect` maps names to paths of the answer, as `vinculum sweep` takes them (`final.q.arm`, `verdicts.foot.friction.margin`),
    to plain names (a coordinate, an output, `foot.friction.margin`), or to functions of the Result. Where all are texts the
    library runs the study in its own threads, and `store` is a folder that keeps it; functions are called after each run.

    >>> import vinculum as vn
    >>> two = vn.example("double-pendulum")
    >>> study = vn.sweep(two, over={"upper": vn.grid(0, 1, 3)}, ask=vn.ask.Simulate(until=0.1), collect={"end": "upper"})
    >>> study.array("end").shape
    (3,)
    """
    if not isinstance(model, Model):
        raise TypeError(f"a Model is expected, not {type(model).__name__}")
    if not over:
        raise UsageError("a study varies at least one parameter", code="VN-STUDY-001")
    axes = {name: each if isinstance(each, Axis) else values(each) for name, each in over.items()}
    collected: dict[str, Collected] = dict(collect) if isinstance(collect, Mapping) else {name: name for name in collect}
    known = (*model.parameters, *model.coordinates, *model.velocities)
    for name in axes:
        if name not in known and "{" not in name and not any("{" + name + "}" in str(v) for v in ask.options.values()):
            raise unknown("parameter or initial value", name, known)
    if all(isinstance(each, str) for each in collected.values()):
        return _sweep_in_library(model, axes, ask, collected, samples, seed, refine, threads, limit, store, resume)
    if samples or refine or store or resume or limit or not all(axis.is_grid for axis in axes.values()):
        raise UsageError(
            "values that functions collect are asked for on a grid, without store, limit or refinement",
            hint="give paths of the answer as texts, or vary with grid() and values()",
        )
    return _sweep_in_python(model, axes, ask, collected, threads, progress)


def _option_text(options: Mapping[str, Any]) -> str:
    from .analyses import _words

    def quoted(word: str) -> str:
        return f'"{word}"' if " " in word or "'" in word else word

    return " ".join(quoted(word) for word in _words(options))


def _sweep_in_library(
    model: Model,
    axes: Mapping[str, Axis],
    question: ask.Question,
    collected: Mapping[str, Any],
    samples: int,
    seed: int,
    refine: Mapping[str, Any] | None,
    threads: int,
    limit: float | None,
    store: str | os.PathLike[str] | None,
    resume: bool,
) -> Study:
    options = dict(question.options)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(store) if store is not None else Path(scratch) / "study"
        file = _file_of(model, scratch)
        run = _option_text(options)
        for name, value in model._sets:
            if name not in axes:
                run += f' "--set={name}={value}"'
        text: dict[str, Any] = {
            "vinculum_study": 1,
            "model": str(file),
            "over": {name: axis.entry for name, axis in axes.items()},
            "run": {"command": question.command, "options": run.strip()},
            "collect": {name: _path_of(path, model, question.command) for name, path in collected.items()},
        }
        if samples:
            text["samples"], text["seed"] = samples, seed
        if refine:
            text["refine"] = dict(refine)
        study_file = Path(scratch) / "study.yaml"
        lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in text.items())
        study_file.write_text("".join(lines), encoding="utf-8")
        document = run_command(
            "sweep", None, None, {"output": str(folder), "threads": threads, "limit": limit, "resume": resume}, [str(study_file)]
        )
        page = folder / "report.html"
        content = page.read_bytes() if page.exists() else b""
    rows = document["rows"]
    names = ["point", *axes, *collected, "status", "code", "message"]
    columns = {name: _column(name, [row.get(name) for row in rows], name in axes) for name in names}
    is_grid = not samples and all(axis.is_grid for axis in axes.values()) and not refine
    points = {name: np.array(axis.points) if is_grid else columns[name].astype(float) for name, axis in axes.items()}
    return Study(points, _table(columns), is_grid, document, content)


def _file_of(model: Model, scratch: str) -> Path:
    """The model as a file: its own where it has one that is still the same, else a copy."""
    if model.path and Path(model.path).exists() and Path(model.path).read_text(encoding="utf-8-sig") == model.text:
        return Path(model.path).resolve()
    if model.folder and model.folder != ".":
        raise UsageError(
            "the model was made from a text with tables in a folder; a study reads a file", hint="save the text, and use from_file"
        )
    file = Path(scratch) / "model.yaml"
    file.write_text(model.text, encoding="utf-8")
    return file


def _sweep_in_python(
    model: Model,
    axes: Mapping[str, Axis],
    question: ask.Question,
    collected: Mapping[str, Collected],
    threads: int,
    progress: Callable[[int, int], Any] | None,
) -> Study:
    if question.command != "simulate":
        raise UsageError("functions collect from motions: ask.Simulate(..)")
    points = list(product(*(axis.points for axis in axes.values())))
    options = dict(question.options)

    def answer(k: int) -> dict[str, Any]:
        row: dict[str, Any] = {"point": k, **dict(zip(axes, points[k])), "status": "done", "code": "", "message": ""}
        try:
            result = model.with_(dict(zip(axes, points[k]))).simulate(**options)
        except Error as error:
            row.update(status="failed", code=error.code, message=error.message)
            return row
        for name, path in collected.items():
            row[name] = path(result) if callable(path) else _find(result, _path_of(path, model, "simulate"))
        return row

    count = threads if threads > 0 else len(os.sched_getaffinity(0))
    rows: list[dict[str, Any]] = []
    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(answer, k) for k in range(len(points))]
        try:
            for k, future in enumerate(futures):
                rows.append(future.result())
                if progress is not None:
                    progress(k + 1, len(points))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    names = ["point", *axes, *collected, "status", "code", "message"]
    columns = {name: _column(name, [row.get(name) for row in rows], name in axes) for name in names}
    return Study({name: np.array(axis.points) for name, axis in axes.items()}, _table(columns))


def _find(result: Result, path: str) -> Any:
    """A path of the command line in the document of a motion."""
    value: Any = result.document
    rest = path
    while rest:
        if isinstance(value, list):
            value = {each.get("subject") if "verdict" in each else each.get("name"): each for each in reversed(value)}
        if not isinstance(value, dict):
            raise unknown("part of the answer", path, list(result.document))
        fits = [key for key in value if key is not None and (rest == key or rest.startswith(key + "."))]
        if not fits:
            return None
        key = max(fits, key=len)
        value, rest = value[key], rest[len(key) + 1 :]
    return value["final"] if isinstance(value, dict) and "final" in value else value


def _column(name: str, entries: list[Any], is_axis: bool) -> NDArray[Any]:
    if name == "point":
        return np.array(entries, dtype=int)
    if is_axis or all(each is None or isinstance(each, (int, float, np.number)) for each in entries):
        if name not in ("status", "code", "message"):
            return np.array([np.nan if each is None else float(each) for each in entries])
    if all(each is None or isinstance(each, str) for each in entries):
        return np.array(["" if each is None else each for each in entries], dtype=np.str_)
    return np.array(entries, dtype=object)


def _table(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    count = len(next(iter(columns.values())))
    table = np.empty(count, dtype=[(name, column.dtype if column.dtype.itemsize else "U1") for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def open_study(folder: str | os.PathLike[str]) -> Study:
    """The study that `vinculum sweep --output` or `sweep(store=..)` has left in a folder."""
    document = run_command("sweep", None, None, {"output": os.fspath(folder)})
    rows = document["rows"]
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in ("code", "message"):
        if name not in names:
            names.append(name)
    columns = {name: _column(name, [row.get(name) for row in rows], False) for name in names}
    page = Path(folder) / "report.html"
    return Study({}, _table(columns), False, document, page.read_bytes() if page.exists() else b"")
