"""The settings of a world's physics, checked where they are assigned."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

from numpy.typing import NDArray

from ecsphys.components.store.column import finite_number, show
from ecsphys.engine.motion.euler_motion import EXPLICIT, SEMI_IMPLICIT, VERLET
from ecsphys.engine.threads.cores import core_count

if TYPE_CHECKING:
    from ecsphys.systems.fixed_step.fixed_step import FixedStep

Vector = Sequence[float] | NDArray[Any]

Integrator = Literal["explicit", "semi_implicit", "verlet"]

INTEGRATORS: Final[dict[Integrator, int]] = {"explicit": EXPLICIT, "semi_implicit": SEMI_IMPLICIT, "verlet": VERLET}

_MOST_SUBSTEPS = 1_000_000

NO_SECONDS: Any = object()
"""The ``dt`` of a step that was given none."""


def pair_of_numbers(name: str, value: Any) -> tuple[float, float]:
    """(x, y), both finite; TypeError or ValueError naming ``name``."""
    try:
        x, y = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair of numbers (x, y), got {value!r}") from None
    return finite_number(f"{name} x", x), finite_number(f"{name} y", y)


def whole_number(name: str, value: Any) -> int:
    """A Python integer; TypeError naming ``name``."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {show(value)}") from None


def refuse_arguments(others: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
    """TypeError for what ``esper.process`` was given besides the seconds."""
    given = ", ".join((*map(show, others), *(f"{name}={show(value)}" for name, value in named.items())))
    raise TypeError(
        f"esper.process() hands its arguments to every processor, and those of ecsphys take the seconds alone: got"
        f" {given} besides. Call esper.process(dt), and give other data to the constructors of your processors; or"
        " do without install(), and call physics.step(dt) in a processor of your own"
    )


def checked_dt(dt: Any) -> float:
    """Seconds, finite and not negative; TypeError or ValueError else."""
    if type(dt) is float and 0.0 <= dt < math.inf:
        return dt
    if dt is NO_SECONDS:
        raise TypeError("a step needs its seconds: call esper.process(dt), with nothing else, or physics.step(dt)")
    seconds = finite_number("dt", dt)
    if seconds < 0.0:
        raise ValueError(f"dt must be 0 or more seconds, got {dt!r}")
    return seconds


class Settings:
    """What a game chooses about its physics; see :class:`~ecsphys.Physics`, which has them."""

    fixed_step: FixedStep | None = None
    """What runs the stages in steps of a fixed length, None where every frame is one step; set by ``install``."""

    priority: int = 0
    """What ``install`` has added to the priority of each stage."""

    def __init__(
        self, gravity: Vector, cell_size: float | None, substeps: int, integrator: Integrator, threads: int | None
    ) -> None:
        self.gravity = gravity
        self.cell_size = cell_size
        self.substeps = substeps
        self.integrator = integrator
        self.threads = core_count() if threads is None else threads

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration (x, y) of entities that have a ``Gravity`` component, in units/s²."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._gravity = pair_of_numbers("gravity", value)

    @property
    def cell_size(self) -> float | None:
        """Side of the broadphase's cells, None for automatic."""
        return self._cell_size

    @cell_size.setter
    def cell_size(self, value: float | None) -> None:
        if value is not None and finite_number("cell_size", value) <= 0.0:
            raise ValueError(f"cell_size must be greater than 0, or None for automatic, got {value!r}")
        self._cell_size = None if value is None else float(value)

    @property
    def substeps(self) -> int:
        """Number of equal parts the stepped motion is divided into."""
        return self._substeps

    @substeps.setter
    def substeps(self, value: int) -> None:
        count = whole_number("substeps", value)
        if not 1 <= count <= _MOST_SUBSTEPS:
            raise ValueError(f"substeps must be 1 to {_MOST_SUBSTEPS}, got {value!r}")
        self._substeps = count

    @property
    def integrator(self) -> Integrator:
        """Name of the integration method."""
        return self._integrator

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        if not isinstance(value, str) or value not in INTEGRATORS:
            raise ValueError(f"integrator must be one of {', '.join(map(repr, INTEGRATORS))}, got {value!r}")
        self._integrator = value

    @property
    def threads(self) -> int:
        """How many threads share the work of large worlds and batches, the calling one among them."""
        return self._threads

    @threads.setter
    def threads(self, value: int) -> None:
        count = whole_number("threads", value)
        if count < 1:
            raise ValueError(f"threads must be 1 or more, got {value!r}")
        self._threads = count
