# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""How results show themselves in notebooks."""
from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from pathlib import Path

_COLOURS = {"holds": "#1a7f37", "violated": "#b35900", "not unique": "#8250df", "impossible": "#cf222e", "not checked": "#6e7781"}
LARGEST_PAGE = 4_000_000  # bytes of a page within a notebook


def escape(text: object) -> str:
    return html.escape(str(text))


def verdict_word(word: str) -> str:
    return f'<span style="color:{_COLOURS.get(word, "inherit")};font-weight:600">{escape(word)}</span>'


def table(header: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table whose cells are HTML already."""
    left = 'style="text-align:left;vertical-align:top"'
    head = "".join(f"<th {left}>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td {left}>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Page:
    """A report page: shown in an iframe in notebooks, and written where `path` says."""

    def __init__(self, content: bytes, *, height: int = 640, path: str = "") -> None:
        self.content = content
        self.height = height
        self.path = path

    def save(self, path: str) -> None:
        """Writes the page; it opens offline."""
        Path(path).write_bytes(self.content)
        self.path = path

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        return f"<Page of {len(self.content) / 1e6:.1f} MB{where}>"

    def _repr_html_(self) -> str:
        if len(self.content) > LARGEST_PAGE:
            where = f"; it is in {escape(self.path)}" if self.path else "; write it with report('page.html')"
            return f"<p>The page has {len(self.content) / 1e6:.1f} MB, too much for a notebook{where}.</p>"
        data = base64.b64encode(self.content).decode("ascii")
        return (
            f'<iframe src="data:text/html;base64,{data}" width="100%" height="{self.height}" '
            'style="border:1px solid #d0d7de" sandbox="allow-scripts allow-downloads"></iframe>'
        )
