"""``physics.settings``: how a world's physics is computed. Each value is checked when it is assigned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

from ecsphys.components.store.column import Field, checks_fields, column, number_pair
from ecsphys.engine.dynamics.bodies import WorldGravity
from ecsphys.engine.dynamics.contacts import materials
from ecsphys.engine.dynamics.contacts.contact_blocks import SolverSettings
from ecsphys.engine.dynamics.joints.joint_rows import JointSettings
from ecsphys.engine.dynamics.step_end import SleepSettings
from ecsphys.engine.dynamics.strikes import StrikeStep
from ecsphys.engine.threads.shared_work import core_count
from ecsphys.systems.arguments import Integrator, KnownAttributes, Vector

MixingRule = Literal["geometric mean", "greater", "mean", "lesser", "product"]

MIXING_RULES: Final[dict[MixingRule, int]] = {
    "geometric mean": materials.MIX_GEOMETRIC,
    "greater": materials.MIX_GREATER,
    "mean": materials.MIX_MEAN,
    "lesser": materials.MIX_LESSER,
    "product": materials.MIX_PRODUCT,
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
        self._gravity = number_pair("gravity", value)


# Seconds that a body has to be slow before it may sleep.
_PATIENCE: Final = 0.5

# In lengths: colliders are solved if they are nearer to each other. Box2D has the same margin, four linear slops.
_MARGIN: Final = 0.02

# Of the margin: a surface that blocks from one side only still blocks what overlaps it by that.
_ONE_WAY_SLOP: Final = 0.25

# In lengths/s: the least change of the lighter body's velocity that is a strike. Smaller ones come from overlaps, as
# they are pushed apart.
_STRIKE_SPEED: Final = 0.5

# In Hz for each substep: joints get no stiffer, however short a step is.
_STIFFEST_JOINT: Final = 30.0


class SolverNumbers(NamedTuple):
    """What ``settings``, the attributes of ``Settings``, are to the engine; lengths are in units.

    ``margin``: colliders that are less far apart are solved. ``one_way_slop``: what overlaps by less is still blocked
    from one side. ``bounce_speed``: slower, nothing bounces.
    """

    settings: dict[str, Any]
    gravity: WorldGravity
    solver: SolverSettings
    joints: JointSettings
    mixing: materials.MixingRules
    sleep: SleepSettings
    margin: float
    one_way_slop: float
    bounce_speed: float
    strikes: StrikeStep


def numbers_of(settings: Settings, dt: float) -> SolverNumbers:
    """The numbers for steps of ``dt`` seconds."""
    unit = settings.length_unit
    return SolverNumbers(
        dict(vars(settings)),
        WorldGravity(*settings.gravity),
        SolverSettings(
            dt,
            settings.solver_substeps,
            settings.contact_hertz,
            settings.contact_damping_ratio,
            settings.push_out_speed * unit,
        ),
        JointSettings(
            min(settings.joint_hertz, _STIFFEST_JOINT * settings.solver_substeps),
            settings.joint_damping_ratio,
            settings.joint_iterations,
        ),
        materials.MixingRules(MIXING_RULES[settings.friction_mixing], MIXING_RULES[settings.restitution_mixing]),
        SleepSettings(settings.sleep_speed * unit, _PATIENCE),
        _MARGIN * unit,
        _ONE_WAY_SLOP * _MARGIN * unit,
        settings.restitution_threshold * unit,
        StrikeStep(dt, _STRIKE_SPEED * unit, 1.0),
    )
