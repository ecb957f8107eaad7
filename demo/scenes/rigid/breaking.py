"""A bridge whose hinges break: weights fall on it, each heavier than the last."""

from __future__ import annotations

from functools import partial

import esper
import numpy as np

from ecsphys import OBBCollider, RigidBody, Transform
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.patterns.pattern import CRATE
from ecsphys.demo.scenes.rigid.bridge import BANK, HEIGHT, Bridge, put_banks
from ecsphys.demo.scenes.rigid.program import Act, Program
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, show
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_WEIGHTS = 7
_SECONDS = 2.0
_PLACES = (0.0, -5.0, 5.0, -2.5, 2.5, -6.0, 1.0)
_BREAK = 900.0


class Weights:
    """The boxes that have been dropped."""

    def __init__(self) -> None:
        self._dropped: list[int] = []

    def clear(self) -> None:
        """Take them all away."""
        for weight in self._dropped:
            if esper.entity_exists(weight):
                esper.delete_entity(weight, immediate=True)
        self._dropped.clear()

    def drop(self, number: int) -> None:
        """Let one fall, the larger the later it comes."""
        half = 0.4 + 0.14 * number
        color = blend(WARM, number / (_WEIGHTS - 1))
        place = Transform(_PLACES[number], 15.0, 0.2 * number)
        self._dropped.append(put(color, place, OBBCollider(half, half), RigidBody(), pattern=CRATE))


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    physics.settings.joint_iterations = 4
    bridge = Bridge(put_banks(), (LEFT + BANK, RIGHT - BANK), HEIGHT, 1.8, COOL[1], _BREAK)
    weights = Weights()
    bridge.join()
    acts: list[Act] = [(0.0, weights.clear), (0.0, bridge.join)]
    acts += [(1.0 + _SECONDS * number, partial(weights.drop, number)) for number in range(_WEIGHTS)]
    esper.add_processor(Program(1.0 + _SECONDS * _WEIGHTS + 5.0, *acts), priority=450)
    return show(
        physics,
        [
            Caption(
                LEFT + 0.3,
                16.4,
                "Pull at the bridge until a hinge breaks",
                "RevoluteJoint.break_force; event joint_broken",
            )
        ],
        [
            Parameter(
                "break force",
                lambda: bridge.break_force or 0.0,
                bridge.set_strength,
                (500.0, 900.0, 1500.0, 3000.0),
            )
        ],
        [Reading("hinges that hold", lambda: f"{bridge.whole()} of {bridge.hinges}")],
    )
