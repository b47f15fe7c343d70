#!/usr/bin/python3 -B
"""Runs docs/torch-cpu.md as it stands: 42 real training jobs on this machine's CPUs, some of which run out of memory.

    scripts/torch_stage.py [PROGRAM] [--keep FOLDER]     default: build/release/bin/cubicbench

Every block of sh is run, in order, in a temporary folder that sees the repository's examples, and prints what the page talks about. Then
every launch has to be in a journal once, with a value or out of memory, and some have to be out of memory; a launch that a busy machine starved
to its time limit is counted, too. How long it took and how alike simulated and measured throughput are ordered is printed and judged by
the reader: both depend on what else the machine does. Exit code 1 with what is wrong. Where PyTorch is missing this is said, and nothing
is run. --keep leaves the files in FOLDER.
"""

import argparse
import collections
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/torch-cpu.md"
LAUNCHES_MIN = 40
EXPECTED = ("complete", "oom_init", "oom_late", "timeout")


def blocks_of(page):
    return re.findall(r"^```sh\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run_page(program, folder):
    """What its blocks print."""
    (folder / "examples").symlink_to(ROOT / "examples")
    os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    printed = ""
    for block in blocks_of(PAGE):
        print("$ " + block.rstrip().replace("\n", "\n  "), flush=True)
        begin = time.monotonic()
        done = subprocess.run(["/bin/sh", "-e", "-c", block], cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout + f"({time.monotonic() - begin:.0f} s)", flush=True)
        if done.returncode != 0:
            raise SystemExit(f"torch_stage.py: exit code {done.returncode}")
        printed += done.stdout
    return printed


def launches_of(searches):
    return [json.loads(line) for journal in sorted(searches.glob("*/journals/*.jsonl"))
            for line in journal.read_text(encoding="utf-8").splitlines()[1:]]


def problems_of(folder, printed, minutes):
    launches = launches_of(folder / "out")
    reasons = collections.Counter(launch["reason"] or "complete" for launch in launches)
    taus = [float(tau) for tau in re.findall(r"tau (-?[0-9.]+)", printed)]
    print(f"{len(launches)} launches in {minutes:.1f} minutes: {dict(reasons)}; tau {taus}")
    problems = []
    if len(launches) < LAUNCHES_MIN:
        problems.append(f"{len(launches)} launches, not {LAUNCHES_MIN}")
    problems += [f"{count} launches ended as {reason}" for reason, count in reasons.items() if reason not in EXPECTED]
    if not reasons["oom_init"] + reasons["oom_late"]:
        problems.append("no launch ran out of memory")
    if len(taus) != 2:
        problems.append(f"{len(taus)} figures of agreement, not 2")
    problems += [f"{path} is missing or empty" for path in ("torch-cpu.html", "machine/fitted.json")
                 if not (folder / path).exists() or not (folder / path).stat().st_size]
    return problems


def refuses_without_torch(folder):
    """The search ends at once with exit code 3 and the reason, in place of failing every launch."""
    (folder / "without").mkdir()
    (folder / "without/torch.py").write_text("raise ImportError\n", encoding="utf-8")
    command = ["cubicbench", "search", "./machine/scenario.json", "--searcher", "random", "--trials", "2", "--out", "out/without",
               "--backend", "command:examples/torch-cpu/backend.py machine/scenario.json"]
    done = subprocess.run(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder / "without")}, capture_output=True,
                          text=True, check=False)
    return [] if done.returncode == 3 else [f"without PyTorch the exit code is {done.returncode}, not 3: {done.stderr}"]


def staged(program, folder):
    begin = time.monotonic()
    printed = run_page(program, folder)
    problems = problems_of(folder, printed, (time.monotonic() - begin) / 60) + refuses_without_torch(folder)
    print("\n".join(problems))
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=Path, default=ROOT / "build/release/bin/cubicbench")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    if importlib.util.find_spec("torch") is None:
        print("torch_stage.py: skipped, as PyTorch is missing: scripts/install_deps.sh --full")
        return 0
    if arguments.keep:
        arguments.keep.mkdir(parents=True)
        return staged(arguments.program.resolve(), arguments.keep.resolve())
    with tempfile.TemporaryDirectory(prefix="cubicbench-torch.") as folder:
        return staged(arguments.program.resolve(), Path(folder))


if __name__ == "__main__":
    sys.exit(main())
