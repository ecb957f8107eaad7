"""``physics.settings``: how a world's physics is computed. Each value is checked when it is assigned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from ecsphys.components.store.column import Field, checks_fields, column
from ecsphys.engine.dynamics.materials import MIX_GEOMETRIC, MIX_GREATER, MIX_LESSER, MIX_MEAN, MIX_PRODUCT
from ecsphys.engine.threads.cores import core_count
from ecsphys.systems.arguments import Integrator, Vector, pair_of_numbers
from ecsphys.systems.known_attributes import KnownAttributes
from ecsphys.systems.other_names import NAMES_FOR_SETTINGS

MixingRule = Literal["geometric mean", "greater", "mean", "lesser", "product"]

MIXING_RULES: Final[dict[MixingRule, int]] = {
    "geometric mean": MIX_GEOMETRIC,
    "greater": MIX_GREATER,
    "mean": MIX_MEAN,
    "lesser": MIX_LESSER,
    "product": MIX_PRODUCT,
}


@checks_fields("physics.settings")
class Settings(KnownAttributes):
    """The settings of one world's physics; ``physics.settings`` is one.

    You may change a setting between steps. A bad value raises ValueError, or TypeError if its type is wrong.

    Attributes
    ----------
    gravity
        (x, y), units/s²: the acceleration of dynamic bodies, and of entities with a ``Gravity``. ``physics.gravity``
        is the same setting.
    cell_size
        Side of the broadphase's cells, in units, > 0. None, the default, chooses from the colliders' sizes.
    motion_substeps
        How many equal parts a step is divided into for motion by velocities and forces, 1 to 1,000,000. The default
        is 1. Rigid bodies and collision detection do not depend on it.
    integrator
        The integration method of that motion: "explicit", "semi_implicit" (the default) or "verlet".
    threads
        How many threads share the work of large worlds and of large batches of rays. The default is the number of
        cores that the process may use. No result depends on it.
    solver_substeps
        How many equal parts a step is divided into to solve contacts and joints of bodies, 1 to 1000. The default is
        4. More makes stacks stiffer.
    length_unit
        The length of a typical body in world units, > 0. The default is 1; use about 50 if you work in pixels. Speeds
        and distances below are in these lengths.
    contact_hertz, contact_damping_ratio
        The spring that pushes overlaps out: its frequency, and its damping ratio, 10 by default. The default
        frequency is ``inf``, as stiff as possible: 7.5 Hz for each solver substep, at most a quarter of the rate of
        substeps.
    joint_hertz, joint_damping_ratio
        The spring that holds joints together: its frequency, and its damping ratio, 2 by default. The default
        frequency is ``inf``, as stiff as possible: a quarter of the rate of substeps, at most 30 Hz for each solver
        substep.
    joint_iterations
        How often joints are solved while contacts are solved once, 1 to 1000. The default is 1. More carries heavier
        loads.
    push_out_speed
        The highest speed, in lengths/s, at which overlaps are pushed out. The default is 3.
    restitution_threshold
        Below this approach speed, in lengths/s, nothing bounces. The default is 1.
    sleep_speed
        Bodies that rest together fall asleep after half a second below this speed, in lengths/s. The default is 0.05;
        with 0 nothing falls asleep.
    friction_mixing, restitution_mixing
        How the values of two bodies become one: "geometric mean", "greater", "mean", "lesser" or "product". The
        defaults are "geometric mean" for friction and "greater" for restitution.
    """

    # Grows where a setting gets another value; outside of the settings themselves, which are what ``vars`` gives.
    __slots__ = ("__dict__", "_changes")

    _called = "physics.settings"
    _other_names = NAMES_FOR_SETTINGS
    _fields: ClassVar[dict[str, Field]]

    cell_size: float | None = column(default=None, above=0.0)
    motion_substeps: int = column(default=1, low=1, high=1_000_000)
    integrator: Integrator = column(default="semi_implicit")
    threads: int = column(default=1, low=1)
    solver_substeps: int = column(default=4, low=1, high=1000)
    length_unit: float = column(default=1.0, above=0.0)
    contact_hertz: float = column(default=math.inf, above=0.0, high=math.inf)
    contact_damping_ratio: float = column(default=10.0, above=0.0)
    joint_hertz: float = column(default=math.inf, above=0.0, high=math.inf)
    joint_damping_ratio: float = column(default=2.0, above=0.0)
    joint_iterations: int = column(default=1, low=1, high=1000)
    push_out_speed: float = column(default=3.0, above=0.0)
    restitution_threshold: float = column(default=1.0, low=0.0)
    sleep_speed: float = column(default=0.05, low=0.0)
    friction_mixing: MixingRule = column(default="geometric mean")
    restitution_mixing: MixingRule = column(default="greater")

    def __init__(
        self,
        gravity: Vector,
        cell_size: float | None,
        motion_substeps: int,
        integrator: Integrator,
        threads: int | None,
    ) -> None:
        self._changes = 0
        self.gravity = gravity
        given = {
            "cell_size": cell_size,
            "motion_substeps": motion_substeps,
            "integrator": integrator,
            "threads": core_count() if threads is None else threads,
        }
        for name, field in self._fields.items():
            setattr(self, name, given.get(name, field.default))

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            before = vars(self).get(name, self)
            super().__setattr__(name, value)
            if name in vars(self) and before != value:
                object.__setattr__(self, "_changes", self._changes + 1)

    @property
    def gravity(self) -> tuple[float, float]:
        return self._gravity

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._gravity = pair_of_numbers("gravity", value)
