# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""What comes of a motion: samples, events, verdicts."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _vinculum as _core
from . import html
from ._vinculum import State
from .errors import Error, MotionError, UnknownNameError, UsageError, VerdictError, make

if TYPE_CHECKING:
    from .model import Model

Array = NDArray[np.float64]


def unknown(what: str, name: object, known: Sequence[str]) -> UnknownNameError:
    """The exception for a name that is not there, with the nearest one."""
    import difflib

    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.6)
    hint = f"did you mean '{near[0]}'?" if near else "there are none" if not known else "there are " + ", ".join(known[:12])
    error = UnknownNameError(f"there is no {what} '{name}'", code="VN-PYTHON-001", hint=hint)
    error.nearest = near[0] if near else ""
    return error


@dataclass(frozen=True)
class Verdict:
    """Does something that the model rests on hold: by which margin, since when not, why."""

    subject: str
    status: str  # holds, violated, not unique, impossible, not checked
    margin: float | None = None
    first_violation: float | None = None
    why: str = ""
    hint: str = ""
    term: str = ""
    element: str = ""
    nearest_t: float | None = None

    @property
    def verdict(self) -> str:
        """The same as `status`, under the name it has in run.json."""
        return self.status

    @property
    def ok(self) -> bool:
        return self.status == "holds"

    @staticmethod
    def from_document(entry: Mapping[str, Any]) -> Verdict:
        known = {each.name for each in fields(Verdict)}
        values = {key: value for key, value in entry.items() if key in known}
        return Verdict(status=entry["verdict"], **values)

    def __str__(self) -> str:
        text = f"{self.subject:<16} {self.status}"
        if self.first_violation is not None:
            text += f" from t = {self.first_violation:.4g} s"
        if self.margin is not None:
            text += f" (margin {self.margin:.3g})"
        return f"{text}: {self.why}" if self.why else text


class Verdicts(Sequence[Verdict]):
    """Verdicts, the gravest first; `verdicts["front.friction"]` finds one by its subject."""

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        self._list = tuple(verdicts)

    @overload
    def __getitem__(self, key: int) -> Verdict: ...
    @overload
    def __getitem__(self, key: str) -> Verdict: ...
    @overload
    def __getitem__(self, key: slice) -> Verdicts: ...
    def __getitem__(self, key: int | str | slice) -> Verdict | Verdicts:
        if isinstance(key, slice):
            return Verdicts(self._list[key])
        if isinstance(key, int):
            return self._list[key]
        for verdict in self._list:
            if verdict.subject == key:
                return verdict
        raise unknown("verdict", key, [each.subject for each in self._list])

    def __len__(self) -> int:
        return len(self._list)

    def __contains__(self, key: object) -> bool:
        return any(key == each or key == each.subject for each in self._list)

    @property
    def subjects(self) -> tuple[str, ...]:
        return tuple(each.subject for each in self._list)

    @property
    def gravest(self) -> Verdict | None:
        return self._list[0] if self._list else None

    @property
    def ok(self) -> bool:
        """Everything that was checked holds."""
        return all(each.status in ("holds", "not checked") for each in self._list)

    def __repr__(self) -> str:
        return "\n".join(str(each) for each in self._list) or "no verdicts"

    def _repr_html_(self) -> str:
        def cell(number: float | None, unit: str = "") -> str:
            return "" if number is None else f"{number:.4g}{unit}"

        rows = [
            (
                html.escape(each.subject),
                html.verdict_word(each.status),
                cell(each.margin),
                cell(each.first_violation, " s"),
                html.escape(each.why) + (f'<br><span style="color:#6e7781">{html.escape(each.hint)}</span>' if each.hint else ""),
            )
            for each in self._list
        ]
        return html.table(("subject", "verdict", "margin", "first violation", "why"), rows)


@dataclass(frozen=True)
class Event:
    """Something that happened on the way."""

    t: float
    name: str
    kind: str
    element: str
    direction: int = 0
    face: int | None = None
    impulse: Mapping[str, float] = field(default_factory=dict)
    energy_lost: float | None = None
    _source: Any = field(default=None, repr=False, compare=False)

    @property
    def state(self) -> State:
        """The state at the time of the event, after all that changed there."""
        if self._source is None:
            raise UsageError("this event has no motion that its state could be taken from")
        state: State = self._source.at(self.t)
        return state


