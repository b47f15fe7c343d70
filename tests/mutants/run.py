#!/usr/bin/env python3
"""Do the tests notice a fault? Plants faults drawn at random and says which no quick test notices.

    tests/mutants/run.py [--count 200] [--seed 1] [--rooms sim,support,search] [--seconds N] [--json FILE]

All faults are compiled at once, each behind a switch (mutant schemata: Untch, Offutt and Harrold 1993), into programs below
build/mutants/ that share everything else with the release preset, which has to be built. A first run without a fault says which tests reach which; then each fault is switched on and its tests run,
the quick ones first, until one fails or hangs. Exit code 1 when less than nine tenths are noticed.
Needs Debian's python3-clang-14. A fault counts as not noticed when no test reaches it, or its tests took more than --seconds.
"""

import argparse
import concurrent.futures as futures
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import candidates as planted

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mutants"
RELEASE = ROOT / "build" / "release"
SHARE = 0.9
# Tests that start the program start this one.
PROGRAM = {"CUBICBENCH_PROGRAM": str(BUILD / "bin/cubicbench")}


@dataclass
class Case:
    """A test: how it is started, what it took without a fault, and the faults that it reached."""

    name: str
    command: list
    folder: str
    seconds: float = 0.0
    passed: bool = False
    reached: set = field(default_factory=set)


