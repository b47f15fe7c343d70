"""Finds what the tests need: the program, and the module, which is built where nobody has it."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

root = pathlib.Path(__file__).parents[2]


def pytest_configure():
    """Before a test is read: they import the module."""
    if importlib.util.find_spec("cubicbench") is not None:
        return
    print("building the module cubicbench: minutes the first time", file=sys.stderr)
    build = subprocess.run([root / "scripts" / "python_module.sh"], check=True, stdout=subprocess.PIPE, text=True)
    sys.path.insert(0, build.stdout.strip())


@pytest.fixture(scope="session")
def program():
    """The command line program: CUBICBENCH_PROGRAM, that of a build beside the tests, or the one in PATH."""
    builds = [root / "build" / preset / "bin" / "cubicbench" for preset in ("python", "release")]
    candidates = [os.environ.get("CUBICBENCH_PROGRAM"), *builds, shutil.which("cubicbench")]
    found = next((str(c) for c in candidates if c and os.access(c, os.X_OK)), None)
    if found is None:
        pytest.skip("no program cubicbench")
    return found


@pytest.fixture
def cubicbench_search(program, tmp_path):
    """Runs `cubicbench search` and returns the folder."""

    def run(*arguments):
        folder = tmp_path / "program"
        subprocess.run([program, "search", *arguments, "--out", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return folder

    return run


@pytest.fixture
def files_of():
    """The files of a folder and their bytes."""

    def read(folder):
        folder = pathlib.Path(folder)
        return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}

    return read
