# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Models: read once, checked once, then constant."""
from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _vinculum as _core
from ._vinculum import Batch, State
from .errors import Error, FileError, ModelWarning, UsageError, make
from .result import Event, Events, Result, Verdict, Verdicts, finish, unknown

if TYPE_CHECKING:
    from .run import Controller

Array = NDArray[np.float64]
Value = Union[float, str]  # a number in SI units, or a text with a unit: "17 deg"


@dataclass(frozen=True)
class Energy:
    kinetic: float  # [J]
    potential: float  # [J]

    @property
    def total(self) -> float:
        return self.kinetic + self.potential


@dataclass(frozen=True)
class Momentum:
    """Of the whole system, world axes."""

    mass: float  # [kg]
    center: Array  # of mass [m]
    linear: Array  # [kg*m/s]
    angular: Array  # about the world origin [kg*m^2/s]
    central: Array  # about the centre of mass


@dataclass(frozen=True)
class ForwardDerivatives:
    """Slopes of v'; by q along a velocity, so that all matrices are (velocities, velocities)."""

    a: Array
    by_q: Array
    by_v: Array
    by_tau: Array


@dataclass(frozen=True)
class InverseDerivatives:
    """Slopes of A v' + h."""

    by_q: Array
    by_v: Array
    by_a: Array  # the mass matrix


@dataclass(frozen=True)
class Ensemble:
    """Many motions of one model: where each ended, and what happened on its way."""

    t: Array  # (motions,)
    q: Array  # (motions, coordinates)
    v: Array  # (motions, velocities)
    steps: NDArray[np.int64]
    events: NDArray[Any]  # structured: run, event, t, direction
    failures: Mapping[int, Error]  # by motion; those end before their time

    def __len__(self) -> int:
        return len(self.t)


def _texts(values: Mapping[str, Value] | None) -> list[tuple[str, str]]:
    texts = []
    for name, value in (values or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"names are texts, not {type(name).__name__}")
        if isinstance(value, str):
            texts.append((name, value))
        else:
            texts.append((name, _core._number_text(float(value))))
    return texts


