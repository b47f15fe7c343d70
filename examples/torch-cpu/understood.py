"""Which settings this job has, and how they divide the machine. Asked before PyTorch is loaded."""

import os

# To be in the environment before PyTorch is loaded: a thread that waits sleeps. On a machine that does something else besides, threads
# that spin wait for each other's time slices: a step of two threads took eight times as long.
THREADS_SLEEP = {"OMP_WAIT_POLICY": "PASSIVE"}

# What a share of the machine may hold, beyond what a process holds before it has a model. Enough for some configurations.
MEMORY_GIB = 0.056

# Setting: the values that are understood here. Others would be dropped silently.
UNDERSTOOD = {
    "tensor_parallel": None,
    "sharding": {"no_shard", "zero1", "full_shard"},
    "wrap": None,
    "global_batch": None,
    "micro_batch": None,
    "accumulate_without_sync": {True, False},
    "recompute": {"none", "selective", "full"},
    "dtype": {"fp32", "bf16"},
    "optimizer": {"adamw"},
}


def processes_of(scenario, settings):
    """The machine is `gpus` equal shares; `tensor_parallel` of them make a process."""
    return scenario["cluster"]["gpus"] // settings["tensor_parallel"]


def threads_of(scenario, settings):
    """Cores of a process, at least one."""
    return max(1, len(os.sched_getaffinity(0)) * settings["tensor_parallel"] // scenario["cluster"]["gpus"])


def refused(scenario, settings):
    """What of the settings cannot be run here, in a sentence, or None."""
    for name, value in settings.items():
        if name not in UNDERSTOOD or UNDERSTOOD[name] is not None and value not in UNDERSTOOD[name]:
            return f"{name}={value} is not known here"
    if scenario["cluster"]["gpus"] % settings["tensor_parallel"]:
        return "tensor_parallel does not divide the shares of the machine"
    if settings["global_batch"] % (processes_of(scenario, settings) * settings["micro_batch"]):
        return "micro_batch times the processes does not divide global_batch"
    return None
