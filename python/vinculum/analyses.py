# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of the program as functions: the same computation in this process, the same numbers to the bit.

Keyword arguments are the options of the command, with _ for -: `steady(model, rate=5, angle={"s1": 0.4}, stability=True)`.
What an answer says in full is its `document`: what the command prints with --json.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _vinculum as _core
from . import html
from ._vinculum import State
from .errors import Error, UnknownNameError, make
from .model import Model
from .result import Verdict, Verdicts, unknown

Array = NDArray[np.float64]
Option = Union[None, bool, float, int, str, "os.PathLike[str]", Sequence[Any], Mapping[str, Any]]


def _words(options: Mapping[str, Option]) -> list[str]:
    """Options of Python as words of the command line."""

    def text(value: Any) -> str:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError("an option that takes a value was given True or False")
        if isinstance(value, (int, np.integer)):
            return str(int(value))
        if isinstance(value, (float, np.floating)):
            return _core._number_text(float(value))
        return str(os.fspath(value))

    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [f"{option}={key}={text(each)}" for key, each in value.items()]
        elif isinstance(value, (list, tuple, np.ndarray)):
            words += [f"{option}={text(each)}" for each in value]
        else:
            words.append(f"{option}={text(value)}")
    return words


def run_command(
    command: str,
    model: Model | None,
    state: State | None = None,
    options: Mapping[str, Option] | None = None,
    words: Sequence[str] = (),
) -> dict[str, Any]:
    """The one place where a command of the program is called. Its JSON document, or the exception of its first error."""
    line = [command]
    if model is not None:
        if not isinstance(model, Model):
            raise TypeError(f"a Model is expected, not {type(model).__name__}")
        line.append(model.path or "model.yaml")
    line += words
    text = None
    if state is not None:
        if not isinstance(state, State):
            raise TypeError(f"a State is expected, not {type(state).__name__}")
        text = state._text()
        line.append("--state=-")
    line += [*_words(options or {}), "--json"]
    code, document_text = _core._run_command(line, model, text)
    document: dict[str, Any] = json.loads(document_text)
    if code == 0:
        return document
    diagnostics = document.get("diagnostics", [])
    first: dict[str, Any] = next((each for each in diagnostics if each["severity"] == "error"), {})
    kind = {2: "usage", 3: "model"}.get(code, _core._trouble_of(first.get("code", "")))
    element = f"{first['element']}: " if first.get("element") else ""
    message = element + first.get("message", f"{command} failed")
    error = make(kind, first.get("code", ""), message, first.get("hint", ""), diagnostics)
    error.document = document  # type: ignore[attr-defined]
    raise error


@dataclass(frozen=True, repr=False)
class Answer:
    """What a command answered. `document` is all of it; `answer["key"]` one part."""

    model: Model = field(repr=False)
    document: Mapping[str, Any] = field(repr=False)

    def __getitem__(self, key: str) -> Any:
        if key not in self.document:
            raise unknown("part of the answer", key, list(self.document))
        return self.document[key]

    def __contains__(self, key: object) -> bool:
        return key in self.document

    @property
    def verdicts(self) -> Verdicts:
        return Verdicts([Verdict.from_document(entry) for entry in self.document.get("verdicts", [])])

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(f"{each['message']} [{each['code']}]" for each in self.document.get("diagnostics", []))

    def _facts(self) -> list[tuple[str, str]]:
        """Lines of the answer for people."""
        return [
            (key, str(value))
            for key, value in self.document.items()
            if isinstance(value, (str, int, float)) and not isinstance(value, bool)
        ]

    def __repr__(self) -> str:
        facts = "".join(f"\n  {name:<16} {text}" for name, text in self._facts())
        verdicts = "".join(f"\n  {verdict}" for verdict in self.verdicts)
        return f"{type(self).__name__}{facts}{verdicts}"

    def _repr_html_(self) -> str:
        facts = html.table(("", ""), [(html.escape(name), html.escape(text)) for name, text in self._facts()])
        verdicts = self.verdicts
        return facts + (verdicts._repr_html_() if len(verdicts) else "")


