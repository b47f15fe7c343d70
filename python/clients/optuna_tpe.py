"""Optuna's TPE as a client of the suite. Needs Debian's python3-optuna (3.1).

    cubicbench search llama3-8b --searcher "external:python3 python/clients/optuna_tpe.py penalty" --out out/tpe

The argument says how Optuna learns of a failed launch: `fail` (the default: its own state for that, which TPE ignores),
`drop` (not at all), `worst` (the worst value so far), `penalty` (nothing is slower) or `constraint` (infeasible).
"""
import json
import sys

import optuna

optuna.logging.disable_default_handler()
failures = (sys.argv + ["fail"])[1]
over = (lambda trial: [trial.user_attrs.get("over", -1.0)]) if failures == "constraint" else None


def proposal(trial):
    config = {}  # active knobs only; ordinals by their position, so that their order counts
    for p in parameters:
        if all(config.get(name) in values for name, values in p.get("when", {}).items()):
            if p["type"] in ("ordinal", "integer"):
                config[p["name"]] = p["values"][trial.suggest_int(p["name"], 0, len(p["values"]) - 1)]
            else:
                config[p["name"]] = trial.suggest_categorical(p["name"], p["values"])
    return max(rows, key=lambda row: len(row.items() & config.items())) if rows else config


def tell(trial, told):
    if told["state"] == "complete":
        values.append(told["value"])
        study.tell(trial, values[-1])
    elif failures == "fail":
        study.tell(trial, state=optuna.trial.TrialState.FAIL)
    elif failures == "constraint":
        trial.set_user_attr("over", told["over_bytes"] or 1.0)  # bytes, with --telling bytes
        study.tell(trial, state=optuna.trial.TrialState.PRUNED)
    elif failures != "drop":
        study.tell(trial, worst(values) if failures == "worst" and values else penalty)


while (message := json.loads(sys.stdin.readline()))["type"] != "stop":
    answer = None
    if message["type"] == "hello":
        parameters, direction = message["space"]["parameters"], message["objective"]["direction"]
        rows = message["space"].get("configs")  # of a table of runs: the one that agrees in most knobs
        worst, penalty = (min, 0.0) if direction == "maximize" else (max, 7200.0)
        sampler = optuna.samplers.TPESampler(seed=message["seed"], constraints_func=over)
        study, asked, values = optuna.create_study(direction=direction, sampler=sampler), {}, []
        first = 0 if message["baseline"] is None else 1  # the baseline is trial 0, told like any other
        answer = {"type": "ready", "protocol": 1, "name": f"optuna-tpe {optuna.__version__}", "studies": 1000}
    elif message["type"] == "ask":
        asked[first + len(asked)] = trial = study.ask()
        answer = {"type": "propose", "configs": [proposal(trial)]}
    elif message["type"] == "tell":
        [tell(asked[told["trial"]], told) for told in message["trials"] if told["trial"] >= first]
    elif message["type"] == "recommend":
        answer = {"type": "recommend", "config": None}
    if answer is not None:
        print(json.dumps(answer), flush=True)
