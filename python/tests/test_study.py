"""Studies: the ask/tell loop around built-in searchers, and what a study leaves behind."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest

import cubicbench


def play(study):
    """A built-in searcher, asked and told."""
    while study.left:
        config = study.ask()
        if config is None:
            break
        study.tell(study.evaluate(config))


def propose(study, configs):
    for config in configs:
        study.evaluate(config)


def configs_of(journal):
    return [json.loads(line) for line in journal.decode().splitlines()[1:] if "config" in json.loads(line)]


@pytest.mark.parametrize("searcher", ["random", "evolution:population=10:sample=3", "local-search", "hyperband", "cubicml:random=20"])
@pytest.mark.parametrize("start", ["none", "baseline"])
def test_a_built_in_searcher_leaves_the_same_bytes_as_search(searcher, start, tmp_path, cubicbench_search, files_of):
    theirs = cubicbench_search("tiny-llama", "--searcher", searcher, "--trials", "40", "--start", start)
    with cubicbench.Study("tiny-llama", searcher, trials=40, start=start, out=tmp_path / "ours") as study:
        play(study)
    assert files_of(tmp_path / "ours") == files_of(theirs)
    with cubicbench.Study("tiny-llama", searcher, trials=40, start=start, out=tmp_path / "run") as study:
        study.run()
    assert files_of(tmp_path / "run") == files_of(theirs)


def test_the_same_proposals_leave_the_same_bytes_but_for_the_name(tmp_path, cubicbench_search, files_of):
    theirs = files_of(cubicbench_search("llama3-8b", "--searcher", "sobol", "--trials", "30"))
    journal = theirs["journals/llama3-8b.0.sobol.0.jsonl"]
    with cubicbench.Study("llama3-8b", "mine", trials=30, out=tmp_path / "mine") as study:
        assert study.name == "llama3-8b.0.mine.0"
        baseline, *others = {line["trial"]: line["config"] for line in configs_of(journal)}.values()
        assert study.trials[0].config == baseline
        propose(study, others)
    renamed = {name.replace("sobol", "mine"): content.replace(b'"sobol"', b'"mine"') for name, content in theirs.items()}
    ours = files_of(tmp_path / "mine")
    finished = json.loads(ours.pop("finished.json"))
    assert [study["study"] for study in finished["studies"]] == ["llama3-8b.0.mine.0"]
    renamed.pop("finished.json")
    assert ours == renamed


def test_own_searchers_see_the_space_as_it_is():
    with pytest.raises(cubicbench.InputError, match="permute: expected a built-in searcher"):
        cubicbench.Study("tiny-llama", "mine", permute=True)


def test_names_of_own_searchers_fit_into_files():
    with pytest.raises(cubicbench.InputError, match="searcher: expected a name of lower-case letters"):
        cubicbench.Study("tiny-llama", "My Searcher")


@pytest.mark.parametrize("scenario", ["llama3-8b", "ads-73b", "dlrm-dcnv2", "nanotron-1.34b-8gpu"])
def test_journals_have_the_configurations_as_json(scenario, tmp_path, files_of):
    with cubicbench.Study(scenario, "random", trials=20, out=tmp_path / "study") as study:
        play(study)
    journal = files_of(tmp_path / "study")[f"journals/{scenario}.0.random.0.jsonl"].decode().splitlines()[1:]
    texts = {json.loads(line)["trial"]: line for line in journal}
    for trial in study.trials:
        assert f'"config":{json.dumps(trial.config, separators=(",", ":"))},' in texts[trial.trial]


def test_permuted_studies_too(tmp_path, cubicbench_search, files_of):
    theirs = cubicbench_search("tiny-llama", "--searcher", "corner", "--trials", "20", "--permute")
    with cubicbench.Study("tiny-llama", "corner", trials=20, permute=True, out=tmp_path / "ours") as study:
        play(study)
    assert files_of(tmp_path / "ours") == files_of(theirs)


def test_a_search_is_all_seeds_and_instances_in_one_folder(tmp_path, cubicbench_search, files_of):
    theirs = cubicbench_search("tiny-llama", "tiny-gpt", "--searcher", "evolution", "--trials", "15", "--seeds", "2", "--instances", "2")
    names = []
    for study in cubicbench.Search(
        ["tiny-llama", "tiny-gpt"], "evolution", trials=15, seeds=2, instances=2, out=tmp_path / "ours"
    ):
        names.append(study.name)
        play(study)
    assert names[:3] == ["tiny-llama.0.evolution.0", "tiny-llama.0.evolution.1", "tiny-llama.1.evolution.0"]
    assert len(names) == 8
    assert files_of(tmp_path / "ours") == files_of(theirs)


def test_an_interrupted_study_is_resumed_by_playing_again(tmp_path, files_of):
    def run(folder, stop_after=None, resume=False):
        with cubicbench.Study("tiny-llama", "evolution", trials=25, out=folder, resume=resume) as study:
            while study.left:
                if stop_after is not None and study.left == stop_after:
                    raise KeyboardInterrupt
                study.tell(study.evaluate(study.ask()))

    run(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "broken", stop_after=10)
    assert "finished.json" not in files_of(tmp_path / "broken")
    with pytest.raises(cubicbench.InputError, match="resume"):
        run(tmp_path / "broken")
    run(tmp_path / "broken", resume=True)
    assert files_of(tmp_path / "broken") == files_of(tmp_path / "whole")
    with pytest.raises(cubicbench.InputError, match="the study is finished"):
        run(tmp_path / "broken", resume=True)


def test_a_study_that_was_killed_is_resumed_to_the_same_bytes(tmp_path, files_of):
    script = """
