"""A random forest with expected improvement as a client of the suite. Needs Debian's python3-sklearn.

    cubicbench search llama3-8b --searcher "external:python3 python/clients/sklearn_forest.py" --out out/forest

One forest learns the value of what ran, another what runs at all. After ten random launches the candidate with the
highest expected improvement times probability to run is next, of 200 random ones and of neighbours of the best.
"""
import json
import math
import sys

import numpy
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor


def canonical(codes):
    codes, config = [max(int(code), 0) for code in codes], {}  # positions of values, -1 where inactive
    for i, p in enumerate(parameters):
        if all(config.get(name) in values for name, values in p.get("when", {}).items()):
            config[p["name"]] = p["values"][codes[i]]
    config = max(rows, key=lambda row: len(row.items() & config.items())) if rows else config
    return tuple(p["values"].index(config[p["name"]]) if p["name"] in config else -1 for p in parameters), config


def proposal():
    pool = [canonical([draws.integers(len(p["values"])) for p in parameters])[0] for _ in range(200)]
    if len(told) < 10 or len(scores) < 2:
        return pool[0]
    best = max(scores, key=scores.get)
    for i, p in enumerate(parameters):
        pool += [canonical((*best[:i], k, *best[i + 1:]))[0] for k in range(len(p["values"]))]
    pool, values = sorted(set(pool) - told.keys()) or pool, numpy.array(list(scores.values()))
    forest = RandomForestRegressor(30, random_state=seed).fit(list(scores), values)
    guesses = numpy.array([tree.predict(pool) for tree in forest.estimators_])
    z = (guesses.mean(axis=0) - values.max()) / (guesses.std(axis=0) + 1e-9)
    gain = guesses.std(axis=0) * (z / 2 * (1 + numpy.vectorize(math.erf)(z / 2**0.5)) + numpy.exp(-z * z / 2) / 2.5066)
    if len(told) > len(scores):
        runs = RandomForestClassifier(30, random_state=seed).fit(list(told), list(told.values()))
        gain *= runs.predict_proba(pool)[:, 1] + 1e-3
    return pool[numpy.argmax(gain)]


while (message := json.loads(sys.stdin.readline()))["type"] != "stop":
    answer = None
    if message["type"] == "hello":
        parameters, rows = message["space"]["parameters"], message["space"].get("configs")  # rows: of a table of runs
        seed, told, scores = message["seed"], {}, {}
        draws, sign = numpy.random.default_rng(seed), 1.0 if message["objective"]["direction"] == "maximize" else -1.0
        answer = {"type": "ready", "protocol": 1, "name": "sklearn-forest", "studies": 1000}
    elif message["type"] == "ask":
        answer = {"type": "propose", "configs": [canonical(proposal())[1]]}
    elif message["type"] == "tell":
        for given, trial in ((trial["config"], trial) for trial in message["trials"]):
            codes = tuple(p["values"].index(given[p["name"]]) if p["name"] in given else -1 for p in parameters)
            told[codes] = trial["state"] == "complete"
            scores.update({codes: sign * trial["value"]} if told[codes] else {})
    elif message["type"] == "recommend":
        answer = {"type": "recommend", "config": None}
    if answer is not None:
        print(json.dumps(answer), flush=True)
