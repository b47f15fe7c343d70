"""What a Problem says of itself, what it charges, and what it keeps to itself."""

import json
import math
import pathlib
import threading

import pytest

import cubicbench

library = pathlib.Path(__file__).parents[2] / "scenarios" / "library"


@pytest.fixture(scope="module")
def tiny():
    return cubicbench.Problem("tiny-llama", open_book=True)


def scenario(name):
    return json.loads((library / f"{name}.json").read_text())


def test_names_and_values_are_those_of_the_scenario():
    problem = cubicbench.Problem("llama3-8b")
    stated = scenario("llama3-8b")
    by_name = {p.name: p for p in problem.parameters}
    assert list(by_name) == [p["name"] for p in stated["space"]["parameters"]]
    assert by_name["tensor_parallel"].values == (1, 2, 4, 8)
    assert by_name["micro_batch"].values == (1, 2, 4, 8)  # integer, min 1, max 8, scale log2
    assert by_name["schedule"].values == ("gpipe", "1f1b", "interleaved")
    assert by_name["schedule"].when == {"pipeline_parallel": (2, 4)}
    assert by_name["compile"].values == (False, True)
    assert by_name["compile"].type == "boolean"
    assert all(p.meaning for p in problem.parameters)
    assert [(c.name, c.require) for c in problem.constraints] == [
        (c["name"], c["require"]) for c in stated["space"]["constraints"]
    ]
    assert problem.baseline == stated["baseline"]
    assert problem.objective == cubicbench.Objective("tokens_per_s", "maximize", 50.0)
    assert problem.budget == cubicbench.Budget(trials=300, spent=0, left=300, retries=0, gpu_hours=0.0)
    assert (problem.name, problem.instance, problem.summary) == ("llama3-8b", 0, stated["summary"])


def test_parameters_know_when_they_are_active():
    schedule = next(p for p in cubicbench.Problem("llama3-8b").parameters if p.name == "schedule")
    assert not schedule.is_active({"pipeline_parallel": 1})
    assert schedule.is_active({"pipeline_parallel": 4})


def test_launches_are_charged_and_refused_beyond_the_budget():
    problem = cubicbench.Problem("tiny-llama", trials=2)
    first = problem.evaluate(problem.baseline)
    assert (first.trial, first.state, first.reason) == (0, "complete", None)
    assert first.config == problem.baseline
    assert first.value > 0.0 and first.score == first.value
    problem.evaluate(problem.baseline)
    assert (problem.budget.spent, problem.budget.left) == (2, 0)
    with pytest.raises(cubicbench.Refused, match="The budget of 2 launches is spent"):
        problem.evaluate(problem.baseline)
    assert problem.budget.spent == 2


def test_truth_is_told_after_the_study_only():
    problem = cubicbench.Problem("tiny-llama", trials=3)
    with pytest.raises(cubicbench.Refused, match="once the study is closed"):
        problem.true_value(problem.baseline)
    problem.evaluate(problem.baseline)
    problem.recommend(problem.baseline)
    assert problem.true_value(problem.baseline) > 0.0
    with pytest.raises(cubicbench.Refused, match="The study is closed"):
        problem.evaluate(problem.baseline)


def test_what_was_never_launched_is_not_recommended():
    problem = cubicbench.Problem("tiny-llama")
    with pytest.raises(cubicbench.Refused, match="never launched"):
        problem.recommend(problem.baseline)


def test_a_configuration_that_breaks_a_constraint_is_launched_as_invalid():
    problem = cubicbench.Problem("llama3-8b")
    wrong = {**problem.baseline, "tensor_parallel": 8, "pipeline_parallel": 4, "context_parallel": 2, "schedule": "gpipe",
             "sequence_parallel": False, "micro_batch": 8}
    assert problem.violated(problem.baseline) is None
    wrong.update(sharding="hybrid_shard", shard_group=16)
    wrong.pop("reshard_after_forward")
    assert problem.violated(wrong) == "shard group divides"  # 1 replica of 64 GPUs, groups of 16
    trial = problem.evaluate(wrong)
    assert (trial.state, trial.reason, trial.value, trial.cost_gpu_hours) == ("fail", "invalid", None, 0.0)
    assert problem.budget.spent == 1


