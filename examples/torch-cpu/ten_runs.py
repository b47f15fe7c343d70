#!/usr/bin/python3 -B
"""Ten runs for `cubicbench calibrate --device`: ten_runs.py RUNS.csv >TEN.csv

RUNS.csv is what `cubicbench dataset import` makes of a search on examples/torch-cpu. Taken are the first ten runs that random search
proposed, since those are spread over the space, or of all searchers where it has fewer. Device and stack are named as calibrate knows
them: the device by the name in its file, and the stack by the one of the library for eager PyTorch.
"""

import csv
import sys

RUNS = 10


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "ok"]
    if len(rows) < RUNS:
        raise SystemExit(f"{sys.argv[1]}: expected {RUNS} runs that ended well, got {len(rows)}")
    rows.sort(key=lambda row: row["searcher"] != "random")  # stable: else as they stand
    table = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    table.writeheader()
    for row in rows[:RUNS]:
        table.writerow(row | {"device": "torch-cpu", "stack": "pytorch-fsdp1-2024"})


if __name__ == "__main__":
    main()
