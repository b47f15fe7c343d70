#!/usr/bin/env python3
"""Writes the stored answers that tests/support/statistics compares our tests and estimates with.

    /usr/bin/python3 scripts/statistics_cases.py     (SciPy 1.10.1)

Each file has 1,000 cases, one per line. SciPy's exact tests know no ties, so where there are any, all choices of signs or
samples are counted here, in whole numbers.

wilcoxon_cases.txt       differences | 1 if zeros are ranked, 0 if dropped | W+ p_less p_greater, Hodges-Lehmann, trimmed mean
mann_whitney_cases.txt   a | b | U p_less p_greater, Hodges-Lehmann shift, DeLong's variance of A12, Cliff's delta
friedman_cases.txt       blocks, one after the other | treatments | chi^2 p F p, Nemenyi p of the first two, Holm's of the same
distribution_cases.txt   x df1 df2 | q count | chi^2 tail, F tail, tail of the range
"""

import fractions
import math
import pathlib
import warnings

import numpy
import scipy.stats

FOLDER = pathlib.Path(__file__).parent.parent / "tests" / "support" / "statistics"
EXACT_MAX = 50
CASES = 1000


def numbers(values):
    return " ".join(f"{float(value):.13g}" for value in values)


def write(name, lines):
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def drawn(random, size):
    """Many ties, few ties, decimals."""
    kind = random.integers(3)
    if kind == 0:
        return random.integers(-2, 4, size).astype(float)
    if kind == 1:
        return random.integers(-9, 30, size).astype(float)
    return numpy.round(random.normal(0.3, 1, size), 2)


def size_of(random, least, most):
    return int(round(math.exp(random.uniform(math.log(least), math.log(most)))))


def doubled_ranks(values):
    return [int(round(2 * rank)) for rank in scipy.stats.rankdata(values)]


def tails(counts, at):
    whole = sum(counts.values())
    less = sum(count for total, count in counts.items() if total <= at)
    greater = sum(count for total, count in counts.items() if total >= at)
    return float(fractions.Fraction(less, whole)), float(fractions.Fraction(greater, whole))


def wilcoxon(differences, ranked):
    kept = differences if ranked else differences[differences != 0]
    ranks = [(rank, d) for rank, d in zip(doubled_ranks(numpy.abs(kept)), kept) if d != 0]
    positive = sum(rank for rank, d in ranks if d > 0)
    if len(ranks) > EXACT_MAX:
        method = "pratt" if ranked else "wilcox"
        answers = [
            scipy.stats.wilcoxon(differences, zero_method=method, correction=True, alternative=side, mode="approx").pvalue
            for side in ("less", "greater")
        ]
        return positive / 2, *answers
    if ranks and len(set(numpy.abs(differences))) == len(differences) and 0 not in differences:
        answers = [scipy.stats.wilcoxon(differences, alternative=side, mode="exact").pvalue for side in ("less", "greater")]
        return positive / 2, *answers
    counts = {0: 1}
    for rank, _ in ranks:
        more = dict(counts)
        for total, count in counts.items():
            more[total + rank] = more.get(total + rank, 0) + count
        counts = more
    return positive / 2, *tails(counts, positive)


def walsh_median(differences):
    i, j = numpy.triu_indices(len(differences))
    return numpy.median((differences[i] + differences[j]) / 2)


def wilcoxon_line(random):
    differences = drawn(random, size_of(random, 1, 75))
    ranked = int(random.integers(2))
    answers = [*wilcoxon(differences, ranked), walsh_median(differences), scipy.stats.trim_mean(differences, 0.25)]
    return f"{numbers(differences)} | {ranked} | {numbers(answers)}"


def mann_whitney(a, b):
    both = numpy.concatenate([a, b])
    u = scipy.stats.mannwhitneyu(a, b, method="asymptotic").statistic
    tied = len(set(both)) < len(both)
    if len(both) > EXACT_MAX or not tied:
        method = "exact" if len(both) <= EXACT_MAX else "asymptotic"
        return u, *[scipy.stats.mannwhitneyu(a, b, alternative=side, method=method).pvalue for side in ("less", "greater")]
    ranks = doubled_ranks(both)
    counts = {(0, 0): 1}
    for rank in ranks:
        more = dict(counts)
        for (size, total), count in counts.items():
            if size < len(a):
                more[size + 1, total + rank] = more.get((size + 1, total + rank), 0) + count
        counts = more
    of_size = {total: count for (size, total), count in counts.items() if size == len(a)}
    return u, *tails(of_size, sum(ranks[: len(a)]))


def mann_whitney_line(random):
    a, b = drawn(random, size_of(random, 1, 40)), drawn(random, size_of(random, 1, 40))
    wins = (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])
    variance = 0.0
    if len(a) > 1 and len(b) > 1:
        variance = wins.mean(axis=1).var(ddof=1) / len(a) + wins.mean(axis=0).var(ddof=1) / len(b)
    delta = numpy.sign(a[:, None] - b[None, :]).mean()
    answers = [*mann_whitney(a, b), numpy.median(a[:, None] - b[None, :]), variance, delta]
    return f"{numbers(a)} | {numbers(b)} | {numbers(answers)}"


def friedman_line(random):
    while True:
        treatments, blocks = int(random.integers(3, 9)), size_of(random, 2, 16)
        values = drawn(random, treatments * blocks).reshape(blocks, treatments)
        ranks = numpy.array([scipy.stats.rankdata(block) for block in values])
        if all(len(set(block)) == 1 for block in values):
            continue
        chi, p = scipy.stats.friedmanchisquare(*values.T)
        rest = blocks * (treatments - 1) - chi
        if rest > 1e-9:
            break
    f = (blocks - 1) * chi / rest
    p_f = scipy.stats.f.sf(f, treatments - 1, (treatments - 1) * (blocks - 1))
    mean = ranks.mean(axis=0)
    ratios = numpy.abs(mean - mean[0]) / math.sqrt(treatments * (treatments + 1) / (6 * blocks))
    nemenyi = scipy.stats.studentized_range.sf(ratios[1] * math.sqrt(2), treatments, numpy.inf)
    alone = 2 * scipy.stats.norm.sf(ratios[1:])
    order = numpy.argsort(alone, kind="stable")
    adjusted = numpy.empty_like(alone)
    adjusted[order] = numpy.maximum.accumulate(numpy.minimum(1, alone[order] * numpy.arange(len(alone), 0, -1)))
    answers = [chi, p, f, p_f, nemenyi, adjusted[0]]
    return f"{numbers(values.flatten())} | {treatments} | {numbers(answers)}"


def distribution_line(random):
    df1, df2, count = int(random.integers(1, 60)), int(random.integers(1, 400)), int(random.integers(2, 20))
    x = round(float(df1 * math.exp(random.normal(0, 0.7))), 2)
    ratio, q = round(x / df1, 3), round(float(random.uniform(0, 8)), 2)
    tails = [
        scipy.stats.chi2.sf(x, df1),
        scipy.stats.f.sf(ratio, df1, df2),
        scipy.stats.studentized_range.sf(q, count, numpy.inf),
    ]
    return f"{x} {ratio} {df1} {df2} | {q} {count} | {numbers(tails)}"


def main():
    warnings.simplefilter("ignore")
    random = numpy.random.default_rng(1)
    for name, line in [
        ("wilcoxon_cases.txt", wilcoxon_line),
        ("mann_whitney_cases.txt", mann_whitney_line),
        ("friedman_cases.txt", friedman_line),
        ("distribution_cases.txt", distribution_line),
    ]:
        write(name, [line(random) for _ in range(CASES)])


main()