class Model(_core.Model):
    """A mechanism: bodies, joints, constraints, forces; its names, and the laws of its motion.

    Made by `from_file`, `from_string`, `from_urdf`; constant from then on, so that threads can share it.

    >>> import vinculum as vn
    >>> model = vn.Model.from_string('''
    ... vinculum: 1
    ... parameters: { length: 1 m }
    ... bodies:
    ...   arm: { joint: {type: revolute, axis: y}, mass: 1 kg, com: [0, 0, "-length"], inertia: [0, 0, 0] }
    ... initial: { arm: 90 deg }
    ... ''')
    >>> model.coordinates, model.velocities
    (('arm',), ("arm'",))
    >>> model.forward(model.initial)
    array([-9.81])
    >>> model.with_(length=0.5).forward(model.initial)
    array([-19.62])
    """

    losses: tuple[str, ...] = ()  # of from_urdf: what was not converted,
    remarks: tuple[str, ...] = ()  # and what was converted in other words

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a Model is made by Model.from_file, Model.from_string or Model.from_urdf")

    @classmethod
    def _make(cls, text: str, path: str, folder: str, sets: Sequence[tuple[str, str]]) -> Model:
        model = cls.__new__(cls)
        _core.Model.__init__(model, text, path, folder, list(sets))
        return model

    @classmethod
    def _read(cls, text: str, path: str, folder: str, sets: Sequence[tuple[str, str]]) -> Model:
        model = cls._make(text, path, folder, sets)
        for text in model._warnings:
            warnings.warn(text, ModelWarning, stacklevel=3)
        return model

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, set: Mapping[str, Value] | None = None) -> Model:
        """Reads a model file. `set` gives parameters and initial values by name, as --set of the command line."""
        file = os.fspath(path)
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            message = f"cannot open model file '{file}': {(error.strerror or 'no such file').lower()}"
            raise FileError(message, code="VN-FILE-001", hint="check the path") from error
        if len(data) > 256_000_000:
            raise FileError(f"the file '{file}' has more than 256 MB", code="VN-FILE-002")
        folder = str(Path(file).parent)
        return cls._read(_decode(data, file), file, folder, _texts(set))

    @classmethod
    def from_string(
        cls, text: str, *, folder: str | os.PathLike[str] | None = None, set: Mapping[str, Value] | None = None
    ) -> Model:
        """Reads the text of a model file; tables that it names are read from inside `folder`."""
        if not isinstance(text, str):
            raise TypeError(f"the text of a model is expected, not {type(text).__name__}")
        return cls._read(text, "", "" if folder is None else os.fspath(folder), _texts(set))

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        *,
        floating_base: bool = False,
        accept_inertia: bool = False,
        set: Mapping[str, Value] | None = None,
    ) -> Model:
        """Converts a robot in URDF, as `vinculum convert`; `losses` and `remarks` say what was left behind or changed."""
        file = os.fspath(path)
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise FileError(f"cannot open '{file}': {(error.strerror or 'no such file').lower()}", code="VN-FILE-001") from error
        text, losses, remarks = _core._convert_urdf(_decode(data, file), file, floating_base, accept_inertia)
        model = cls._read(text, "", str(Path(file).parent), _texts(set))
        model.losses, model.remarks = tuple(losses), tuple(remarks)
        return model

    @property
    def parameters(self) -> Mapping[str, float]:
        """Values of the parameters, in SI units; read-only."""
        return MappingProxyType(self._parameters)

    def with_(self, values: Mapping[str, Value] | None = None, /, **named: Value) -> Model:
        """Another model, with other parameters or initial values.

        Names that are no words of Python go into a mapping: `car.with_({"car.tx'": 5})`.
        """
        changed = dict(self._sets)
        changed.update(_texts({**(values or {}), **named}))
        model = type(self)._make(self.text, self.path, self.folder, list(changed.items()))
        model.losses, model.remarks = self.losses, self.remarks
        return model

    def state(
        self,
        values: Mapping[str, Value] | None = None,
        *,
        t: float = 0.0,
        modes: Mapping[str, str] | None = None,
        memory: Mapping[str, Any] | None = None,
    ) -> State:
        """The initial state with other values on top, by the names of coordinates and velocities.

        >>> import vinculum as vn
        >>> model = vn.example("double-pendulum")
        >>> model.state({"upper": 0.5, "lower'": "10 deg"})["upper"]
        0.5
        """
        document: dict[str, Any] = {"t": _core._read_value(t), "q": {}, "v": {}}
        coordinates, velocities = set(self.coordinates), set(self.velocities)
        for name, value in (values or {}).items():
            if name == "t":
                document["t"] = _core._read_value(value)
            elif name in coordinates:
                document["q"][name] = _core._read_value(value)
            elif name in velocities:
                document["v"][name] = _core._read_value(value)
            else:
                raise unknown("coordinate or velocity", name, (*self.coordinates, *self.velocities))
        if modes is not None:
            document["modes"] = dict(modes)
        if memory is not None:
            document["memory"] = dict(memory)
        for key in ("q", "v"):
            for name, value in document[key].items():
                if not np.isfinite(value):
                    raise UsageError(f"the value of '{name}' is not finite", code="VN-PYTHON-002")
        if not np.isfinite(document["t"]):
            raise UsageError("t is not finite", code="VN-PYTHON-002")
        return self._read_state(json.dumps(document))

    def assemble(self, state: State | None = None, *, hold: Sequence[str] = ()) -> State:
        """The state moved onto the constraints, with the least change; what `hold` names keeps its value: --project.

        >>> import vinculum as vn
        >>> loop = vn.example("four-bar-loop")
        >>> loop.forward(loop.assemble()).shape == (len(loop.velocities),)
        True
        """
        return self._assemble(state, [hold] if isinstance(hold, str) else list(hold))

    def state_from_dict(self, document: Mapping[str, Any]) -> State:
        """The state that `State.to_dict` has written, or a state file: {"t": , "q": {..}, "v": {..}}."""
        return self._read_state(json.dumps(document))

    def check(self, **options: Any) -> Any:
        """Degrees of freedom, redundancy, determinacy: `vinculum check`."""
        from .analyses import check

        return check(self, **options)

    def energy(self, state: State) -> Energy:
        """Kinetic and potential energy."""
        return Energy(*self._energy(state))

    def momentum(self, state: State) -> Momentum:
        """Momentum and moment of momentum of the whole system."""
        return Momentum(*self._momentum(state))

    def forward_derivatives(
        self, state: State, tau: ArrayLike | Mapping[str, float] | None = None, wrenches: ArrayLike | None = None
    ) -> ForwardDerivatives:
        """Slopes of v' with respect to q, v and tau. `tau` and `wrenches` act as in `forward` and stay as they are."""
        return ForwardDerivatives(*self._forward_derivatives(state, tau, wrenches))

    def inverse_derivatives(
        self, state: State, a: ArrayLike | Mapping[str, float], wrenches: ArrayLike | None = None
    ) -> InverseDerivatives:
        """Slopes of A v' + h with respect to q, v and a. `wrenches` act as in `inverse` and stay as they are."""
        return InverseDerivatives(*self._inverse_derivatives(state, a, wrenches))

    def evaluate(self, state: State | None = None, *, form: str = "recursive", project: bool = False, **options: Any) -> Any:
        """Everything at one state: what `vinculum evaluate` answers."""
        from .analyses import evaluate

        return evaluate(self, state, form=form, project=project, **options)

    def simulate(
        self,
        until: float | str,
        *,
        start: State | None = None,
        set: Mapping[str, Value] | None = None,
        every: float | str | None = None,
        at: ArrayLike | None = None,
        integrator: str = "auto",
        tolerance: float = 1e-10,
        order: int = 0,
        max_step: float | None = None,
        step: float | None = None,
        contacts: str = "bilateral",
        stop_at: str | None = None,
        baumgarte: float = 0.0,
        integrals: bool = True,
        inputs: Mapping[str, Any] | None = None,
        controllers: Controller | Iterable[Controller] = (),
        output: str | os.PathLike[str] | None = None,
        force: bool = False,
        progress: Callable[[float, float], Any] | None = None,
        on_failure: str = "raise",
    ) -> Result:
        """The motion from `start` (or the initial state) to `until` [s], with events and verdicts.

        The numbers are those of `vinculum simulate` to the bit. `every` [s] is the time between samples, `at` gives their times
        exactly. `inputs` maps names to a number, or to (times, values). A motion that cannot be continued raises MotionError,
        whose `result` is the good part; `on_failure="return"` returns that part instead.

        >>> import vinculum as vn
        >>> result = vn.example("double-pendulum").simulate(2, at=[0.5, 1, 2])
        >>> result.t
        array([0.5, 1. , 2. ])
        """
        if on_failure not in ("raise", "return"):
            raise unknown("way of failing", on_failure, ("raise", "return"))
        model = self.with_(set) if set else self
        options, constants = read_run_options(
            model, until, every, integrator, tolerance, order, max_step, step, contacts, stop_at, baumgarte, integrals, inputs
        )
        recording, error, interrupted = _core._simulate(
            model,
            start,
            options,
            list_controllers(controllers),
            None if at is None else np.atleast_1d(np.asarray(at)),
            None if output is None else os.fspath(output),
            force,
            progress,
            constants,
        )
        return finish(recording, error, interrupted, on_failure)

    def batch(self, n: int, *, threads: int = 1) -> Batch:
        """Room for n states that are computed side by side.

        >>> import vinculum as vn
        >>> batch = vn.example("double-pendulum").batch(1000)
        >>> batch.q[:, 0] = np.linspace(0, 1, 1000)
        >>> batch.forward().shape
        (1000, 2)
        """
        return Batch(self, n, threads=threads)

    def ensemble(
        self,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        until: float | str = 1.0,
        *,
        t: float = 0.0,
        threads: int = 0,
        stop_at: str | None = None,
        tolerance: float = 1e-10,
        order: int = 0,
    ) -> Ensemble:
        """Many motions at once, each with the bits that `simulate` gives it with the integrator taylor.

        >>> import vinculum as vn
        >>> two = vn.example("double-pendulum")
        >>> ensemble = two.ensemble(q=[[0.1, 0.2], [0.3, 0.4]], until=0.5)
        >>> ensemble.t
        array([0.5, 0.5])
        """
        count = threads if threads > 0 else len(os.sched_getaffinity(0))
        answer = _core._ensemble(
            self, q, v, float(t), float(_core._read_value(until)), count, float(tolerance), int(order), stop_at or ""
        )
        longest = max([len(name) for name in self.events], default=1)
        kind = np.dtype([("run", "i8"), ("event", f"U{longest}"), ("t", "f8"), ("direction", "i8")])
        answer["events"] = np.array(answer["events"], dtype=kind)
        return Ensemble(**answer)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.fingerprint == other.fingerprint

    def __reduce__(self) -> Any:
        return (_remake, (type(self), self.text, self.path, self.folder, list(self._sets), self.losses, self.remarks))

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: Any) -> Model:
        return self

    def __repr__(self) -> str:
        counts = [f"{len(self.bodies)} bodies", f"{len(self.velocities)} velocities"]
        for names, word in ((self.rows, "constraints"), (self.inputs, "inputs"), (self.outputs, "outputs")):
            if names:
                counts.append(f"{len(names)} {word}")
        return f"<Model {self.name or 'without a name'}: {', '.join(counts)}>"