@pytest.mark.parametrize(
    "change, message",
    [
        ({"micro_batch": 3}, r"config#/micro_batch: expected one of 1, 2, .*, got 3"),
        ({"micro_batch": True}, r"config#/micro_batch: expected one of 1, 2, .*, got True"),
        ({"micro_batch": 1.0}, r"config#/micro_batch: expected one of 1, 2, .*, got 1.0"),
        ({"micro_batch": "1"}, r"config#/micro_batch: expected one of 1, 2, .*, got '1'"),
        ({"micro_batch": [1]}, r"config#/micro_batch: expected one of 1, 2, .*, got \[1\]"),
        ({"micro_batch": None}, r"config#/micro_batch: .*, got None"),
        ({"compile": 1}, r"config#/compile: expected one of False, True, got 1"),
        ({"micro_bach": 1}, r'config#/micro_bach: unknown parameter; did you mean "micro_batch"\?'),
    ],
)
def test_says_what_is_wrong_with_a_configuration(change, message):
    problem = cubicbench.Problem("llama3-8b")
    with pytest.raises(cubicbench.InputError, match=message):
        problem.evaluate({**problem.baseline, **change})
    assert problem.budget.spent == 0


def test_says_everything_that_is_wrong_at_once():
    problem = cubicbench.Problem("llama3-8b")
    with pytest.raises(cubicbench.InputError) as error:
        problem.evaluate({"tensor_paralel": 1})
    text = str(error.value)
    assert text.startswith('config#/tensor_paralel: unknown parameter; did you mean "tensor_parallel"?\n')
    assert "config#/tensor_parallel: expected one of 1, 2, 4, 8, got nothing" in text
    assert len(text.splitlines()) == 1 + 9  # what is active where nothing says otherwise


def test_values_of_inactive_parameters_are_ignored():
    problem = cubicbench.Problem("llama3-8b")
    trial = problem.evaluate({**problem.baseline, "schedule": "no such"})
    assert trial.config == problem.baseline


def test_numbers_of_numpy_count_as_what_they_hold():
    numpy = pytest.importorskip("numpy")
    problem = cubicbench.Problem("llama3-8b")
    trial = problem.evaluate({**problem.baseline, "micro_batch": numpy.int64(1), "compile": numpy.bool_(True)})
    assert trial.config == problem.baseline
    assert type(trial.config["micro_batch"]) is int and type(trial.config["compile"]) is bool


def test_instances_and_salts_are_different_problems(tmp_path):
    salt = tmp_path / "salt"
    salt.write_bytes(b"sixteen bytes at least")
    plain, other = cubicbench.Problem("tiny-llama"), cubicbench.Problem("tiny-llama", instance=3)
    sealed = cubicbench.Problem("tiny-llama", instance=3, salt=salt)
    assert plain.scenario_sha256 == other.scenario_sha256 == sealed.scenario_sha256
    assert len({plain.truth_sha256, other.truth_sha256, sealed.truth_sha256}) == 3


def test_errors_have_the_projects_words_and_pythons_kinds():
    with pytest.raises(ValueError, match='did you mean "llama3-8b"'):
        cubicbench.Problem("lama3-8b")
    with pytest.raises(cubicbench.InputError, match="instance: expected an integer of at least 0, got -1"):
        cubicbench.Problem("tiny-llama", instance=-1)
    for seed in (-1, 2**31):
        with pytest.raises(cubicbench.InputError, match=rf"--seed: expected an integer in \[0, 2147483647\], got {seed}"):
            cubicbench.Study("tiny-llama", seed=seed)
    with pytest.raises(cubicbench.InputError, match="--trials: expected an integer >= 1, got 0"):
        cubicbench.Problem("tiny-llama", trials=0)
    with pytest.raises(cubicbench.InputError, match='telling: expected one of drop, .*, got "all"'):
        cubicbench.Problem("tiny-llama", telling="all")
    assert issubclass(cubicbench.Refused, RuntimeError) and issubclass(cubicbench.OutputError, OSError)
    assert cubicbench.InputError.__module__ == "cubicbench"


def test_telling_decides_what_is_said_of_a_failure():
    def failure(telling):
        problem = cubicbench.Problem("oom-cliff-toy", telling=telling)
        book = cubicbench.Problem("oom-cliff-toy", open_book=True).enumerate()
        row = next(i for i, reason in enumerate(book.reasons) if reason)
        return problem.evaluate(book.config(row))

    pytest.importorskip("numpy")
    assert failure("drop") is None
    assert failure("reason").reason == "oom_late" and failure("reason").over_bytes is None
    assert failure("bytes").over_bytes > 0.0
    for telling in ("reason", "bytes"):
        problem = cubicbench.Problem("tiny-llama", telling=telling)
        ran = problem.evaluate(problem.baseline)
        assert (ran.peak_bytes is not None) == (telling == "bytes")
    told = failure("penalty")
    assert (told.state, told.reason, told.value) == ("complete", None, 0.0)
    assert failure("worst").value == 0.0


