"""Studies and the folders that they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional, Sequence, Union

from cubicbench import _cubicbench
from cubicbench._cubicbench import InputError, Refused, Trial
from cubicbench._problem import Budget, Config, Description, Problem, Value

if TYPE_CHECKING:
    import os

    Path = Union[str, os.PathLike[str]]


def searchers() -> dict[str, str]:
    """The built-in searchers, each with what it does."""
    return dict(_cubicbench.searchers())


class Study:
    """One searcher with one seed on one instance, as an ask/tell loop.

    `searcher` is a built-in one (`searchers()`, with options as in "evolution:sample=5"), which `ask` asks and `tell` tells,
    or any other name: that of a searcher of your own, which just calls `evaluate`.

    With `start="baseline"` trial 0 is the scenario's baseline, launched and charged when the study begins; it is the first
    of `trials`, and a built-in searcher has been told of it.

    With `out` the study leaves the folder of `cubicbench search` with the same proposals; for several studies in one
    folder see `Search`. `resume=True` continues a folder: play the same again, and what is there is compared instead of
    written.

    `backend="recorded:DIR"` plays the search in `DIR` again instead of simulating: the space is what that search launched.
    `warm_start`, a path or several, tells the built-in searcher the outcomes of earlier searches, tables of runs or logs
    before its first proposal, as `--warm-start` does; `known` has them for a searcher of your own.

    As a context manager it is closed at the end; when an exception leaves the block, it stays open, to be resumed.
    """

    def __init__(
        self,
        problem: Union[str, Problem],
        searcher: str = "python",
        *,
        seed: int = 0,
        instance: int = 0,
        trials: Optional[int] = None,
        telling: str = "reason",
        start: str = "baseline",
        permute: bool = False,
        backend: Optional[str] = None,
        warm_start: Union[None, Path, Sequence[Path]] = None,
        salt: Optional[Path] = None,
        out: Optional[Path] = None,
        resume: bool = False,
        sync: bool = False,
    ) -> None:
        self._search: Optional[_cubicbench.Search] = None
        plan = {"searcher": searcher, "trials": trials, "first_seed": seed, "telling": telling, "start": start,
                "permute": permute, "backend": backend, "warm_start": _texts(warm_start)}
        if out is None:
            if not isinstance(problem, Problem):
                problem = Problem(problem, instance, salt=salt)
            self._begin(_cubicbench.unrecorded_study(problem._core, **plan))
            return
        if isinstance(problem, Problem):
            if problem.open_book:
                raise Refused("Studies of an open book are not recorded: leave out `out`, or `open_book`.")
            problem, instance, salt = problem._scenario, problem.instance, problem._salt
        self._search = _cubicbench.Search(
            out=str(out), resume=resume, sync=sync, scenarios=[problem], first_instance=instance, salt=_text(salt), **plan
        )
        if self._search.is_finished(0):
            raise InputError(f"{out}: the study is finished; there is nothing to resume")
        self._begin(self._search.open(0))

    @classmethod
    def _of(cls, search: _cubicbench.Search, number: int) -> Study:
        study = cls.__new__(cls)
        study._search = search
        study._begin(search.open(number))
        return study

    def _begin(self, core: _cubicbench.Study) -> None:
        self._core = core
        #: What was told of this study so far, the baseline's trial included.
        self.trials: list[Trial] = []
        if core.baseline_trial is not None:
            self.trials.append(core.baseline_trial)

    def __repr__(self) -> str:
        return f"<cubicbench.Study {self.name}, {self.left} launches left>"

    def __enter__(self) -> Study:
        return self

    def __exit__(self, error: object, *ignored: object) -> None:
        if error is None:
            self.close()
        else:
            self._core.abandon()
            self._search = None  # gives the folder back

    @property
    def name(self) -> str:
        """SCENARIO.INSTANCE.SEARCHER.SEED"""
        return self._core.name

    @property
    def known(self) -> tuple[Trial, ...]:
        """What `warm_start` told before the first proposal. No trials of this study: their numbers are below 0."""
        return tuple(self._core.known)

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence per place of `warm_start`: how much of it is told, and why no more."""
        return tuple(self._core.notes)

    @property
    def searcher(self) -> str:
        return self._core.searcher

    @property
    def seed(self) -> int:
        return self._core.seed

    @property
    def telling(self) -> str:
        return self._core.telling

    @property
    def problem(self) -> Description:
        """The problem: parameters, constraints, baseline, objective."""
        description = Description()
        description._core = self._core.problem
        return description

    @property
    def left(self) -> float:
        """Launches that may still be made; 0 once the study is closed. An integer while all were whole."""
        return 0 if self._core.is_closed else self._core.launches_left

    @property
    def budget(self) -> Budget:
        return Budget(*self._core.balance())

    @property
    def is_closed(self) -> bool:
        return self._core.is_closed

    def ask(self) -> Optional[dict[str, Value]]:
        """What the built-in searcher proposes, until it is launched; None when it has no more."""
        return self._core.ask()

    def evaluate(self, config: Config, fidelity: Optional[float] = None) -> Optional[Trial]:
        """Launches a configuration and charges it; see `Problem.evaluate`. Does not tell the built-in searcher."""
        trial = self._core.evaluate(config, fidelity)
        if trial is not None:
            self.trials.append(trial)
        return trial

    def tell(self, trial: Optional[Trial]) -> None:
        """Tells the built-in searcher what came of a trial."""
        if trial is not None:
            self._core.tell(trial)

    def run(self) -> None:
        """Lets the built-in searcher play what is left, with the interpreter released. `trials` does not list it."""
        self._core.run()

    def recommend(self, config: Config) -> None:
        """Ends the study with a configuration that was launched."""
        self._close(config)

    def close(self) -> None:
        """Ends the study, with what the built-in searcher recommends or what has the best mean. Closed: does nothing."""
        if not self._core.is_closed:
            self._close(None)

    def _close(self, config: Optional[Config]) -> None:
        self._core.close(config)
        if self._search is not None:
            self._search.finish(self._core)
            self._search = None

    def true_value(self, config: Config) -> Optional[float]:
        """The noise-free value; None where the configuration does not run. Raises `Refused` until the study is closed."""
        return self._core.true_value(config)


