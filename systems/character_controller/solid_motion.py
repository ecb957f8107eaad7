"""How solids have moved since a character was moved last: what carries it, and what pushes it.

Their transforms then and now tell it, so that it does not matter what moves them: velocities, trajectories, parents, or
the game itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.character_controller.move_and_slide import MoveContact, Point
from ecsphys.systems.character_controller.solids import Box, Solids
from ecsphys.systems.world.entity_table import Slots


@dataclass(frozen=True, slots=True)
class Support:
    """What is stood on: a collider, by its slot, and where."""

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
    one-way entities it is dropping through. ``clock``, ``floor_velocity`` and ``revision``, that of the journal of
    poses, are as of the last move; −1 before the first one.
    """

    transform_row: int
    place: Point = (0.0, 0.0)
    clock: float = 0.0
    floor: Support | None = None
    floor_velocity: Point = (0.0, 0.0)
    dropped: frozenset[int] = frozenset()
    revision: int = -1


class SolidMotion:
    """The motion of the solids since a revision of their journal.

    ``slots``: those that have moved, ascending; what was not there yet, or was another instance, has not.
    """

    __slots__ = ("_now", "_solids", "_then", "slots")

    def __init__(self, solids: Solids, revision: int) -> None:
        self._solids = solids
        slots, then = solids.journal.since(solids.journal.revision if revision < 0 else revision)
        now = then
        if slots.size:
            there = (solids.slots.absence[slots] == PRESENT) & solids.are_solid(slots)
            slots, then = slots[there], then[there]
            now = solids.poses(slots)
            moved = np.flatnonzero((now != then).any(axis=1))
            slots, then, now = slots[moved], then[moved], now[moved]
        self.slots: Slots = slots
        self._then = then
        self._now = now

    def _of(self, slot: int) -> tuple[list[float], list[float]] | None:
        """The poses of a solid then and now; None where it has not moved."""
        row = int(np.searchsorted(self.slots, slot))
        if row == len(self.slots) or self.slots[row] != slot:
            return None
        return self._then[row].tolist(), self._now[row].tolist()

    def has(self, slot: int) -> bool:
        """Whether a solid has moved."""
        return self._of(slot) is not None

    def at(self, slot: int, point: Point) -> Point:
        """By how much a solid's motion takes a point that was fixed to it: its turning counts."""
        poses = self._of(slot)
        return (0.0, 0.0) if poses is None else _taken(*poses, point)

    def velocity(self, slot: int, point: Point, elapsed: float) -> Point:
        """How fast a solid's motion took a point that is fixed to it where it is now, on the way there."""
        poses = self._of(slot)
        if poses is None:
            return 0.0, 0.0
        then, now = poses
        back = _taken(now, then, point)
        return (0.0 - back[0]) / elapsed, (0.0 - back[1]) / elapsed

    def pushing(self, box: Box, carry: Point, margin: float) -> dict[int, Point]:
        """Which of the moved solids may meet a mover in a box that is carried, and how they moved beside it."""
        slots = self.slots
        if not slots.size:
            return {}
        min_x, min_y, max_x, max_y = box
        center = np.array((0.5 * (min_x + max_x), 0.5 * (min_y + max_y)))
        then, now = self._then, self._now
        turn = now[:, 2] - then[:, 2]
        arm = center - then[:, :2]
        less, sine = -2.0 * np.sin(0.5 * turn) ** 2, np.sin(turn)
        moved = now[:, :2] - then[:, :2]
        moved[:, 0] += less * arm[:, 0] - sine * arm[:, 1]
        moved[:, 1] += sine * arm[:, 0] + less * arm[:, 1]
        boxes = self._solids.placed.boxes[slots]
        low = np.minimum(boxes[:, :2], boxes[:, :2] - moved) - margin
        high = np.maximum(boxes[:, 2:], boxes[:, 2:] - moved) + margin
        near = (low[:, 0] <= max_x + max(carry[0], 0.0)) & (high[:, 0] >= min_x + min(carry[0], 0.0))
        near &= (low[:, 1] <= max_y + max(carry[1], 0.0)) & (high[:, 1] >= min_y + min(carry[1], 0.0))
        return {int(slots[k]): (float(moved[k, 0]), float(moved[k, 1])) for k in np.flatnonzero(near)}


def _taken(then: list[float], now: list[float], point: Point) -> Point:
    """By how much a motion from one pose (x, y, angle) to another takes a point that was fixed to what moves."""
    x, y, angle = then
    new_x, new_y, new_angle = now
    if angle == new_angle:
        return new_x - x, new_y - y
    arm_x, arm_y = point[0] - x, point[1] - y
    # R(a) − 1 by half the angle, as the difference would lose small ones.
    half = 0.5 * (new_angle - angle)
    sine, cosine = math.sin(half), math.cos(half)
    less, turn = -2.0 * sine * sine, 2.0 * sine * cosine
    return new_x - x + less * arm_x - turn * arm_y, new_y - y + turn * arm_x + less * arm_y
