#!/usr/bin/python3 -B
"""How near the simulator is to real launches: agreement.py --device FILE.json... SCENARIO.json SEARCH...

SEARCH is the folder of a finished search on examples/torch-cpu. Every launch is simulated on the scenario with each of the devices.
Printed are, for each device, Kendall's tau-b of simulated and measured throughput over the launches that ended well, the median error,
and which launches ran out of memory, simulated and for real.
"""

import argparse
import collections
import itertools
import json
import math
import pathlib
import statistics
import subprocess

AMPLE = "cluster.memory_gib=100"  # a step has a time whether it fits or not


def launches_of(searches):
    """Configuration, state, reason and value of every launch."""
    return [json.loads(line) for search in searches for journal in sorted((search / "journals").glob("*.jsonl"))
            for line in journal.read_text(encoding="utf-8").splitlines()[1:]]


def written(value):
    return value if isinstance(value, str) else json.dumps(value)


def simulated(scenario, *settings):
    command = ["cubicbench", "simulate", scenario, "--json"]
    for setting in settings:
        command += ["--set", setting]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def tau_b(pairs):
    """Kendall's tau-b, by counting [Kendall45]."""
    agree, ties = 0, [0, 0]
    both = list(itertools.combinations(pairs, 2))
    for (x, y), (u, v) in both:
        agree += ((x > u) - (x < u)) * ((y > v) - (y < v))
        ties[0] += x == u
        ties[1] += y == v
    untied = math.sqrt((len(both) - ties[0]) * (len(both) - ties[1]))
    return agree / untied if untied else math.nan


def compared(launches, scenario, device):
    pairs, verdicts = [], collections.Counter()
    for launch in launches:
        ran_out = (launch["reason"] or "").startswith("oom")
        if launch["state"] != "complete" and not ran_out:
            continue
        settings = [f"cluster.device={device}", *(f"{name}={written(value)}" for name, value in launch["config"].items())]
        fits = simulated(scenario, *settings)["status"] == "ok"
        verdicts[ran_out, not fits] += 1
        if not ran_out:
            pairs.append((simulated(scenario, *settings, AMPLE)["objective"]["value"], launch["value"]))
    return pairs, verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", metavar="SCENARIO.json")
    parser.add_argument("searches", metavar="SEARCH", type=pathlib.Path, nargs="+")
    parser.add_argument("--device", metavar="FILE.json", action="append", required=True)
    arguments = parser.parse_args()
    launches = launches_of(arguments.searches)
    for device in arguments.device:
        pairs, verdicts = compared(launches, arguments.scenario, device)
        error = statistics.median(abs(x / y - 1) for x, y in pairs)
        print(f"{device}: tau {tau_b(pairs):.2f} over {len(pairs)} launches, median error {100 * error:.0f} %; out of memory "
              f"{verdicts[True, True]} both, {verdicts[True, False]} only for real, {verdicts[False, True]} only simulated, "
              f"{verdicts[False, False]} neither")


if __name__ == "__main__":
    main()
