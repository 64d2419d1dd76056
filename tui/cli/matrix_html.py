"""The matrix as one self-contained HTML page: no script, nothing fetched."""

from __future__ import annotations

from html import escape

from model.vocabulary import Support
from tui.cli.lines import GLYPHS
from tui.cli.matrix_export import Entry, Sheet

_STYLE = """
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 1.5rem; }
h1 { font-size: 1.1rem; }
.scroll { overflow: auto; max-height: 85vh; }
table { border-collapse: collapse; white-space: nowrap; }
th, td { padding: .2rem .5rem; border-bottom: 1px solid #8884; text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; vertical-align: bottom; }
tbody th { position: sticky; left: 0; background: Canvas; font-weight: 600; }
small { opacity: .65; display: block; }
.yes { color: light-dark(#137333, #81c995); }
.emulated { color: light-dark(#9a6700, #fdd663); }
.no { color: light-dark(#b3261e, #f28b82); }
.unknown { opacity: .6; }
"""
_SUPPORTS = {support.value: glyph for support, glyph in GLYPHS.items()}


def page(sheet: Sheet) -> str:
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in sheet.headings)
    body = "\n".join(f"<tr>{''.join(_cell(n, entry) for n, entry in enumerate(row))}</tr>" for row in sheet.rows)
    legend = "  ".join(
        f"{GLYPHS[each]} {each.value if each is not Support.UNKNOWN else 'not stated'}" for each in GLYPHS
    )
    title = escape(f"capdeck · {sheet.title}")
    return (
        f"<!doctype html>\n<html lang='en'>\n<meta charset='utf-8'>\n<title>{title}</title>\n<style>{_STYLE}</style>\n"
        f"<h1>{title}</h1>\n<p>{len(sheet.rows)} models · {legend}</p>\n"
        f"<div class='scroll'><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n"
        "</table></div>\n</html>"
    )


def _cell(column: int, entry: Entry) -> str:
    said_by = f"<small>{escape(entry.said_by)}</small>" if entry.said_by else ""
    if column == 1:
        return f"<th scope='row'>{escape(entry.value)}{said_by}</th>"
    if entry.value in _SUPPORTS:
        shown = f"{_SUPPORTS[entry.value]} {'not stated' if entry.value == 'unknown' else entry.value}"
        return f"<td class='{entry.value}'>{shown}{said_by}</td>"
    return f"<td>{escape(entry.value)}{said_by}</td>"
