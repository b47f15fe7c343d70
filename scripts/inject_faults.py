#!/usr/bin/env python3
"""Fails each system call of small commands once, and kills the program at each, as strace(1) can; or kills it at random.

After each fault the exit code has to be one of the table (README.md), no signal but ours may have ended the program, and
the command, said again, has to leave the bytes that it leaves undisturbed. Prints the number tried and every finding;
exit code 1 where there is one. Needs strace, but for --kills.

usage: scripts/inject_faults.py [--program BIN] [--every N] [--kills N] [COMMAND...]
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

CALLS = ["openat", "read", "write", "fsync", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "flock", "close", "ftruncate",
         "getrandom", "pipe2", "vfork", "clone3", "clone", "mmap", "newfstatat", "getdents64", "copy_file_range", "sendfile",
         "lseek", "poll", "waitid", "fcntl"]
FAULTS = ["error=EIO", "error=ENOSPC", "error=ENOMEM", "error=EINTR", "signal=KILL"]
TABLE = {0, 1, 2, 3, 130, 143}
SECONDS_MAX = 60

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent

CONFIG = {"tensor_parallel": 1, "pipeline_parallel": 1, "micro_batch": 1, "sharding": "zero1", "recompute": "full", "compile": True}
CONVERSATION = [{"type": "evaluate", "config": CONFIG}, {"type": "evaluate", "config": CONFIG | {"compile": False}},
                {"type": "recommend", "config": CONFIG}]


def commands(base):
    """Each as it is said first and, where that differs, again; what it reads on its standard input."""
    alone = ["--threads", "1", "--quiet"]
    search = ["search", "tiny-gpt", "--searcher", "random", "--trials", "3", *alone, "--out", "out"]
    serve = ["serve", "tiny-llama", "--trials", "4", *alone, "--out", "out"]
    lines = "".join(json.dumps(message) + "\n" for message in CONVERSATION)
    return {
        "search": {"first": search, "again": [*search, "--resume"]},
        "serve": {"first": serve, "again": [*serve, "--resume"], "input": lines},
        "merge": {"first": ["merge", f"{base}/one", f"{base}/two", "--out", "out", *alone]},
        "enumerate": {"first": ["enumerate", "tiny-gpt", "--out", "out", *alone]},
        "report": {"first": ["report", f"{base}/searched", "--out", "out.html", *alone]},
        "validate": {"first": ["validate", f"{base}/runs.csv", "--out", "out", *alone]},
        "export": {"first": ["export", f"{base}/searched", "--format", "csv", "--out", "out", *alone]},
        "verify": {"first": ["verify", f"{base}/searched", *alone]},
        "paper": {"first": ["paper", "--trials", "2", "--seeds", "1", "--repeats", "1", "--out", "out", *alone]},
    }


def bytes_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def text_of(ended):
    return ended.stderr[-200:].decode(errors="replace").strip()


def quick_gnuplot(folder):
    """Puts a gnuplot before the real one that takes a millisecond: its picture is a checksum of what is to be drawn. What is tried here
    are our own system calls, some thousands of times."""
    folder.mkdir()
    svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><desc>%s</desc></svg>'
    (folder / "gnuplot").write_text(f"#!/bin/sh\nprintf '{svg}' \"$(cksum)\"\n")
    (folder / "gnuplot").chmod(0o755)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"


def run(program, words, folder, strace=(), said=""):
    return subprocess.run([*strace, program, *words], cwd=folder, input=said.encode(), capture_output=True, timeout=SECONDS_MAX,
                          check=False)


def prepared(program, base):
    search = ["search", "tiny-gpt", "--searcher", "random", "--trials", "3", "--seeds", "2", "--quiet"]
    run(program, [*search, "--out", "searched"], base)
    run(program, [*search, "--shard", "1/2", "--out", "one"], base)
    run(program, [*search, "--shard", "2/2", "--out", "two"], base)
    rows = (REPOSITORY / "datasets/measured/ibm_fms_fsdp.csv").read_text().splitlines(keepends=True)
    (base / "runs.csv").write_text("".join(rows[:4]))


class Trial:
    """One command, whose undisturbed result is known."""

    def __init__(self, program, work, command):
        self.program, self.work, self.said = program, work, command.get("input", "")
        self.first, self.again = command["first"], command.get("again", command["first"])
        folder = work / "undisturbed"
        folder.mkdir()
        begun = time.monotonic()
        self.code = run(program, self.first, folder, said=self.said).returncode
        self.seconds = time.monotonic() - begun
        if self.code != 0:
            raise SystemExit(f"{' '.join(self.first)}: exit code {self.code} without a fault")
        self.expected = bytes_of(folder)
        shutil.rmtree(folder)

    def calls(self):
        """How often each call is made once main() has begun, and how often before."""
        log = self.work / "trace"
        folder = self.work / "traced"
        folder.mkdir()
        run(self.program, self.first, folder, ["strace", "-qq", "-o", str(log)], self.said)
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

    def finding(self, call, nth, fault):
        """What is wrong after the fault; None where nothing is."""
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = pathlib.Path(name)
            strace = ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={nth}"]
            try:
                ended = run(self.program, self.first, folder, strace, self.said)
            except subprocess.TimeoutExpired:
                return f"did not end in {SECONDS_MAX} s"
            killed = ended.returncode in (-9, 137)
            if not killed and ended.returncode not in TABLE:
                return f"exit code {ended.returncode}: {text_of(ended)}"
            if ended.returncode in (2, 3) and not ended.stderr and self.code == 0 and call != "write":
                return f"exit code {ended.returncode} without a message"
            if bytes_of(folder) == self.expected:
                return None
            return self.finding_again(folder)

    def finding_killed(self, seconds):
        """The same after it was killed so late, together with whatever it had started."""
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = pathlib.Path(name)
            subprocess.run(["timeout", "-s", "KILL", f"{seconds:.6f}", self.program, *self.first], cwd=folder,
                           input=self.said.encode(), capture_output=True, check=False)
            return self.finding_again(folder)

    def finding_again(self, folder):
        again = run(self.program, self.again, folder, said=self.said)
        left = bytes_of(folder)
        if left == self.expected:
            return None
        names = sorted(name for name in left.keys() | self.expected.keys() if left.get(name) != self.expected.get(name))
        return f"again: exit code {again.returncode}, other bytes in {', '.join(names[:5])}: {text_of(again)}"


def inject(trials, every):
    """Each fault, or each so many: its name and what is wrong after it."""
    number = 0
    for name, trial in trials.items():
        before, after = trial.calls()
        for call in CALLS:
            for nth in range(before[call] + 1, before[call] + after[call] + 1):
                # A close that an error stands in for leaves the file open, which no kernel does.
                for fault in FAULTS if call != "close" else FAULTS[-1:]:
                    number += 1
                    if number % every == 0:
                        yield name, f"{call} {nth - before[call]} of {after[call]}, {fault}", trial.finding(call, nth, fault)


def kill(trials, count):
    """So many kills over all commands, at moments that are the same shares of a run each time."""
    dice = random.Random(0)
    for number in range(count):
        name = list(trials)[number % len(trials)]
        share = dice.random()
        yield name, f"killed after {share:.3f} of its time", trials[name].finding_killed(share * trials[name].seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/cubicbench")
    parser.add_argument("--every", type=int, default=1, help="only each N-th fault")
    parser.add_argument("--kills", type=int, default=0, help="no faults but this many kills at random moments")
    parser.add_argument("commands", nargs="*")
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    tried, findings = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        base = work / "base"
        base.mkdir()
        quick_gnuplot(work / "programs")
        prepared(program, base)
        all_commands = commands(base)
        trials = {name: Trial(program, work, all_commands[name]) for name in given.commands or all_commands}
        for name, what, wrong in kill(trials, given.kills) if given.kills else inject(trials, given.every):
            tried[name] += 1
            if wrong:
                findings += 1
                print(f"{name}: {what}: {wrong}", flush=True)
    print(", ".join(f"{name} {count}" for name, count in tried.items()))
    print(f"{tried.total()} {'kills' if given.kills else 'faults'} tried, {findings} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
