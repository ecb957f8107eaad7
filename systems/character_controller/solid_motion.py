"""How solids have moved since a character was moved last: what carries it, and what pushes it.

Their transforms then and now tell it, so that it does not matter what moves them: velocities, trajectories, parents, or
the game itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.systems.character_controller.move_and_slide import MoveContact, Point
from ecsphys.systems.character_controller.solid_cast import Box
from ecsphys.systems.character_controller.solids import Solids


@dataclass(frozen=True, slots=True)
class Support:
    """What is stood on: a collider, by its place among the solids, and where."""

    solid: int
    contact: MoveContact

    def moved(self, by: Point) -> Support:
        """The same elsewhere."""
        x, y = self.contact.point
        return replace(self, contact=replace(self.contact, point=(x + by[0], y + by[1])))


@dataclass(slots=True)
class CharacterMemory:
    """What is remembered of a character from one move to the next.

    ``transform_row`` and ``place``: its transform, and where it was left. ``floor``: what it stood on. ``dropped``: the
    one-way entities it is dropping through. ``clock`` and ``floor_velocity`` are as of the last move, and so are
    ``poses`` (n, 3) of all solids: x, y, and the angle; none before the first move.
    """

    transform_row: int
    place: Point = (0.0, 0.0)
    clock: float = 0.0
    floor: Support | None = None
    floor_velocity: Point = (0.0, 0.0)
    dropped: frozenset[int] = frozenset()
    poses: NDArray[float64] = field(default_factory=lambda: np.zeros((0, 3)))

    def carried(self, successor: NDArray[int64], count: int) -> CharacterMemory:
        """The same among ``count`` other solid colliders: the present ones are at ``successor`` (n,), −1 where gone."""
        poses = np.full((count, 3), np.nan)
        kept = np.flatnonzero(successor >= 0)
        poses[successor[kept]] = self.poses[kept]
        floor = self.floor
        if floor is not None:
            solid = int(successor[floor.solid])
            floor = replace(floor, solid=solid) if solid >= 0 else None
        return replace(self, poses=poses, floor=floor)


class SolidMotion:
    """The motion of all solids between the poses (n, 3) that are remembered and those of now.

    ``rows``: those that have moved; what was not there yet, or was another instance, has not.
    """

    __slots__ = ("_now", "_solids", "_then", "rows")

    def __init__(self, solids: Solids, then: NDArray[float64], now: NDArray[float64]) -> None:
        self._solids = solids
        self._then = then
        self._now = now
        # Column by column: a reduction over three of each row takes many times as long.
        differs = now[:, 0] != then[:, 0]
        differs |= now[:, 1] != then[:, 1]
        differs |= now[:, 2] != then[:, 2]
        differs &= then[:, 0] == then[:, 0]  # NaN: it was not there
        self.rows: NDArray[np.intp] = np.flatnonzero(differs)

    def at(self, row: int, point: Point) -> Point:
        """By how much a solid's motion takes a point that was fixed to it: its turning counts."""
        x, y, angle = self._then[row].tolist()
        new_x, new_y, new_angle = self._now[row].tolist()
        if angle == new_angle:
            return new_x - x, new_y - y
        arm_x, arm_y = point[0] - x, point[1] - y
        # R(a) − 1 by half the angle, as the difference would lose small ones.
        half = 0.5 * (new_angle - angle)
        sine, cosine = math.sin(half), math.cos(half)
        less, turn = -2.0 * sine * sine, 2.0 * sine * cosine
        return new_x - x + less * arm_x - turn * arm_y, new_y - y + turn * arm_x + less * arm_y

    def velocity(self, row: int, point: Point, elapsed: float) -> Point:
        """How fast a solid's motion took a point that is fixed to it where it is now, on the way there.

        (0, 0) for one that was not there yet.
        """
        if np.isnan(self._then[row]).any():
            return 0.0, 0.0
        back = SolidMotion(self._solids, self._now, self._then).at(row, point)
        return (0.0 - back[0]) / elapsed, (0.0 - back[1]) / elapsed

    def pushing(self, box: Box, carry: Point, margin: float) -> dict[int, Point]:
        """Which of the moved solids may meet a mover in a box that is carried, and how they moved beside it."""
        rows = self.rows
        if not rows.size:
            return {}
        min_x, min_y, max_x, max_y = box
        center = np.array((0.5 * (min_x + max_x), 0.5 * (min_y + max_y)))
        then, now = self._then[rows], self._now[rows]
        turn = now[:, 2] - then[:, 2]
        arm = center - then[:, :2]
        less, sine = -2.0 * np.sin(0.5 * turn) ** 2, np.sin(turn)
        moved = now[:, :2] - then[:, :2]
        moved[:, 0] += less * arm[:, 0] - sine * arm[:, 1]
        moved[:, 1] += sine * arm[:, 0] + less * arm[:, 1]
        boxes = self._solids.placed.boxes[rows]
        low = np.minimum(boxes[:, :2], boxes[:, :2] - moved) - margin
        high = np.maximum(boxes[:, 2:], boxes[:, 2:] - moved) + margin
        near = (low[:, 0] <= max_x + max(carry[0], 0.0)) & (high[:, 0] >= min_x + min(carry[0], 0.0))
        near &= (low[:, 1] <= max_y + max(carry[1], 0.0)) & (high[:, 1] >= min_y + min(carry[1], 0.0))
        return {int(rows[k]): (float(moved[k, 0]), float(moved[k, 1])) for k in np.flatnonzero(near)}


def poses_of(solids: Solids) -> NDArray[float64]:
    """Where the solids are placed, (n, 3): x, y, and the angle, 0 for those that never turn."""
    return np.column_stack((solids.placed.positions, solids.angles))
