#!/usr/bin/env python3
"""Says whether searchers that learn nothing beat random search, in noise-free values.

usage: sanity_searchers.py DIR...

DIR is the folder of a search with `random` and some of `constant`, `corner`, `first-value`, best with --permute and
--seeds 100. For each scenario and searcher the Vargha-Delaney A12 over all pairs of seeds: the share of pairs in which
the searcher's recommendation (the best measured) is better than random's, ties by half. A table of runs knows no value
without noise; there it is what was measured. Exits with 1 if any is above 0.55. Needs nothing but Python.
"""

import collections
import json
import pathlib
import sys

BAR = 0.55


def lines(path):
    with open(path, encoding="utf-8") as text:
        return [json.loads(line) for line in text]


def recommended(folder, name, sign):
    """Score of the recommendation; minus infinity where nothing ran."""
    launches = [launch for launch in lines(folder / "journals" / name)[1:] if launch["state"] == "complete"]
    if not launches:
        return float("-inf")
    best = max(launches, key=lambda launch: (sign * launch["value"], -launch["trial"]))
    truth = folder / "truth" / name
    if not truth.exists():
        return sign * best["value"]
    key = best["trial"], best["attempt"]
    value = next(t["value"] for t in lines(truth)[1:] if (t["trial"], t["attempt"]) == key)
    return float("-inf") if value is None else sign * value


def a12(ours, theirs):
    wins = sum((x > y) + 0.5 * (x == y) for x in ours for y in theirs)
    return wins / (len(ours) * len(theirs))


def main():
    worst = 0.0
    print("| scenario | launches | seeds | constant | corner | first-value |")
    print("|---|---|---|---|---|---|")
    for folder in map(pathlib.Path, sys.argv[1:]):
        plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
        for scenario in plan["scenarios"]:
            sign = -1.0 if scenario["objective"]["direction"] == "minimize" else 1.0
            scores = collections.defaultdict(list)
            for searcher in (s["searcher"] for s in plan["searchers"]):
                for path in sorted((folder / "journals").glob(f"{scenario['scenario']}.*.{searcher}.*.jsonl")):
                    scores[searcher].append(recommended(folder, path.name, sign))
            cells = []
            for searcher in ("constant", "corner", "first-value"):
                if searcher not in scores:
                    cells.append("-")
                    continue
                share = a12(scores[searcher], scores["random"])
                worst = max(worst, share)
                cells.append(f"{share:.2f}" + (" (!)" if share > BAR else ""))
            print(f"| `{scenario['scenario']}` | {scenario['trials']} | {len(scores['random'])} | {' | '.join(cells)} |")
    return 1 if worst > BAR else 0


if __name__ == "__main__":
    sys.exit(main())