import os, signal, sys, cubicbench
with cubicbench.Study("llama3-8b", "evolution", trials=400, out=sys.argv[1], resume=True) as study:
    while study.left:
        trial = study.evaluate(study.ask())
        if study.left == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        study.tell(trial)
"""
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(cubicbench.__file__).parents[1])}

    def status_of(folder, left):
        return subprocess.run([sys.executable, "-c", script, tmp_path / folder, str(left)], env=environment).returncode

    for left in (398, 350, 250, 100, 1):
        assert status_of("killed", left) == -signal.SIGKILL
    assert status_of("killed", -1) == 0
    assert status_of("whole", -1) == 0
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def test_who_plays_something_else_is_told_and_refunded_nothing(tmp_path, files_of):
    problem = cubicbench.Problem("tiny-llama")
    with pytest.raises(KeyError):
        with cubicbench.Study("tiny-llama", "mine", trials=9, out=tmp_path / "mine") as study:
            study.evaluate(problem.config_at(1))
            raise KeyError
    before = files_of(tmp_path / "mine")
    with pytest.raises(cubicbench.OutputError, match="not deterministic: its proposal of trial 1 is"):
        with cubicbench.Study("tiny-llama", "mine", trials=9, out=tmp_path / "mine", resume=True) as study:
            study.evaluate(problem.config_at(2))
    assert files_of(tmp_path / "mine") == before


def test_a_study_that_was_left_open_does_nothing_more():
    study = cubicbench.Study("tiny-llama", "random", trials=9)
    with pytest.raises(KeyError):
        with study:
            raise KeyError
    with pytest.raises(cubicbench.Refused, match="left open"):
        study.evaluate(study.problem.baseline)
    assert not study.is_closed


def test_a_folder_has_one_writer(tmp_path):
    study = cubicbench.Study("tiny-llama", "mine", trials=9, out=tmp_path / "mine")
    with pytest.raises(cubicbench.OutputError, match="mine"):
        cubicbench.Study("tiny-llama", "mine", trials=9, out=tmp_path / "mine", resume=True)
    study.close()


def test_seeds_and_instances_of_single_studies_keep_their_names(tmp_path, files_of):
    with cubicbench.Study("tiny-llama", "mine", seed=3, instance=1, trials=2, out=tmp_path / "mine") as study:
        study.evaluate(study.problem.baseline)
        assert (study.seed, study.problem.instance) == (3, 1)
    assert "journals/tiny-llama.1.mine.3.jsonl" in files_of(tmp_path / "mine")


def test_the_baseline_is_trial_0_and_charged():
    study = cubicbench.Study("tiny-llama", trials=3)
    assert [t.trial for t in study.trials] == [0]
    assert study.trials[0].config == study.problem.baseline
    assert study.left == 2
    assert cubicbench.Study("tiny-llama", trials=3, start="none").left == 3


def test_what_is_recommended_ends_the_study_and_the_journal(tmp_path, files_of):
    with cubicbench.Study("tiny-llama", "mine", trials=9, out=tmp_path / "mine") as study:
        trial = study.evaluate(study.problem.config_at(5))
        study.recommend(trial.config)
        assert study.is_closed and study.left == 0
        assert study.true_value(study.problem.baseline) > 0.0
        with pytest.raises(cubicbench.Refused, match="closed"):
            study.evaluate(trial.config)
    last = files_of(tmp_path / "mine")["journals/tiny-llama.0.mine.0.jsonl"].decode().splitlines()[-1]
    assert json.loads(last) == {"recommend": trial.config}


def test_only_built_in_searchers_are_asked():
    with pytest.raises(cubicbench.Refused, match='"evolutoin" is no built-in searcher.*did you mean "evolution"'):
        cubicbench.Study("tiny-llama", "evolutoin").ask()
    assert "evolution" in cubicbench.searchers()
    with pytest.raises(cubicbench.InputError, match="sample"):
        cubicbench.Study("tiny-llama", "evolution:sampel=3")


def test_a_proposal_stays_until_it_is_launched():
    study = cubicbench.Study("tiny-llama", "random")
    first = study.ask()
    assert study.ask() == first
    study.evaluate(study.problem.baseline)
    assert study.ask() == first
    study.evaluate(first)
    assert study.ask() != first


def test_an_open_book_is_not_recorded(tmp_path):
    book = cubicbench.Problem("tiny-llama", open_book=True)
    with pytest.raises(cubicbench.Refused, match="not recorded"):
        cubicbench.Study(book, "mine", out=tmp_path / "mine")
    assert cubicbench.Study(book, "mine").left > 0


def test_a_study_that_runs_in_another_thread_is_left_alone():
    study = cubicbench.Study("ads-73b", "random", trials=3000, start="none")
    runner = threading.Thread(target=study.run)
    runner.start()
    refused = 0
    while runner.is_alive():
        try:
            study.ask()
        except cubicbench.Refused as error:
            assert "another thread" in str(error)
            refused += 1
    runner.join()
    assert refused > 0 and study.left == 0


def test_telling_drop_says_nothing_of_failures():
    study = cubicbench.Study("oom-cliff-toy-40gb", "random", telling="drop", trials=60, start="none")
    told = [study.evaluate(study.ask()) for _ in range(60)]
    assert None in told and len(study.trials) < 60
    assert all(trial is None or trial.state == "complete" for trial in told)


def test_a_short_launch_is_charged_in_part():
    with cubicbench.Study("tiny-llama", "mine", trials=2, start="none") as study:
        config = study.problem.baseline
        short = study.evaluate(config, fidelity=0.25)
        assert short.fidelity == 0.25
        assert study.budget.spent == 0.34375
        assert study.left == 1.65625
        whole = study.evaluate(config)
        assert whole.fidelity == 1.0
        assert short.cost_gpu_hours < whole.cost_gpu_hours
        with pytest.raises(cubicbench.Refused, match="would be charged 1"):
            study.evaluate(config)
        with pytest.raises(cubicbench.Refused, match="above 0 and at most 1"):
            study.evaluate(config, fidelity=0)
