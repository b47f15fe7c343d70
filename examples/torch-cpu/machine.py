#!/usr/bin/python3 -B
"""Measures this machine and describes it for the simulator: machine.py FOLDER

Writes device.json (one of the equal shares into which examples/torch-cpu/scenario.json divides the machine), network.json and
costs.json (gloo between processes) into FOLDER, with stack.json and scenario.json beside them. Takes half a minute; leave the machine
alone meanwhile. Needs PyTorch, 1.13 or later.
"""

import argparse
import json
import os
import pathlib
import statistics
import time

from understood import MEMORY_GIB, THREADS_SLEEP

os.environ.update(THREADS_SLEEP)

import torch
from torch import distributed

from job import has_fsdp2
from model import Block, attended, rotary_table
from processes import run_together

HERE = pathlib.Path(__file__).parent
TOKENS = 384  # of a micro-batch of two sequences
WORKSPACE_GIB = 1 / 16
DTYPES = ("fp32", "bf16")
FLOOR = 0.001  # the least rate that a description may state, in TFLOP/s, TB/s and GB/s
COPIED, SMALL, LARGE = 2**23, 2**10, 2**22  # floats


def seconds(call, fill=1.0):
    """Of a call, the median of those that fill a second."""
    call()
    times, until = [], time.perf_counter() + fill
    while len(times) < 3 or time.perf_counter() < until:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def product_work(shape):
    """FLOPs of a block's products, forward and backward."""
    return 6 * TOKENS * (4 * shape["hidden"] ** 2 + 3 * shape["hidden"] * shape["ffn_hidden"])


def attention_work(shape):
    """FLOPs of a block's attention as the simulator counts them: half of the square, and three and a half times that for both passes."""
    return 3.5 * 2 * TOKENS * shape["sequence"] * shape["hidden"]


def passes_seconds(function, dtype, *inputs):
    """Of a forward and a backward pass."""

    def call():
        with torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bf16"):
            result = function(*inputs)
        result.sum().backward()

    return seconds(call)