def test_a_closed_book_lists_its_space_without_values():
    numpy = pytest.importorskip("numpy")
    problem = cubicbench.Problem("tiny-llama")
    space = problem.enumerate()
    assert len(space) == problem.configurations
    assert space.values is None and space.reasons is None
    assert space.codes.shape == (problem.configurations, len(problem.parameters))
    assert space.codes.dtype == numpy.int32
    for row in (0, 1, len(space) // 2, len(space) - 1):
        assert space.config(row) == problem.config_at(row)
        assert problem.violated(space.config(row)) is None
    with pytest.raises(cubicbench.Refused, match="open_book=True"):
        problem.evaluate_many(space.codes)


def test_columns_have_the_values_and_mask_what_is_inactive():
    numpy = pytest.importorskip("numpy")
    space = cubicbench.Problem("tiny-llama").enumerate()
    for parameter in space.parameters:
        column = space.columns[parameter.name]
        assert isinstance(column, numpy.ma.MaskedArray) == bool(parameter.when)
        for row in range(0, len(space), 97):
            config = space.config(row)
            if parameter.name in config:
                assert column[row] == config[parameter.name]
            else:
                assert column[row] is numpy.ma.masked


def test_an_open_book_has_the_values_of_the_program(tiny, program, tmp_path):
    numpy = pytest.importorskip("numpy")
    import subprocess

    table = tmp_path / "all.csv"
    subprocess.run([program, "enumerate", "tiny-llama", "--out", tmp_path / "all.json", "--table", table, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    rows = [line.split(",")[-2:] for line in table.read_text().splitlines()[1:]]
    book = tiny.enumerate()
    assert len(rows) == len(book)
    for (value, reason), ours, code in zip(rows, book.values, book.reasons):
        assert cubicbench.REASONS[code] == reason
        assert math.isnan(ours) if reason else repr(float(value)) == repr(ours)
    best = book.config(int(numpy.nanargmax(book.values)))
    assert tiny.true_value(best) == json.loads((tmp_path / "all.json").read_text())["optimum"]["value"]


def test_many_values_are_those_of_one_on_any_number_of_threads(tiny):
    numpy = pytest.importorskip("numpy")
    book = tiny.enumerate()
    rows = numpy.random.default_rng(1).permutation(len(book))[:500]
    for threads in (1, 2, 8):
        values, reasons = tiny.evaluate_many(book.codes[rows], threads=threads)
        numpy.testing.assert_array_equal(values, book.values[rows])
        numpy.testing.assert_array_equal(reasons, book.reasons[rows])
    configs = [book.config(int(row)) for row in rows[:50]]
    numpy.testing.assert_array_equal(tiny.evaluate_many(configs).values, book.values[rows[:50]])
    for config, value in zip(configs, book.values[rows[:50]]):
        one = tiny.true_value(config)
        assert math.isnan(value) if one is None else one == value


def test_codes_that_are_no_configuration_are_invalid(tiny):
    numpy = pytest.importorskip("numpy")
    book = tiny.enumerate()
    wrong = book.codes[:1].copy()
    wrong[0, 0] = 99
    values, reasons = tiny.evaluate_many(wrong)
    assert math.isnan(values[0]) and cubicbench.REASONS[reasons[0]] == "invalid"
    for dtype, code in [("int64", 2**32), ("int64", -(2**32)), ("uint64", 2**32), ("uint32", 2**32 - 1)]:
        wide = book.codes[numpy.isfinite(book.values)][:1].clip(0).astype(dtype)
        wide[0, 0] = code  # would be a code of the space if only its low 32 bits counted
        values, reasons = tiny.evaluate_many(wide)
        assert math.isnan(values[0]) and cubicbench.REASONS[reasons[0]] == "invalid"
    with pytest.raises(cubicbench.InputError, match="one per parameter"):
        tiny.evaluate_many(book.codes[:, :-1])
    with pytest.raises(cubicbench.InputError, match="array of integers"):
        tiny.evaluate_many(book.codes.astype(float))
    assert numpy.isfinite(book.values).any()


def test_a_space_that_is_too_large_is_not_listed():
    with pytest.raises(cubicbench.InputError, match="at most 2000000 configurations"):
        cubicbench.Problem("ads-73b").enumerate()


def test_a_table_of_runs_is_a_problem_too():
    problem = cubicbench.Problem("nanotron-1.34b-8gpu")
    assert problem.baseline is None
    trial = problem.evaluate(problem.config_at(0))
    assert trial.state in ("complete", "fail")


def test_other_threads_run_while_the_engine_works():
    pytest.importorskip("numpy")
    book = cubicbench.Problem("dlrm-criteo", open_book=True)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(None)

    clock = threading.Thread(target=tick)
    clock.start()
    try:
        assert len(book.enumerate(threads=1)) == book.configurations
    finally:
        done.set()
        clock.join()
    assert len(ticks) >= 5
