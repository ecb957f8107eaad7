"""The shooting range of the bullets' scene: all that is fired, and the walls, plates and pegs it is fired at."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

from ecsphys import AABBCollider, Bullet, CapsuleCollider, CircleCollider, Collider, OBBCollider, Transform
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.bullet_film import Mover
from ecsphys.demo.scenes.bullet_ways import REACH, Circling, Straight, Thrown
from ecsphys.demo.scenes.sketch import Color

THIN, RADIUS = 0.1, 0.1
"""How thick all walls are, and the radius of all discs."""

SHOTS, PLATES = 24, (2.1, 3.2, 3.9, 5.5, 6.4, 7.3, 8.9, 10.1, 12.2, 13.4)
ROOMS = ((-12.75, 3.48), (-4.25, 3.48))
ROOM, ROOM_ANGLE = 1.9, 0.2
"""From a room's middle to its walls, and by how much it is turned."""
LANES = (6.35, 4.35, 1.65)
MUZZLE = 1.2
PLATE = 0.42
"""Half the height of a plate."""
HALF_BAR, BAR_RADIUS = 1.9, 0.09
ORBIT, ORBIT_RADIUS = (8.6, -4.7), 2.3

FLOWN: Color = (1.0, 0.30, 0.45)
STOPPED: Color = (0.25, 0.70, 1.0)
REPORTED: Color = (1.0, 0.66, 0.25)

_LAPS = 4
_MEETINGS = ((-11.33, -2.3), (-11.33, -4.0), (-11.33, -6.3))
_BARS = ((-2.85, -4.6), (2.85, -4.6))
PEG_RADIUS = 0.13

_PEG = 1.45 * math.cos(1.0), 1.45 * math.sin(1.0)
_THROW = (13.2, -2.9), (2.9, 1.6), 5.4
_FLOOR = (15.2, -6.4)


@dataclass(frozen=True)
class Wall:
    """A thin wall as it is drawn: a line from end to end."""

    entity: int
    a: Pair
    b: Pair


@dataclass(frozen=True)
class Peg:
    """A small disc that is fixed."""

    entity: int
    middle: Pair


class Range:
    """Fills the current world."""

    def __init__(self) -> None:
        self._stopping: list[Bullet] = []
        self.walls: list[Wall] = []
        self.pegs: list[Peg] = []
        self.rooms = [self._fill_room(place, is_swept=number == 1) for number, place in enumerate(ROOMS)]
        bullets, colors = (None, Bullet(stop=False), Bullet()), (FLOWN, REPORTED, STOPPED)
        self.lanes = [self._fill_lane(*lane) for lane in zip(LANES, bullets, colors, strict=True)]
        self.meetings = self._fill_meetings()
        self.bars = [self._fill_bar(place, is_swept=number == 1) for number, place in enumerate(_BARS)]
        self.curves = self._fill_curves()
        self.movers = [*self.rooms[0], *self.rooms[1], *self.lanes, *self.meetings, *self.bars, *self.curves]

    @property
    def stop(self) -> bool:
        """Whether bullets stop, but for those in the lanes, where that is fixed."""
        return bool(self._stopping[0].stop)

    @stop.setter
    def stop(self, value: bool) -> None:
        for bullet in self._stopping:
            bullet.stop = value

    def _bullet(self) -> Bullet:
        self._stopping.append(Bullet())
        return self._stopping[-1]

    def _build(self, middle: Pair, half_length: float, angle: float, collider: Collider) -> None:
        entity = esper.create_entity(Transform(*middle, angle), collider)
        x, y = half_length * math.cos(angle), half_length * math.sin(angle)
        self.walls.append(Wall(entity, (middle[0] - x, middle[1] - y), (middle[0] + x, middle[1] + y)))

    def _fill_room(self, place: Pair, is_swept: bool) -> list[Mover]:
        for side in range(4):
            angle = ROOM_ANGLE + 0.5 * math.pi * side
            middle = place[0] - ROOM * math.sin(angle), place[1] + ROOM * math.cos(angle)
            self._build(middle, ROOM, angle, OBBCollider(ROOM, 0.5 * THIN))
        return [
            Mover(
                Straight((*place, 0.0), math.tau * (number + 0.5) / SHOTS),
                CircleCollider(RADIUS),
                STOPPED if is_swept else FLOWN,
                self._bullet() if is_swept else None,
            )
            for number in range(SHOTS)
        ]

    def _fill_lane(self, y: float, bullet: Bullet | None, color: Color) -> Mover:
        for x in PLATES:
            self._build((x, y), PLATE, 0.5 * math.pi, AABBCollider(0.5 * THIN, PLATE))
        return Mover(Straight((MUZZLE, y, 0.0)), CircleCollider(RADIUS), color, bullet, _LAPS)

    def _fill_meetings(self) -> list[Mover]:
        """Head on, head on with one four times as slow, and across."""
        (x, first), (_, second), (_, third) = _MEETINGS
        ways = (
            Straight((x - 3.1, first, 0.0)),
            Straight((x + 3.1, first, 0.0), math.pi),
            Straight((x - 3.1, second, 0.0)),
            Straight((x + 0.8, second, 0.0), math.pi, 0.25),
            Straight((x - 2.4, third + 1.1, 0.0), -0.42),
            Straight((x - 2.4, third - 1.1, 0.0), 0.42),
        )
        return [Mover(way, CircleCollider(RADIUS), STOPPED, self._bullet(), group=0) for way in ways]

    def _fill_bar(self, place: Pair, is_swept: bool) -> Mover:
        peg = place[0] + _PEG[0], place[1] + _PEG[1]
        self.pegs.append(Peg(esper.create_entity(Transform(*peg), CircleCollider(PEG_RADIUS)), peg))
        return Mover(
            Straight((*place, 0.0), share=0.0, turn=REACH / (HALF_BAR + BAR_RADIUS)),
            CapsuleCollider(2.0 * HALF_BAR, BAR_RADIUS),
            STOPPED if is_swept else FLOWN,
            self._bullet() if is_swept else None,
        )

    def _fill_curves(self) -> list[Mover]:
        """Round a circle to a plate that the chord of the step would pass by, and down to a floor."""
        angle = 0.75
        reach = ORBIT_RADIUS + 0.15
        middle = ORBIT[0] + reach * math.cos(angle), ORBIT[1] + reach * math.sin(angle)
        self._build(middle, 0.4, angle, OBBCollider(0.4, 0.5 * THIN))
        self._build(_FLOOR, 1.5, 0.0, AABBCollider(1.5, 0.5 * THIN))
        ways = (Circling(ORBIT, ORBIT_RADIUS, 0.0), Thrown(*_THROW))
        return [Mover(way, CircleCollider(RADIUS), STOPPED, self._bullet()) for way in ways]
