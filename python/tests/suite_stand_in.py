"""A suite in a few lines of Python: drives a client over its streams on a space of its own."""

import json
import subprocess
import sys

SPACE = {
    "parameters": [
        {"name": "degree", "type": "ordinal", "values": [1, 2, 4, 8]},
        {"name": "batch", "type": "integer", "values": [1, 2, 3, 4, 5, 6, 7, 8]},
        {"name": "schedule", "type": "categorical", "values": ["gpipe", "1f1b"], "when": {"degree": [2, 4, 8]}},
        {"name": "overlap", "type": "boolean", "values": [False, True], "when": {"schedule": ["1f1b"]}},
    ],
    "constraints": [],
}


def outcome(config):
    """Out of memory beyond degree x batch = 16; else faster with both."""
    size = config["degree"] * config["batch"]
    if size > 16:
        return {"state": "fail", "value": None, "reason": "oom_init", "over_bytes": 1e9 * (size - 16)}
    value = 100.0 * size + 10.0 * config.get("overlap", False)
    return {"state": "complete", "value": value, "reason": None, "over_bytes": None}


def is_configuration(config):
    active = {}
    for parameter in SPACE["parameters"]:
        if all(active.get(n) in v for n, v in parameter.get("when", {}).items()):
            if config.get(parameter["name"]) not in parameter["values"]:
                return False
            active[parameter["name"]] = config[parameter["name"]]
    return config == active


class Client:
    """A client that is running."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, **message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def answer(self, kind):
        message = json.loads(self.process.stdout.readline())
        assert message["type"] == kind, message
        return message

    def play(self, trials, seed=0, telling="reason", baseline=None, direction="maximize", space=SPACE):
        """One study. What was launched: configurations and what they came to."""
        self.say(type="hello", protocol=1, space=space, objective={"direction": direction}, budget={"trials": trials},
                 seed=seed, telling=telling, baseline=baseline, replay=0)
        ready = self.answer("ready")
        assert ready["protocol"] == 1
        told, launches = [], []
        if baseline is not None:
            told = [self.launched(0, baseline, launches)]
        while len(launches) < trials:
            if told:
                self.say(type="tell", trials=[t for t in told if telling != "drop" or t["state"] == "complete"])
            wanted = min(ready.get("batch", 1), trials - len(launches))
            self.say(type="ask", n=wanted)
            configs = self.answer("propose")["configs"]
            assert len(configs) <= wanted
            if not configs:
                break
            told = [self.launched(len(launches), config, launches) for config in configs]
        self.say(type="recommend")
        assert self.answer("recommend")["config"] is None
        return launches

    def launched(self, trial, config, launches):
        assert is_configuration(config), config
        launches.append((config, outcome(config)))
        return {"trial": trial, "config": config, "peak_bytes": None, "cost_gpu_hours": 1.0, **outcome(config)}

    def stop(self):
        self.say(type="stop")
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        return status


def command_of(client, *arguments):
    return [sys.executable, str(client), *arguments]
