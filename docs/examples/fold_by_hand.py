#!/usr/bin/env python3
"""Colour refinement on a job that fits on a page: the example of docs/internals/folding.md. Needs Python alone.

Two pipeline stages of four ranks each: a data-parallel group per stage, and an edge from each rank of stage 0 to its partner.
"""

ranks = list(range(8))  # 0 to 3 are stage 0, 4 to 7 stage 1
communicators = [("data", (0, 1, 2, 3)), ("data", (4, 5, 6, 7))] + [("edge", (i, i + 4)) for i in range(4)]


def numbered(signatures):
    """A colour per signature, numbered by first member."""
    numbers = {}
    return [numbers.setdefault(one, len(numbers)) for one in signatures]


def refine(rank_colours):
    ranks_of, groups_of, rounds = numbered(rank_colours), [0] * len(communicators), []
    while True:
        rounds.append(list(ranks_of))
        # An edge knows who sends and who receives; a group knows how many members of which colour it has.
        groups_of = numbered([
            (groups_of[i], role, tuple(ranks_of[r] for r in members) if role == "edge" else tuple(sorted(ranks_of[r] for r in members)))
            for i, (role, members) in enumerate(communicators)])
        ranks_of = numbered([
            (ranks_of[r], tuple(groups_of[i] for i, (_, members) in enumerate(communicators) if r in members)) for r in ranks])
        if ranks_of == rounds[-1]:
            return rounds


for name, slow in (("all ranks alike", None), ("rank 2 is slow", 2)):
    rounds = refine([(r // 4, r == slow) for r in ranks])
    print(f"{name}: {len(set(rounds[-1]))} of {len(ranks)} ranks are played")
    for i, colours in enumerate(rounds):
        print(f"  round {i}: stage 0 {colours[:4]}   stage 1 {colours[4:]}")