def _remake(
    kind: type[Model], text: str, path: str, folder: str, sets: list[tuple[str, str]], losses: Any, remarks: Any
) -> Model:
    model = kind._make(text, path, folder, sets)
    model.losses, model.remarks = losses, remarks
    return model


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise make("file", "VN-FILE-004", f"'{file}' is not a text in UTF-8", "save the file as UTF-8") from error


def list_controllers(controllers: Any) -> list[Any]:
    from .run import Controller

    listed = [controllers] if isinstance(controllers, Controller) else list(controllers)
    for each in listed:
        if not isinstance(each, Controller):
            raise TypeError(f"a Controller is expected, not {type(each).__name__}")
    return listed


def read_run_options(
    model: Model,
    until: float | str,
    every: float | str | None,
    integrator: str,
    tolerance: float,
    order: int,
    max_step: float | None,
    step: float | None,
    contacts: str,
    stop_at: str | None,
    baumgarte: float,
    integrals: bool,
    inputs: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], list[tuple[str, float]]]:
    """The options of a run for the library, and the inputs that are constant."""
    if step is not None:
        given = (integrator != "auto", tolerance != 1e-10, order != 0, max_step is not None, baumgarte != 0)
        if any(given):
            raise UsageError(
                "step takes neither integrator, tolerance, order, max_step nor baumgarte",
                code="VN-USAGE-014",
                hint="implicit steps of one length have no error control",
            )
        if not step > 0:
            raise UsageError("step must be positive")
    if max_step is not None and not max_step > 0:
        raise UsageError("max_step must be positive")
    if order and integrator not in ("auto", "taylor"):
        raise UsageError("order is that of power series, which the integrator taylor has", code="VN-USAGE-014")
    constants: list[tuple[str, float]] = []
    times: list[Array] = []
    tables: dict[str, tuple[Array, Array]] = {}
    for name, value in (inputs or {}).items():
        if name not in model.inputs:
            raise unknown("input", name, model.inputs)
        if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
            at, values = (np.asarray(part, dtype=float) for part in value)
            if at.shape != values.shape or at.size == 0:
                raise UsageError(f"input '{name}': times and values differ in number", code="VN-PYTHON-002")
            if not (np.isfinite(at).all() and np.isfinite(values).all()):
                raise UsageError(f"input '{name}': times and values must be finite", code="VN-PYTHON-002")
            if not (np.diff(at) > 0).all():
                raise UsageError(f"input '{name}': its times must ascend", code="VN-PYTHON-002")
            tables[name] = (at, values)
            times.append(at)
        else:
            constants.append((name, float(_core._read_value(value))))
    table = None
    if tables:
        # One line for all at every time: each keeps its value until its next one.
        all_times = np.unique(np.concatenate(times))
        columns = []
        for name, (at, values) in tables.items():
            if len(tables) > 1 and len(at) != len(all_times) and name + "'" in model.coordinates:
                raise UsageError(
                    f"input '{name}' goes along lines (hold: linear): give all inputs at the same times", code="VN-PYTHON-002"
                )
            last = np.searchsorted(at, all_times, side="right") - 1
            before = model.initial[name] if name not in dict(constants) else dict(constants)[name]
            columns.append(np.where(last >= 0, values[np.maximum(last, 0)], before))
        table = (list(tables), all_times, np.column_stack(columns))
    options = {
        "until": float(_core._read_value(until)),
        "every": None if every is None else float(_core._read_value(every)),
        "integrator": integrator,
        "tolerance": float(tolerance),
        "order": int(order),
        "max_step": max_step,
        "step": step,
        "contacts": contacts,
        "stop_at": stop_at,
        "baumgarte": float(baumgarte),
        "integrals": bool(integrals),
        "table": table,
    }
    return options, constants