A = TypeVar("A", bound=Answer)


def _array(value: Any) -> Array:
    return np.array(value, dtype=float)


def _complex(pairs: Any) -> NDArray[np.complex128]:
    return np.array([complex(re, im) for re, im in pairs], dtype=complex)


def _state(model: Model, entry: Mapping[str, Any]) -> State:
    return model._read_state(json.dumps({key: entry[key] for key in ("t", "q", "v", "modes", "memory") if key in entry}))


def _by_name(names: Sequence[str], entry: Mapping[str, Any] | None) -> Array:
    return _array([(entry or {}).get(name, np.nan) for name in names])


class Check(Answer):
    """Is the model sound; what is it."""

    @property
    def degrees_of_freedom(self) -> int:
        return int(self.document["degrees_of_freedom"])

    @property
    def rank(self) -> int:
        return int(self.document["rank"])

    @property
    def redundant(self) -> tuple[str, ...]:
        return tuple(self.document["redundant"])

    @property
    def determinate(self) -> Mapping[str, bool]:
        return dict(self.document["determinate"])

    def _facts(self) -> list[tuple[str, str]]:
        document = self.document
        return [
            ("bodies", str(len(document["bodies"]))),
            ("velocities", str(len(document["velocities"]))),
            ("constraints", f"{len(document['constraints'])}, rank {self.rank}"),
            ("freedom", f"{self.degrees_of_freedom} degrees"),
            ("redundant", ", ".join(self.redundant) or "none"),
        ]


class Evaluation(Answer):
    """Everything at one state."""

    @property
    def accelerations(self) -> Mapping[str, float]:
        return dict(self.document.get("accelerations", {}))

    @property
    def a(self) -> Array:
        """The accelerations in the order of the velocities."""
        return _by_name(self.model.velocities, self.document.get("accelerations"))

    @property
    def mass_matrix(self) -> Array:
        return _array(self.document["mass_matrix"])

    @property
    def bias(self) -> Array:
        return _by_name(self.model.velocities, self.document["bias"])

    @property
    def multipliers(self) -> Mapping[str, float]:
        return dict(self.document.get("multipliers", {}))

    @property
    def reactions(self) -> Mapping[str, Mapping[str, Any]]:
        return dict(self.document.get("reactions", {}))

    @property
    def outputs(self) -> Mapping[str, float]:
        return dict(self.document.get("outputs", {}))

    @property
    def jacobian(self) -> Array:
        """Of the constraints that are there: (rows, velocities)."""
        rows = self.document["constraint_jacobian"].values()
        return _array([[row[name] for name in self.model.velocities] for row in rows]).reshape(-1, len(self.model.velocities))

    def _facts(self) -> list[tuple[str, str]]:
        facts = [(name + "'", f"{value:.9g}") for name, value in self.accelerations.items()]
        return facts + [(name, f"{value:.9g}") for name, value in self.multipliers.items()]


class Linearisation(Answer):
    """Small deviations from a state: x' = A x + B u + B_inputs w, with u forces on the velocities, w the inputs of the model."""

    @property
    def A(self) -> Array:
        return _array(self.document["A"])

    @property
    def B(self) -> Array:
        return _array(self.document["B"])

    @property
    def B_inputs(self) -> Array:
        return _array(self.document.get("B_inputs", [])).reshape(len(self.states), -1)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(self.document["states"])

    @property
    def inputs(self) -> tuple[str, ...]:
        """Columns of B."""
        return tuple(self.document["inputs"])

    @property
    def input_names(self) -> tuple[str, ...]:
        """Columns of B_inputs."""
        return tuple(self.document.get("input_names", ()))

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        return _complex(self.document["eigenvalues"])

    @property
    def modes(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.document["modes"])

    @property
    def stability(self) -> str:
        return str(self.document["stability"]["verdict"])

    @property
    def growth(self) -> float:
        return float(self.document["stability"]["growth"])

    def _facts(self) -> list[tuple[str, str]]:
        facts = [("states", ", ".join(self.states))] if "states" in self.document else []
        if "stability" in self.document:
            facts.append(("stability", self.stability))
        if "eigenvalues" in self.document:
            facts += [("eigenvalue", f"{value.real:.6g} {value.imag:+.6g}i") for value in self.eigenvalues]
        return facts


