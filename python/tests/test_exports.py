"""Reads what `cubicbench export` writes: by the format's own tool where Debian has it (Optuna), else by a reader written here from
the published format, and compares it with the journals and truths that it was made of."""

import json
import math
import pathlib
import re
import subprocess

import pytest

arguments = ["tiny-llama", "--trials", "20", "--seeds", "3", "--instances", "2", "--searcher", "random,evolution:population=5:sample=2", "--start", "none"]


@pytest.fixture
def searched(cubicbench_search):
    return cubicbench_search(*arguments)


@pytest.fixture
def export(program, tmp_path):
    def run(folder, name):
        out = tmp_path / name
        answer = subprocess.run([program, "export", folder, "--format", name, "--out", out, "--json"], check=True, stdout=subprocess.PIPE)
        files = json.loads(answer.stdout)["files"]
        assert sorted(str(f.relative_to(out)) for f in out.rglob("*") if f.is_file()) == sorted(files)
        return out

    return run


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class Study:
    """A study as its journal and truth have it."""

    def __init__(self, folder, name):
        self.name = name
        self.header, *rows = lines(folder / "journals" / f"{name}.jsonl")
        self.launches = [row for row in rows if "trial" in row]
        _, *self.truths = lines(folder / "truth" / f"{name}.jsonl")
        self.values = [truth["value"] if launch["state"] == "complete" else None for launch, truth in zip(self.launches, self.truths)]

    def successes(self):
        return [(i + 1, launch, value) for i, (launch, value) in enumerate(zip(self.launches, self.values)) if value is not None]


def studies_of(folder):
    return [Study(folder, path.stem) for path in sorted((folder / "journals").iterdir())]


def runs_of(studies, searcher):
    """As the formats group them: one problem here, so in the order of the names."""
    return [study for study in studies if study.header["searcher"] == searcher and study.successes()]


def test_optuna_loads_every_study(searched, export):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    file = str(export(searched, "optuna") / "optuna.log")
    storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(file))
    expected = studies_of(searched)
    assert sorted(s.study_name for s in optuna.get_all_study_summaries(storage)) == sorted(s.name for s in expected)
    states = {"complete": optuna.trial.TrialState.COMPLETE, "fail": optuna.trial.TrialState.FAIL, "pruned": optuna.trial.TrialState.PRUNED}
    for want in expected:
        study = optuna.load_study(study_name=want.name, storage=storage)
        assert study.direction == optuna.study.StudyDirection.MAXIMIZE
        assert study.user_attrs["seed"] == want.header["seed"] and study.user_attrs["searcher"] == want.header["searcher"]
        assert len(study.trials) == len(want.launches)
        for trial, launch, value in zip(study.trials, want.launches, want.values):
            assert trial.params == launch["config"]
            assert trial.state == states[launch["state"]]
            assert trial.value == launch["value"]
            assert trial.user_attrs["cost_gpu_hours"] == launch["cost_gpu_hours"]
            assert trial.user_attrs.get("reason") == launch["reason"]
            if value is not None:
                assert trial.user_attrs["true_value"] == value
            hours = launch["finished_h"] - launch["started_h"]
            assert trial.duration.total_seconds() == pytest.approx(3600 * hours, abs=2e-6)
        best = max(launch["value"] for launch in want.launches if launch["value"] is not None)
        assert study.best_value == best


def test_optuna_goes_on_with_an_exported_study(searched, export):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    file = str(export(searched, "optuna") / "optuna.log")
    storage = optuna.storages.JournalStorage(optuna.storages.JournalFileStorage(file))
    name = studies_of(searched)[0].name
    study = optuna.load_study(study_name=name, storage=storage, sampler=optuna.samplers.TPESampler(seed=1))
    always = [t.distributions for t in study.trials]
    space = {k: d for k, d in always[0].items() if all(k in other for other in always)}
    trial = study.ask(space)
    assert all(trial.params[k] in d.choices for k, d in space.items())
    study.tell(trial, 1.0)
    assert len(study.trials) == 21


def ioh_runs(path):
    """The runs of a .dat file: a header each, then rows of numbers."""
    runs = []
    for line in path.read_text().splitlines():
        cells = line.split(" ")
        if not any(c.isdigit() for c in cells[0]):
            columns = cells
            runs.append([])
        else:
            assert len(cells) == len(columns)
            runs[-1].append(dict(zip(columns, map(float, cells))))
    return runs


