"""Documents of the program and files of the library, each with the schema that it has to meet."""

import dataclasses
import functools
import json
import os
import pathlib
import subprocess
import tempfile

import schema_set
from schema_set import REPOSITORY

COMMANDS = pathlib.Path(__file__).with_name("commands.txt")
PROGRAM = pathlib.Path(os.environ.get("CUBICBENCH_BUILD", REPOSITORY / "build/release")) / "bin/cubicbench"


@dataclasses.dataclass
class Found:
    schema: str
    where: str
    content: object


def library():
    """Every description that ships, and results that are kept."""
    found = []
    for folder in ("scenarios/*", "results/reference", "results/searched", "results/searched/*"):
        for path in sorted(REPOSITORY.glob(folder + "/*.json")):
            content = json.loads(path.read_text())
            found.append(Found(schema_set.name_of(content), str(path.relative_to(REPOSITORY)), content))
    return found


def command_lines():
    lines = [line for line in COMMANDS.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


def schema_of_file(path, content):
    if path.name.startswith("wire-"):
        return path.name.split(".")[0]
    if path.parent.name == "journals":
        return "journal"
    if path.parent.name == "truth":
        return "truth"
    return schema_set.name_of(content)


def run(name, line, folder):
    """The documents of one command line."""
    environment = {"PATH": f"{folder}/bin:/usr/bin:/bin", "LC_ALL": "C", "repository": str(REPOSITORY), "HOME": folder}
    work = pathlib.Path(folder) / "work"
    (pathlib.Path(folder) / "bin").mkdir()
    (pathlib.Path(folder) / "bin/cubicbench").symlink_to(PROGRAM.resolve())
    work.mkdir()
    done = subprocess.run(["bash", "-ec", line], cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (name, done.stderr)
    found = [Found(schema_set.name_of(one), f"{name}: standard output", one) for one in schema_set.json_texts(done.stdout)]
    for path in sorted(work.rglob("*.json*")):
        for content in schema_set.json_texts(path.read_text()):
            found.append(Found(schema_of_file(path, content), f"{name}: {path.relative_to(work)}", content))
    assert found, (name, "no document")
    return found


@functools.cache
def printed():
    """The documents of all command lines."""
    found = []
    for name, line in command_lines().items():
        with tempfile.TemporaryDirectory() as folder:
            found += run(name, line, folder)
    return found
