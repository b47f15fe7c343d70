"""What a study is told before it begins, and searches that are played again."""

import json
import subprocess

import pytest

import cubicbench


def play(study):
    while study.left:
        config = study.ask()
        if config is None:
            break
        study.tell(study.evaluate(config))


@pytest.fixture
def known(program, tmp_path):
    """The folder of a search of 30 random launches."""
    folder = tmp_path / "known"
    subprocess.run([program, "search", "tiny-llama", "--searcher", "random", "--trials", "30", "--out", folder, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


@pytest.mark.parametrize("searcher", ["evolution", "tpe", "best-known:count=4", "local-search"])
def test_a_warm_study_leaves_the_same_bytes_as_search(searcher, known, tmp_path, cubicbench_search, files_of):
    theirs = cubicbench_search("tiny-llama", "--searcher", searcher, "--trials", "8", "--warm-start", str(known))
    with cubicbench.Study("tiny-llama", searcher, trials=8, warm_start=known, out=tmp_path / "ours") as study:
        play(study)
    assert files_of(tmp_path / "ours") == files_of(theirs)


def test_what_is_known_is_no_trial(known):
    study = cubicbench.Study("tiny-llama", "mine", trials=2, start="none", warm_start=[known])
    assert len(study.known) == 30
    assert [trial.trial for trial in study.known] == list(range(-30, 0))
    assert study.trials == []
    assert study.left == 2
    assert study.notes == (f"{known}: 30 launches told.",)
    best = max((trial for trial in study.known if trial.value is not None), key=lambda trial: trial.value)
    study.evaluate(best.config)
    assert study.left == 1


def test_a_search_tells_each_of_its_studies(known, tmp_path):
    search = cubicbench.Search("tiny-llama", "evolution", trials=3, seeds=2, warm_start=str(known), out=tmp_path / "out")
    assert len(search.notes) == 1
    for study in search:
        assert len(study.known) == 30
        play(study)
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert len(plan["warm_start"]["problems"][0]["launches"]) == 30


def test_a_place_that_tells_nothing_is_refused(tmp_path):
    with pytest.raises(cubicbench.InputError, match="expected the folder of a search"):
        cubicbench.Study("tiny-llama", "evolution", warm_start=tmp_path / "nowhere")


@pytest.mark.parametrize("searcher", ["random", "evolution"])
def test_a_replay_leaves_the_same_bytes_as_search(searcher, known, tmp_path, monkeypatch, cubicbench_search, files_of):
    monkeypatch.chdir(tmp_path)
    arguments = ["tiny-llama", "--searcher", searcher, "--trials", "12", "--backend", "recorded:known"]
    theirs = cubicbench_search(*arguments)
    with cubicbench.Study("tiny-llama", searcher, trials=12, backend="recorded:known", out="ours") as study:
        play(study)
    assert files_of("ours") == files_of(theirs)


def test_the_space_of_a_replay_is_what_was_launched(known):
    whole = cubicbench.Problem("tiny-llama")
    study = cubicbench.Study(whole, "mine", trials=5, start="none", backend=f"recorded:{known}")
    assert study.problem.configurations < whole.configurations
    assert study.problem.configurations <= 30
    trial = study.evaluate(study.problem.config_at(0))
    assert trial.trial == 0


@pytest.mark.parametrize("backend", ["command:./train.sh", "slurm:job.sh"])
def test_real_launches_are_for_the_program(backend):
    with pytest.raises(cubicbench.InputError, match="expected simulator, table or recorded:DIR"):
        cubicbench.Study("tiny-llama", "random", backend=backend)


def test_a_table_of_trials_is_a_problem():
    problem = cubicbench.Problem("autoresearch-random", trials=3)
    assert problem.objective.metric == "val_bpb"
    assert problem.objective.direction == "minimize"
    rate = next(p for p in problem.parameters if p.name == "MATRIX_LR")
    assert all(isinstance(value, (int, float)) for value in rate.values)
    trial = problem.evaluate(problem.baseline)
    assert 0.98 < trial.value < 1.0
    assert trial.config["EMBEDDING_LR"] == 0.6