class Equilibrium(Linearisation):
    """Where the mechanism rests, or moves steadily, and whether that is stable."""

    @property
    def state(self) -> State:
        return _state(self.model, self.document["state"])

    def _facts(self) -> list[tuple[str, str]]:
        return [(name, f"{value:.9g}") for name, value in self.document["state"]["q"].items()] + super()._facts()


class Steady(Answer):
    """Steady motions of bodies on strings."""

    @property
    def families(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.document.get("families", ()))

    @property
    def feasible(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(family for family in self.families if family.get("feasible"))

    @property
    def critical_rates(self) -> Any:
        return self.document.get("critical_rates", [])

    def _facts(self) -> list[tuple[str, str]]:
        facts = []
        for i, family in enumerate(self.families):
            sides = ", ".join(f"{body} {side}" for body, side in family.get("sides", {}).items())
            what = "feasible" if family.get("feasible") else f"not feasible: {family.get('reason', '')}"
            stability = (family.get("stability") or {}).get("verdict")
            facts.append((f"family {i + 1}", f"{sides}: {what}" + (f", {stability}" if stability else "")))
        return facts


class Variants(Answer):
    """Every realised variant of the guides at a state."""

    @property
    def verdict(self) -> str:
        return str(self.document["verdict"])

    @property
    def count(self) -> int:
        return int(self.document["count"])

    @property
    def solutions(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.document["solutions"])

    @property
    def critical_friction_scale(self) -> float | None:
        scale = self.document.get("critical_friction_scale")
        return None if scale is None else float(scale)


class Limit(Answer):
    """The largest load factor at rest, and the faces that carry there."""

    @property
    def alpha(self) -> float | None:
        alpha = self.document.get("alpha")
        return None if alpha is None else float(alpha)

    @property
    def faces(self) -> Any:
        return self.document.get("faces")


class Realization(Answer):
    """Can constraints on the velocities be kept by forces: will it slip."""

    @property
    def verdict(self) -> str:
        return str(self.document["verdict"])

    @property
    def required_friction(self) -> Mapping[str, float]:
        return dict(self.document.get("required_friction", {}))

    @property
    def slip_inertia(self) -> Array:
        return _array(self.document.get("slip_inertia", []))

    @property
    def multipliers(self) -> Mapping[str, float]:
        return dict(self.document.get("multipliers", {}))


class Balance(Answer):
    """Conditions on the masses, and what may be added to meet them."""

    @property
    def conditions(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.document["conditions"])

    @property
    def rank(self) -> int:
        return int(self.document["rank"])

    @property
    def design(self) -> Any:
        return self.document.get("design")

    def _facts(self) -> list[tuple[str, str]]:
        return [("condition", str(each.get("text", each))) for each in self.conditions]


class Integrals(Answer):
    """What is conserved, and why."""

    @property
    def integrals(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.document["integrals"])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each["name"] for each in self.integrals)

    @property
    def count(self) -> int:
        return int(self.document["count"])

    def _facts(self) -> list[tuple[str, str]]:
        return [(each["name"], each["why"]) for each in self.integrals]


