#!/usr/bin/env python3
"""Says of the members of every family what a suite is chosen by: whether the granted baseline's launch runs, how often
evolution ends above random search (A12), and which share of the gap climbs from the baseline close.

scripts/suite_candidates.py [PROGRAM] [MEMBERS]      default: build/release/bin/cubicbench 32

Searches are permuted (--permute), so that their draws are those of no table. Takes some three minutes on two cores.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

SEEDS = 30


def told(*command: str) -> dict:
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def a12(better: list[float], worse: list[float]) -> float:
    """The probability that one of the first is above one of the second, ties counting a half."""
    wins = sum((a > b) + 0.5 * (a == b) for a in better for b in worse)
    return wins / len(better) / len(worse)


def main() -> None:
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/cubicbench"
    members = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    families = sorted(path.stem for path in pathlib.Path("scenarios/families").glob("*.json"))
    print("member                 baseline  A12   climb  pairs  best/baseline  run")
    for family in families:
        names = [f"{family}@{k}" for k in range(members)]
        with tempfile.TemporaryDirectory() as folder:
            studies = told(program, "search", *names, "--searcher", "random,evolution", "--seeds", str(SEEDS),
                           "--permute", "--out", folder + "/s", "--json", "--quiet")["studies"]
            first = {name: json.loads(open(f"{folder}/s/journals/{name}.0.random.0.jsonl").readlines()[1])
                     for name in names}
        values = collections.defaultdict(lambda: collections.defaultdict(list))
        for study in studies:
            values[study["scenario"]][study["searcher"]].append(study["true_value"] or 0.0)
        for name in names:
            seen = told(program, "landscape", name, "--rows", "2000", "--json", "--quiet")["landscapes"][0]
            climbs = seen["climbs"]
            print("%-22s %-8s %5.2f  %5.2f  %5.2f  %13.2f  %.2f" %
                  (name, "runs" if first[name]["state"] == "complete" else "dies",
                   a12(values[name]["evolution"], values[name]["random"]), climbs["gap_closed_from_baseline"],
                   climbs["gap_closed_from_baseline_by_pairs"], seen["best_known"]["over_baseline"],
                   seen["status"]["ok"]["share"]), flush=True)


main()