class Search:
    """The studies of one searcher: every scenario x instance x seed, in one folder, as `cubicbench search` leaves it::

        for study in cubicbench.Search("llama3-8b", "my-searcher", seeds=10, out="out/mine"):
            while study.left:
                study.evaluate(...)

    Studies come one after the other, each closed when the next begins; those that an earlier run finished are left out.
    `backend` and `warm_start` are those of `Study`.
    """

    def __init__(
        self,
        scenarios: Union[str, Sequence[str]],
        searcher: str,
        *,
        out: Path,
        trials: Optional[int] = None,
        seeds: int = 1,
        instances: int = 1,
        salt: Optional[Path] = None,
        telling: str = "reason",
        start: str = "baseline",
        permute: bool = False,
        backend: Optional[str] = None,
        warm_start: Union[None, Path, Sequence[Path]] = None,
        shard: str = "1/1",
        resume: bool = False,
        sync: bool = False,
    ) -> None:
        self._core: Optional[_cubicbench.Search] = _cubicbench.Search(
            out=str(out),
            resume=resume,
            sync=sync,
            scenarios=[scenarios] if isinstance(scenarios, str) else list(scenarios),
            searcher=searcher,
            trials=trials,
            seeds=seeds,
            instances=instances,
            salt=_text(salt),
            telling=telling,
            start=start,
            permute=permute,
            backend=backend,
            warm_start=_texts(warm_start),
            shard=shard,
        )
        #: A sentence per place of `warm_start`: how much of it is told, and why no more.
        self.notes: tuple[str, ...] = tuple(self._core.notes)

    def __iter__(self) -> Iterator[Study]:
        core = self._core
        if core is None:
            raise Refused("The studies of a search can be gone through once.")
        self._core = None  # the last study gives the folder back
        for number in range(len(core)):
            if not core.is_finished(number):
                with Study._of(core, number) as study:
                    yield study


def _texts(paths: Union[None, Path, Sequence[Path]]) -> list[str]:
    if paths is None:
        return []
    return [str(paths)] if isinstance(paths, str) or hasattr(paths, "__fspath__") else [str(path) for path in paths]


def _text(path: Optional[Path]) -> Optional[str]:
    return None if path is None else str(path)
