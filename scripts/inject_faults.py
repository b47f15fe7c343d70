#!/usr/bin/env python3
"""Fails each system call of small commands once, and kills the program at each, as strace(1) can.

After each fault the exit code has to be one of the table (README.md), no signal but ours may have ended the program, and
the command, said again, has to leave the bytes that it leaves undisturbed. Prints the number tried and every finding;
exit code 1 where there is one. Needs strace.

usage: scripts/inject_faults.py [--program BIN] [--every N] [COMMAND...]
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CALLS = ["openat", "read", "write", "fsync", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "flock", "close", "ftruncate",
         "getrandom", "pipe2", "vfork", "clone3", "clone", "mmap", "newfstatat", "getdents64", "copy_file_range", "sendfile",
         "lseek", "poll", "waitid", "fcntl"]
FAULTS = ["error=EIO", "error=ENOSPC", "error=ENOMEM", "error=EINTR", "signal=KILL"]
TABLE = {0, 1, 2, 3, 130, 143}
SECONDS_MAX = 60

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


def commands(base):
    search = ["search", "tiny-gpt", "--searcher", "random", "--trials", "3", "--threads", "1", "--quiet"]
    return {
        "search": {"first": [*search, "--out", "out"], "again": [*search, "--out", "out", "--resume"]},
        "merge": {"first": ["merge", f"{base}/one", f"{base}/two", "--out", "out", "--threads", "1"]},
        "enumerate": {"first": ["enumerate", "tiny-gpt", "--out", "out", "--quiet", "--threads", "1"]},
        "report": {"first": ["report", f"{base}/searched", "--out", "out.html", "--threads", "1"]},
        "validate": {"first": ["validate", f"{base}/runs.csv", "--out", "out", "--threads", "1"]},
        "export": {"first": ["export", f"{base}/searched", "--format", "csv", "--out", "out", "--threads", "1"]},
        "verify": {"first": ["verify", f"{base}/searched", "--threads", "1"]},
    }


def bytes_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def text_of(ended):
    return ended.stderr[-200:].decode(errors="replace").strip()


def run(program, words, folder, strace=()):
    return subprocess.run([*strace, program, *words], cwd=folder, capture_output=True, timeout=SECONDS_MAX, check=False)


def prepared(program, base):
    search = ["search", "tiny-gpt", "--searcher", "random", "--trials", "3", "--seeds", "2", "--quiet"]
    run(program, [*search, "--out", "searched"], base)
    run(program, [*search, "--shard", "1/2", "--out", "one"], base)
    run(program, [*search, "--shard", "2/2", "--out", "two"], base)
    rows = (REPOSITORY / "datasets/measured/ibm_fms_fsdp.csv").read_text().splitlines(keepends=True)
    (base / "runs.csv").write_text("".join(rows[:4]))


def calls_of(program, words, work):
    """How often each call is made once main() has begun, and how often before."""
    log = work / "trace"
    folder = work / "traced"
    folder.mkdir()
    run(program, words, folder, ["strace", "-qq", "-o", str(log)])
    shutil.rmtree(folder)
    before, after, begun = collections.Counter(), collections.Counter(), False
    for line in log.read_text(errors="replace").splitlines():
        # main() first looks whether its streams are open.
        begun = begun or line.startswith("fcntl(0, F_GETFD)")
        name = re.match(r"(\w+)\(", line)
        if name:
            (after if begun else before)[name[1]] += 1
    log.unlink()
    return before, after


class Trial:
    def __init__(self, program, work, command):
        self.program, self.work, self.command = program, work, command
        folder = work / "undisturbed"
        folder.mkdir()
        self.code = run(program, command["first"], folder).returncode
        self.expected = bytes_of(folder)
        shutil.rmtree(folder)

    def finding(self, call, nth, fault):
        """What is wrong after the fault; None where nothing is."""
        folder = self.work / "faulty"
        folder.mkdir()
        try:
            strace = ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={nth}"]
            try:
                ended = run(self.program, self.command["first"], folder, strace)
            except subprocess.TimeoutExpired:
                return f"did not end in {SECONDS_MAX} s"
            killed = ended.returncode in (-9, 137)
            if not killed and ended.returncode not in TABLE:
                return f"exit code {ended.returncode}: {text_of(ended)}"
            if ended.returncode in (2, 3) and not ended.stderr and self.code == 0 and call != "write":
                return f"exit code {ended.returncode} without a message"
            if bytes_of(folder) == self.expected:
                return None
            if ended.returncode == self.code and ended.stderr:
                return None  # a figure that could not be drawn is said and left out
            again = run(self.program, self.command.get("again", self.command["first"]), folder)
            left = bytes_of(folder)
            if left == self.expected:
                return None
            names = sorted(name for name in left.keys() | self.expected.keys() if left.get(name) != self.expected.get(name))
            return f"again: exit code {again.returncode}, other bytes in {', '.join(names[:5])}: {text_of(again)}"
        finally:
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/cubicbench")
    parser.add_argument("--every", type=int, default=1, help="only each N-th fault")
    parser.add_argument("commands", nargs="*")
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    tried, findings, number = 0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        base = work / "base"
        base.mkdir()
        prepared(program, base)
        all_commands = commands(base)
        for name in given.commands or all_commands:
            trial = Trial(program, work, all_commands[name])
            before, after = calls_of(program, trial.command["first"], work)
            here = 0
            for call in CALLS:
                for nth in range(before[call] + 1, before[call] + after[call] + 1):
                    # A close that an error stands in for leaves the file open, which no kernel does.
                    for fault in FAULTS if call != "close" else FAULTS[-1:]:
                        number += 1
                        if number % given.every:
                            continue
                        here += 1
                        wrong = trial.finding(call, nth, fault)
                        if wrong:
                            findings += 1
                            print(f"{name}: {call} {nth - before[call]} of {after[call]}, {fault}: {wrong}", flush=True)
            tried += here
            print(f"{name}: {here} faults", flush=True)
    print(f"{tried} faults tried, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
