#!/usr/bin/env python3
"""Copies what other pages say into pages that quote them: scripts/quote.py [--check]

In docs/claims.md and docs/paper.md, the lines between <!-- quote: ... --> and <!-- end --> are those of a page that a command of cubicbench
writes and that tests compare with the program, so that a number is computed in one place. With --check it only says what is stale.

  <!-- quote: docs/validation.md | HEADING | rows: NAME; NAME | columns: NAME; NAME -->   rows of the first table below the heading
  <!-- quote: docs/leaderboard.md | line: BEGINNING -->                                   the first line that begins so
"""

import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
PAGES = ("claims.md", "paper.md")
QUOTE = re.compile(r"(<!-- quote: (.*?) -->\n)(.*?)(<!-- end -->)", re.S)


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def table_below(text, heading):
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if line.lstrip("#").strip() == heading and line.startswith("#"))
    first = next(i for i in range(begin, len(lines)) if lines[i].startswith("|"))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append(cells(line))
    return rows


def quoted_table(text, heading, rows, columns):
    head, rule, *body = table_below(text, heading)
    places = [head.index(column) for column in columns] if columns else list(range(len(head)))
    if rows:
        missing = [row for row in rows if row not in [one[0] for one in body]]
        assert not missing, f"{heading}: no row {missing}"
        body = [one for one in body if one[0] in rows]
    return "".join("| " + " | ".join(one[i] for i in places) + " |\n" for one in [head, rule, *body])


def quoted(said):
    page, *parts = [part.strip() for part in said.split("|")]
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    if parts[0].startswith("line: "):
        beginning = parts[0].removeprefix("line: ")
        return next(line for line in text.split("\n") if line.startswith(beginning)) + "\n"
    named = dict(part.split(": ", 1) for part in parts[1:])
    lists = {name: [one.strip() for one in value.split(";")] for name, value in named.items()}
    return quoted_table(text, parts[0], lists.get("rows"), lists.get("columns"))


def main():
    stale = []
    for page in PAGES:
        path = DOCS / page
        old = path.read_text(encoding="utf-8")
        new = QUOTE.sub(lambda match: match.group(1) + quoted(match.group(2)) + match.group(4), old)
        if new == old:
            continue
        stale.append(page)
        if "--check" not in sys.argv[1:]:
            path.write_text(new, encoding="utf-8")
    if "--check" in sys.argv[1:] and stale:
        sys.exit(f"quote.py: stale: {', '.join(stale)}; run scripts/quote.py")


main()