def test_iohprofiler_runs_are_the_studies(searched, export):
    out = export(searched, "iohprofiler")
    studies = studies_of(searched)
    indices = list(out.rglob("IOHprofiler_f*.json"))
    assert len(indices) == 2
    for path in indices:
        index = json.loads(path.read_text())
        # IOHanalyzer takes a folder for this form when every version is at least 0.3.3.
        assert tuple(map(int, index["version"].split("."))) >= (0, 3, 3)
        assert index["maximization"] is True and index["function_id"] == 1 and index["function_name"] == "tiny-llama"
        assert index["attributes"][:2] == ["evaluations", "raw_y"]
        (scenario,) = index["scenarios"]
        expected = runs_of(studies, index["algorithm"]["name"])
        runs = ioh_runs(path.parent / scenario["path"])
        assert len(expected) == len(runs) == len(scenario["runs"]) > 0
        for want, entry, rows in zip(expected, scenario["runs"], runs):
            assert (entry["instance"], entry["seed"]) == (want.header["instance"], want.header["seed"])
            assert entry["evals"] == len(want.launches)
            assert [(r["evaluations"], r["raw_y"], r["measured"]) for r in rows] == [(i, v, launch["value"]) for i, launch, v in want.successes()]
            number, _, value = max(want.successes(), key=lambda s: s[2])
            assert (entry["best"]["evals"], entry["best"]["y"]) == (number, value)
            assert len(entry["best"]["x"]) == scenario["dimension"]


def coco_index(path):
    """The header, the data file and (instance, evaluations, final precision) of each run, as cocopp and IOHanalyzer split them."""
    header, comment, record = path.read_text().splitlines()
    assert comment.startswith("%")
    fields = dict(re.findall(r"(\w+) = ('[^']*'|[^,]+)", header))
    data, *runs = record.split(", ")
    split = [re.fullmatch(r"(\d+):(\d+)\|(\S+)", run).groups() for run in runs]
    return fields, data, [(int(i), int(n), float(p)) for i, n, p in split]


def coco_runs(path):
    runs = []
    for line in path.read_text().splitlines():
        if line.startswith("% function evaluation"):
            runs.append((float(re.search(r"Fopt \(([^)]+)\)", line).group(1)), []))
        else:
            runs[-1][1].append([float(cell) for cell in line.split()])
    return runs


def test_coco_rows_are_distances_to_the_optimum(searched, export, program, tmp_path):
    out = export(searched, "coco")
    studies = studies_of(searched)
    optimum = {}
    for instance in (0, 1):
        file = tmp_path / f"{instance}.json"
        subprocess.run([program, "enumerate", "tiny-llama", "--instance", str(instance), "--out", file, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        optimum[instance] = json.loads(file.read_text())["optimum"]["value"]
    indices = list(out.rglob("*.info"))
    assert len(indices) == 2
    for path in indices:
        fields, data, entries = coco_index(path)
        assert fields["funcId"] == "1" and fields["suite"] == "'cubicbench'"
        expected = runs_of(studies, fields["algId"].strip("'"))
        targets, times = coco_runs(path.parent / data), coco_runs(path.parent / data.replace(".dat", ".tdat"))
        assert len(entries) == len(targets) == len(times) == len(expected) > 0
        for want, (instance, evaluations, precision), (fopt, better), (_, all_rows) in zip(expected, entries, targets, times):
            assert instance == want.header["instance"] + 1 and evaluations == len(want.launches) == all_rows[-1][0]
            assert fopt == pytest.approx(-optimum[instance - 1], rel=1e-12)
            best = math.inf
            improved = []
            for number, launch, value in want.successes():
                if -value < best:
                    best = -value
                    improved.append((number, best - fopt, -launch["value"]))
            rel = dict(rel=1e-8, abs=1e-3)
            assert [r[0] for r in better] == [i for i, _, _ in improved]
            assert [r[2] for r in better] == pytest.approx([d for _, d, _ in improved], **rel)
            assert [r[3] for r in better] == pytest.approx([m for _, _, m in improved], **rel)
            assert min(r[1] for r in all_rows) == pytest.approx(best - fopt, **rel)
            assert precision == pytest.approx(best - fopt, rel=0.06, abs=1e-3)
            assert all(len(r) == 5 + int(fields["DIM"]) for r in all_rows)


words = {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}


def test_t4_files_keep_to_the_schema(searched, export):
    out = export(searched, "t4")
    for want in studies_of(searched):
        document = json.loads((out / f"{want.name}.json").read_text())
        assert re.fullmatch(r"\d+\.\d+\.\d+", document["schema_version"])
        assert len(document["results"]) == len(want.launches)
        for result, launch in zip(document["results"], want.launches):
            assert {"configuration", "times", "invalidity", "correctness"} <= result.keys()
            assert isinstance(result["timestamp"], str) and isinstance(result["times"]["runtimes"], list)
            assert result["invalidity"] in words and isinstance(result["correctness"], (int, float))
            assert (result["invalidity"] == "correct") == (launch["state"] == "complete")
            assert result["configuration"] == launch["config"]
            measured = {m["name"]: m["value"] for m in result["measurements"]}
            assert all(isinstance(m["unit"], str) for m in result["measurements"])
            assert measured["cost_gpu_hours"] == launch["cost_gpu_hours"]
            (objective,) = result["objectives"]
            assert measured.get(objective) == launch["value"]


def test_formats_refuse_what_is_no_search(program, tmp_path):
    for name in ("iohprofiler", "coco", "t4", "optuna"):
        answer = subprocess.run([program, "export", tmp_path, "--format", name, "--out", tmp_path / "out"], capture_output=True, text=True)
        assert answer.returncode == 2 and answer.stdout == "" and not (tmp_path / "out").exists()
