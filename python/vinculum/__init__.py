# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Vinculum: the motion of mechanisms, and whether the assumptions behind the model hold.

>>> import vinculum as vn
>>> result = vn.example("double-pendulum").simulate(1)
>>> result.final.t, result.ok
(1.0, True)
"""
from __future__ import annotations

from pathlib import Path


from . import _vinculum as _core
from . import errors as _errors
from ._vinculum import Batch, State, explain
from .analyses import (
    Balance,
    Check,
    Derivation,
    Equilibrium,
    Evaluation,
    Integrals,
    Limit,
    Linearisation,
    Realization,
    Series,
    Steady,
    Variants,
    balance,
    derive,
    equilibrium,
    integrals,
    limit,
    linearise,
    realize,
    series,
    steady,
    variants,
)
from .errors import (
    Diagnostic,
    Error,
    FileError,
    ModelError,
    ModelWarning,
    MotionError,
    UnknownNameError,
    UnsupportedError,
    UsageError,
    VerdictError,
)
from .html import Page
from .model import Energy, Ensemble, ForwardDerivatives, InverseDerivatives, Model, Momentum
from .result import Event, Events, Result, Verdict, Verdicts, open_result, unknown as _unknown
from .run import Controller, Run
from .study import Axis, Study, ask, grid, normal, open_study, sobol, sweep, uniform, values

__version__: str = "0.1.0"
if _core.__version__ != __version__:
    raise ImportError(f"vinculum {__version__} found a module _vinculum of version {_core.__version__}: build it again")
_core._set_error_maker(_errors.make)


def examples() -> tuple[str, ...]:
    """Names for `example`."""
    folder = Path(__file__).parent / "examples"
    return tuple(sorted(each.name for each in folder.iterdir() if (each / "model.yaml").exists()))


def example(name: str) -> Model:
    """A model of the examples.

    >>> example("double-pendulum").coordinates
    ('upper', 'lower')
    """
    file = Path(__file__).parent / "examples" / name / "model.yaml"
    if not isinstance(name, str) or name not in examples():
        raise _unknown("example", name, examples())
    return Model.from_file(file)


__all__ = [
    "Axis",
    "Balance",
    "Batch",
    "Check",
    "Controller",
    "Derivation",
    "Diagnostic",
    "Energy",
    "Ensemble",
    "Equilibrium",
    "Error",
    "Evaluation",
    "Event",
    "Events",
    "FileError",
    "ForwardDerivatives",
    "Integrals",
    "InverseDerivatives",
    "Limit",
    "Linearisation",
    "Model",
    "ModelError",
    "ModelWarning",
    "Momentum",
    "MotionError",
    "Page",
    "Realization",
    "Result",
    "Run",
    "Series",
    "State",
    "Steady",
    "Study",
    "UnknownNameError",
    "UnsupportedError",
    "UsageError",
    "Variants",
    "Verdict",
    "VerdictError",
    "Verdicts",
    "ask",
    "balance",
    "derive",
    "equilibrium",
    "example",
    "examples",
    "explain",
    "grid",
    "integrals",
    "limit",
    "linearise",
    "normal",
    "open_result",
    "open_study",
    "realize",
    "series",
    "sobol",
    "steady",
    "sweep",
    "uniform",
    "values",
    "variants",
]
