#!/usr/bin/env python3
"""Enters a searcher's processor time per launch, in milliseconds, into results/times/searchers.json.

usage: scripts/launch_times.py SEARCHER TIMES REFERENCE.json OUT.json   TIMES: a file with seconds of user and of system
"""

import json
import os
import sys


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def main() -> None:
    searcher, times, reference, out = sys.argv[1:]
    with open(times, encoding="utf-8") as lines:
        seconds = sum(float(number) for number in lines.read().split())
    with open(reference, encoding="utf-8") as text:
        launches = sum(problem["trials"] * len(problem["seeds"]) for problem in json.load(text)["problems"])
    document = {"processor": "", "milliseconds_per_launch": {}}
    if os.path.exists(out):
        with open(out, encoding="utf-8") as text:
            document = json.load(text)
    document["processor"] = processor()
    document["milliseconds_per_launch"][searcher] = round(1000.0 * seconds / launches, 2)
    document["milliseconds_per_launch"] = dict(sorted(document["milliseconds_per_launch"].items()))
    with open(out, "w", encoding="utf-8") as text:
        json.dump(document, text, indent=2)
        text.write("\n")


if __name__ == "__main__":
    main()
