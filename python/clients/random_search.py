"""Random search as a client of the suite, with nothing but the standard library: the protocol in full.

    cubicbench search llama3-8b --searcher "external:python3 python/clients/random_search.py" --out out/random

Draws every active knob by itself, so some proposals break a constraint and fail as `invalid`; of a table of runs, which
lists its `configs`, one of those.
"""

import json
import random
import sys


def is_active(parameter, config):
    """Do the earlier knobs have the values that this one needs?"""
    return all(config.get(name) in values for name, values in parameter.get("when", {}).items())


def say(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":  # a study begins
        parameters, rows = message["space"]["parameters"], message["space"].get("configs")
        draws = random.Random(message["seed"])
        say(type="ready", protocol=1, name="python-random", batch=16, studies=1000)
    elif message["type"] == "ask":
        configs = []
        for _ in range(message["n"]):
            config = dict(draws.choice(rows)) if rows else {}
            for parameter in [] if rows else parameters:
                if is_active(parameter, config):
                    config[parameter["name"]] = draws.choice(parameter["values"])
            configs.append(config)
        say(type="propose", configs=configs)
    elif message["type"] == "tell":
        pass  # one that learns reads message["trials"]: config, state, value, reason
    elif message["type"] == "recommend":
        say(type="recommend", config=None)  # the best mean of its measurements
    elif message["type"] == "stop":
        break
