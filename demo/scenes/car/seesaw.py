"""A seesaw, whose nearer end is down when the car comes."""

from __future__ import annotations

import esper

from ecsphys import CollisionFilter, OBBCollider, RevoluteJoint, RigidBody, Transform
from ecsphys.demo.scenes.car.layers import BEAM_FILTER
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.patterns.pattern import WOOD
from ecsphys.demo.scenes.rigid.tint import put

PIVOT = 0.95
"""The height of its pivot above the ground."""
_HALF_LENGTH, _TILT = 3.4, 0.3
_TORQUE, _SPEED = 14.0, 0.8
"""Of a weak motor: far less than the weight of a car turns it."""
_NEAR = 4.5
"""Units from the pivot within which the car alone moves it."""


class Seesaw:
    """A beam on a pivot."""

    def __init__(self, x: float, ground: float) -> None:
        self.x, self.y = x, ground + PIVOT
        beam = put(
            dusk.WOOD_LIGHT,
            Transform(x, self.y),
            OBBCollider(_HALF_LENGTH, 0.12),
            RigidBody(density=1.5, friction=0.9),
            CollisionFilter(*BEAM_FILTER),
            pattern=WOOD,
        )
        self._joint = RevoluteJoint.at(
            None, beam, x, self.y, has_limits=True, lower=-_TILT, upper=_TILT, max_torque=_TORQUE
        )
        esper.create_entity(self._joint)
        self.lean_towards(x - 10.0)

    def lean_towards(self, x: float) -> None:
        """Let the end on the side of x go down, unless x is close."""
        if abs(x - self.x) > _NEAR:
            speed = _SPEED if x < self.x else -_SPEED
            if self._joint.motor_speed != speed:
                self._joint.motor_speed = speed
