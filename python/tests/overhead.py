"""Measures what Python adds to an evaluation and to a launch: python3 python/tests/overhead.py [SCENARIO] [LAUNCHES]

Prints microseconds of CPU time per call, the best of nine rounds. `--check` fails where Python adds more than 3 us to a bare evaluation or a
launch costs more than 15 us beyond what the simulator takes for it, on a core that writes a configuration to a file as JSON and parses it
again in 8.5 us; on another one as much more or less as that takes there.
"""

import json
import random
import sys
import tempfile
import time

import cubicbench

arguments = [a for a in sys.argv[1:] if a != "--check"]
scenario = arguments[0] if arguments else "llama3-8b"
launches = int(arguments[1]) if len(arguments) > 1 else 2000

book = cubicbench.Problem(scenario, open_book=True)
draws = random.Random(1)
configs = [book.config_at(draws.randrange(book.configurations)) for _ in range(launches)]
codes = book._core.codes_of(configs)


def best(measure, rounds=9):
    return min(measure() for _ in range(rounds)) / launches * 1e6


def timed(call):
    begin = time.thread_time()
    call()
    return time.thread_time() - begin


def evaluate_each():
    for config in configs:
        book.true_value(config)


def write_each_as_json():
    with tempfile.TemporaryFile(buffering=0) as file:
        for config in configs:
            line = json.dumps(config)
            file.write(line.encode())
            json.loads(line)


def played(*, recorded, loop):
    """Seconds of a study's launches, opening and closing left out."""
    with tempfile.TemporaryDirectory() as folder:
        out = {"out": folder + "/study"} if recorded else {}
        study = cubicbench.Study(scenario, "random", trials=launches, start="none", **out)
        seconds = timed(lambda: loop(study))
        study.close()
        return seconds


def evaluate_all(study):
    for config in configs:
        if not study.left:
            break
        study.evaluate(config)


cpp = [best(lambda which=which: book._core.seconds_in_cpp(codes)[which]) for which in (0, 1)]
rows = {
    "true value in C++": cpp[0],
    "`true_value(config)`, open book": best(lambda: timed(evaluate_each)),
    "`evaluate_many(codes)`, one thread, per configuration": best(lambda: timed(lambda: book.evaluate_many(codes, threads=1))),
    "outcome and true value of a launch in C++": cpp[1],
    "`study.evaluate(config)`, not recorded": best(lambda: played(recorded=False, loop=evaluate_all)),
    "`study.evaluate(config)`, recorded": best(lambda: played(recorded=True, loop=evaluate_all)),
    "`study.run()` of random search, recorded, per launch": best(lambda: played(recorded=True, loop=lambda study: study.run())),
}
for name, microseconds in rows.items():
    print(f"| {name} | {microseconds:.1f} us |")
bare = rows["`true_value(config)`, open book"] - cpp[0]
launch = rows["`study.evaluate(config)`, recorded"] - cpp[1]
print(f"Python adds {bare:.1f} us to a bare evaluation; ledger, journal and Python add {launch:.1f} us to a launch")
slowness = best(lambda: timed(write_each_as_json)) / 8.5
print(f"This core takes {slowness:.2f} times as long as the one that the limits are of")
if "--check" in sys.argv and (bare > 3.0 * slowness or launch > 15.0 * slowness):
    sys.exit(f"expected at most {3.0 * slowness:.1f} us and {15.0 * slowness:.1f} us")