def block_seconds(shape, dtype):
    """Of a whole block."""
    x = torch.randn(TOKENS // shape["sequence"], shape["sequence"], shape["hidden"], requires_grad=True)
    table = rotary_table(shape["sequence"], shape["hidden"] // shape["attention_heads"])
    return passes_seconds(Block(shape, "none"), dtype, x, table)


def attention_seconds(shape, dtype):
    """Of its attention."""
    size = TOKENS // shape["sequence"], shape["attention_heads"], shape["sequence"], shape["hidden"] // shape["attention_heads"]
    return passes_seconds(attended, dtype, *(torch.randn(size, requires_grad=True) for _ in range(3)))


def copy_seconds():
    one, other = torch.zeros(COPIED), torch.zeros(COPIED)
    return seconds(lambda: other.copy_(one))


def operation_seconds():
    """Of an operation on next to nothing, forward or backward."""
    x = torch.ones(16, requires_grad=True)
    return seconds(lambda: (((x * 2) * 2) * 2).sum().backward()) / 8


def all_reduce_seconds(floats):
    data = torch.zeros(floats)
    times = []
    for _ in range(12):
        distributed.barrier()
        start = time.perf_counter()
        distributed.all_reduce(data)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measured(shape):
    """What a share takes for it while all others do the same, in microseconds; all-reduces of small and large vectors among them."""
    named = {
        **{f"block_{dtype}": block_seconds(shape, dtype) for dtype in DTYPES},
        **{f"attention_{dtype}": attention_seconds(shape, dtype) for dtype in DTYPES},
        "copy": copy_seconds(),
        "operation": operation_seconds(),
        "small": all_reduce_seconds(SMALL),
        "large": all_reduce_seconds(LARGE),
    }
    return {name: 1e6 * time for name, time in named.items()}


def attention_ease(now, shape):
    """The rate of attention over that of the rest of a block, between those of both formats: the simulator has one for all."""
    ratios = []
    for dtype in DTYPES:
        attention = now[f"attention_{dtype}"]
        rest = max(now[f"block_{dtype}"] - attention, 0.1 * attention)
        ratios.append(attention_work(shape) / attention * rest / product_work(shape))
    return statistics.geometric_mean(ratios)


def by_key(content, measured, others):
    """A source for every number, or table of numbers."""
    return {key: others.get(key, measured) for key in content if key != "of"}


def device_of(now, shape, gemm_factor, told):
    """A share of the machine. Peaks are such that half of them, times the stack's gemm_factor, take a block as long as it took: only
    those products count, and efficiencies may be fitted up to 1."""
    ease = attention_ease(now, shape)
    work = product_work(shape) + attention_work(shape) / ease
    copied = 8 * COPIED / now["copy"] / 1e6  # TB/s, of bytes and microseconds
    content = {
        "matmul_tflops": {dtype: round(max(FLOOR, 2 / gemm_factor * work / now[f"block_{dtype}"] / 1e6), 6) for dtype in DTYPES},
        "memory_gib": MEMORY_GIB + WORKSPACE_GIB,
        "memory_tb_s": round(max(FLOOR, 2 * copied), 6),
        "memory_efficiency": 0.5,
        "host_gb_s": round(max(FLOOR, 1e3 * copied), 3),
        "sm_count": 1,
        "gemm_efficiency": 0.5,
        "gemm_k_half": 0,
        "gemm_wave_weight": 0,
        "kernel_overhead_us": round(now["operation"], 2),
        "attention_efficiency": {"flash2": round(min(1.0, max(0.01, ease * gemm_factor / 2)), 4)},
        "attention_s_half": 0,
    }
    half = "the peak is twice what was measured, so that it may be fitted upwards"
    whole = "a core has no tiles to fill"
    return content, by_key(content, told, {
        "memory_gib": f"the limit of {MEMORY_GIB} GiB, and 1/16 GiB that the simulator takes off for workspaces of products",
        "attention_efficiency": f"{told}; between those of fp32 and bf16",
        "gemm_efficiency": half, "memory_efficiency": half, "sm_count": whole, "gemm_k_half": whole, "gemm_wave_weight": whole,
        "attention_s_half": whole})


def network_of(now, shares, told):
    bus = 2 * (shares - 1) / shares * 4 * LARGE / max(1.0, now["large"] - now["small"]) / 1e3  # GB/s, of bytes and microseconds
    content = {
        "domain": {"kind": "switched", "gpus": shares, "gb_s": round(max(FLOOR, bus), 4), "costs": "./costs.json"},
        "fabric": {"kind": "flat", "transport": "tcp", "adapters": 1, "adapter_gbit_s": 1, "costs": "tcp"},
    }
    return content, by_key(content, told, {"fabric": "nothing leaves the machine"})


def costs_of(now, told):
    start = round(now["small"], 1)
    content = {
        "of": "domain",
        "simple": {"share": 1.0, "base_us": start, "step_us": 0, "fill_us": 0},
        "exchange": {"floor_us": start, "share": 1.0},
        "message": {"base_us": start, "channel_ll_gb_s": 1.0, "channel_gb_s": 1.0, "share": 1.0},
    }
    unused = "not used: no model of this example sends any"
    return content, by_key(content, told, {"exchange": unused, "message": unused})


def described(now, scenario, stack):
    """All files by name."""
    shares = scenario["cluster"]["gpus"]
    told = f"examples/torch-cpu/machine.py: PyTorch {torch.__version__}, {os.cpu_count()} cores in {shares} shares, all busy"
    parts = {
        "device": ("cubicbench.device/1", "A share of the CPUs of a machine", device_of(now, scenario["workload"], stack["gemm_factor"], told)),
        "network": ("cubicbench.network/2", "Processes of one machine over gloo", network_of(now, shares, told)),
        "costs": ("cubicbench.collective_costs/1", "gloo through the loopback interface", costs_of(now, told)),
    }
    files = {name: {"schema": schema, "name": "torch-cpu", "summary": summary, **content, "sources": sources}
             for name, (schema, summary, (content, sources)) in parts.items()}
    return {"scenario": scenario, "stack": stack, **files}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    scenario, stack = (json.loads((HERE / name).read_text(encoding="utf-8")) for name in ("scenario.json", "stack.json"))
    shares = scenario["cluster"]["gpus"]
    now, why = run_together(shares, 1, lambda rank: measured(scenario["workload"]))
    if now is None:
        raise SystemExit(why)
    if has_fsdp2():
        sharding = next(parameter for parameter in scenario["space"]["parameters"] if parameter["name"] == "sharding")
        sharding["values"].append("full_shard")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in described(now, scenario, stack).items():
        (folder / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    print(", ".join(f"{what} {value:,.0f} us" for what, value in now.items()))


if __name__ == "__main__":
    main()
