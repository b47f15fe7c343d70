#!/usr/bin/env python3
"""Lets Optuna's TPE search llama3-8b, told of failed launches in five ways, and random search beside it.

usage: optuna_failures.py search DIR [SEEDS [LAUNCHES]]     leaves the folder of a search per way in DIR
       optuna_failures.py page REPORT.json                  prints the page of `cubicbench report --json` on them

Needs the module cubicbench and Debian's python3-optuna. scripts/optuna_failures.sh does both.
"""

import json
import pathlib
import sys
import warnings

import optuna
from optuna.trial import TrialState

import cubicbench

# What the suite tells of a failure, and what Optuna is told then.
WAYS = {"fail": "reason", "drop": "reason", "worst": "reason", "penalty": "reason", "constraint": "bytes"}
TOLD = {
    "fail": "`TrialState.FAIL`",
    "drop": "nothing",
    "worst": "the worst value so far",
    "penalty": "the value 0",
    "constraint": "`PRUNED`, infeasible by its bytes",
    "random": "(random search)",
}
PAGE = """\
# Optuna and failures

A launch that runs out of memory costs GPU-hours and has no value. What should the optimiser be told? Optuna has a state for
failed trials, `TrialState.FAIL`, which it sets itself when an objective raises. On this problem it makes Optuna worse than random
search: {failed[fail]} of all launches fail. Told a bad value instead, {failed[penalty]} fail, and regret is {regret[penalty]} in place of {regret[fail]}.

![The best measured so far by launches, for TPE told of failures in three ways and for random search, and below it the launches that
failed](optuna-and-failures.svg)

Setup: `llama3-8b` (Llama 3 8B on 64 H100), {launches} launches, {seeds} seeds, no baseline granted (`--start none`), `TPESampler` of
Optuna {optuna} with its defaults. Only active knobs are suggested, ordinals by their position. A third of the space does not fit into
memory, and the best configurations lie next to it. Regret is that of the noise-free value of the recommended configuration: 0 is the
certified optimum, 1 the median of what runs. A failure is any launch without a value, broken constraints included.

| a failure is told as | launches that fail | repeats of a configuration | GPU-hours | of them failed | regret at the end | gain over the baseline |
|---|--:|--:|--:|--:|--:|--:|
{rows}

## Why

TPE models the good configurations against the bad ones. Trials in state `FAIL` are in neither group, and neither are trials that
still run, so the model never learns that a region fails. It draws at random until ten trials are complete. Then it proposes what
looks best to it, which does not fit. Nothing changes in the model, so it proposes almost the same again, until the budget is spent.
The column of repeats counts it.

Told a value, TPE counts failures among the bad ones and keeps away. Any value below what runs will do, since TPE uses ranks only: the
worst value so far and 0 differ little. `PRUNED` with a constraint (`constraints_func`, experimental in this version, here the missing
bytes) has the same effect: infeasible trials rank last.

## What to do

- Tell a failure as a bad value: `study.tell(trial, 0.0)` where the metric is maximised, a time that nothing exceeds where it is
  minimised. Use `FAIL` only for failures that have nothing to do with the configuration.
- `--telling penalty` of the suite (`telling="penalty"` in Python) does that for every searcher, without a line of code.
- Do not repeat a configuration that ran out of memory: the next launch of it fails like the first.

## Do it again

    scripts/optuna_failures.sh

makes this page. The loop is in `scripts/optuna_failures.py`, on the [Python module](../how-to/searcher-in-python.md). The same as a
program that the suite drives through pipes is `python/clients/optuna_tpe.py`:

    cubicbench search llama3-8b --trials 150 --seeds 10 --start none --out out/tpe \\
        --searcher "external:python3 python/clients/optuna_tpe.py penalty"
"""


def suggested(trial, parameters):
    """A value for every active knob; ordinals by their position, so that their order counts."""
    config = {}
    for knob in parameters:
        if not knob.is_active(config):
            continue
        if knob.type in ("ordinal", "integer"):
            config[knob.name] = knob.values[trial.suggest_int(knob.name, 0, len(knob.values) - 1)]
        else:
            config[knob.name] = trial.suggest_categorical(knob.name, knob.values)
    return config


def tell(sampler, trial, told, way, values):
    if told.state == "complete":
        values.append(told.value)
        sampler.tell(trial, told.value)
    elif way == "fail":
        sampler.tell(trial, state=TrialState.FAIL)
    elif way == "worst":
        sampler.tell(trial, min(values, default=0.0))
    elif way == "penalty":
        sampler.tell(trial, 0.0)
    elif way == "constraint":
        trial.set_user_attr("over", told.over_bytes or 1.0)
        sampler.tell(trial, state=TrialState.PRUNED)


def play(study, way):
    infeasible = (lambda trial: [trial.user_attrs.get("over", -1.0)]) if way == "constraint" else None
    sampler = optuna.create_study(
        direction=study.problem.objective.direction,
        sampler=optuna.samplers.TPESampler(seed=study.seed, constraints_func=infeasible),
    )
    parameters, values = study.problem.parameters, []
    while study.left:
        trial = sampler.ask()
        tell(sampler, trial, study.evaluate(suggested(trial, parameters)), way, values)


def search(folder, seeds=10, launches=150):
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    plan = {"trials": launches, "seeds": seeds, "start": "none"}
    for way, telling in WAYS.items():
        for study in cubicbench.Search("llama3-8b", f"tpe-{way}", telling=telling, out=folder / way, **plan):
            play(study, way)
        print(f"tpe-{way}: {seeds} seeds", flush=True)
    for study in cubicbench.Search("llama3-8b", "random", out=folder / "random", **plan):
        study.run()


def row(series):
    """What all seeds of a searcher came to together."""
    name = series["searcher"].removeprefix("tpe-")
    regret = series["regret"]
    return (
        f"| {TOLD[name]} | {100 * series['failed'] / series['launches']:.0f} % | "
        f"{100 * series['duplicates'] / series['launches']:.0f} % | {series['cost_gpu_hours']:,.0f} | "
        f"{100 * series['failed_gpu_hours'] / series['cost_gpu_hours']:.0f} % | {regret['mean']:.3f} | "
        f"{100 * series['gain_over_baseline']['mean']:+.1f} % |"
    )


def page(report):
    document = json.loads(report.read_text(encoding="utf-8"))
    series = {s["searcher"].removeprefix("tpe-"): s for s in document["problems"][0]["searchers"]}
    failed = {name: f"{100 * s['failed'] / s['launches']:.0f} %" for name, s in series.items()}
    regret = {name: f"{s['regret']['mean']:.2f}" for name, s in series.items()}
    return PAGE.format(
        seeds=series["fail"]["studies"],
        rows="\n".join(row(series[name]) for name in TOLD),
        failed=failed,
        regret=regret,
        launches=series["fail"]["launches"] // series["fail"]["studies"],
        optuna=optuna.__version__,
    )


def main():
    what, path, *numbers = sys.argv[1:]
    if what == "search":
        search(pathlib.Path(path), *map(int, numbers))
    else:
        print(page(pathlib.Path(path)), end="")


if __name__ == "__main__":
    main()
