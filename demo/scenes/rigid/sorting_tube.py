"""The tube of the sorting machine: its air lifts bodies from the end of the belt and blows them to the start."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Physics, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, plank
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE
from ecsphys.demo.scenes.sketch import Sketch, rectangles
from ecsphys.demo.scenes.tools.blast import DynamicBodies

SHAFT = 16.6
"""Where the shaft begins; it ends at the wall."""
_INLET = (9.6, 11.5)
"""From where to where, in height, it is open to the belt."""
_LOW, _HIGH = 14.4, 16.2
"""The bottom and the top of the part that leads back."""
_OUTLET = LEFT + 3.4
_AIR = 7.0
"""Units/s."""
_PULL = 8.0
"""How much of the air's speed a body takes on, each second."""
_BEND = 0.9
"""The radius of the air's way round the corner."""
_STREAKS, _STREAK = 40, 0.9
_WALL = 0.12


class Tube(esper.Processor):
    """Walls, and air that blows along the middle between them; bodies inside feel no weight."""

    def __init__(self, physics: Physics) -> None:
        self.carried = 0
        """How many bodies have been taken back."""
        self._physics = physics
        self._bodies = DynamicBodies()
        self._inside: set[int] = set()
        self._blown = 0.0
        middle = 0.5 * (SHAFT + RIGHT)
        turns = np.linspace(0.0, 0.5 * np.pi, 7)
        outward = np.column_stack((np.cos(turns), np.sin(turns)))
        corner = (middle - _BEND, 0.5 * (_LOW + _HIGH) - _BEND) + _BEND * outward
        self._path = np.vstack(((middle, _INLET[0] + 0.3), corner, (_OUTLET - 1.0, corner[-1, 1])))
        self._outward = np.vstack((outward[0], outward, outward[-1]))
        self._along = np.concatenate(((0.0,), np.cumsum(np.hypot(*np.diff(self._path, axis=0).T))))
        self._phases = np.linspace(0.0, 1.0, _STREAKS, endpoint=False)
        plank(SHAFT, 0.5 * (_INLET[1] + _LOW), _WALL, 0.5 * (_LOW - _INLET[1]), color=MACHINE)
        for y in (_LOW - _WALL, _HIGH + _WALL):
            right = SHAFT + _WALL if y < _HIGH else RIGHT
            plank(0.5 * (_OUTLET + right), y, 0.5 * (right - _OUTLET), _WALL, color=MACHINE)
        plank(RIGHT - 0.42, _HIGH - 0.42, 0.6, _WALL, -0.25 * np.pi, color=MACHINE)

    def process(self, dt: float) -> None:
        self._blown += _AIR * dt
        entities, _, velocities = self._bodies()
        places = self._bodies.places()
        inside = _is_inside(places)
        if not inside.any():
            return
        carried = set(entities[inside & (places[:, 0] > SHAFT)].tolist())
        self.carried += len(carried - self._inside)
        self._inside = carried
        own = np.column_stack([Velocity.column(name, writable=False)[velocities[inside]] for name in ("x", "y")])
        part = min(_PULL * dt, 1.0)
        own += part * (_air(places[inside]) - own) - dt * np.array(self._physics.gravity)
        self._physics.bodies.set_velocity(entities[inside], own)

    def paint(self, sketch: Sketch) -> None:
        """The air, as streaks that run along the middle of the tube."""
        boxes = np.array([(SHAFT, _INLET[0], RIGHT, _HIGH), (_OUTLET, _LOW, SHAFT, _HIGH)])
        sketch.triangles(rectangles(boxes), np.array([[*COOL[1], 0.1]]))
        length = float(self._along[-1])
        head: NDArray[float64] = (self._phases * length + self._blown) % length
        # Side by side in the tube, by the golden ratio.
        offset: NDArray[float64] = 1.3 * ((np.arange(_STREAKS, dtype=float64) * 0.618) % 1.0 - 0.5)
        starts, ends = self._at(np.maximum(head - _STREAK, 0.0, dtype=float64), offset), self._at(head, offset)
        sketch.strokes(starts, ends, 1.4, palette.GUIDE, 0.35)

    def _at(self, along: NDArray[float64], offset: NDArray[float64]) -> NDArray[float64]:
        """Places along the middle of the tube, moved to its side."""
        x, y, outward_x, outward_y = (
            np.interp(along, self._along, column) for column in (*self._path.T, *self._outward.T)
        )
        return np.column_stack((x + offset * outward_x, y + offset * outward_y))


def _is_inside(places: NDArray[float64]) -> NDArray[np.bool_]:
    x, y = places.T
    shaft = (x > SHAFT - 0.5) & (y > _INLET[0]) & ((y < _INLET[1]) | (x > SHAFT))
    back = (x > _OUTLET) & (y > _LOW)
    inside: NDArray[np.bool_] = (shaft | back) & (y < _HIGH + 0.2)
    return inside


def _air(places: NDArray[float64]) -> NDArray[float64]:
    """How fast the air is at places inside: up the shaft, round the corner, and back, always towards the middle."""
    x, y = places.T
    middle_x, middle_y = 0.5 * (SHAFT + RIGHT), 0.5 * (_LOW + _HIGH)
    up = np.column_stack((3.0 * (middle_x - x), np.full(len(x), _AIR)))
    back = np.column_stack((np.full(len(x), -_AIR), 3.0 * (middle_y - y)))
    air: NDArray[float64] = np.where((y < _LOW)[:, None], up, back)
    return air
