#!/usr/bin/python3 -B
"""A search of 60 launches on a real Slurm of one node, disturbed in every way that docs/slurm.md speaks of.

    scripts/slurm_stage.py [PROGRAM]     default: build/release/bin/cubicbench

Starts munged, slurmctld and slurmd of Debian's slurm-wlm in a temporary folder, without systemd and as whoever calls it, and a search with
four slots on it. Meanwhile the suite is killed again and again, slurmd is killed for less and for longer than Slurm's patience, slurmctld
is stopped for a while, the queue is full for most of the time, and the node is drained until jobs that wait for it are given up. Then every launch has
to be in the journal once, to have run at most once, and to have ended as its job did. Exit code 1 with what is wrong otherwise. CUBICBENCH_SEED=N (7) draws another order of disturbances,
CUBICBENCH_KEEP=1 leaves the folder.
"""

import collections
import getpass
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LAUNCHES = 60
SLOTS = 4
SUITE_KILLS = 12
# Seconds that Slurm waits for a slurmd that does not answer.
SLURMD_TIMEOUT = 10

CONFIGURATION = """
ClusterName=cubicbench
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SwitchType=switch/none
MpiDefault=none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
{memory}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdTimeout={slurmd_timeout}
KillWait=2
# What has ended is soon forgotten, and counts as long as it is not: with four slots there is seldom room.
MinJobAge=5
MaxJobCount=7
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=1600 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

# Who ends a job that takes too much memory: the kernel, or Slurm, which looks once a second.
BY_KERNEL = """ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup
JobAcctGatherType=jobacct_gather/cgroup"""
BY_SLURM = """ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill"""
CONTROL_GROUPS = """CgroupMountpoint=/sys/fs/cgroup
CgroupPlugin=cgroup/v1
ConstrainRAMSpace=yes
"""

# Most jobs answer at once. Some end as jobs do that go wrong.
TEMPLATE = """#!/bin/sh
#SBATCH --mem=100
#SBATCH --time=1
#CUBICBENCH --poll=1 --patience=120 --pending-limit=12
read -r request
field() { printf '%s' "$request" | sed "s/.*\\"$1\\":\\([0-9]*\\).*/\\1/"; }
trial=$(field trial)
echo "$trial $(field attempt) $SLURM_JOB_ID" >>FOLDER/ran
echo "step 1 loss 2.5"
case $trial in
  7) exit 2 ;;
  11) sleep 300 ;;  # longer than a minute, the least that Slurm knows
  13 | 23)
    head -c 300000000 /dev/zero | tail -c 300000000 | { sleep 4; cat >/dev/null; }
    exit 1
    ;;
  *5) sleep 6 ;;
