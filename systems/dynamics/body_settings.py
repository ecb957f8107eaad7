"""The settings of rigid bodies and their solver, checked where they are assigned."""

from __future__ import annotations

import math
from typing import Any, Final, Literal

from ecsphys.components.store.column import as_float, finite_number, show
from ecsphys.engine.dynamics.materials import MIX_GEOMETRIC, MIX_GREATER, MIX_LESSER, MIX_MEAN, MIX_PRODUCT
from ecsphys.systems.settings import whole_number

MixingRule = Literal["geometric mean", "greater", "mean", "lesser", "product"]

MIXING_RULES: Final[dict[MixingRule, int]] = {
    "geometric mean": MIX_GEOMETRIC,
    "greater": MIX_GREATER,
    "mean": MIX_MEAN,
    "lesser": MIX_LESSER,
    "product": MIX_PRODUCT,
}

_MOST_REPETITIONS = 1000


class BodySettings:
    """How the rigid bodies of one world are solved, and when they sleep.

    Described where they are public, in :class:`~ecsphys.systems.dynamics.bodies.Bodies`.
    """

    def __init__(self) -> None:
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

    @property
    def solver_substeps(self) -> int:
        return self._solver_substeps

    @solver_substeps.setter
    def solver_substeps(self, value: int) -> None:
        self._solver_substeps = _repetitions("solver_substeps", value)

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
        self._joint_iterations = _repetitions("joint_iterations", value)

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


def _repetitions(name: str, value: Any) -> int:
    count = whole_number(name, value)
    if not 1 <= count <= _MOST_REPETITIONS:
        raise ValueError(f"{name} must be 1 to {_MOST_REPETITIONS}, got {value!r}")
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