class Series(Answer):
    """The motion as a power series about a state: x(t + s) = x0 + x1 s + x2 s^2 + ..

    >>> import vinculum as vn
    >>> two = vn.example("double-pendulum")
    >>> series = vn.series(two, order=20)
    >>> abs(series(0.01)["upper"] - two.simulate(0.01).final["upper"]) < 1e-12
    True
    """

    @property
    def t(self) -> float:
        return float(self.document["t"])

    @property
    def order(self) -> int:
        return int(self.document["order"])

    @property
    def q(self) -> Mapping[str, Array]:
        return {name: _array(list_) for name, list_ in self.document["q"].items()}

    @property
    def v(self) -> Mapping[str, Array]:
        return {name: _array(list_) for name, list_ in self.document["v"].items()}

    @property
    def multipliers(self) -> Mapping[str, Array]:
        return {name: _array(list_) for name, list_ in self.document["multipliers"].items()}

    @property
    def radius(self) -> float:
        """Of convergence [s]; infinite where the motion is a polynomial."""
        radius = self.document["radius"]
        return float("inf") if radius is None else float(radius)

    @property
    def next_kink(self) -> Mapping[str, Any] | None:
        kink = self.document.get("kink")
        return None if kink is None else dict(kink)

    def __call__(self, s: float) -> State:
        """The state `s` seconds after the series' own time."""
        from .errors import UsageError

        if not np.isfinite(s):
            raise UsageError("a time must be finite", code="VN-PYTHON-002")
        state = self.model.initial
        state.t = self.t + s
        for names, vector, coefficients in ((self.model.coordinates, state.q, self.q), (self.model.velocities, state.v, self.v)):
            for i, name in enumerate(names):
                vector[i] = sum(x * s**k for k, x in enumerate(coefficients[name]))
        return state

    def _facts(self) -> list[tuple[str, str]]:
        lines = [
            (name, " ".join(f"{each:.6g}" for each in list_[:6]) + (" .." if len(list_) > 6 else ""))
            for name, list_ in self.document["q"].items()
        ]
        return [("radius", f"{self.radius:.6g} s"), *lines]


class Derivation(Answer):
    """The equations of motion: as text, LaTeX or C; `str(derivation)` is what was asked for.

    >>> import vinculum as vn
    >>> sorted(vn.derive(vn.example("double-pendulum")).rows)
    ['phi1', 'phi2']
    """

    @property
    def form(self) -> str:
        return str(self.document["to"])

    @property
    def equations(self) -> str:
        return str(self.document["equations"])

    @property
    def rows(self) -> Mapping[str, str]:
        return dict(self.document.get("rows", {}))

    def __str__(self) -> str:
        return self.equations

    def __repr__(self) -> str:
        return self.equations

    def _repr_html_(self) -> str | None:  # type: ignore[override]
        if self.form == "latex":
            return None
        return f"<pre>{html.escape(self.equations)}</pre>"

    def _repr_latex_(self) -> str | None:
        return self.equations if self.form == "latex" else None

    def _repr_markdown_(self) -> str | None:
        """The same with its comments as text."""
        if self.form != "latex":
            return None
        lines = (f"\n{line[2:]}\n" if line.startswith("% ") else line for line in self.equations.splitlines())
        return "\n".join(lines)


def check(model: Model, **options: Option) -> Check:
    """Is the model sound: degrees of freedom, redundancy, determinacy.

    >>> import vinculum as vn
    >>> vn.example("double-pendulum").check().degrees_of_freedom
    2
    """
    return Check(model, run_command("check", model, None, options))


def evaluate(model: Model, state: State | None = None, **options: Option) -> Evaluation:
    """Accelerations, forces of constraints, outputs and verdicts at one state."""
    return Evaluation(model, run_command("evaluate", model, state, options))


def equilibrium(model: Model, state: State | None = None, *, steady: Mapping[str, float] | None = None, **options: Option) -> Equilibrium:
    """Where the mechanism rests, searched from a state; with `steady={coordinate: rate}` where it moves steadily.

    >>> import vinculum as vn
    >>> vn.equilibrium(vn.example("double-pendulum")).stability
    'unstable'
    """
    return Equilibrium(model, run_command("equilibrium", model, state, {"steady": steady, **options}))


def linearise(model: Model, state: State | None = None, **options: Option) -> Linearisation:
    """Small deviations from a state: A, B, B_inputs, eigenvalues, stability."""
    words: list[str] = []
    if "over" in options:  # the model is read again, with other numbers each time
        words = [f"--set={name}={value}" for name, value in model._sets]
    return Linearisation(model, run_command("linearise", model, state, options, words))


