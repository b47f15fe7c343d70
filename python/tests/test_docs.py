"""Every snippet of docs/how-to/searcher-in-python.md runs, in its order."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import cubicbench

root = pathlib.Path(__file__).parents[2]
page = root / "docs" / "how-to" / "searcher-in-python.md"
snippets = re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), re.M | re.S)


def test_snippets_run(program, tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(pathlib.Path(program).parent), prepend=os.pathsep)
    names = {"__name__": "page"}
    assert {language for language, _ in snippets} == {"sh", "python"}
    for language, text in snippets:
        if language == "python":
            exec(compile(text, str(page), "exec"), names)
        elif "pip install" not in text:
            subprocess.run(["bash", "-ec", text], check=True)
    assert (tmp_path / "out" / "page.html").stat().st_size > 10_000
    assert len(list((tmp_path / "out" / "climb" / "journals").iterdir())) == 10


@pytest.mark.skipif("CUBICBENCH_BUILD" not in os.environ, reason="compiles for minutes without a build folder")
def test_install_runs(tmp_path):
    """In an environment of its own, without a network."""
    install = next(text for language, text in snippets if "pip install" in text)
    (tmp_path / "python").symlink_to(root / "python")
    offline = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    offline.pop("PYTHONPATH", None)
    install = install.replace("python3 -m venv", f"{sys.executable} -m venv")
    subprocess.run(["bash", "-ec", install], check=True, cwd=tmp_path, env=offline)
    told = subprocess.run(
        [tmp_path / ".venv" / "bin" / "python", "-c", "import cubicbench; print(cubicbench.__file__, cubicbench.__version__)"],
        check=True, capture_output=True, text=True, cwd=tmp_path, env=offline,
    ).stdout
    assert told.startswith(str(tmp_path / ".venv"))
    assert told.split()[1] == cubicbench.__version__
