"""The reference clients: what they propose, and that they propose it again."""

import json
import pathlib
import subprocess
import sys

import pytest
from suite_stand_in import SPACE, Client, command_of

clients_folder = pathlib.Path(__file__).parents[1] / "clients"
needs = {"optuna_tpe.py": "optuna", "optuna_cma.py": "cmaes", "scipy_evolution.py": "scipy", "sklearn_forest.py": "sklearn"}
clients = ["random_search.py", *needs]


def started(name, *arguments):
    pytest.importorskip(needs.get(name, "json"))
    return Client(command_of(clients_folder / name, *arguments))


@pytest.mark.parametrize("name", clients)
def test_has_at_most_sixty_lines(name):
    assert len((clients_folder / name).read_text().splitlines()) <= 60


@pytest.mark.parametrize("name", clients)
def test_proposes_configurations_and_the_same_again(name):
    client = started(name)
    first = client.play(25, seed=3)
    assert len(first) == 25
    assert client.play(25, seed=3) == first
    assert client.play(25, seed=4) != first
    assert client.stop() == 0


@pytest.mark.parametrize("name", clients)
def test_proposes_the_rows_of_a_table_and_nothing_else(name):
    rows = [{"degree": 1, "batch": b} for b in (1, 2, 4)] + [{"degree": 2, "batch": b, "schedule": "gpipe"} for b in (1, 8)]
    client = started(name)
    launches = client.play(20, seed=3, space={**SPACE, "configs": rows})
    assert len(launches) == 20
    assert all(config in rows for config, _ in launches)
    assert client.stop() == 0


@pytest.mark.parametrize("name", clients)
@pytest.mark.parametrize("telling", ["reason", "drop"])
def test_goes_on_from_a_granted_baseline(name, telling):
    client = started(name)
    launches = client.play(15, baseline={"degree": 1, "batch": 1}, telling=telling)
    assert len(launches) == 15
    assert client.stop() == 0


@pytest.mark.parametrize("name", clients)
def test_minimises_too(name):
    client = started(name)
    assert len(client.play(12, direction="minimize")) == 12
    assert client.stop() == 0


@pytest.mark.parametrize("name", ["sklearn_forest.py", "optuna_tpe.py penalty"])
def test_learners_find_what_is_best_and_avoid_what_fails(name):
    client = started(*name.split())
    launches = client.play(60, seed=1)
    best = max(outcome["value"] or 0.0 for _, outcome in launches)
    assert best >= 1600.0  # degree x batch = 16
    late = [outcome["state"] for _, outcome in launches[30:]]
    assert late.count("fail") < 15
    assert client.stop() == 0


@pytest.mark.parametrize("way", ["fail", "drop", "worst", "penalty", "constraint"])
def test_optuna_learns_of_failures_in_five_ways(way):
    client = started("optuna_tpe.py", way)
    assert len(client.play(30, seed=2)) == 30
    assert client.stop() == 0


def test_optuna_told_of_failures_as_such_repeats_them():
    failed = {}
    for way in ("fail", "penalty"):
        client = started("optuna_tpe.py", way)
        launches = client.play(60, seed=1)
        failed[way] = sum(outcome["state"] == "fail" for _, outcome in launches)
        assert client.stop() == 0
    assert failed["fail"] > failed["penalty"]


def searched(program, folder, name, *options):
    """A real search by a client: the lines of each journal."""
    pytest.importorskip(needs.get(name.split()[0], "json"))
    command = f"external:{sys.executable} {clients_folder}/{name}"
    subprocess.run(
        [program, "search", "llama3-8b", "--searcher", command, "--trials", "20", "--seeds", "2", "--out", folder, "--quiet", *options],
        check=True, stdout=subprocess.DEVNULL, timeout=300,
    )
    return {f.name: f.read_text().splitlines() for f in sorted((folder / "journals").iterdir())}


@pytest.mark.parametrize("name", clients)
def test_plays_real_studies_and_the_same_again(name, program, tmp_path):
    first = searched(program, tmp_path / "first", name)
    assert len(first) == 2
    for lines in first.values():
        assert len(lines) == 21  # a header, then a line per launch
    assert searched(program, tmp_path / "second", name) == first


@pytest.mark.parametrize("telling", ["drop", "worst", "penalty", "reason", "bytes"])
def test_optuna_plays_whatever_it_is_told(telling, program, tmp_path):
    way = {"bytes": "constraint", "reason": "fail"}.get(telling, "penalty")
    journals = searched(program, tmp_path / "search", f"optuna_tpe.py {way}", "--telling", telling, "--start", "none")
    assert all(len(lines) == 21 for lines in journals.values())
