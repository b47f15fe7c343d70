"""SciPy's differential evolution as a client of the suite. Needs Debian's python3-scipy.

    cubicbench search llama3-8b --searcher "external:python3 python/clients/scipy_evolution.py" --out out/de

SciPy calls a function and wants its value at once. So it runs in a thread of its own, and the function hands its point
to the loop below and waits for the answer: ask and tell turned inside out. A launch that fails is as bad as can be.
"""
import json
import queue
import sys
import threading

import numpy
from scipy.optimize import differential_evolution


def config_of(point):
    config = {}  # every knob is a coordinate from 0 to 1, cut into as many pieces as it has values
    for p, x in zip(parameters, point):
        if all(config.get(name) in values for name, values in p.get("when", {}).items()):
            config[p["name"]] = p["values"][min(int(x * len(p["values"])), len(p["values"]) - 1)]
    return max(rows, key=lambda row: len(row.items() & config.items())) if rows else config


def minimise(seed, points, losses):
    def loss(point):
        points.put(point)
        return losses.get()

    bounds = [(0.0, 1.0)] * len(parameters)
    start = numpy.random.RandomState(seed).random_sample((20, len(bounds)))
    differential_evolution(loss, bounds, init=start, seed=seed, tol=0, maxiter=10**6, polish=False)
    points.put(None)  # all individuals have become one


while (message := json.loads(sys.stdin.readline()))["type"] != "stop":
    answer = None
    if message["type"] == "hello":
        parameters, first = message["space"]["parameters"], 0 if message["baseline"] is None else 1
        rows = message["space"].get("configs")  # of a table of runs: the one that agrees in most knobs
        sign, failed = (-1.0, 0.0) if message["objective"]["direction"] == "maximize" else (1.0, 7200.0)
        points, losses, waits = queue.Queue(), queue.Queue(), False
        threading.Thread(target=minimise, args=(message["seed"], points, losses), daemon=True).start()
        answer = {"type": "ready", "protocol": 1, "name": "scipy-differential-evolution", "studies": 1000}
    elif message["type"] == "ask":
        if waits:  # of the last launch nothing was told
            losses.put(failed)
        point = points.get()
        waits = point is not None
        answer = {"type": "propose", "configs": [config_of(point)] if waits else []}
    elif message["type"] == "tell":
        for told in message["trials"]:
            if told["trial"] >= first:  # trial 0 may be the granted baseline
                losses.put(sign * told["value"] if told["state"] == "complete" else failed)
                waits = False
    elif message["type"] == "recommend":
        answer = {"type": "recommend", "config": None}
    if answer is not None:
        print(json.dumps(answer), flush=True)
