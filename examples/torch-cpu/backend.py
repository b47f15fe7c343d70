#!/usr/bin/python3 -B
"""A backend of `cubicbench search` that really trains, on the CPUs of this machine: backend.py SCENARIO.json

Reads one request (docs/real-runs.md), trains the scenario's model with its settings for some steps, and prints the answer as its last
line. Needs PyTorch, 1.13 or later.
"""

import argparse
import functools
import json
import os
import pathlib
import sys

from understood import MEMORY_GIB, THREADS_SLEEP, processes_of, refused, threads_of


def log_of(rank):
    """The first process keeps the job's log."""
    return functools.partial(print, flush=True) if rank == 0 else lambda line: None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", type=pathlib.Path)
    parser.add_argument("--memory-gib", type=float, default=MEMORY_GIB,
                        help="what a process may hold for each share of the machine that it takes (%(default)s)")
    arguments = parser.parse_args()
    scenario = json.loads(arguments.scenario.read_text(encoding="utf-8"))
    request = json.loads(sys.stdin.readline())
    settings = {"sharding": "no_shard", "wrap": 1, "accumulate_without_sync": False, **scenario["settings"], **request["config"]}
    why = refused(scenario, settings)
    if why:
        print(why, file=sys.stderr)
        return 2
    os.environ.update(THREADS_SLEEP)
    try:
        import torch  # noqa: F401, here so that it is missed in words
    except ImportError:
        print("PyTorch is missing: apt-get install python3-torch, or pip install torch", file=sys.stderr)
        return 127
    from job import has_fsdp2, trained
    from processes import run_together

    if settings["sharding"] == "full_shard" and not has_fsdp2():
        print("sharding=full_shard needs FSDP2 over gloo, of PyTorch 2.7", file=sys.stderr)
        return 2

    processes = processes_of(scenario, settings)
    memory_gib = arguments.memory_gib * settings["tensor_parallel"]
    metrics, why = run_together(
        processes, threads_of(scenario, settings),
        lambda rank: trained(scenario["workload"], settings, processes, memory_gib, log_of(rank)))
    if metrics is None:
        print(why, file=sys.stderr)
        return 1
    print(json.dumps({"state": "complete", "value": metrics.pop("tokens_per_s"), "metrics": metrics}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
