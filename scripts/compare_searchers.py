#!/usr/bin/env python3
"""Compares one searcher of a search folder with the others, in noise-free values.

usage: compare_searchers.py DIR SCENARIO SEARCHER

For every seed that both have, the incumbent (the best measured so far) of the two at equal cumulative GPU-hours, the
lesser of both totals, by its noise-free value; a one-sided Wilcoxon signed-rank test over the seeds; and after how many
launches the mean incumbent reaches the mean of `random` at its end. Metrics are maximised. Needs scipy.
"""

import collections
import json
import pathlib
import sys

import numpy
from scipy.stats import wilcoxon


def lines(path):
    with open(path, encoding="utf-8") as text:
        return [json.loads(line) for line in text]


def curve(folder, name):
    """Cumulative GPU-hours and the incumbent's noise-free value, after each launch."""
    truth = {(t["trial"], t["attempt"]): t["value"] for t in lines(folder / "truth" / name)[1:]}
    hours, values, best, value = [0.0], [0.0], float("-inf"), 0.0
    for launch in lines(folder / "journals" / name)[1:]:
        if launch["state"] == "complete" and launch["value"] > best:
            best, value = launch["value"], truth[launch["trial"], launch["attempt"]]
        hours.append(hours[-1] + launch["cost_gpu_hours"])
        values.append(value)
    return numpy.array(hours), numpy.array(values)


def at(curve_of_seed, hours):
    return curve_of_seed[1][numpy.searchsorted(curve_of_seed[0], hours, side="right") - 1]


def main():
    folder, scenario, chosen = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    curves = collections.defaultdict(dict)
    for path in sorted((folder / "journals").glob(scenario + ".*.jsonl")):
        header = lines(path)[0]
        if header["scenario"] == scenario:
            curves[header["searcher"]][header["instance"], header["seed"]] = curve(folder, path.name)
    for other in sorted(set(curves) - {chosen}):
        seeds = sorted(set(curves[chosen]) & set(curves[other]))
        pairs = []
        for seed in seeds:
            mine, theirs = curves[chosen][seed], curves[other][seed]
            hours = min(mine[0][-1], theirs[0][-1])
            pairs.append((at(mine, hours), at(theirs, hours)))
        mine, theirs = numpy.array(pairs).T
        chance = wilcoxon(mine, theirs, alternative="greater").pvalue if (mine != theirs).any() else 1.0
        gain = 100 * numpy.mean(mine / theirs - 1)
        print(f"{chosen} against {other}: {gain:+.2f} % at equal GPU-hours, better in {(mine > theirs).sum()} of"
              f" {len(seeds)} seeds, p = {chance:.2g}")
    goal = numpy.mean([c[1][-1] for c in curves["random"].values()])
    shortest = min(len(c[1]) for c in curves[chosen].values())
    mean = numpy.mean([c[1][:shortest] for c in curves[chosen].values()], axis=0)
    reached = numpy.flatnonzero(mean >= goal)
    print(f"{chosen} reaches random's last mean after {reached[0] if len(reached) else 'no'} launches")


if __name__ == "__main__":
    main()
