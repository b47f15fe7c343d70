#!/usr/bin/python3 -B
"""A thousand shards of which fifty are killed merge to the bytes of one process.

    scripts/many_machines_stage.py [PROGRAM]     default: build/release/bin/cubicbench

Runs scripts/slurm/submit.sh on a search and on an enumeration: first with the stand-in for sbatch of tests/integration/array_stand_in,
1,000 tasks of one shard each, of which 50 are killed at random and submitted again; then, where Debian's slurm-wlm is installed, on a
real Slurm of one node (scripts/slurm_stage.py), with tasks that are requeued and cancelled while they run. Exit code 1 where bytes
differ. CUBICBENCH_SEED=N (7) draws other tasks, CUBICBENCH_SHARDS=N (1000) takes fewer shards, CUBICBENCH_KEEP=1 leaves the folder.
"""

import filecmp
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slurm_stage import Slurm

ROOT = Path(__file__).resolve().parent.parent
SEED = int(os.environ.get("CUBICBENCH_SEED", "7"))
SHARDS = int(os.environ.get("CUBICBENCH_SHARDS", "1000"))
SLURM_SHARDS, SLURM_TASKS = 120, 40
COMMANDS = {
    "search": ["search", "tiny-llama", "--searcher", "random,evolution", "--trials", "20", "--seeds", "500"],
    "enumeration": ["enumerate", "gpt3-175b", "--best-of", "20", "--sketch"],
}


def expect(condition, what):
    if not condition:
        raise SystemExit(f"many_machines_stage.py: {what}")


def same_files(one, other):
    if one.is_file():
        return filecmp.cmp(one, other, shallow=False)
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) for folder in (one, other)]
    return names[0] == names[1] and all(
        filecmp.cmp(one / name, other / name, shallow=False) for name in names[0] if (one / name).is_file())


class Campaign:
    """One command, whole and in shards."""

    def __init__(self, program, folder, name):
        self.program = program
        self.words = COMMANDS[name]
        ending = ".json" if name == "enumeration" else ""
        self.whole = folder / f"{name}-whole{ending}"
        if not self.whole.exists():
            subprocess.run([program, *self.words, "--quiet", "--out", self.whole], check=True, stdout=subprocess.DEVNULL)
        self.out = folder / f"{name}-shards"
        shutil.rmtree(self.out, ignore_errors=True)
        self.merged = self.out / f"whole{ending}"
        self.environment = {**os.environ, "CUBICBENCH": program}

    def submit(self, shards, tasks, **variables):
        environment = {**self.environment, "SHARDS": str(shards), "TASKS": str(tasks), **variables}
        result = subprocess.run([ROOT / "scripts/slurm/submit.sh", self.out, *self.words], env=environment, capture_output=True, text=True)
        expect(result.returncode == 0, f"submit.sh ended with {result.returncode}: {result.stderr}")
        return result.stdout.split()[1]

    def said(self, log):
        path = self.out / "logs" / log
        return path.read_text() if path.exists() else ""

    def require_merged(self):
        expect(self.merged.exists(), f"{self.merged} is missing: {self.said('merge.log')[-2000:]}")
        expect(same_files(self.whole, self.merged), f"{self.whole} and {self.merged} differ")


def with_stand_in(campaign, folder, name):
    notes = folder / f"{name}-notes"
    notes.mkdir()
    begin = time.time()
    path = f"{ROOT}/tests/integration/array_stand_in:{os.environ['PATH']}"
    variables = {"PATH": path, "STAND_IN": str(notes), "STAND_IN_SEED": str(SEED)}
    campaign.submit(SHARDS, SHARDS, **variables, STAND_IN_KILLS=str(SHARDS // 20), STAND_IN_REQUEUE="no")
    killed = len((notes / "killed").read_text().splitlines()) if (notes / "killed").exists() else 0
    expect(killed == SHARDS // 20, f"{killed} tasks were killed, not {SHARDS // 20}")
    campaign.submit(SHARDS, SHARDS, **variables)
    campaign.require_merged()
    print(f"{name}: {SHARDS} shards, {killed} of them killed and submitted again, {time.time() - begin:.0f} s: the bytes of one process",
          flush=True)


def with_slurm(campaign, slurm, name):
    dice = random.Random(SEED)
    begin = time.time()
    # Shards of these commands take a tenth of a second: too little to be disturbed.
    slow = slurm.folder / "slow_program"
    slow.write_text(f'#!/bin/sh\nsleep 1\n"{campaign.program}" "$@"\n')
    slow.chmod(0o755)
    array = campaign.submit(SLURM_SHARDS, SLURM_TASKS, CUBICBENCH=str(slow))
    disturbed = {"requeue": 0, "scancel": 0}
    for how in ["requeue", "scancel"] * 3:
        time.sleep(dice.uniform(0.1, 0.6))
        running = [job[0] for job in slurm.jobs() if job[1] == "RUNNING" and job[0].startswith(f"{array}_")]
        if not running:
            continue
        task = dice.choice(running)
        slurm.ask(*(["scontrol", "requeue", task] if how == "requeue" else ["scancel", "--signal=KILL", "--full", task]))
        disturbed[how] += 1
    expect(all(disturbed.values()), f"too few tasks ran long enough to be disturbed: {disturbed}")
    wait(slurm)
    campaign.submit(SLURM_SHARDS, SLURM_TASKS)
    wait(slurm)
    campaign.require_merged()
    print(f"{name} on Slurm: {SLURM_SHARDS} shards in {SLURM_TASKS} tasks, {disturbed}, {time.time() - begin:.0f} s: the bytes of one process",
          flush=True)


def wait(slurm):
    """Until no job is left in the queue."""
    until = time.time() + 900
    while time.time() < until:
        if not any(job[1] in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED") for job in slurm.jobs()):
            return
        time.sleep(1)
    expect(False, f"jobs are left after 15 minutes: {slurm.jobs()[:10]}\n{slurm.log('slurmctld')}")


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/cubicbench")
    folder = Path(tempfile.mkdtemp(prefix="cubicbench-shards."))
    slurm = None
    try:
        for name in COMMANDS:
            with_stand_in(Campaign(program, folder, name), folder, name)
        if not shutil.which("slurmctld", path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            print("slurm-wlm is not installed, so no shard ran on a real Slurm")
            return
        (folder / "slurm").mkdir()
        slurm = Slurm(folder / "slurm")
        configuration = folder / "slurm/slurm.conf"
        configuration.write_text(
            configuration.read_text().replace("MaxJobCount=7", "MaxJobCount=1000\nDefMemPerCPU=100"))
        slurm.start()
        for name in COMMANDS:
            with_slurm(Campaign(program, folder, name), slurm, name)
    finally:
        if slurm is not None:
            slurm.stop()
        if "CUBICBENCH_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