def steady(
    model: Model,
    state: State | None = None,
    *,
    rate: float | None = None,
    angle: Mapping[str, float] | None = None,
    side: Mapping[str, str] | None = None,
    spin: Mapping[str, float] | None = None,
    momentum: Mapping[str, float] | None = None,
    stability: bool = False,
    critical: bool = False,
    branch: int | None = None,
    scan: int | None = None,
    **options: Option,
) -> Steady:
    """Steady motions of bodies on strings: families, critical rates, stability, branches, an atlas.

    >>> import vinculum as vn
    >>> vn.steady(vn.example("top-on-a-string"), rate=5, angle={"s1": 0.4}).families[0]["feasible"]
    True
    """
    given: dict[str, Option] = {
        "rate": rate,
        "angle": angle,
        "side": side,
        "spin": spin,
        "momentum": momentum,
        "stability": stability,
        "critical": critical,
        "branch": branch,
        "scan": scan,
    }
    return Steady(model, run_command("steady", model, state, {**given, **options}))


def variants(model: Model, state: State | None = None, *, compare: bool = False, **options: Option) -> Variants:
    """Which faces of the guides carry: every variant at a state. Does it jam?"""
    return Variants(model, run_command("variants", model, state, {"compare": compare, **options}))


def limit(model: Model, load: str, state: State | None = None, **options: Option) -> Limit:
    """By what factor the force `load` may grow until the guides no longer hold it at rest."""
    return Limit(model, run_command("limit", model, state, {"load": load, **options}))


def realize(
    model: Model,
    state: State | None = None,
    *,
    until: float | None = None,
    rows: Sequence[str] | None = None,
    bound: Mapping[str, float] | None = None,
    law: str | None = None,
    certificate: bool = False,
    forced_by: Sequence[str] | None = None,
    **options: Option,
) -> Realization:
    """Will it slip: can the constraints on velocities be kept by forces of limited size.

    `forced_by` names coordinates whose forces keep them instead: --inputs of the command.
    """
    given: dict[str, Option] = {
        "until": until,
        "rows": rows,
        "bound": bound,
        "law": law,
        "certificate": certificate,
        "inputs": forced_by,
    }
    return Realization(model, run_command("realize", model, state, {**given, **options}))


def balance(
    model: Model,
    property: str,
    *,
    counterweight: Option = None,
    disc: Option = None,
    spring: Option = None,
    **options: Option,
) -> Balance:
    """What the masses must satisfy for a property in every position, and counterweights that give it."""
    given = {"property": property, "counterweight": counterweight, "disc": disc, "spring": spring}
    return Balance(model, run_command("balance", model, None, {**given, **options}))


def integrals(model: Model, state: State | None = None, **options: Option) -> Integrals:
    """What is conserved, and why.

    >>> import vinculum as vn
    >>> vn.integrals(vn.example("double-pendulum")).names
    ('E',)
    """
    return Integrals(model, run_command("integrals", model, state, options))


def series(model: Model, state: State | None = None, order: int = 12, **options: Option) -> Series:
    """The motion near a state as a power series: coefficients, radius of convergence, next kink."""
    return Series(model, run_command("series", model, state, {"order": order, **options}))


def derive(model: Model, form: str = "text", **options: Option) -> Derivation:
    """The equations of motion as text, latex or c."""
    if form not in ("text", "latex", "c"):
        raise unknown("form", form, ("text", "latex", "c"))
    document = run_command("derive", model, None, {"to": form, **options})
    document.setdefault("to", form)
    return Derivation(model, document)


def inverse(model: Model, state: State, a: Mapping[str, float], **options: Option) -> Evaluation:
    """What drives must supply for given accelerations, with constraints: `vinculum inverse`."""
    entry = json.loads(state._text())
    entry["a"] = {name: float(value) for name, value in a.items()}
    line = ["inverse", model.path or "model.yaml", "--state=-", *_words(options), "--json"]
    code, text = _core._run_command(line, model, json.dumps(entry))
    document = json.loads(text)
    if code == 0:
        return Evaluation(model, document)
    first = next(each for each in document["diagnostics"] if each["severity"] == "error")
    raise make({2: "usage", 3: "model"}.get(code, "other"), first["code"], first["message"], first["hint"], document["diagnostics"])
