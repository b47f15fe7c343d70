#!/usr/bin/env python3
"""Writes what tests/search/tpe compares our tpe with: Optuna's TPESampler, given one stored history.

    /usr/bin/python3 scripts/tpe_cases.py     (Debian 12: python3-optuna 3.1.0)

Ordinals are integers by the number of their value, labels are categories; a knob may be active only with some values of
an earlier one. Failures are infeasible trials, the more so the more bytes they lacked. tests/search/tpe/optuna.txt has,
a line each:

knob ordinal|labels VALUES [PARENT VALUE...]     of the space, in order; active where PARENT has one of these values
trial VALUES... SCORE|fail OVER                  of the history, -1: not active; the greater the score the better
tpe|tpe-multivariate CANDIDATES KNOB N...        how often each value was the next proposal, over SEEDS seeds; the first
                                                 number is of the knob not being active

With its 24 candidates it nearly always proposes the same values, so 2 are tried as well.
"""

import pathlib
import warnings

import numpy
import optuna

FILE = pathlib.Path(__file__).parent.parent / "tests" / "search" / "tpe" / "optuna.txt"
KNOBS = [("ordinal", 8, None), ("ordinal", 5, None), ("labels", 5, None), ("ordinal", 4, (1, (1, 2, 3))),
         ("ordinal", 8, None), ("labels", 3, (2, (0, 2))), ("ordinal", 2, None), ("ordinal", 12, None)]
TRIALS, FAILED, SEEDS = 50, 9, 2000

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.simplefilter("ignore")


def distribution(kind, values):
    if kind == "ordinal":
        return optuna.distributions.IntDistribution(0, values - 1)
    return optuna.distributions.CategoricalDistribution(range(values))


def active(i, config):
    condition = KNOBS[i][2]
    return condition is None or config[condition[0]] in condition[1]


def drawn_history():
    """Uniform configurations; some values are good by themselves, two knobs belong together."""
    random = numpy.random.RandomState(26)
    worth = [random.normal(0, 1, values) for _, values, _ in KNOBS]
    for trial in range(TRIALS):
        config = []
        for i, (_, values, _) in enumerate(KNOBS):
            value = random.randint(values)
            config.append(value if active(i, config) else -1)
        score = sum(worth[i][value] for i, value in enumerate(config) if value >= 0)
        score += 0.1 * random.normal() - 0.1 * (config[0] + config[4] - 9) ** 2
        over = random.randint(1, 100) if trial * FAILED // TRIALS != (trial + 1) * FAILED // TRIALS else None
        yield config, round(score, 6), over


def study_of(history):
    study = optuna.create_study(direction="maximize")
    for config, score, over in history:
        params = {f"k{i}": int(value) for i, value in enumerate(config) if value >= 0}
        study.add_trial(optuna.trial.create_trial(
            params=params,
            distributions={name: distribution(*KNOBS[int(name[1:])][:2]) for name in params},
            state=optuna.trial.TrialState.COMPLETE if over is None else optuna.trial.TrialState.PRUNED,
            values=[score] if over is None else None,
            system_attrs={"constraints": [-1.0 if over is None else float(over)]}))
    return study


def proposed(study):
    trial, config = study.ask(), []
    for i, (kind, values, _) in enumerate(KNOBS):
        if not active(i, config):
            config.append(-1)
        elif kind == "ordinal":
            config.append(trial.suggest_int(f"k{i}", 0, values - 1))
        else:
            config.append(trial.suggest_categorical(f"k{i}", range(values)))
    study.tell(trial, state=optuna.trial.TrialState.FAIL)
    return config


def counts(history, multivariate, candidates):
    times = [[0] * (values + 1) for _, values, _ in KNOBS]
    for seed in range(SEEDS):
        if seed % 200 == 0:
            study = study_of(history)  # proposals stay in the study, and make it slow
        study.sampler = optuna.samplers.TPESampler(
            seed=seed, multivariate=multivariate, n_ei_candidates=candidates, warn_independent_sampling=False,
            constraints_func=lambda trial: [0.0])
        for i, value in enumerate(proposed(study)):
            times[i][value + 1] += 1
    return times


def lines():
    yield f"# Written by scripts/tpe_cases.py, which says what the lines are, with Optuna {optuna.__version__}"
    for kind, values, condition in KNOBS:
        yield " ".join(map(str, ["knob", kind, values, *([condition[0], *condition[1]] if condition else [])]))
    history = list(drawn_history())
    for config, score, over in history:
        yield " ".join(map(str, ["trial", *config, score if over is None else f"fail {over}"]))
    for name, multivariate in (("tpe", False), ("tpe-multivariate", True)):
        for candidates in (24, 2):
            for i, times in enumerate(counts(history, multivariate, candidates)):
                yield " ".join(map(str, [name, candidates, i, *times]))


FILE.write_text("".join(line + "\n" for line in lines()))
