"""A problem as a Gymnasium environment: an episode is a study. Importable where gymnasium is installed."""

from __future__ import annotations

import itertools
from typing import Any, Optional

import gymnasium
import numpy

from cubicbench._cubicbench import Trial
from cubicbench._problem import Problem, Value
from cubicbench._search import Study


class TuningEnv(gymnasium.Env):
    """Propose a configuration, see what its launch came to, until the budget is spent.

    An action has the position of a value for every parameter; those of inactive parameters do nothing. The observation is
    the last trial's value over the first one's (0 where it failed), whether it failed, the best so far likewise, and the
    share of the budget that is left. The reward is by how much the best has risen, so that the rewards of an episode add
    up to its gain over the first value: with `start="baseline"` over the baseline. Of a metric that is minimised, ratios
    are turned over. `info` has the trial.
    """

    metadata = {"render_modes": []}

    def __init__(self, problem: Problem, *, trials: Optional[int] = None, start: str = "baseline", telling: str = "reason"):
        self._problem = problem
        self._options = {"trials": trials, "start": start, "telling": telling}
        self._seeds = itertools.count()
        self.action_space = gymnasium.spaces.MultiDiscrete([len(p.values) for p in problem.parameters])
        self.observation_space = gymnasium.spaces.Box(0.0, numpy.inf, (4,), numpy.float64)

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None):
        super().reset(seed=seed)
        self.study = Study(self._problem, "gymnasium", seed=next(self._seeds) if seed is None else seed, **self._options)
        self._first: Optional[float] = None
        self._best = 0.0
        trial = self.study.trials[-1] if self.study.trials else None
        if trial is not None:
            self._gain(trial)
        return self._observation(trial), {"trial": trial}

    def step(self, action):
        trial = self.study.evaluate(self.config(action))
        reward = self._gain(trial)
        return self._observation(trial), reward, self.study.left == 0, False, {"trial": trial}

    def config(self, action) -> dict[str, Value]:
        """The configuration of an action."""
        config: dict[str, Value] = {}
        for parameter, position in zip(self._problem.parameters, action):
            if parameter.is_active(config):
                config[parameter.name] = parameter.values[int(position)]
        return config

    def _ratio(self, trial: Optional[Trial]) -> float:
        """Its value over the first one's; 0 where it failed."""
        if trial is None or trial.state != "complete" or not trial.value:
            return 0.0
        self._first = self._first or trial.value
        ratio = trial.value / self._first
        return ratio if self._problem.objective.direction == "maximize" else 1.0 / ratio

    def _gain(self, trial: Optional[Trial]) -> float:
        before = self._best
        self._best = max(self._best, self._ratio(trial))
        return self._best - before if before > 0.0 else max(self._best - 1.0, 0.0)

    def _observation(self, trial: Optional[Trial]) -> numpy.ndarray:
        budget = self.study.budget
        ratio = self._ratio(trial)
        return numpy.array([ratio, float(ratio == 0.0), self._best, budget.left / budget.trials])
