#!/usr/bin/env python3
"""Plays a 1F1B pipeline pass by pass, beside the closed form P-1 of docs/models.md.

one_f_one_b.py          compares the two on 15,000 random pipelines
one_f_one_b.py FILE.svg draws the example of docs/internals/pipeline-time.md

No messages and no waits after a pass: hop = 0 and A = 0. Needs Python alone.
"""

import random
import sys


def order(stage, stages, micro_batches):
    """Passes of a stage: some forward ones first, then one forward and one backward in turn."""
    first = min(micro_batches, stages - stage - 1)
    passes = [("F", i) for i in range(first)]
    for i in range(micro_batches):
        if first + i < micro_batches:
            passes.append(("F", first + i))
        passes.append(("B", i))
    return passes


def play(forward, backward, micro_batches):
    """When each pass (kind, stage, micro-batch) begins and ends, and the pass that it waited for longest."""
    stages = len(forward)
    left = [order(i, stages, micro_batches) for i in range(stages)]
    begin, end, waited = {}, {}, {}
    before = [None] * stages  # the pass played last on each stage
    while any(left):
        for i in range(stages):
            while left[i]:
                kind, micro_batch = left[i][0]
                source = None
                if kind == "F" and i > 0:
                    source = ("F", i - 1, micro_batch)
                if kind == "B":
                    source = ("B", i + 1, micro_batch) if i + 1 < stages else ("F", i, micro_batch)
                if source and source not in end:
                    break
                sources = [one for one in (before[i], source) if one]
                one = (kind, i, micro_batch)
                waited[one] = max(sources, key=lambda x: end[x], default=None)
                begin[one] = end[waited[one]] if sources else 0.0
                end[one] = begin[one] + (forward if kind == "F" else backward)[i]
                before[i] = one
                left[i].pop(0)
    return begin, end, waited


def longest_path(end, waited):
    one = max(end, key=lambda x: end[x])
    path = []
    while one:
        path.append(one)
        one = waited[one]
    return path[::-1]


