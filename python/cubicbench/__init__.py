"""CubicBench for Python: sealed tuning problems of large-scale training, on the suite's own ledger.

A problem says what may be turned; launching a configuration costs budget::

    import cubicbench

    problem = cubicbench.Problem("ads-73b", instance=3)
    trial = problem.evaluate(problem.baseline)      # charged: one launch
    problem.recommend(problem.baseline)             # ends the study
    problem.true_value(problem.baseline)            # told from then on

A searcher leaves the same folder as ``cubicbench search``, which `report` draws and `suite` scores::

    with cubicbench.Study("ads-73b", "my-searcher", seed=0, out="out/mine") as study:
        while study.left:
            trial = study.evaluate(my_next_configuration(study.trials))

Errors: `InputError` (a ValueError) for what was given wrong, `Refused` (a RuntimeError) for what the ledger does not do,
such as a launch beyond the budget, `OutputError` (an OSError) when a folder cannot be written.
"""

from cubicbench._cubicbench import REASONS, InputError, OutputError, Refused, Trial, __version__
from cubicbench._problem import (
    Budget,
    Constraint,
    Description,
    Enumeration,
    Objective,
    Parameter,
    Problem,
    TrueValues,
)
from cubicbench._search import Search, Study, searchers

for _error in (InputError, OutputError, Refused):
    _error.__module__ = __name__
del _error

__all__ = [
    "REASONS",
    "Budget",
    "Constraint",
    "Description",
    "Enumeration",
    "InputError",
    "Objective",
    "OutputError",
    "Parameter",
    "Problem",
    "Refused",
    "Search",
    "Study",
    "Trial",
    "TrueValues",
    "__version__",
    "searchers",
]
