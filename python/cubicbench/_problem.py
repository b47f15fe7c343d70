"""Problems: what everybody may know of them, and what only the truth knows."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Mapping, NamedTuple, Optional, Sequence, Union

from cubicbench import _cubicbench
from cubicbench._cubicbench import InputError, Refused, Trial

if TYPE_CHECKING:
    import os

    import numpy

Value = Union[int, float, str, bool]
Config = dict[str, Value]


@dataclass(frozen=True)
class Parameter:
    """One knob of a problem.

    It is active where, for every entry of `when`, the parameter of that name is active and has one of those values; a
    configuration gives a value to the active parameters and needs none for the others.
    """

    name: str
    type: str  #: "categorical", "ordinal", "integer" or "boolean"
    values: tuple[Value, ...]
    when: Mapping[str, tuple[Value, ...]]
    meaning: str

    def is_active(self, config: Config) -> bool:
        """Is it active, given the parameters before it?"""
        return all(config.get(name, _absent) in values for name, values in self.when.items())


_absent = object()


@dataclass(frozen=True)
class Constraint:
    """A condition that every configuration of the space meets. One that does not is launched as `invalid`."""

    name: str
    require: str


@dataclass(frozen=True)
class Objective:
    """What a trial's value is."""

    metric: str
    direction: str  #: "maximize" or "minimize"
    percentile: float  #: of the step time


@dataclass(frozen=True)
class Budget:
    """What a study may spend and has spent, in launches. Launches that fail and those that are retried count.

    Integers while all launches were whole; a short one (`evaluate`, `fidelity`) counts in part.
    """

    trials: int  #: launches in all
    spent: float
    left: float
    retries: int  #: of those spent, the ones that repeated what the infrastructure had ended
    gpu_hours: float


class TrueValues(NamedTuple):
    """Noise-free values; NaN where a configuration does not run. `reasons` are positions in `REASONS`, 0 for none."""

    values: numpy.ndarray
    reasons: numpy.ndarray


@dataclass(frozen=True)
class Enumeration:
    """Every configuration of a space, in the order of its numbers.

    `codes` has a row per configuration and a column per parameter: the position of the value in `Parameter.values`, -1
    where the parameter is inactive. `values` and `reasons` (see `TrueValues`) are those of an open book, else None.
    """

    parameters: tuple[Parameter, ...]
    codes: numpy.ndarray
    values: Optional[numpy.ndarray]
    reasons: Optional[numpy.ndarray]

    def __len__(self) -> int:
        return len(self.codes)

    @functools.cached_property
    def columns(self) -> dict[str, numpy.ndarray]:
        """The values of each parameter by its name; masked where it is inactive."""
        import numpy

        columns = {}
        for parameter, codes in zip(self.parameters, self.codes.T):
            column = numpy.array(parameter.values)[codes]
            if parameter.when:
                column = numpy.ma.masked_array(column, mask=codes < 0)
            columns[parameter.name] = column
        return columns

    def config(self, row: int) -> dict[str, Value]:
        """A configuration as `evaluate` takes it."""
        codes = self.codes[row]
        return {p.name: p.values[code] for p, code in zip(self.parameters, codes) if code >= 0}


class Description:
    """What everybody may know of an instance of a scenario, and nothing that only the truth knows."""

    _core: _cubicbench.Problem

    def __repr__(self) -> str:
        return f"<cubicbench.{type(self).__name__} {self.name}, instance {self.instance}>"

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def summary(self) -> str:
        return self._core.summary

    @property
    def instance(self) -> int:
        return self._core.instance

    @property
    def scenario_sha256(self) -> str:
        return self._core.scenario_sha256

    @property
    def truth_sha256(self) -> str:
        """Results may be compared if it is equal."""
        return self._core.truth_sha256

    @property
    def configurations(self) -> int:
        """How many the space has."""
        return self._core.configurations

    @functools.cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The knobs, each after those that its condition names."""
        return tuple(
            Parameter(
                name=p["name"],
                type=p["type"],
                values=tuple(p["values"]),
                when={name: tuple(values) for name, values in p["when"].items()},
                meaning=p["meaning"],
            )
            for p in self._core.parameters()
        )

    @functools.cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        return tuple(Constraint(**c) for c in self._core.constraints())

    @property
    def baseline(self) -> Optional[dict[str, Value]]:
        """The expert's configuration; None where the scenario states none."""
        return self._core.baseline()

    @functools.cached_property
    def objective(self) -> Objective:
        return Objective(**self._core.objective())

    def config_at(self, number: int) -> dict[str, Value]:
        """A configuration by its number, 0 to `configurations` - 1: a uniform number is a uniform configuration."""
        return self._core.config_at(number)

    def violated(self, config: Config) -> Optional[str]:
        """The name of the first constraint that a configuration violates, or None. Costs nothing."""
        return self._core.violated(config)