def command_lines():
    """How clang compiles each source of the tree, by path."""
    subprocess.run(["cmake", "--preset", "tidy"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    lines = {}
    for entry in json.loads((ROOT / "build/tidy/compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        flags = [word for word in words if word.startswith(("-D", "-I", "-std"))]
        flags += [f"-isystem{words[i + 1]}" for i, word in enumerate(words) if word == "-isystem"]
        lines[entry["file"]] = flags
    return lines


def candidates_of(task):
    path, arguments = task
    return planted.candidates(path, os.path.relpath(path, ROOT), arguments)


def compiles(task):
    """Whether clang takes the source with this fault alone."""
    mutant, arguments = task
    path = ROOT / mutant.path
    text = with_switches(path.read_bytes(), [(1, mutant)])
    return not planted.errors(planted.parse(str(path), text, arguments))


def with_switches(source, numbered):
    """The text of a source with its faults behind switches."""
    for identity, mutant in sorted(numbered, key=lambda pair: -pair[1].begin):
        source = source[: mutant.begin] + mutant.switched(identity).encode() + source[mutant.end :]
    return f'#include "{Path(__file__).parent}/mutants.h"\n#line 1\n' + source.decode()


def draw(rooms, count, seed, jobs):
    """`count` faults of these rooms, each as likely as any other that compiles and leaves the others alone."""
    lines = command_lines()
    sources = sorted(path for path in lines if os.path.relpath(path, ROOT).split("/")[0] in rooms)
    with futures.ProcessPoolExecutor(jobs) as pool:
        found = [m for some in pool.map(candidates_of, [(path, lines[path]) for path in sources]) for m in some]
        print(f"{len(found)} faults could be planted in {len(sources)} sources", flush=True)
        random.Random(seed).shuffle(found)
        drawn = []
        while found and len(drawn) < count:
            some, found = found[: count - len(drawn)], found[count - len(drawn) :]
            taken = pool.map(compiles, [(mutant, lines[str(ROOT / mutant.path)]) for mutant in some])
            for mutant, is_good in zip(some, taken):
                if is_good and not any(mutant.overlaps(other) for other in drawn):
                    drawn.append(mutant)
    return sorted(drawn)


def compile_all(mutants, jobs):
    """An object of each source with faults in it, as the release preset compiles it, by path."""
    by_path = defaultdict(list)
    for identity, mutant in enumerate(mutants, 1):
        by_path[mutant.path].append((identity, mutant))
    commands = {entry["file"]: entry["command"] for entry in json.loads((RELEASE / "compile_commands.json").read_text())}

    def compiled(path):
        source, object_file = BUILD / "source" / path, BUILD / "object" / f"{path}.o"
        for file in (source, object_file):
            file.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(with_switches((ROOT / path).read_bytes(), by_path[path]))
        words = shlex.split(commands[str(ROOT / path)])
        words[words.index("-o") + 1] = str(object_file)
        words[words.index("-c") + 1] = str(source)
        # What is planted need not please: it has to compile.
        words = [word for word in words if word != "-Werror"] + ["-w", "-Wno-narrowing"]
        checked(words)
        return path, object_file

    with futures.ThreadPoolExecutor(jobs) as pool:
        return dict(pool.map(compiled, sorted(by_path)))


def link_all(objects, programs, jobs):
    """The programs of the release preset with these objects, which go before those of their libraries."""
    (BUILD / "bin").mkdir(parents=True, exist_ok=True)

    def linked(program):
        shown = subprocess.run(["ninja", "-t", "commands", f"bin/{program}"], cwd=RELEASE, check=True, capture_output=True, text=True)
        words = shlex.split(shown.stdout.splitlines()[-1].split(" && ")[1])
        rooms = {match[1] for word in words if (match := re.fullmatch(r"lib(?:cubicbench_)?(\w+)[.]a", word))}
        at = words.index("-o")
        words[at + 1] = str(BUILD / "bin" / program)
        words[at:at] = [str(file) for path, file in objects.items() if path.split("/")[0] in rooms]
        checked(words)

    with futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(linked, programs))


def checked(command):
    done = subprocess.run(command, cwd=RELEASE, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\n{done.stderr[:3000]}")


def quick_cases():
    """The quick tests, to be started from the programs with faults."""
    shown = subprocess.run(
        ["ctest", "--preset", "release", "-L", "quick", "--show-only=json-v1"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    cases = []
    for test in json.loads(shown.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        program = Path(test["command"][0])
        if program.parent == RELEASE / "bin":
            command = [str(BUILD / "bin" / program.name), *test["command"][1:]]
            cases.append(Case(test["name"], command, properties.get("WORKING_DIRECTORY", str(RELEASE))))
    return cases


def run(case, limit, **variables):
    """Whether the test passes within `limit` seconds of processor time, and the seconds that it took."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        process = subprocess.Popen(
            ["prlimit", f"--cpu={math.ceil(limit)}", *case.command], cwd=case.folder, env={**os.environ, "TMPDIR": folder, **PROGRAM, **variables}, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            passed = process.wait(10 * limit) == 0
        except subprocess.TimeoutExpired:
            passed = False
        finally:
            try:
                os.killpg(process.pid, 9)
            except ProcessLookupError:
                pass
            process.wait()
    return passed, time.monotonic() - begin


def reach(case):
    """Runs a test without a fault."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        reached = Path(folder) / "reached"
        case.passed, case.seconds = run(case, 1800, CUBICBENCH_MUTANTS_REACHED=str(reached))
        if reached.exists():
            case.reached = {int(line) for line in reached.read_text().split()}
    return case


def noticed_by(identity, cases, seconds):
    """The first test that fails with this fault, or None."""
    left = seconds
    for case in sorted(cases, key=lambda case: case.seconds):
        passed, took = run(case, 10 + 10 * case.seconds, CUBICBENCH_MUTANT=str(identity))
        if not passed:
            return case.name
        left -= took
        if left < 0:
            break
    return None


def asked():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default="sim,support,search")
    parser.add_argument("--seconds", type=float, default=600, help="of tests for one fault")
    parser.add_argument("--json", type=Path, help="writes every fault and what noticed it")
    return parser.parse_args()


def main():
    options = asked()
    jobs = int(subprocess.run([ROOT / "scripts/jobs.sh"], check=True, capture_output=True, text=True).stdout)
    BUILD.mkdir(parents=True, exist_ok=True)
    mutants = draw(options.rooms.split(","), options.count, options.seed, jobs)
    cases = quick_cases()
    link_all(compile_all(mutants, jobs), sorted({Path(case.command[0]).name for case in cases} | {"cubicbench"}), jobs)
    with futures.ThreadPoolExecutor(jobs) as pool:
        able = [case for case in pool.map(reach, cases) if case.passed]
        print(f"{len(able)} of {len(cases)} tests pass with all faults off", flush=True)

        def judge(identity):
            return noticed_by(identity, [case for case in able if identity in case.reached], options.seconds)

        verdicts = []
        for identity, by in enumerate(pool.map(judge, range(1, len(mutants) + 1)), 1):
            mutant = mutants[identity - 1]
            verdicts.append(by)
            what = f"noticed by {by}" if by else "NOT NOTICED"
            print(f"{what}: {mutant.path}:{mutant.line}: {mutant.before} -> {mutant.after or 'nothing'}", flush=True)
    if options.json:
        rows = [{"file": m.path, "line": m.line, "kind": m.kind, "before": m.before, "after": m.after, "noticed_by": by,
                 "reached_by": sum(i in case.reached for case in able)}
                for i, (m, by) in enumerate(zip(mutants, verdicts), 1)]  # fmt: skip
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    summarise(mutants, verdicts)


def summarise(mutants, verdicts):
    rooms = defaultdict(lambda: [0, 0])
    for mutant, by in zip(mutants, verdicts):
        rooms[mutant.path.split("/")[0]][0] += by is not None
        rooms[mutant.path.split("/")[0]][1] += 1
    for room, (noticed, all_of_it) in sorted(rooms.items()):
        print(f"{room}: {noticed} of {all_of_it}")
    noticed = sum(by is not None for by in verdicts)
    print(f"{noticed} of {len(mutants)} faults are noticed")
    sys.exit(noticed < SHARE * len(mutants))


if __name__ == "__main__":
    main()