def stays(forward, backward, micro_batches, first, last):
    """The path of P-1 that turns at stage `last`, and in between goes no further up than `first`."""
    slots = [f + b for f, b in zip(forward, backward)]
    here = slice(first, last + 1)
    through, below = sum(slots[here]), sum(slots[last + 1:])
    waits, returns = max(forward[here]), max(backward[here])
    behind = len(slots) - 1 - last
    between = micro_batches - 1 - behind
    before = sum(slots[:first]) + through
    if between <= 0:
        return before + max(below + (micro_batches - 1) * max(waits, returns), (micro_batches - 1) * (waits + returns))
    stages = last - first + 1
    middle = [between * slots[last]]
    for rounds in {1, between // stages} if between >= stages else {}:
        middle.append(rounds * through + (between - rounds * stages) * max(slots[here]))
    return before + max(below, behind * waits) + max(below, behind * returns) + max(middle)


def trips(forward, backward, micro_batches, first):
    """The path of P-1 that makes trips from stage `first` to the last stage and back."""
    slots = [f + b for f, b in zip(forward, backward)]
    behind = slots[first:]
    count = micro_batches + len(behind) - 1
    paths = [sum(slots[first:]) + (micro_batches - 1) * max(forward[first:] + backward[first:])]
    for made in {2, count // len(behind)} if count >= 2 * len(behind) else {}:
        paths.append(made * sum(behind) + (count - made * len(behind)) * max(behind))
    return sum(slots[:first]) + max(paths)


def closed_form(forward, backward, micro_batches):
    """The paths that P-1 knows; a stage is a run of its own."""
    stages = range(len(forward))
    paths = [stays(forward, backward, micro_batches, k, k) for k in stages]
    paths += [stays(forward, backward, micro_batches, k - 1, k) for k in stages[1:]]
    return paths + [trips(forward, backward, micro_batches, k) for k in stages]


def compare(name, draw):
    random.seed(1)
    errors = []
    for _ in range(5000):
        forward = draw(random.randint(2, 8))
        backward = [2.0 * f for f in forward]
        micro_batches = random.randint(1, 24)
        played = max(play(forward, backward, micro_batches)[1].values())
        errors.append(max(closed_form(forward, backward, micro_batches)) / played - 1.0)
    far = sum(abs(e) > 0.01 for e in errors) / len(errors)
    print(f"{name}: more than 1 % off in {100 * far:.1f} %, by {100 * min(errors):.1f} to {100 * max(errors):+.1f} %")


def longer_ends(stages):
    forward = [1.0] * stages
    forward[0] *= random.uniform(1.0, 1.1)
    forward[-1] *= random.uniform(1.0, 1.6)
    return forward


STYLE = """<style>
text { font: 12px sans-serif; fill: #1F2937 } .label { font-size: 13px } .axis { stroke: #9CA3AF }
.F { fill: #56B4E9 } .B { fill: #E69F00 } .box { stroke: #FFFFFF } .path { fill: none; stroke: #1F2937; stroke-width: 2.5 }
.number { fill: #111827; text-anchor: middle; font-size: 11px } .ground { fill: #FFFFFF }
@media (prefers-color-scheme: dark) {
  text { fill: #E5E7EB } .axis { stroke: #6B7280 } .ground { fill: #111827 } .box { stroke: #111827 } .path { stroke: #F9FAFB }
  .number { fill: #111827 }
}
</style>"""


def draw(file):
    forward, backward, micro_batches = [1.0, 1.5, 1.0, 1.0], [2.0, 3.0, 2.0, 2.0], 6
    begin, end, waited = play(forward, backward, micro_batches)
    path = set(longest_path(end, waited))
    last = max(end.values())
    assert abs(last - max(closed_form(forward, backward, micro_batches))) < 1e-9
    scale, left, top, row = 650.0 / last, 86, 44, 44
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 270" role="img" aria-labelledby="t d">',
           f'<title id="t">The slowest stage sets the pace of a 1F1B pipeline: {last:g} units for six micro-batches</title>',
           '<desc id="d">Passes of four stages. The longest path, outlined, goes to stage 1, from there to the '
           'last stage and back while the pipeline fills, and then stays on stage 1 until its last pass.</desc>', STYLE,
           '<rect class="ground" width="760" height="270"/>',
           f'<text class="label" x="{left}" y="24">Longest path (outlined): a trip to the last stage and back, '
           f'then stage 1 without a break: {last:g} units</text>']
    for kind, name in (("F", "forward passes"), ("B", "backward passes")):
        out.append(f'<g id="{name.replace(" ", "-")}">')
        for one, start in begin.items():
            if one[0] != kind:
                continue
            x, y = left + scale * start, top + row * one[1]
            width = scale * (end[one] - start)
            out.append(f'<rect class="box {kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="30"/>'
                       f'<text class="number" x="{x + width / 2:.1f}" y="{y + 19}">{kind}{one[2]}</text>')
        out.append("</g>")
    out.append('<g id="longest-path">')
    for one in sorted(path, key=lambda x: begin[x]):
        out.append(f'<rect class="path" x="{left + scale * begin[one]:.1f}" y="{top + row * one[1]}" '
                   f'width="{scale * (end[one] - begin[one]):.1f}" height="30"/>')
    out.append("</g>")
    for i, time in enumerate(forward):
        out.append(f'<text class="label" x="8" y="{top + row * i + 20}">stage {i}{" (slow)" if time > 1 else ""}</text>')
    foot = top + row * len(forward)
    for time in range(0, int(last) + 1, 5):
        x = left + scale * time
        out.append(f'<line class="axis" x1="{x:.1f}" y1="{foot}" x2="{x:.1f}" y2="{foot + 5}"/>'
                   f'<text x="{x:.1f}" y="{foot + 20}" text-anchor="middle">{time}</text>')
    out.append(f'<text x="{left}" y="{foot + 40}">time, in forward passes of a fast stage; backward passes take twice as long</text></svg>')
    with open(file, "w", encoding="utf-8") as to:
        to.write("\n".join(out) + "\n")


if len(sys.argv) > 1:
    draw(sys.argv[1])
else:
    compare("stages within 5 % of each other", lambda p: [random.uniform(0.95, 1.05) for _ in range(p)])
    compare("stages within 10 %", lambda p: [random.uniform(0.9, 1.1) for _ in range(p)])
    compare("only the ends longer", longer_ends)