class Events(Sequence[Event]):
    """Events in the order of time; `events["slip:front"]` are the times of one kind, an array."""

    def __init__(self, events: Sequence[Event], known: Sequence[str] = ()) -> None:
        self._list = tuple(events)
        self._known = tuple(known)

    @overload
    def __getitem__(self, key: int) -> Event: ...
    @overload
    def __getitem__(self, key: str) -> Array: ...
    @overload
    def __getitem__(self, key: slice) -> Events: ...
    def __getitem__(self, key: int | str | slice) -> Event | Array | Events:
        if isinstance(key, slice):
            return Events(self._list[key])
        if isinstance(key, int):
            return self._list[key]
        return np.array([each.t for each in self._list if key in (each.name, each.kind)])

    def __len__(self) -> int:
        return len(self._list)

    def __contains__(self, key: object) -> bool:
        return any(key == each or key in (each.name, each.kind) for each in self._list)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.name for each in self._list))

    def __repr__(self) -> str:
        shown = [f"t = {each.t:.6g} s  {each.name}" for each in self._list[:20]]
        if len(self._list) > 20:
            shown.append(f".. and {len(self._list) - 20} more")
        return "\n".join(shown) or "no events"

    def _repr_html_(self) -> str:
        rows = [(f"{each.t:.6g} s", html.escape(each.name)) for each in self._list[:50]]
        more = f"; the first 50 of {len(self._list)}" if len(self._list) > 50 else ""
        return html.table(("t", "event"), rows, f"{len(self._list)} events{more}")


def read_verdicts(listed: Sequence[tuple[Any, ...]]) -> Verdicts:
    return Verdicts([Verdict(*entry) for entry in listed])


def read_events(listed: Sequence[tuple[Any, ...]], source: Any = None) -> Events:
    return Events(
        [
            Event(t, name, kind, element, direction, face, impulse, energy_lost, source)
            for t, name, kind, element, direction, face, impulse, energy_lost in listed
        ]
    )