class Problem(Description):
    """An instance of a scenario, with a study of its own in memory.

    `scenario` is a name of the library (`cubicbench list scenarios`), a member of a family ("dense-small@7") or a path with
    a '/'. Instance 0 has the nominal constants, others draw the hidden ones; `salt`, a file, seals them.

    `evaluate` charges a budget of `trials` launches (default: the scenario's) and tells of failures what `telling` says:
    "drop", "worst", "penalty", "reason" or "bytes". The study ends with `recommend`, and from then on `true_value`
    answers.

    `open_book=True` is for analysis: true values are told at any time, and no study of it is recorded, so none of them can
    be scored.
    """

    def __init__(
        self,
        scenario: str,
        instance: int = 0,
        *,
        salt: Optional[Union[str, os.PathLike[str]]] = None,
        trials: Optional[int] = None,
        telling: str = "reason",
        open_book: bool = False,
    ) -> None:
        self._core = _cubicbench.Problem(scenario, instance, None if salt is None else str(salt))
        self._scenario, self._salt = scenario, salt
        self.open_book = open_book
        self._study = _cubicbench.unrecorded_study(
            self._core, searcher="python", trials=trials, telling=telling, start="none"
        )

    # The study ------------------------------------------------------------------------------------

    @property
    def budget(self) -> Budget:
        return Budget(*self._study.balance())

    def evaluate(self, config: Config, fidelity: Optional[float] = None) -> Optional[Trial]:
        """Launches a configuration, charges it, and tells what came of it.

        `fidelity` is the share of the job's steps that are run, in (0, 1]; None is 1, or what a built-in searcher asked
        for. A short launch is charged 1/8 + 7/8 `fidelity` of one, measures less exactly, and is no ground to recommend
        a configuration.

        None where telling "drop" says nothing of a failure. Raises `Refused`, and charges nothing, when the budget is
        spent or the study is closed, and `InputError` for a configuration that names no values of the space.
        """
        return self._study.evaluate(config, fidelity)

    def recommend(self, config: Optional[Config] = None) -> None:
        """Ends the study with the configuration that was found best, one that was launched.

        None: the one whose measurements have the best mean.
        """
        self._study.close(config)

    def true_value(self, config: Config) -> Optional[float]:
        """The noise-free value; None where the configuration does not run.

        Raises `Refused` before the study is closed by `recommend`, unless the book is open.
        """
        if self.open_book:
            return self._core.true_value(config)
        return self._study.true_value(config)

    # Whole spaces ---------------------------------------------------------------------------------

    def enumerate(self, threads: int = 0) -> Enumeration:
        """Every configuration of a space of at most 2 million; of an open book with their true values.

        Needs NumPy. Releases the interpreter while it works, on `threads` threads (0: all cores).
        """
        codes = self._core.codes()
        values = reasons = None
        if self.open_book:
            values, reasons = self._core.all_true_values(threads)
        return Enumeration(self.parameters, codes, values, reasons)

    def evaluate_many(
        self, configs: Union[Sequence[Config], numpy.ndarray], threads: int = 0
    ) -> TrueValues:
        """The true values of many configurations, at the engine's speed; of an open book only.

        `configs` are dicts, or rows of `Enumeration.codes`. What is not in the space is "invalid". Nothing is charged and
        nothing is launched: a searcher that is to be scored uses `evaluate`.
        """
        if not self.open_book:
            raise Refused(
                "True values of many configurations are for analysis: open the problem with open_book=True, "
                "whose studies are not recorded."
            )
        if not hasattr(configs, "dtype"):
            configs = self._core.codes_of(configs)
        elif configs.dtype.kind not in "iu":
            raise InputError(f"configs: expected an array of integers, got one of {configs.dtype}")
        elif configs.dtype.itemsize > 2:  # the core has 32 bits: what does not fit stays out of every range
            configs = configs.clip(-(2**31) if configs.dtype.kind == "i" else 0, 2**31 - 1).astype("int32")
        return TrueValues(*self._core.true_values(configs, threads))
