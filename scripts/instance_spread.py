#!/usr/bin/env python3
"""How far instances of a scenario differ: compares the noise-free values of the same configurations.

usage: instance_spread.py DIR

DIR is a search with one seed of `random`, which proposes the same configurations whatever it is told, on several
instances. A line a scenario, as a Markdown table: configurations and how many of them run; how the best value of all configurations moves (least and greatest
over the instances, over that of instance 0); Kendall's tau between instances over the configurations that run in both
(median and least over all pairs); in how many instances another configuration is best than in instance 0, and how much
is lost by keeping that one (median and greatest, over the best; "fails" where it does not run); configurations that
fail in some instances only. Python alone.
"""

import bisect
import collections
import itertools
import json
import math
import pathlib
import statistics
import sys


def truths(folder):
    """scenario -> instance -> trial -> value, None where it fails"""
    found = {}
    for path in sorted(pathlib.Path(folder, "truth").glob("*.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        values = {line["trial"]: line["value"] for line in lines[1:]}
        found.setdefault(lines[0]["scenario"], {})[lines[0]["instance"]] = values
    return found


def tied(*columns):
    """Pairs that are equal in all columns."""
    return sum(n * (n - 1) // 2 for n in collections.Counter(zip(*columns)).values())


def tau_b(x, y):
    """Kendall's tau-b: discordant pairs are the inversions of y in the order of (x, y)."""
    seen, discordant = [], 0
    for _, value in sorted(zip(x, y)):
        discordant += len(seen) - bisect.bisect_right(seen, value)
        bisect.insort(seen, value)
    pairs = len(x) * (len(x) - 1) // 2
    concordant = pairs - tied(x) - tied(y) + tied(x, y) - discordant
    return (concordant - discordant) / math.sqrt((pairs - tied(x)) * (pairs - tied(y)))


def taus(instances, trials):
    for a, b in itertools.combinations(sorted(instances), 2):
        both = [t for t in trials if instances[a][t] is not None and instances[b][t] is not None]
        yield tau_b([instances[a][t] for t in both], [instances[b][t] for t in both])


def percent(share):
    return f"{100 * share:.1f} %"


def row(scenario, instances, minimised):
    trials = sorted(set.intersection(*(set(values) for values in instances.values())))
    best_of = min if minimised else max
    ratio = (lambda kept, best: best / kept) if minimised else (lambda kept, best: kept / best)
    best = {k: best_of((t for t in trials if v[t] is not None), key=v.get) for k, v in instances.items()}
    tops = {k: instances[k][t] for k, t in best.items()}
    others = [k for k in instances if k != 0]
    kept = [instances[k][best[0]] for k in others]
    lost = [1 - ratio(value, tops[k]) for k, value in zip(others, kept) if value is not None]
    fails = sum(value is None for value in kept)
    all_taus = list(taus(instances, trials))
    sometimes = sum(0 < sum(v[t] is None for v in instances.values()) < len(instances) for t in trials)
    return [
        f"`{scenario}`",
        f"{len(trials):,}, {sum(instances[0][t] is not None for t in trials):,}",
        f"{min(tops.values()) / tops[0]:.3f} to {max(tops.values()) / tops[0]:.3f}",
        f"{statistics.median(all_taus):.3f}, {min(all_taus):.3f}",
        f"{sum(best[k] != best[0] for k in others)} of {len(others)}",
        f"{percent(statistics.median(lost))}, {percent(max(lost))}" + (f"; fails in {fails}" if fails else ""),
        percent(sometimes / len(trials)),
    ]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    plan = json.loads(pathlib.Path(sys.argv[1], "plan.json").read_text())
    minimised = {s["scenario"]: s["objective"]["direction"] == "minimize" for s in plan["scenarios"]}
    print("| scenario | configurations, run on instance 0 | best value, over instance 0 | tau: median, least | another is best | lost by keeping instance 0's | fails in some |")
    print("|---|--:|---|---|---|---|--:|")
    for scenario, instances in truths(sys.argv[1]).items():
        print("| " + " | ".join(row(scenario, instances, minimised[scenario])) + " |")


if __name__ == "__main__":
    main()
