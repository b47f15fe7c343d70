#!/usr/bin/env python3
"""Writes the stored answers that tests/support/statistics compares our correlations and areas with.

    /usr/bin/python3 scripts/correlation_cases.py     (SciPy 1.10.1, scikit-learn 1.2.1)

correlation_cases.txt   a line a case: a | b | tau-b rho r, of SciPy
ranking_cases.txt       a line a case: scores | 0 or 1 each | AUROC AUPRC, of scikit-learn
"""

import pathlib
import warnings

import numpy
import scipy.stats
import sklearn.metrics

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "support" / "statistics"


def numbers(values):
    return " ".join(repr(float(value)).removesuffix(".0") for value in values)


def drawn(random, size):
    """Ints with many or few ties, decimals, a large mean with small deviations, skewed values."""
    kind = random.integers(6)
    if kind == 0:
        return random.integers(0, 3, size).astype(float)
    if kind == 1:
        return random.integers(-5, 6, size).astype(float)
    if kind == 2:
        return random.integers(0, 10 * size, size).astype(float)
    if kind == 3:
        return numpy.round(random.normal(size=size), 2)
    if kind == 4:
        return 1e6 + numpy.round(random.normal(size=size), 1)
    return numpy.round(numpy.exp(random.normal(0, 4, size)), 3)


def pair(random):
    """Two lists, neither of them constant; in a third of the cases they are related."""
    while True:
        size = int(numpy.clip(round(numpy.exp(random.uniform(numpy.log(2), numpy.log(60)))), 2, 60))
        a, b = drawn(random, size), drawn(random, size)
        related = random.integers(6)
        if related == 0:
            b = numpy.round(a + random.normal(size=size), 1)
        if related == 1:
            b = -a + random.integers(0, 2, size)
        if len(set(a)) > 1 and len(set(b)) > 1:
            return a, b


def write(name, lines):
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def main():
    warnings.simplefilter("error")
    random = numpy.random.default_rng(1)
    lines = []
    while len(lines) < 1000:
        a, b = pair(random)
        tau = scipy.stats.kendalltau(a, b)[0]
        rho = scipy.stats.spearmanr(a, b)[0]
        r = scipy.stats.pearsonr(a, b)[0]
        lines.append(f"{numbers(a)} | {numbers(b)} | {numbers([tau, rho, r])}")
    write("correlation_cases.txt", lines)

    lines = []
    while len(lines) < 200:
        scores, _ = pair(random)
        positive = random.integers(0, 2, len(scores))
        if 0 < positive.sum() < len(positive):
            roc = sklearn.metrics.roc_auc_score(positive, scores)
            area = sklearn.metrics.average_precision_score(positive, scores)
            lines.append(f"{numbers(scores)} | {numbers(positive)} | {numbers([roc, area])}")
    write("ranking_cases.txt", lines)


main()
