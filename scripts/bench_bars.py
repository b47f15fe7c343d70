#!/usr/bin/env python3
"""Compares what cubicbench_bench measured with the bars of docs/performance.md. Exits with 1 where one is missed that was
met before, or where what has been reached on the way to one is lost.

usage: scripts/bench_bars.py BENCH.json

Bars are rates on one idle core of the machine that they were set on (Intel Xeon of the Sapphire Rapids family, 2.5 GHz),
whose fixed loop takes FIXED_LOOP_S. Each benchmark counts what it takes in fixed loops of the same run, so that a slow or
busy machine is no excuse and a fast one no help. `margin` allows for what such a ratio differs by between runs.
"""

import json
import re
import sys
from dataclasses import dataclass

FIXED_LOOP_S = 2.0e-6
MARGIN = 0.10
# Of what is reached below a bar, which other machines reach less exactly than a bar that was set for one.
REACHED_MARGIN = 0.30


@dataclass(frozen=True)
class Bar:
    """For each benchmark whose whole name matches: items per second at least, or the counter `of` at most."""

    what: str
    names: str
    rate: float = 0.0
    most: float = 0.0
    of: str = ""


EXPERTS = "mixtral-8x7b|qwen3-235b|deepseek-v3|se-moe|se-moe-deepspeed"
BARS = (
    Bar("random, recommendation", r"BM_RandomConfigurations/ads-.*", rate=300_000),
    Bar("random, recommendation", r"BM_RandomConfigurations/dlrm.*", rate=400_000),
    Bar("random, with experts", rf"BM_RandomConfigurations/({EXPERTS})/.*", rate=250_000),
    Bar("random, dense", r"BM_RandomConfigurations/.*", rate=1_000_000),
    Bar("enumerated, with experts", rf"BM_EnumeratedConfigurations/({EXPERTS})", rate=1_000_000),
    Bar("events of every rank", r"BM_EventStep/every_rank/16384", rate=5_000_000),
    Bar("folded steps, 131,072 GPUs", r"BM_EventStep/folded/131072", rate=1 / 0.050),
    Bar("a collective, 131,072 GPUs", r"BM_Collective/131072", rate=1 / 0.2),
    Bar("evaluations a launch", r"BM_SearchCost/search/.*", most=5.0, of="evaluations_per_launch"),
    Bar("resumed, of the search", r"BM_SearchCost/resume/.*", most=0.1, of="share_of_search"),
    Bar("merged, of the searches", r"BM_SearchCost/merge/.*", most=0.2, of="share_of_search"),
)


# Bars that are not met yet, and what is: rates, or counters. A row goes when its bar is met.
REACHED = (
    (r"BM_RandomConfigurations/llama3-405b-long/.*", 330_000),
    (r"BM_RandomConfigurations/llama3-.*", 530_000),
    (r"BM_EnumeratedConfigurations/(mixtral-8x7b|qwen3-235b)", 710_000),
    (r"BM_SearchCost/search/.*", 6.2),
)


def measured(run: dict, bar: Bar) -> float:
    """In the unit of the bar: items a second on the machine of the bars, or the counter."""
    return run[bar.of] if bar.of else 1.0 / (run["loops"] * FIXED_LOOP_S)


def is_met(value: float, bar: Bar) -> bool:
    return value <= bar.most * (1.0 + MARGIN) if bar.of else value >= bar.rate * (1.0 - MARGIN)


def is_kept(name: str, value: float, bar: Bar) -> bool:
    """Below the bar as before, and no further."""
    reached = next((value for names, value in REACHED if re.fullmatch(names, name)), None)
    if reached is None:
        return False
    return value <= reached * (1.0 + REACHED_MARGIN) if bar.of else value >= reached * (1.0 - REACHED_MARGIN)


def judge(runs: list[dict]) -> tuple[list[str], int]:
    """A line for each benchmark that has a bar, the first that matches it, and how many bars are lost or not measured."""
    lines, missed, unseen = [], 0, list(BARS)
    for run in runs:
        bar = next((bar for bar in BARS if re.fullmatch(bar.names, run["name"])), None)
        if bar is None:
            continue
        unseen = [other for other in unseen if other is not bar]
        if "error_message" in run:
            lines.append(f"MISSED {run['name']}: {run['error_message']}")
            missed += 1
            continue
        value = measured(run, bar)
        verdict = "met   " if is_met(value, bar) else "short " if is_kept(run["name"], value, bar) else "MISSED"
        missed += verdict == "MISSED"
        shown, bound = (f"{value:.2f}", f"at most {bar.most:g}") if bar.of else (f"{value:,.0f}", f"at least {bar.rate:,.0f}")
        lines.append(f"{verdict} {run['name']}: {shown}, {bound} ({bar.what})")
    lines += [f"MISSED {bar.names}: nothing was measured ({bar.what})" for bar in unseen]
    return lines, missed + len(unseen)


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/bench_bars.py BENCH.json")
    with open(sys.argv[1], encoding="utf-8") as text:
        lines, missed = judge(json.load(text)["benchmarks"])
    print("\n".join(lines))
    short = sum(line.startswith("short ") for line in lines)
    print(f"{missed} of {len(lines)} bars are missed; {short} are not met yet, and no further off than before")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
