"""``physics.settings``: how a world's physics is computed. Each value is checked when it is assigned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

from ecsphys.components.store.column import as_float, finite_number, show
from ecsphys.engine.dynamics.contacts.materials import MIX_GEOMETRIC, MIX_GREATER, MIX_LESSER, MIX_MEAN, MIX_PRODUCT
from ecsphys.engine.threads.shared_work import core_count
from ecsphys.systems.arguments import INTEGRATORS, Integrator, Vector, pair_of_numbers, whole_number
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

_MOST_SUBSTEPS = 1_000_000
_MOST_REPETITIONS = 1000


class Settings(KnownAttributes):
    """The settings of one world's physics; ``physics.settings`` is one.

    You may change a setting between steps. A bad value raises ValueError, or TypeError if it is not a number.

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
        self.cell_size = cell_size
        self.motion_substeps = motion_substeps
        self.integrator = integrator
        self.threads = core_count() if threads is None else threads
        self.solver_substeps = 4
        self.length_unit = 1.0
        self.contact_hertz = math.inf
        self.contact_damping_ratio = 10.0
        self.joint_hertz = math.inf
        self.joint_damping_ratio = 2.0
        self.joint_iterations = 1
        self.push_out_speed = 3.0
        self.restitution_threshold = 1.0
        self.sleep_speed = 0.05
        self.friction_mixing = "geometric mean"
        self.restitution_mixing = "greater"

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

    @property
    def cell_size(self) -> float | None:
        return self._cell_size

    @cell_size.setter
    def cell_size(self, value: float | None) -> None:
        if value is not None and finite_number("cell_size", value) <= 0.0:
            raise ValueError(f"cell_size must be greater than 0, or None for automatic, got {value!r}")
        self._cell_size = None if value is None else float(value)

    @property
    def motion_substeps(self) -> int:
        return self._motion_substeps

    @motion_substeps.setter
    def motion_substeps(self, value: int) -> None:
        self._motion_substeps = _repetitions("motion_substeps", value, _MOST_SUBSTEPS)

    @property
    def integrator(self) -> Integrator:
        return self._integrator

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        if not isinstance(value, str) or value not in INTEGRATORS:
            raise ValueError(f"integrator must be one of {', '.join(map(repr, INTEGRATORS))}, got {value!r}")
        self._integrator = value

    @property
    def threads(self) -> int:
        return self._threads

    @threads.setter
    def threads(self, value: int) -> None:
        count = whole_number("threads", value)
        if count < 1:
            raise ValueError(f"threads must be 1 or more, got {value!r}")
        self._threads = count

    @property
    def solver_substeps(self) -> int:
        return self._solver_substeps

    @solver_substeps.setter
    def solver_substeps(self, value: int) -> None:
        self._solver_substeps = _repetitions("solver_substeps", value, _MOST_REPETITIONS)

    @property
    def length_unit(self) -> float:
        return self._length_unit

    @length_unit.setter
    def length_unit(self, value: float) -> None:
        self._length_unit = _positive("length_unit", value)

    @property
    def contact_hertz(self) -> float:
        return self._contact_hertz

    @contact_hertz.setter
    def contact_hertz(self, value: float) -> None:
        self._contact_hertz = _frequency("contact_hertz", value)

    @property
    def contact_damping_ratio(self) -> float:
        return self._contact_damping_ratio

    @contact_damping_ratio.setter
    def contact_damping_ratio(self, value: float) -> None:
        self._contact_damping_ratio = _positive("contact_damping_ratio", value)

    @property
    def joint_hertz(self) -> float:
        return self._joint_hertz

    @joint_hertz.setter
    def joint_hertz(self, value: float) -> None:
        self._joint_hertz = _frequency("joint_hertz", value)

    @property
    def joint_damping_ratio(self) -> float:
        return self._joint_damping_ratio

    @joint_damping_ratio.setter
    def joint_damping_ratio(self, value: float) -> None:
        self._joint_damping_ratio = _positive("joint_damping_ratio", value)

    @property
    def joint_iterations(self) -> int:
        return self._joint_iterations

    @joint_iterations.setter
    def joint_iterations(self, value: int) -> None:
        self._joint_iterations = _repetitions("joint_iterations", value, _MOST_REPETITIONS)

    @property
    def push_out_speed(self) -> float:
        return self._push_out_speed

    @push_out_speed.setter
    def push_out_speed(self, value: float) -> None:
        self._push_out_speed = _positive("push_out_speed", value)

    @property
    def restitution_threshold(self) -> float:
        return self._restitution_threshold

    @restitution_threshold.setter
    def restitution_threshold(self, value: float) -> None:
        self._restitution_threshold = _not_negative("restitution_threshold", value)

    @property
    def sleep_speed(self) -> float:
        return self._sleep_speed

    @sleep_speed.setter
    def sleep_speed(self, value: float) -> None:
        self._sleep_speed = _not_negative("sleep_speed", value)

    @property
    def friction_mixing(self) -> MixingRule:
        return self._friction_mixing

    @friction_mixing.setter
    def friction_mixing(self, value: MixingRule) -> None:
        self._friction_mixing = _mixing_rule("friction_mixing", value)

    @property
    def restitution_mixing(self) -> MixingRule:
        return self._restitution_mixing

    @restitution_mixing.setter
    def restitution_mixing(self, value: MixingRule) -> None:
        self._restitution_mixing = _mixing_rule("restitution_mixing", value)


def _repetitions(name: str, value: Any, most: int) -> int:
    count = whole_number(name, value)
    if not 1 <= count <= most:
        raise ValueError(f"{name} must be 1 to {most}, got {value!r}")
    return count


def _positive(name: str, value: Any) -> float:
    number = finite_number(name, value)
    if number <= 0.0:
        raise ValueError(f"{name} must be greater than 0, got {value!r}")
    return number


def _frequency(name: str, value: Any) -> float:
    return math.inf if as_float(name, value) == math.inf else _positive(name, value)


def _not_negative(name: str, value: Any) -> float:
    number = finite_number(name, value)
    if number < 0.0:
        raise ValueError(f"{name} must be at least 0, got {value!r}")
    return number


def _mixing_rule(name: str, value: Any) -> MixingRule:
    if not isinstance(value, str) or value not in MIXING_RULES:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, MIXING_RULES))}, got {show(value)}")
    rule: MixingRule = value
    return rule
