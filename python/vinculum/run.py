# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""A motion computed piece by piece, and controllers."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from . import _vinculum as _core
from ._vinculum import State
from .errors import UsageError, make
from .model import Model, Value, list_controllers, read_run_options
from .result import Events, Result, Verdicts, read_events, read_verdicts, unknown


class Controller:
    """A function that sets inputs at sampling instants: at offset + k period; what it returns acts `delay` later, and holds.

    `function(t, state)`, or `function(t, state, outputs)` with the outputs of the model by name, returns {input: value}, one
    number where it writes one input, or None (nothing changes). `inputs` names what it may write; all inputs if not given.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        period: float,
        offset: float = 0.0,
        delay: float = 0.0,
        inputs: Iterable[str] | str | None = None,
    ) -> None:
        if not callable(function):
            raise TypeError("a controller needs a function: function(t, state) -> {input: value}")
        self.function = function
        self.period = float(period)
        self.offset = float(offset)
        self.delay = float(delay)
        self.inputs = None if inputs is None else (inputs,) if isinstance(inputs, str) else tuple(inputs)
        if not self.period > 0:
            raise UsageError(f"the period of a controller must be positive, not {self.period}", code="VN-RUN-145")
        if not 0 <= self.delay < self.period:
            raise UsageError("the delay of a controller must lie between 0 and its period", code="VN-RUN-145")
        self._takes_outputs = _count_arguments(function) >= 3

    def __repr__(self) -> str:
        name = getattr(self.function, "__name__", repr(self.function))
        return f"Controller({name}, period={self.period}, offset={self.offset}, delay={self.delay})"


def _count_arguments(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    count = 0
    for each in parameters:
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) and each.default is each.empty:
            count += 1
        elif each.kind is each.VAR_POSITIONAL:
            return 3
    return count


class _Inputs(MutableMapping[str, float]):
    """Inputs of a run by name; setting one restarts the motion exactly there."""

    def __init__(self, run: _core.Run) -> None:
        self._run = run

    def __getitem__(self, name: str) -> float:
        values = self._run.inputs
        if name not in values:
            raise unknown("input", name, list(values))
        return values[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._run.set_inputs({name: value})

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs cannot be deleted")

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.inputs)

    def __len__(self) -> int:
        return len(self._run.inputs)

    def update(self, *args: Any, **values: Any) -> None:
        """Several at once: the motion restarts with all of them."""
        self._run.set_inputs(dict(*args, **values))

    def __repr__(self) -> str:
        return repr(self._run.inputs)


class Run:
    """A motion that is computed piece by piece. Looking at it never changes it; setting an input restarts it exactly there.

    >>> import vinculum as vn
    >>> run = vn.Run(vn.example("double-pendulum"), until=1)
    >>> for state in run.every(0.25):
    ...     print(state.t)
    0.25
    0.5
    0.75
    1.0
    >>> run.result().ok
    True
    """

    def __init__(
        self,
        model: Model,
        start: State | None = None,
        *,
        until: float | str,
        set: Mapping[str, Value] | None = None,
        controllers: Controller | Iterable[Controller] = (),
        every: float | str | None = None,
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
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"a Model is expected, not {type(model).__name__}")
        self.model = model.with_(set) if set else model
        options, constants = read_run_options(
            self.model, until, every, integrator, tolerance, order, max_step, step, contacts, stop_at, baumgarte, integrals, inputs
        )
        if constants:
            start = (start if start is not None else self.model.initial).copy()
            for name, value in constants:
                start[name] = value
        self._run = _core.Run(self.model, start, options, list_controllers(controllers))

    def advance(self, to: float, *, arrive: str | None = None) -> str:
        """On to a time: "reached", or "event" where the event of `stop_at` happened before.

        `arrive="look"` takes the steps of a run that nobody looks at, `"land"` ends a step there; by default runs of models with
        inputs land and others look. Ctrl-C raises KeyboardInterrupt, and the run can go on. A motion that cannot be continued
        raises MotionError, whose `result` is the motion up to there.
        """
        try:
            ended = self._run.advance(float(to), arrive)
        except Exception as error:
            if self._run.failure is None:
                raise
            raise self._failed() from error
        if ended == "failed":
            raise self._failed()
        return ended

    def _failed(self) -> Exception:
        error = make("motion", *(self._run.failure or ("", "the run has failed", "")))
        error.result = self.result()  # type: ignore[attr-defined]
        return error

    def every(self, dt: float) -> Iterator[State]:
        """Advances by dt again and again, to the end of the run, and gives the state each time."""
        if not dt > 0:
            raise UsageError(f"dt must be positive, not {dt}")
        begin, end = self.t, self.horizon
        sense = 1.0 if end >= begin else -1.0
        k = 0
        while self.t != end:
            k += 1
            to = begin + sense * k * dt
            if sense * (to - end) > -1e-9 * dt:
                to = end
            ended = self.advance(to)
            yield self.state
            if ended == "event":
                return

    @property
    def t(self) -> float:
        return self._run.t

    @property
    def state(self) -> State:
        """The present state, a copy."""
        return self._run.state

    @property
    def horizon(self) -> float:
        """Where the run ends [s]."""
        return self._run.horizon

    def extend(self, until: float) -> None:
        """A new end of the run."""
        self._run.extend(float(until))

    @property
    def inputs(self) -> _Inputs:
        """Inputs by name: `run.inputs["torque"] = 3`. A value outside its range is refused."""
        return _Inputs(self._run)

    def set_state(self, state: State) -> None:
        """Another state at the present time: what follows is decided as at a start."""
        self._run.set_state(state)

    def add_controller(self, controller: Controller) -> None:
        """Acts from the present on."""
        self._run.add_controller(list_controllers(controller)[0])

    def sample(self) -> dict[str, float | str]:
        """Everything at the present, by name: accelerations, forces of constraints, outputs, energy."""
        return self._run.sample()

    def __getitem__(self, name: str) -> float | str:
        state = self._run.state
        if name in state:
            return state[name]
        sample = self._run.sample()
        if name not in sample:
            raise unknown("quantity", name, list(sample))
        return sample[name]

    @property
    def verdicts(self) -> Verdicts:
        """What this motion rests on, as far as it has come. Asking changes nothing."""
        return read_verdicts(self._run.verdicts)

    @property
    def events(self) -> Events:
        return read_events(self._run.events)

    def result(self) -> Result:
        """The motion so far, with the samples that `every` gave."""
        return Result(self._run.result())

    def image(self) -> bytes:
        """All the run needs to continue from the present in any process of this version; without controllers."""
        return self._run.image()

    @classmethod
    def resume(cls, model: Model, image: bytes, controllers: Controller | Iterable[Controller] = ()) -> Run:
        """Continues from an image, to the bit."""
        run = cls.__new__(cls)
        run.model = model
        run._run = _core.Run.resume(model, bytes(image))
        for each in list_controllers(controllers):
            run.add_controller(each)
        return run

    def __repr__(self) -> str:
        return f"<Run of {self.model.name or 'a model'} at t = {self.t:.6g} s of {self.horizon:.6g} s>"
