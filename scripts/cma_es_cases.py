#!/usr/bin/env python3
"""Writes what tests/search/cma_es compares our CMA-ES with: the package cmaes, given one stored history.

    /usr/bin/python3 scripts/cma_es_cases.py     (Debian 12: python3-cmaes 0.9.1, python3-scipy 1.10.1)

Knobs are coordinates from 0 to 1 as in search/cma_es/knob_coordinates.h. The history has configurations, not samples,
so each is told by the place of its values. tests/search/cma_es/cmaes_history.txt has, a line each:

knob ordinal|labels VALUES      of the space, in order
trial VALUES... SCORE           of the history; numbers of values; the greater the score the better
mean|stretch|deviation X...     of each coordinate after the history; deviation in units of sigma
sigma X
counts N...                     of a knob, in their order: how often each value was proposed, of DRAWS proposals

and cmaes_samples.txt, of a short run on few coordinates that converges, where the margin acts:

levels N...                     of the coordinates
sample X... SCORE               as told
mean|stretch|deviation|sigma    as above, after the last
"""

import pathlib

import cmaes
import numpy

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "search" / "cma_es"
KNOBS = [("ordinal", 8), ("ordinal", 5), ("labels", 5), ("ordinal", 8), ("ordinal", 4), ("labels", 3), ("ordinal", 2),
         ("ordinal", 8)]
TRIALS = 50
DRAWS = 100_000


def drawn_history():
    """Uniform configurations; some values are good by themselves, two knobs belong together."""
    random = numpy.random.RandomState(26)
    worth = [random.normal(0, 1, values) for _, values in KNOBS]
    for _ in range(TRIALS):
        config = [random.randint(values) for _, values in KNOBS]
        score = sum(worth[i][value] for i, value in enumerate(config))
        yield config, round(score - 0.2 * (config[0] + config[3] - 9) ** 2 + 0.1 * random.normal(), 6)


def levels():
    for kind, values in KNOBS:
        yield from [values] if kind == "ordinal" else [2] * values


def place_of(config):
    place = []
    for (kind, values), value in zip(KNOBS, config):
        place += [value / (values - 1)] if kind == "ordinal" else [float(value == i) for i in range(values)]
    return numpy.array(place)


def values_of(place):
    first = 0
    for kind, values in KNOBS:
        if kind == "ordinal":
            yield int(numpy.clip(numpy.floor(place[first] * (values - 1) + 0.5), 0, values - 1))
        else:
            yield int(numpy.argmax(place[first:first + values]))
        first += 1 if kind == "ordinal" else values


def line(name, values):
    return " ".join([name, *(repr(float(value)) for value in values)]) + "\n"


def optimiser_of(levels):
    bounds, steps = numpy.array([[0.0, 1.0]] * len(levels)), numpy.array([1 / (each - 1) for each in levels])
    return cmaes.CMAwM(mean=numpy.full(len(levels), 0.5), sigma=1 / 6, bounds=bounds, steps=steps, seed=26)


def state_lines(optimiser):
    deviation = numpy.sqrt(numpy.diag(optimiser._cma._C))
    return (line("mean", optimiser._cma._mean) + line("stretch", optimiser._A) + line("deviation", deviation) +
            line("sigma", [optimiser._cma._sigma]))


def counts_of(optimiser):
    mean, stretch = optimiser._cma._mean, optimiser._A
    counts = [numpy.zeros(values, int) for _, values in KNOBS]
    for _ in range(DRAWS):
        encoded, sample = optimiser.ask()
        for knob, value in enumerate(values_of(mean + (sample - mean) * stretch)):
            counts[knob][value] += 1
    return counts


def write_history(out):
    optimiser, history = optimiser_of(list(levels())), list(drawn_history())
    for first in range(0, TRIALS - optimiser.population_size + 1, optimiser.population_size):
        generation = history[first:first + optimiser.population_size]
        optimiser.tell([(place_of(config), -score) for config, score in generation])
    for kind, values in KNOBS:
        out.write(f"knob {kind} {values}\n")
    for config, score in history:
        out.write(f"trial {' '.join(map(str, config))} {score}\n")
    out.write(state_lines(optimiser))
    for each in counts_of(optimiser):
        out.write("counts " + " ".join(map(str, each)) + "\n")


def write_samples(out):
    levels, best = [8, 2, 3, 5, 4], numpy.array([5 / 7, 1.0, 0.5, 0.0, 1 / 3])
    optimiser = optimiser_of(levels)
    out.write("levels " + " ".join(map(str, levels)) + "\n")
    for _ in range(25):
        generation = []
        for _ in range(optimiser.population_size):
            encoded, sample = optimiser.ask()
            sample = numpy.round(sample, 5)
            score = round(float(-numpy.sum((encoded - best) ** 2) - 0.01 * numpy.sum((sample - best) ** 2)), 6)
            out.write("sample " + " ".join(f"{x:.5f}" for x in sample) + f" {score}\n")
            generation.append((sample, -score))
        optimiser.tell(generation)
    out.write(state_lines(optimiser))


for name, write in ("cmaes_history.txt", write_history), ("cmaes_samples.txt", write_samples):
    with (FOLDER / name).open("w") as out:
        out.write(f"# Written by scripts/{pathlib.Path(__file__).name}, which says what the lines are, with cmaes "
                  f"{cmaes.__version__}\n")
        write(out)