esac
echo '{"state":"complete","value":'$((1000 + trial))',"cost_gpu_hours":0.5}'
"""

EXPECTED = {7: "invalid", 11: "timeout", 13: "oom_late", 23: "oom_late"}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """The daemons of one node, each started and killed at will."""

    def __init__(self, folder):
        self.folder = folder
        self.host = socket.gethostname().split(".")[0]
        for name in ("munge", "state", "spool"):
            (folder / name).mkdir(mode=0o700)
        # Control groups of the second version need systemd.
        self.by_kernel = os.geteuid() == 0 and os.access("/sys/fs/cgroup/memory", os.W_OK)
        self.groups_before = self.groups()
        (folder / "cgroup.conf").write_text(CONTROL_GROUPS)
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(
                memory=BY_KERNEL if self.by_kernel else BY_SLURM,
                host=self.host, user=getpass.getuser(), folder=folder, slurmd_timeout=SLURMD_TIMEOUT,
                controller_port=free_port(), node_port=free_port()))
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        os.environ["PATH"] += ":/usr/sbin:/sbin"

    def start(self):
        munge = self.folder / "munge"
        self.call("mungekey", "--create", f"--keyfile={munge}/key")
        self.call("munged", "--force", "--num-threads=2", f"--key-file={munge}/key", f"--socket={munge}/socket",
                  f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.start_controller()
        self.start_node()
        for _ in range(100):
            if "idle" in self.ask("sinfo", "--noheader", "--format=%T"):
                return
            time.sleep(0.2)
        raise SystemExit(f"slurm_stage.py: the node does not come up:\n{self.log('slurmd')}{self.log('slurmctld')}")

    def start_controller(self):
        self.call("slurmctld")

    def start_node(self):
        self.call("slurmd")

    def kill(self, daemon, how=signal.SIGKILL):
        """Nothing where it is down."""
        pid_file = self.folder / ("munge/pid" if daemon == "munged" else f"{daemon}.pid")
        try:
            os.kill(int(pid_file.read_text()), how)
        except (OSError, ValueError):
            pass

    def stop(self):
        self.ask("scancel", f"--user={os.getuid()}", "--signal=KILL", "--full")
        self.ask("scancel", f"--user={os.getuid()}")
        time.sleep(3)
        for daemon in ("slurmd", "slurmctld", "munged"):
            self.kill(daemon)
        self.remove_groups()

    def groups(self):
        """The control groups of a slurmd on this machine."""
        return set(Path("/sys/fs/cgroup").glob(f"*/slurm_{self.host}"))

    def remove_groups(self):
        for group in self.groups() - self.groups_before:
            for path, _, _ in os.walk(group, topdown=False):
                try:
                    os.rmdir(path)
                except OSError:
                    pass  # something of it still ends

    def log(self, daemon):
        return (self.folder / f"{daemon}.log").read_text(errors="replace")[-3000:]

    @staticmethod
    def call(*words):
        result = subprocess.run(words, capture_output=True, text=True, timeout=60)
        if result.returncode != 0:
            raise SystemExit(f"slurm_stage.py: {' '.join(words)}: {result.stderr}")

    @staticmethod
    def ask(*words):
        """What a program of Slurm says; "" where it does not answer."""
        return subprocess.run(words, capture_output=True, text=True, timeout=60).stdout

    def jobs(self):
        return [line.split("|") for line in self.ask(
            "squeue", "--noheader", "--states=all", "--array", "--format=%i|%T|%r").splitlines()]


class Suite:
    """The search, started anew whenever it was killed."""

    def __init__(self, program, folder):
        self.folder = folder
        template = folder / "template.sh"
        template.write_text(TEMPLATE.replace("FOLDER", str(folder)))
        self.words = [program, "search", "tiny-llama", "--searcher", "random", "--trials", str(LAUNCHES), "--slots", str(SLOTS),
                      "--backend", f"slurm:{template}", "--out", str(folder / "out"), "--resume"]
        self.errors = open(folder / "suite.err", "ab")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=self.errors)

    def ended(self):
        return self.process.poll() is not None

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.start()

    def launches(self):
        path = self.folder / "out/journals/tiny-llama.0.random.0.jsonl"
        lines = path.read_text().splitlines()[1:] if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]


def disturb(slurm, suite):
    """One disturbance after the other until the search ends; returns how often each was done."""
    dice = random.Random(int(os.environ.get("CUBICBENCH_SEED", "7")))
    done = collections.Counter()

    def pause(seconds):
        until = time.time() + seconds
        while time.time() < until and not suite.ended():
            time.sleep(0.1)

    def kill_suite():
        suite.kill()

    def kill_node_briefly():
        slurm.kill("slurmd")
        pause(3)
        slurm.start_node()

    def kill_node():
        slurm.kill("slurmd")
        suite.kill()
        pause(2.5 * SLURMD_TIMEOUT)
        slurm.start_node()

    def stop_controller():
        # Killed, it would forget its last seconds and run jobs of that time again by itself.
        slurm.kill("slurmctld", signal.SIGTERM)
        suite.kill()
        pause(12)
        slurm.start_controller()

    def drain():
        slurm.ask("scontrol", "update", f"NodeName={slurm.host}", "State=DRAIN", "Reason=stage")
        pause(20)
        slurm.ask("scontrol", "update", f"NodeName={slurm.host}", "State=RESUME")

    plan = [kill_suite] * SUITE_KILLS + [kill_node_briefly, kill_node, stop_controller, drain]
    dice.shuffle(plan)
    for disturbance in plan:
        pause(dice.uniform(0.5, 5))
        if suite.ended():
            break
        disturbance()
        done[disturbance.__name__] += 1
    return done


def configurations(program, folder):
    """By trial what random search proposes, whatever is done with it."""
    out = folder / "proposed"
    subprocess.run([program, "search", "tiny-llama", "--searcher", "random", "--trials", str(LAUNCHES), "--quiet", "--out", str(out),
                    "--backend", """command:echo '{"state":"complete","value":1}'"""], check=True, stdout=subprocess.DEVNULL)
    lines = (out / "journals/tiny-llama.0.random.0.jsonl").read_text().splitlines()[1:]
    return {line["trial"]: line["config"] for line in map(json.loads, lines)}


def problems_of(suite, proposed):
    problems = []
    launches = suite.launches()
    keys = [(launch["trial"], launch["attempt"]) for launch in launches]
    ran = [tuple(map(int, line.split())) for line in (suite.folder / "ran").read_text().splitlines()]
    ran_count = collections.Counter((trial, attempt) for trial, attempt, _ in ran)
    if len(launches) != LAUNCHES:
        problems.append(f"{len(launches)} launches in the journal, not {LAUNCHES}")
    problems += [f"launch {key} is in the journal {n} times" for key, n in collections.Counter(keys).items() if n > 1]
    problems += [f"launch {key} ran {n} times" for key, n in ran_count.items() if n > 1]
    problems += [f"launch {key} ran and is not in the journal" for key in ran_count if key not in keys]
    retried = collections.Counter(trial for trial, _ in keys)
    hour = 0.0
    for launch in launches:
        trial, reason = launch["trial"], launch["reason"]
        where = f"trial {trial}, attempt {launch['attempt']}"
        if launch["config"] != proposed[trial]:
            problems.append(f"{where}: another configuration than random search proposes")
        if not 0.0 <= launch["started_h"] <= launch["finished_h"] or launch["finished_h"] < hour:
            problems.append(f"{where}: hours {launch['started_h']} to {launch['finished_h']} after {hour}")
        hour = launch["finished_h"]
        if launch["state"] == "complete" and launch["value"] != 1000 + trial:
            problems.append(f"{where}: value {launch['value']}")
        if launch["state"] == "complete" and (trial, launch["attempt"]) not in ran_count:
            problems.append(f"{where}: complete, but it never ran")
        # A node that failed and a job that was given up are no fault of the configuration.
        if reason not in (EXPECTED.get(trial), "infra"):
            problems.append(f"{where}: {reason}, expected {EXPECTED.get(trial)}")
    for trial, reason in EXPECTED.items():
        if reason not in [launch["reason"] for launch in launches if launch["trial"] == trial] and retried[trial] < 3:
            problems.append(f"trial {trial} never ended as {reason}")
    if (suite.folder / "out/jobs").exists():
        problems.append("the folder of jobs is left")
    return problems


def main():
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/cubicbench")
    for daemon in ("munged", "slurmctld", "slurmd"):
        if not shutil.which(daemon, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            raise SystemExit(f"slurm_stage.py: {daemon} is missing: scripts/install_deps.sh --full")
    folder = Path(tempfile.mkdtemp(prefix="cubicbench-slurm."))
    slurm = Slurm(folder)
    begin = time.time()
    try:
        slurm.start()
        proposed = configurations(program, folder)
        suite = Suite(program, folder)
        done = disturb(slurm, suite)
        suite.process.wait(timeout=600)
        problems = problems_of(suite, proposed)
        if suite.process.returncode != 0:
            problems.append(f"exit code {suite.process.returncode}")
        open_jobs = [job for job in slurm.jobs() if job[1] in ("PENDING", "RUNNING")]
        problems += [f"job {' '.join(job)} is left" for job in open_jobs]
        problems += [f"{name} was done {done[name]} times" for name in ("kill_node", "stop_controller", "drain") if not done[name]]
        said = (folder / "suite.err").read_text(errors="replace")
        if "Slurm takes no more jobs for now" not in said:
            problems.append("the queue was never full")
        reasons = collections.Counter(launch["reason"] or "complete" for launch in suite.launches())
        print(f"memory is watched by {'the kernel' if slurm.by_kernel else 'Slurm'}; {len(suite.launches())} launches in {time.time() - begin:.0f} s: {dict(reasons)}; disturbed by {dict(done)}")
        if problems:
            print("\n".join(problems), "\n--- the suite said:\n", re.sub(r"(?m)^\d+/\d+ .*\n", "", said)[-3000:], sep="")
            print("--- slurmctld said:\n", slurm.log("slurmctld"), sep="")
    finally:
        slurm.stop()
        if "CUBICBENCH_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
