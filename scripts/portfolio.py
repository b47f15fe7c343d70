#!/usr/bin/env python3
"""Writes what the searcher `portfolio` remembers: of every problem of a suite the first of its certified optima.

scripts/portfolio.py SUITE.json OUT.json; the optima are those of results/reference/.
"""
import json
import pathlib
import sys


def main() -> None:
    suite, out = sys.argv[1:]
    reference = pathlib.Path(__file__).parent.parent / "results" / "reference"
    optima = []
    for problem in json.load(open(suite))["problems"]:
        known = json.load(open(reference / f"{problem['scenario']}.json"))
        if not known["optimum"]["certified"]:
            sys.exit(f"{problem['scenario']}: the optimum is not certified")
        optima.append({"scenario": problem["scenario"], "config": known["optimum"]["configs"][0]})
    document = {"schema": "cubicbench.portfolio/1", "optima": optima}
    pathlib.Path(out).write_text(json.dumps(document, indent=2) + "\n")


main()
