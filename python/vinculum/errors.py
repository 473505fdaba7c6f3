# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Exceptions. Every one has a code (`explain(code)` says more), and a hint where there is one."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result import Result, Verdicts


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with an input: where, which rule, and what to do about it."""

    severity: str
    code: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    element: str = ""
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:" if self.file else ""
        if self.line:
            place += f"{self.line}:{self.column}:"
        element = f"{self.element}: " if self.element else ""
        return f"{place + ' ' if place else ''}{self.severity}: {element}{self.message} [{self.code}]"


class Error(Exception):
    """A computation has no answer, or none to be trusted; the subclasses say why."""

    code: str
    message: str
    hint: str
    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, message: str = "", *, code: str = "", hint: str = "", diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.diagnostics = diagnostics

    @property
    def kind(self) -> str:
        """usage, model, unsupported, no_solution, not_unique, singular, off_constraints, step_limit, not_finite, .."""
        from . import _vinculum

        return _vinculum._kind_of(self.code)

    def __str__(self) -> str:
        text = f"{self.message} [{self.code}]" if self.code and f"[{self.code}]" not in self.message else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def __reduce__(self) -> Any:
        return (_remake, (type(self), self.message, dict(self.__dict__)))


class ModelError(Error, ValueError):
    """The model is wrong: `diagnostics` lists everything that is, with line and column."""


class ModelWarning(UserWarning):
    """Something in a model that is probably not meant: an angle that looks like degrees, a quaternion that was normalised."""


class UsageError(Error, ValueError):
    """A function was called in a way that has no meaning: a wrong shape, a value out of range, NaN."""


class UnknownNameError(Error, KeyError):
    """There is nothing of this name; `nearest` is the one that may be meant."""

    nearest: str = ""


class UnsupportedError(Error, NotImplementedError):
    """What is asked is not supported for this model or with these options."""


class MotionError(Error, ArithmeticError):
    """A motion ends before its time; `result` is the good part of it, where there is one."""

    result: Result | None = None


class VerdictError(Error):
    """Something that the model rests on does not hold; `verdicts` are those."""

    verdicts: Verdicts


class FileError(Error, OSError):
    """A file cannot be read or written."""


_CLASSES: dict[str, type[Error]] = {
    "usage": UsageError,
    "name": UnknownNameError,
    "model": ModelError,
    "unsupported": UnsupportedError,
    "motion": MotionError,
    "file": FileError,
    "other": Error,
}


def make(
    kind: str, code: str, message: str, hint: str, diagnostics: list[dict[str, Any]] | None = None, nearest: str = ""
) -> Error:
    """The exception of a failure of the library."""
    listed = tuple(Diagnostic(**entry) for entry in diagnostics or ())
    error = _CLASSES[kind](message, code=code, hint=hint, diagnostics=listed)
    if isinstance(error, UnknownNameError):
        error.nearest = nearest
    return error


def _remake(kind: type[Error], message: str, attributes: dict[str, Any]) -> Error:
    error = kind(message)
    error.__dict__.update(attributes)
    return error
