#!/usr/bin/env python3
"""How far the optimum of whole spaces moves between instances: enumerates each scenario for instances 0 to 30.

usage: instance_optima.py SCENARIO...

A line a scenario, as a Markdown table: configurations; how the optimum moves (least and greatest over the instances, over that
of instance 0); how many configurations are best in some instance; in how many instances another one is best than in instance
0; how much is lost by keeping that one (median and greatest, over the best), and its rank (median and worst). `cubicbench` has
to be in the PATH. Python alone. For scenarios whose metric is maximised.
"""

import csv
import pathlib
import statistics
import subprocess
import sys
import tempfile

OTHERS = 30


def values(scenario, instance, folder):
    """One a configuration, in the order of their numbers; 0 where it fails."""
    table = pathlib.Path(folder, "table.csv")
    command = ["cubicbench", "enumerate", scenario, "--instance", str(instance), "--table", str(table), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with table.open(newline="", encoding="utf-8") as file:
        found = [float(row["value"] or 0) for row in csv.DictReader(file)]
    table.unlink()
    return found


def row(scenario, folder):
    nominal = values(scenario, 0, folder)
    optimum = max(nominal)
    kept = nominal.index(optimum)
    best, moved, lost, ranks = {kept}, [], [], []
    for instance in range(1, OTHERS + 1):
        here = values(scenario, instance, folder)
        top = max(here)
        moved.append(top / optimum)
        lost.append(1 - here[kept] / top)
        ranks.append(1 + sum(value > here[kept] for value in here))
        best.add(kept if here[kept] == top else here.index(top))
    another = sum(rank > 1 for rank in ranks)
    cells = [
        f"`{scenario}`",
        f"{len(nominal):,}",
        f"{min(moved):.3f} to {max(moved):.3f}",
        str(len(best)),
        f"{another} of {OTHERS}",
        f"{100 * statistics.median(lost):.2f} %, {100 * max(lost):.1f} %",
        f"{statistics.median_low(ranks):,}, {max(ranks):,}",
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    print("| scenario | configurations | optimum, over instance 0's | different optima | another is best |"
          " lost by keeping instance 0's: median, greatest | its rank: median, worst |")
    print("|---|--:|---|--:|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for scenario in sys.argv[1:]:
            print(row(scenario, folder), flush=True)


main()