class Result:
    """A motion: samples by name, events, verdicts. Made by `Model.simulate`, `Run.result`, `open_result`.

    >>> import vinculum as vn
    >>> result = vn.example("double-pendulum").simulate(1, every=0.25)
    >>> result.t
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> result["upper"].shape, result.ok
    ((5,), True)
    """

    def __init__(self, recording: _core.Recording) -> None:
        self._recording = recording
        self._table: Array | None = None
        self._document: dict[str, Any] | None = None

    # ---- samples ----
    def _samples(self) -> Array:
        if self._table is None:
            table = self._recording.table
            changes = self._recording.is_change
            self._table = table[~changes] if changes.any() else table
        return self._table

    def _span(self, kind: str) -> Array:
        begin, end = self._recording.spans[kind]
        return self._samples()[:, begin:end]

    @property
    def model(self) -> Model:
        model: Model = self._recording.model
        return model

    @property
    def t(self) -> Array:
        """Times of the samples [s]."""
        return self._samples()[:, 0]

    @property
    def q(self) -> Array:
        """Coordinates, (samples, coordinates)."""
        return self._span("q")

    @property
    def v(self) -> Array:
        """Velocities, (samples, velocities)."""
        return self._span("v")

    @property
    def a(self) -> Array:
        """Accelerations, (samples, velocities)."""
        return self._span("a")

    def __len__(self) -> int:
        return int(self._samples().shape[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that can be asked for: `result[name]`."""
        return tuple(dict.fromkeys(self._recording.names))

    @property
    def units(self) -> dict[str, str]:
        return dict(reversed(list(zip(self._recording.names, self._recording.units))))

    def keys(self) -> tuple[str, ...]:
        return self.names

    def _column(self, name: str) -> int:
        """Coordinates and velocities before outputs, these before everything else."""
        names = self._recording.names
        spans = self._recording.spans
        begin, end = spans["outputs"]
        for span in ((0, spans["v"][1]), (begin, end), (0, len(names))):
            for i in range(*span):
                if names[i] == name:
                    return i
        raise unknown("quantity", name, self.names)

    def __getitem__(self, name: str) -> NDArray[Any]:
        i = self._column(name)
        column = self._samples()[:, i]
        begin, end = self._recording.spans["modes"]
        if begin <= i < end:
            words: NDArray[Any] = np.array(self.model._mode_words(i - begin))
            return np.asarray(words[column.astype(int)])
        return column

    def __contains__(self, name: object) -> bool:
        return name in self._recording.names

    @property
    def table(self) -> NDArray[Any]:
        """All samples as a structured array: `table["arm"]`; a view of the same memory."""
        samples = self._samples()
        offsets = {name: 8 * i for i, name in reversed(list(enumerate(self._recording.names)))}
        kind = np.dtype(
            {
                "names": list(offsets),
                "formats": ["f8"] * len(offsets),
                "offsets": list(offsets.values()),
                "itemsize": 8 * samples.shape[1],
            }
        )
        return samples.view(kind).reshape(len(samples))

    def to_dataframe(self) -> Any:
        """The samples as a pandas DataFrame, with t as its index."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_dataframe() needs pandas: apt install python3-pandas") from error
        frame = pandas.DataFrame({name: self[name] for name in self.names if name != "t"})
        frame.index = pandas.Index(self.t, name="t")
        return frame

    # ---- what came of it ----
    @property
    def start(self) -> State:
        return self._recording.start

    @property
    def final(self) -> State:
        """Where the motion ended."""
        return self._recording.final

    def at(self, t: float) -> State:
        """The state at any time of the motion, to the tolerance of the run; at a sample exactly that one.

        >>> import vinculum as vn
        >>> result = vn.example("double-pendulum").simulate(1)
        >>> result.at(0.1234)["upper"] == result.at(0.1234)["upper"]
        True
        """
        return self._recording.at(t)

    @property
    def events(self) -> Events:
        return read_events(self._recording.events, self)

    @property
    def verdicts(self) -> Verdicts:
        return read_verdicts(self._recording.verdicts)

    @property
    def ok(self) -> bool:
        """The motion came to its end, and nothing that was checked is violated, impossible or not unique."""
        return self.failure is None and self.end in ("complete", "stopped at event") and self.verdicts.ok

    @property
    def end(self) -> str:
        """complete, stopped at event, interrupted or failed"""
        return self._recording.end

    @property
    def failure(self) -> Error | None:
        failure = self._recording.failure
        return None if failure is None else make("motion", *failure)

    @property
    def document(self) -> dict[str, Any]:
        """What `vinculum simulate --json` prints."""
        if self._document is None:
            document: dict[str, Any] = json.loads(self._recording.document())
            for key in ("vinculum", "model", "name", "fingerprint", "set", "options", "start", "status", "failure"):
                document.pop(key, None)  # of a folder: what was asked
            self._document = document
        return self._document

    @property
    def warnings(self) -> tuple[str, ...]:
        """What `vinculum simulate` warns of: another integrator than the one asked for, integrals that are not watched."""
        return tuple(self._recording.warnings)

    @property
    def stats(self) -> dict[str, Any]:
        """Integrator, steps, rejected steps, evaluations."""
        document = self.document
        stats = {name: document[name] for name in ("integrator", "steps", "rejected", "samples")}
        stats["evaluations"] = self._recording.evaluations
        if "chosen_because" in document:
            stats["chosen_because"] = document["chosen_because"]
        return stats

    @property
    def drifts(self) -> dict[str, float]:
        """The largest deviation of every quantity that should stay constant."""
        return {entry["name"]: entry["drift"] for entry in self.document["integrals"]}

    @property
    def residuals(self) -> dict[str, dict[str, float | None]]:
        """The largest residuals of the constraints, in position and velocity."""
        residuals: dict[str, dict[str, float | None]] = self.document["constraint_residual"]
        return residuals

    @property
    def outputs(self) -> dict[str, dict[str, float]]:
        """Last, smallest, largest value, mean and rms of the outputs of the model, over the continuous motion."""
        outputs: dict[str, dict[str, float]] = self.document.get("outputs", {})
        return outputs

    def check(self, fail_on: Sequence[str] = ("violated", "impossible")) -> Result:
        """Itself, if no verdict is one of these words; else a VerdictError.

        >>> import vinculum as vn
        >>> vn.example("double-pendulum").simulate(1).check()["upper"].shape
        (1001,)
        """
        words = [word.replace("-", " ").replace("_", " ") for word in ([fail_on] if isinstance(fail_on, str) else fail_on)]
        known = ("violated", "not unique", "impossible", "not checked", "holds")
        for word in words:
            if word not in known:
                raise unknown("verdict", word, known)
        if self.failure is not None:
            raise self.failure
        bad = [each for each in self.verdicts if each.status in words]
        if bad:
            error = VerdictError("\n".join(str(each) for each in bad), code="VN-RUN-180", hint=bad[0].hint)
            error.verdicts = Verdicts(bad)
            raise error
        return self

    # ---- files and pictures ----
    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the folder that `vinculum simulate --output` leaves: tables, run.json, report.html."""
        self._recording.save(os.fspath(folder), force)

    def report(self, path: str | os.PathLike[str] | None = None, *, height: int = 640) -> html.Page:
        """The page of the motion: shown by notebooks; written where a path is given."""
        with tempfile.TemporaryDirectory() as folder:
            path_of_page = Path(folder) / "report.html"
            self._recording.save_page(os.fspath(path_of_page))
            content = path_of_page.read_bytes()
        page = html.Page(content, height=height)
        if path is not None:
            page.save(os.fspath(path))
        return page

    def plot(self, *names: str, ax: Any = None, events: bool = True) -> Any:
        """Draws quantities over time (by default the first coordinates), with dashed lines at events."""
        from .plot import plot_result

        return plot_result(self, names, ax, events)

    def __repr__(self) -> str:
        name = self.model.name or "model"
        head = f"{name}: {self.end} at t = {self.final.t:.6g} s, {len(self)} samples, {len(self.events)} events"
        return f"{head}\n{self.verdicts!r}"

    def _repr_html_(self) -> str:
        name = html.escape(self.model.name or "model")
        failure = self.failure
        why = f"<p>{html.verdict_word('impossible')}: {html.escape(failure)}</p>" if failure is not None else ""
        head = f"<p><b>{name}</b>: {self.end} at t = {self.final.t:.6g} s, {len(self)} samples, {len(self.events)} events</p>"
        return head + why + self.verdicts._repr_html_()

    def __getstate__(self) -> Any:
        return self._recording

    def __setstate__(self, recording: _core.Recording) -> None:
        self._recording = recording
        self._table = None
        self._document = None


def finish(recording: _core.Recording, error: BaseException | None, interrupted: bool, on_failure: str) -> Result:
    """The result of a run, or the exception that says why there is none: with the good part of the motion."""
    result = Result(recording)
    if error is not None and interrupted:
        error.result = result  # type: ignore[attr-defined]
        raise error
    failure = result.failure
    if failure is not None and (on_failure == "raise" or error is not None):
        assert isinstance(failure, MotionError)
        failure.result = result
        raise failure from error
    return result


def open_result(folder: str | os.PathLike[str], model: Model | None = None) -> Result:
    """The motion that `vinculum simulate --output` or `Result.save` has left in a folder.

    The model is read from the file that the folder names, unless it is given.
    """
    from .model import Model

    path = os.fspath(folder)
    file, fingerprint, sets = _core._read_origin(path)
    if model is None:
        if not file:
            raise UsageError("the run was made from a model without a file", hint="pass it: open_result(folder, model)")
        model = Model.from_file(file, set=dict(entry.split("=", 1) for entry in sets))
    if model.fingerprint != fingerprint:
        raise UsageError("the run in the folder was made with another model, or with other values of it")
    return Result(_core._open_recording(model, path))
