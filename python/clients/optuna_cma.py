"""Optuna's CMA-ES as a client of the suite. Needs Debian's python3-optuna and python3-cmaes.

    cubicbench search llama3-8b --searcher "external:python3 python/clients/optuna_cma.py" --out out/cma

CMA-ES moves through a cube: every knob is a coordinate, cut into as many pieces as it has values, and the coordinate of
an inactive knob does nothing. A launch that fails is told as the worst value so far.
"""
import json
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)


def proposal(trial):
    config = {}
    for p in parameters:
        place = int(trial.suggest_float(p["name"], 0.0, 1.0) * len(p["values"]))
        if all(config.get(name) in values for name, values in p.get("when", {}).items()):
            config[p["name"]] = p["values"][min(place, len(p["values"]) - 1)]
    return max(rows, key=lambda row: len(row.items() & config.items())) if rows else config


def tell(trial, told):
    if told["state"] == "complete":
        values.append(told["value"])
        study.tell(trial, told["value"])
    else:
        study.tell(trial, worst(values) if values else penalty)


while (message := json.loads(sys.stdin.readline()))["type"] != "stop":
    answer = None
    if message["type"] == "hello":
        parameters, direction = message["space"]["parameters"], message["objective"]["direction"]
        rows = message["space"].get("configs")  # of a table of runs: the one that agrees in most knobs
        worst, penalty = (min, 0.0) if direction == "maximize" else (max, 7200.0)
        sampler = optuna.samplers.CmaEsSampler(seed=message["seed"], warn_independent_sampling=False)
        study, asked, values = optuna.create_study(direction=direction, sampler=sampler), {}, []
        first = 0 if message["baseline"] is None else 1  # the baseline is trial 0, told like any other
        answer = {"type": "ready", "protocol": 1, "name": f"optuna-cma-es {optuna.__version__}", "studies": 1000}
    elif message["type"] == "ask":
        trial = asked[first + len(asked)] = study.ask()
        answer = {"type": "propose", "configs": [proposal(trial)]}
    elif message["type"] == "tell":
        [tell(asked[told["trial"]], told) for told in message["trials"] if told["trial"] >= first]
    elif message["type"] == "recommend":
        answer = {"type": "recommend", "config": None}
    if answer is not None:
        print(json.dumps(answer), flush=True)
