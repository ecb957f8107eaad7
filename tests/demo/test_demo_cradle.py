"""Newton's cradle: the balls that wait hang still, for as long as it swings."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import RevoluteJoint, Transform
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.rigid.cradle import BALLS, RADIUS


def away() -> NDArray[float64]:
    """How far each ball is from where it hangs, sideways; a row for each cradle."""
    rows = sorted(esper.get_components(Transform, RevoluteJoint), key=lambda row: row[0])
    return np.array([place.x - hinge.x_a for _, (place, hinge) in rows]).reshape(2, BALLS)


def test_the_balls_that_wait_hang_still_for_two_minutes() -> None:
    live = open_scene("cradle")
    widest = np.zeros((2, BALLS))
    for step in range(120 * 60):
        if step == 110 * 60:
            widest[:] = 0.0
        live.step()
        widest = np.maximum(widest, np.abs(away()))
        # One ball goes out where one came in, and two where two came in.
        assert widest[0, 1:4].max() < 0.25 * RADIUS
        assert widest[1, 2] < 0.3 * RADIUS
    assert widest[0, [0, 4]].min() > 1.5
    assert widest[1, [0, 1, 3, 4]].min() > 1.5
