#!/usr/bin/env python3
"""Writes what tests/predictor compares our models with: scikit-learn's.

    /usr/bin/python3 scripts/model_cases.py     (Debian 12: python3-sklearn 1.2.1)

tests/predictor/gaussian_process/sklearn.txt, of GaussianProcessRegressor with its Laplacian kernel, has, a line each:

axis ordinal|labels RATE PLACE...     of a knob
noise X                               over the variance of the targets
row LEVEL... TARGET                   learnt
asked LEVEL... MEAN DEVIATION         what it says

tests/predictor/forest/sklearn.txt, of RandomForestRegressor:

node TREE COLUMN THRESHOLD LEFT RIGHT     rows with a level up to the threshold go left
leaf TREE VALUE                           both in the order of sklearn's numbers, which LEFT and RIGHT are
asked LEVEL... MEAN DEVIATION             mean and standard deviation of the trees
"""

import pathlib

import numpy
import sklearn
from sklearn.ensemble import RandomForestRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import PairwiseKernel

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "predictor"
AXES = [("ordinal", 0.7, [0.0, 0.3, 0.55, 1.0, 1.5]), ("labels", 1.3, [0.0, 0.0, 0.0]), ("ordinal", 0.05, [0.0, 0.5]),
        ("ordinal", 2.5, [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5])]
NOISE = 0.01


def written(name, lines):
    head = f"# Written by scripts/model_cases.py, which says what the lines are, with scikit-learn {sklearn.__version__}"
    (FOLDER / name).write_text("".join(line + "\n" for line in [head, *lines]))


def line(name, *numbers):
    return " ".join([name, *(f"{n:.17g}" if isinstance(n, float) else str(n) for n in numbers)])


def placed(rows):
    """Coordinates whose absolute differences add up to the distance: two labels differ in two places, half a rate each."""
    columns = []
    for (kind, rate, places), levels in zip(AXES, rows.T):
        if kind == "ordinal":
            columns.append(rate * numpy.array(places)[levels])
        else:
            columns += [0.5 * rate * (levels == label) for label in range(len(places))]
    return numpy.array(columns).T


def process_lines(random):
    levels = [len(places) for _, _, places in AXES]
    rows, asked = random.randint(levels, size=(40, 4)), random.randint(levels, size=(30, 4))
    targets = numpy.round(numpy.sin(placed(rows)).sum(axis=1) + 5 + 0.1 * random.normal(size=40), 6)
    process = GaussianProcessRegressor(PairwiseKernel(metric="laplacian", gamma=1.0), alpha=NOISE, optimizer=None,
                                       normalize_y=True).fit(placed(rows), targets)
    yield from (line("axis", kind, rate, *places) for kind, rate, places in AXES)
    yield line("noise", NOISE)
    yield from (line("row", *row, float(target)) for row, target in zip(rows, targets))
    for row, mean, deviation in zip(asked, *process.predict(placed(asked), return_std=True)):
        yield line("asked", *row, float(mean), float(deviation))


def forest_lines(random):
    rows, asked = random.randint(8, size=(60, 4)), random.randint(8, size=(30, 4))
    targets = numpy.round(rows @ [1.0, -2.0, 0.5, 0.0] + (rows[:, 0] > rows[:, 1]) * 3.0 + random.normal(size=60), 6)
    forest = RandomForestRegressor(6, max_features=3, random_state=1).fit(rows, targets)
    for number, tree in enumerate(t.tree_ for t in forest.estimators_):
        for i in range(tree.node_count):
            if tree.children_left[i] < 0:
                yield line("leaf", number, float(tree.value[i, 0, 0]))
            else:
                yield line("node", number, tree.feature[i], float(tree.threshold[i]), tree.children_left[i],
                           tree.children_right[i])
    answers = numpy.array([tree.predict(asked) for tree in forest.estimators_])
    for row, mean, deviation in zip(asked, forest.predict(asked), answers.std(axis=0)):
        yield line("asked", *row, float(mean), float(deviation))


written("gaussian_process/sklearn.txt", process_lines(numpy.random.RandomState(26)))
written("forest/sklearn.txt", forest_lines(numpy.random.RandomState(27)))
