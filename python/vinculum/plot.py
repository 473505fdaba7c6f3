# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures by matplotlib, which is imported when one is drawn."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .result import Result
    from .study import Study


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: apt install python3-matplotlib") from error
    return pyplot.subplots(layout="constrained")[1]


def plot_result(result: Result, names: Sequence[str], ax: Any, events: bool) -> Any:
    shown = list(names) or list(result.model.coordinates[:6]) or list(result.names[1:3])
    columns = [result[name] for name in shown]  # unknown names before a picture is begun
    ax = _axes(ax)
    units = result.units
    # Quantities of the first unit on the left, of another one on the right.
    used = list(dict.fromkeys(units.get(name, "") for name in shown))
    right = ax.twinx() if len(used) == 2 else None
    for i, (name, column) in enumerate(zip(shown, columns)):
        where = right if right is not None and units.get(name, "") == used[1] else ax
        where.plot(result.t, column, color=f"C{i}", label=f"{name} [{units.get(name, '')}]" if units.get(name) else name)
    lines = ax.get_lines() + (right.get_lines() if right is not None else [])
    if events and len(result.events) <= 40:
        for i, name in enumerate(result.events.names):
            for k, t in enumerate(result.events[name]):
                line = ax.axvline(t, color=f"C{6 + i % 4}", linestyle="--", linewidth=0.8, label=name)
                if k == 0:
                    lines.append(line)
    ax.set_xlabel("t [s]")
    for where, unit in ((ax, used[0]), (right, used[-1])):
        names = [name for name in shown if units.get(name, "") == unit]
        if where is not None and len(used) <= 2:
            where.set_ylabel(f"{', '.join(names) if len(names) <= 3 else ''} [{unit}]".strip() if unit else ", ".join(names))
    (right or ax).legend(lines, [each.get_label() for each in lines], loc="best", fontsize="small")
    ax.grid(True, alpha=0.3)
    return ax


def plot_study(study: Study, x: str, y: str, z: str | None, ax: Any) -> Any:
    names = [axis for axis in study.axes]
    ax = _axes(ax)
    if z is None:
        ax.plot(study.axes[x], study.array(y), marker=".")
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        ax.grid(True, alpha=0.3)
        return ax
    values = study.array(z)
    if sorted((names.index(x), names.index(y))) != list(range(values.ndim)):
        raise ValueError("a picture over two axes needs a study over exactly these two")
    grid = values if names.index(x) < names.index(y) else values.T
    if grid.dtype.kind not in "fiu":
        words = sorted(set(grid.ravel()) - {""})
        grid = np.array([[words.index(each) if each in words else np.nan for each in row] for row in grid], float)
        mesh = ax.pcolormesh(study.axes[x], study.axes[y], grid.T, shading="nearest")
        bar = ax.figure.colorbar(mesh, ax=ax, ticks=range(len(words)))
        bar.set_ticklabels(words)
    else:
        mesh = ax.pcolormesh(study.axes[x], study.axes[y], grid.T, shading="nearest")
        ax.figure.colorbar(mesh, ax=ax, label=z)
        if np.nanmin(grid) < 1 < np.nanmax(grid) and "margin" in z:
            ax.contour(study.axes[x], study.axes[y], grid.T, levels=[1.0], colors="white")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return ax
