"""What Optuna does when it is told of failures as failures, and when it is told a bad value: the tutorial's claim."""

import importlib.util
import json
import pathlib
import re

import pytest

import cubicbench

pytest.importorskip("optuna")
root = pathlib.Path(__file__).parents[2]
seeds = 10


def tutorial():
    spec = importlib.util.spec_from_file_location("optuna_failures", root / "scripts" / "optuna_failures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.optuna.logging.set_verbosity(module.optuna.logging.ERROR)
    return module


def played(way, folder):
    """Share of launches that fail, and the mean noise-free value of what is recommended."""
    module, failed, values = tutorial(), 0, []
    search = cubicbench.Search(
        "llama3-8b", f"tpe-{way}" if way != "random" else way, trials=150, seeds=seeds, start="none", out=folder / way
    )
    for study in search:
        study.run() if way == "random" else module.play(study, way)
        journal = (folder / way / "journals" / f"{study.name}.jsonl").read_text().splitlines()[1:]
        launches = [json.loads(line) for line in journal]
        failed += sum(launch["state"] == "fail" for launch in launches)
        measured = {}
        for launch in launches:
            if launch["state"] == "complete":
                measured.setdefault(json.dumps(launch["config"]), []).append(launch["value"])
        best = max(measured, key=lambda config: sum(measured[config]) / len(measured[config]))
        study.close()
        values.append(study.true_value(json.loads(best)) or 0.0)  # next to the memory limit it ran by luck
    return failed / (150 * seeds), sum(values) / seeds


def test_told_fail_it_fails_and_ends_worse_than_random_told_a_penalty_it_does_not(tmp_path):
    share, value = {}, {}
    for way in ("fail", "penalty", "random"):
        share[way], value[way] = played(way, tmp_path)
    assert share["fail"] > 0.8
    assert share["penalty"] < 0.25
    assert value["fail"] < value["random"] < value["penalty"]


def test_the_page_says_the_same():
    page = (root / "docs" / "tutorials" / "optuna-and-failures.md").read_text()
    share = {told: float(percent) for told, percent in re.findall(r"^\| (.*?) \| (\d+) % \|", page, re.M)}
    regret = {cells[1].strip(): float(cells[6]) for cells in (row.split("|") for row in page.splitlines() if " % |" in row)}
    assert share["`TrialState.FAIL`"] > 80 and share["the value 0"] < 25
    assert regret["`TrialState.FAIL`"] > regret["(random search)"] > regret["the value 0"]
