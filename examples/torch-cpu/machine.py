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
import shutil
import statistics
import time

from understood import MEMORY_GIB, THREADS_SLEEP

os.environ.update(THREADS_SLEEP)

import torch
from torch import distributed

from model import Linear, attended
from processes import run_together

HERE = pathlib.Path(__file__).parent
TOKENS = 384  # of a micro-batch of two sequences
WORKSPACE_GIB = 1 / 16
DTYPES = ("fp32", "bf16")
FLOOR = 0.001  # the least rate that a description may state, in TFLOP/s, TB/s and GB/s
SMALL, LARGE = 2**10, 2**22  # floats


def seconds(call, fill=1.0):
    """Of a call, the median of those that fill a second."""
    call()
    times, until = [], time.perf_counter() + fill
    while len(times) < 3 or time.perf_counter() < until:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def product_rate(shape, dtype):
    """FLOP/s of the products of a gated feed-forward part, forward and backward."""
    up, down = Linear(shape["hidden"], shape["ffn_hidden"]), Linear(shape["ffn_hidden"], shape["hidden"])
    x = torch.randn(TOKENS, shape["hidden"], requires_grad=True)

    def call():
        with torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bf16"):
            down(up(x)).sum().backward()

    return 12 * TOKENS * shape["hidden"] * shape["ffn_hidden"] / seconds(call)


def attention_rate(shape, dtype):
    """FLOP/s of attention as the simulator counts them: half of the square, and three and a half times that for both passes."""
    heads, sequence = shape["attention_heads"], shape["sequence"]
    head = shape["hidden"] // heads
    queries, keys, values = (torch.randn(TOKENS // sequence, heads, sequence, head, requires_grad=True) for _ in range(3))

    def call():
        with torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bf16"):
            attended(queries, keys, values).sum().backward()

    return 3.5 * 2 * TOKENS * sequence * shape["hidden"] / seconds(call)


def copy_rate():
    """Bytes read and written a second."""
    one, other = torch.zeros(2**23), torch.zeros(2**23)
    return 8 * 2**23 / seconds(lambda: other.copy_(one))


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
    """What a share reaches while all others do the same; all-reduces of small and large vectors among them."""
    products = {dtype: product_rate(shape, dtype) / 1e12 for dtype in DTYPES}
    attention = {f"attention_{dtype}": attention_rate(shape, dtype) / 1e12 for dtype in DTYPES}
    return {
        **products,
        **attention,
        "copy": copy_rate() / 1e12,
        "operation": operation_seconds() * 1e6,
        "small": all_reduce_seconds(SMALL) * 1e6,
        "large": all_reduce_seconds(LARGE) * 1e6,
    }


def by_key(content, measured, others):
    """A source for every number, or table of numbers."""
    return {key: others.get(key, measured) for key in content if key != "of"}


def device_of(now, told):
    """A share of the machine. Peaks are twice what was measured: only their product with the efficiencies counts, and those may be
    fitted up to 1."""
    peaks = {dtype: round(max(FLOOR, 2 * now[dtype]), 6) for dtype in DTYPES}
    shares = [now[f"attention_{dtype}"] / peaks[dtype] for dtype in DTYPES]
    content = {
        "matmul_tflops": peaks,
        "memory_gib": MEMORY_GIB + WORKSPACE_GIB,
        "memory_tb_s": round(max(FLOOR, 2 * now["copy"]), 6),
        "memory_efficiency": 0.5,
        "host_gb_s": round(max(FLOOR, 1e3 * now["copy"]), 3),
        "sm_count": 1,
        "gemm_efficiency": 0.5,
        "gemm_k_half": 0,
        "gemm_wave_weight": 0,
        "kernel_overhead_us": round(now["operation"], 2),
        "attention_efficiency": {"flash2": round(min(1.0, max(0.01, statistics.geometric_mean(shares))), 4)},
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


def described(now, shares):
    """The three files by name."""
    told = f"examples/torch-cpu/machine.py: PyTorch {torch.__version__}, {os.cpu_count()} cores in {shares} shares, all busy"
    parts = {
        "device": ("cubicbench.device/1", "A share of the CPUs of a machine", device_of(now, told)),
        "network": ("cubicbench.network/2", "Processes of one machine over gloo", network_of(now, shares, told)),
        "costs": ("cubicbench.collective_costs/1", "gloo through the loopback interface", costs_of(now, told)),
    }
    return {name: {"schema": schema, "name": "torch-cpu", "summary": summary, **content, "sources": sources}
            for name, (schema, summary, (content, sources)) in parts.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    scenario = json.loads((HERE / "scenario.json").read_text(encoding="utf-8"))
    shares = scenario["cluster"]["gpus"]
    now, why, log = run_together(shares, 1, lambda rank: measured(scenario["workload"]))
    if now is None:
        raise SystemExit(f"{log}\n{why}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in described(now, shares).items():
        (folder / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    for name in ("stack.json", "scenario.json"):
        if not (folder / name).exists() or not (folder / name).samefile(HERE / name):
            shutil.copyfile(HERE / name, folder / name)
    print(json.dumps({what: round(value, 6) for what, value in now.items()}))


if __name__ == "__main__":
    main()
