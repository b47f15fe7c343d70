#!/usr/bin/env python3
"""Runs the commands that pages show and shows what they print now: scripts/show_commands.py PROGRAM [PAGE...]

Needed after every change of what the program says: tests/integration/shown_commands_test compares pages with the program, and this writes
what that test asks for. The commands of a page run in its order, in one empty folder, with `cubicbench` on the path; a command whose output
the page does not show still runs. Where a page leaves lines out by a line "...", the parts that it shows are looked for again: those at an
end by their number of lines, those between by where they resemble most. Without PAGE, all pages at the top and in docs/.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROOMS = ("clients", "datasets", "docs", "examples", "python", "scenarios")
GENERATED = re.compile(r"(^<!-- begin: .*?^<!-- end -->$)", re.M | re.S)  # by scripts/reference.py
BLOCK = re.compile(r"^( *)```.*?\n(.*?)^\1```$", re.M | re.S)
LEFT_OUT = "..."
PROGRESS = re.compile(r"[\d,]+/[\d,]+ \S.*/s, .* left")  # of a command that takes more than ten seconds


def parts_of(shown):
    """The runs of lines between lines "..."."""
    parts = [[]]
    for line in shown:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def nearest(part, printed, begin):
    """Where in `printed`, from `begin` on, `part` is most like what stands there."""
    places = range(begin, max(begin, len(printed) - len(part)) + 1)

    def likeness(at):
        return difflib.SequenceMatcher(None, "\n".join(part), "\n".join(printed[at : at + len(part)]), autojunk=False).ratio()

    return max(places, key=likeness)


def shown_now(shown, printed):
    parts = parts_of(shown)
    if len(parts) == 1:
        return printed
    result, begin = [], 0
    for i, part in enumerate(parts):
        if i > 0:
            result.append(LEFT_OUT)
        if not part:
            continue
        if i == 0:
            at = 0
        elif i + 1 == len(parts):
            at = len(printed) - len(part)
        else:
            at = nearest(part, printed, begin)
        result += printed[at : at + len(part)]
        begin = at + len(part)
    return result


def commands_of(lines):
    """(first line of the output, end of the output, command) of each command in the lines of a block."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            at += 1
            continue
        command = lines[at][2:]
        at += 1
        while command.endswith("\\"):
            command += "\n" + lines[at]
            at += 1
        begin = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        end = at
        while end > begin and not lines[end - 1]:
            end -= 1
        yield begin, end, command


class Shell:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name)
        for room in ROOMS:
            (path / room).symlink_to(ROOT / room)
        self.environment = {**os.environ, "PATH": f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}"}

    def printed(self, command, may_fail):
        """Lines on both outputs, but progress. Only a command whose output is shown may fail: the page says so then."""
        ran = subprocess.run(
            ["bash", "-c", "exec 2>&1\n" + command], cwd=self.folder.name, env=self.environment, stdout=subprocess.PIPE, text=True, check=False
        )
        if ran.returncode and not may_fail:
            sys.exit(f"exit code {ran.returncode} of: {command}\n{ran.stdout}")
        lines = ran.stdout.rstrip("\n").split("\n")
        return [line for line in lines if not PROGRESS.fullmatch(line)]


def block_now(block, shell):
    indent = block[1]
    lines = [line.removeprefix(indent) for line in block[2].split("\n")[:-1]]
    result, done = [], 0
    for begin, end, command in commands_of(lines):
        is_shown = begin < end
        printed = shell.printed(command, may_fail=is_shown)
        result += lines[done:begin]
        if is_shown:
            result += shown_now(lines[begin:end], printed)
        done = end
    result += lines[done:]
    text = "".join((indent + line if line else "") + "\n" for line in result)
    return block[0].replace(block[2], text) if block[2] else block[0]


def page_now(text, program):
    shell = Shell(program)
    pieces = GENERATED.split(text)
    for i in range(0, len(pieces), 2):
        pieces[i] = BLOCK.sub(lambda block: block_now(block, shell), pieces[i])
    return "".join(pieces)


def main():
    program, *pages = sys.argv[1:]
    paths = [pathlib.Path(page) for page in pages] or sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^ *\$ ", text, re.M):
            continue
        now = page_now(text, program)
        print(f"{path}: {'as it was' if now == text else 'written'}")
        path.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    main()
