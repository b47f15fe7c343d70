"""The backend of examples/torch-cpu: what it refuses, and, where there is PyTorch, one launch that ends well and one without memory."""

import importlib.util
import json
import math
import pathlib
import subprocess
import sys

import pytest

example = pathlib.Path(__file__).parents[2] / "examples" / "torch-cpu"
sys.path.insert(0, str(example))

import agreement
import understood

scenario = json.loads((example / "scenario.json").read_text(encoding="utf-8"))
baseline = {**scenario["settings"], **scenario["baseline"]}


def launched(folder, *options, environment=None, layers=1, **config):
    """The exit code, and what the backend says, of one launch of a smaller model."""
    small = {**scenario, "workload": {**scenario["workload"], "layers": layers, "sequence": 32}}
    (folder / "scenario.json").write_text(json.dumps(small), encoding="utf-8")
    request = json.dumps({"config": {**scenario["baseline"], **config}}) + "\n"
    return subprocess.run([sys.executable, "-B", example / "backend.py", folder / "scenario.json", *options], input=request,
                          capture_output=True, text=True, env=environment, check=False)


def test_shares_become_processes_and_threads(monkeypatch):
    for cores, shares, processes, threads in [(2, 1, 4, 1), (2, 2, 2, 1), (2, 4, 1, 2), (8, 1, 4, 2), (8, 4, 1, 8), (1, 4, 1, 1)]:
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: range(cores))
        settings = {"tensor_parallel": shares}
        assert understood.processes_of(scenario, settings) == processes
        assert understood.threads_of(scenario, settings) == threads


def test_the_baseline_is_understood():
    assert understood.refused(scenario, baseline) is None


@pytest.mark.parametrize("config, why", [
    ({"optimizer": "sgd"}, "optimizer=sgd is not known here"),
    ({"pipeline_parallel": 2}, "pipeline_parallel=2 is not known here"),
    ({"tensor_parallel": 3}, "tensor_parallel does not divide the shares of the machine"),
    ({"micro_batch": 8}, "micro_batch times the processes does not divide global_batch"),
])
def test_what_is_not_understood_is_refused(config, why):
    assert understood.refused(scenario, {**baseline, **config}) == why


def test_a_refusal_is_invalid(tmp_path):
    done = launched(tmp_path, recompute="per_op")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "recompute=per_op is not known here\n"


def test_without_pytorch_the_command_is_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError\n", encoding="utf-8")
    done = launched(tmp_path, environment={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 127
    assert done.stderr.startswith("PyTorch is missing: ")


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="no PyTorch")


@needs_torch
@pytest.mark.parametrize("config", [
    {"tensor_parallel": 2, "sharding": "zero1", "dtype": "bf16", "recompute": "full", "accumulate_without_sync": True},
    {"tensor_parallel": 4, "micro_batch": 4, "recompute": "selective"},
])
def test_a_launch_answers_with_its_speed(tmp_path, config):
    done = launched(tmp_path, "--memory-gib", "1", **config)
    assert done.returncode == 0, done.stderr
    *log, answer = done.stdout.splitlines()
    answer = json.loads(answer)
    assert answer["state"] == "complete"
    assert math.isclose(answer["value"] * answer["metrics"]["step_time_s"], 8 * 32)  # tokens of a step
    assert 0 < answer["metrics"]["peak_mem_gib"] < 4
    assert [line.split()[1] for line in log] == [str(step + 1) for step in range(len(log))]
    assert 3 <= len(log) <= 11


@needs_torch
def test_what_saves_memory_changes_no_loss(tmp_path):
    """Nor do buckets, or when gradients are reduced: each row of the log has the loss of the same step."""

    def losses(**config):
        done = launched(tmp_path, "--memory-gib", "1", layers=2, tensor_parallel=2, **config)
        return [line.split()[3] for line in done.stdout.splitlines()[:3]]

    expected = losses()
    assert len(set(expected)) == 3
    assert losses(recompute="full", sharding="zero1") == expected
    assert losses(recompute="selective", accumulate_without_sync=True, wrap=1) == expected


@needs_torch
def test_fully_sharded_needs_a_newer_pytorch(tmp_path):
    import torch

    if int(torch.__version__.split(".")[0]) > 1:
        pytest.skip("PyTorch 2")
    done = launched(tmp_path, sharding="full_shard")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sharding=full_shard needs FSDP2 over gloo, of PyTorch 2.7\n"


@needs_torch
def test_the_first_to_fail_is_named(tmp_path):
    """A process that dies of a signal; the other waits for it, and is not named."""
    script = "import os, time; from processes import run_together; " \
             "print(run_together(2, 1, lambda rank: os.kill(os.getpid(), 9) if rank else time.sleep(99)))"
    done = subprocess.run([sys.executable, "-B", "-c", script], cwd=example, capture_output=True, text=True, check=True)
    assert done.stdout == "(None, '\\nprocess 1 of 2: killed by SIGKILL')\n"


@needs_torch
def test_memory_ends(tmp_path):
    done = launched(tmp_path, "--memory-gib", "0.001", tensor_parallel=2)
    assert done.returncode == 1
    assert done.stdout == ""  # it never came to a step
    assert done.stderr.splitlines()[-1] in ("process 0 of 2: out of memory", "process 1 of 2: out of memory")


@pytest.mark.parametrize("pairs, tau", [
    ([(1, 10), (2, 20), (3, 30)], 1.0),
    ([(1, 30), (2, 20), (3, 10)], -1.0),
    ([(1, 10), (2, 30), (3, 20)], 1 / 3),  # two pairs of three agree
    ([(1, 10), (1, 20), (2, 30)], 2 / math.sqrt(2 * 3)),  # one tie on the left
])
def test_kendalls_tau(pairs, tau):
    assert math.isclose(agreement.tau_b(pairs), tau)


def test_the_machine_that_ships_can_be_simulated(program):
    """Two cores in four shares: the baseline runs."""
    done = subprocess.run([program, "simulate", example / "scenario.json", "--json"], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["status"] == "ok"
    assert answer["config"] == scenario["baseline"]
