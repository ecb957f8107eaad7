"""The shooting range of the bullets' scene: all that is fired, and the walls, plates and pegs it is fired at."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

from ecsphys import AABBCollider, Bullet, CapsuleCollider, CircleCollider, Collider, OBBCollider, Transform
from ecsphys.demo.scenes.board import Pair, turned
from ecsphys.demo.scenes.bullets.film import Mover
from ecsphys.demo.scenes.bullets.ways import REACH, Circling, Straight, Thrown
from ecsphys.demo.scenes.sketch import Color

THIN, RADIUS = 0.1, 0.1
"""How thick all walls are, and the radius of all discs."""

SHOTS, PLATES = 24, (2.1, 3.2, 3.9, 5.5, 6.4, 7.3, 8.9, 10.1, 12.2, 13.4)
ROOMS = ((-12.75, 3.48), (-4.25, 3.48))
ROOM, ROOM_ANGLE = 1.9, 0.2
"""From a room's middle to its walls, and by how much it is turned."""
LANES = (6.35, 4.35, 1.65)
MUZZLE = 1.2
ARENA_RIGHT = 15.0
"""How far to the right plates can be."""
PLATE = 0.42
"""Half the height of a plate."""
HALF_BAR, BAR_RADIUS = 1.9, 0.09
ORBIT, ORBIT_RADIUS = (8.6, -4.7), 2.3

FLOWN: Color = (1.0, 0.30, 0.45)
STOPPED: Color = (0.25, 0.70, 1.0)
REPORTED: Color = (1.0, 0.66, 0.25)

_LAPS = 4
_MEETINGS = ((-11.33, -2.3), (-11.33, -4.0), (-11.33, -6.3))
BARS = ((-2.85, -4.6), (2.85, -4.6))
PEG_RADIUS = 0.13

_PEG = 1.45 * math.cos(1.0), 1.45 * math.sin(1.0)
_THROW = (13.2, -2.9), (2.9, 1.6), 5.4
_FLOOR = (15.2, -6.4)


@dataclass(frozen=True)
class Wall:
    """A thin wall: its entity and its place, and the way from its middle to an end."""

    entity: int
    place: Transform
    half: Pair

    def ends(self) -> tuple[float, float, float, float]:
        """x, y of one end, and of the other."""
        (x, y), place = self.half, self.place
        return place.x - x, place.y - y, place.x + x, place.y + y


@dataclass(frozen=True)
class Peg:
    """A small disc, and the middle of the bar that turns about it."""

    entity: int
    place: Transform
    pivot: Pair


class Range:
    """Fills the current world."""

    def __init__(self) -> None:
        self._stopping: list[Bullet] = []
        self.walls: list[Wall] = []
        self.pegs: list[Peg] = []
        self.plates: list[list[Transform]] = [[] for _ in PLATES]
        """Of each plate its places in all lanes."""
        self.rooms = [self._fill_room(place, is_swept=number == 1) for number, place in enumerate(ROOMS)]
        bullets, colors = (None, Bullet(stop=False), Bullet()), (FLOWN, REPORTED, STOPPED)
        self.lanes = [self._fill_lane(*lane) for lane in zip(LANES, bullets, colors, strict=True)]
        self.meetings = self._fill_meetings()
        self.bars = [self._fill_bar(place, is_swept=number == 1) for number, place in enumerate(BARS)]
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
        place = Transform(*middle, angle)
        half = half_length * math.cos(angle), half_length * math.sin(angle)
        self.walls.append(Wall(esper.create_entity(place, collider), place, half))

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
        for x, plates in zip(PLATES, self.plates, strict=True):
            self._build((x, y), PLATE, 0.5 * math.pi, AABBCollider(0.5 * THIN, PLATE))
            plates.append(self.walls[-1].place)
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
        peg = Transform(place[0] + _PEG[0], place[1] + _PEG[1])
        self.pegs.append(Peg(esper.create_entity(peg, CircleCollider(PEG_RADIUS)), peg, place))
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
        self.thrown = Thrown(*_THROW)
        ways = (Circling(ORBIT, ORBIT_RADIUS, 0.0), self.thrown)
        return [Mover(way, CircleCollider(RADIUS), STOPPED, self._bullet()) for way in ways]

    def move_guns(self, x: float, y: float) -> None:
        """Fire in both rooms from the same place, given from their middles as far as their walls allow."""
        reach = ROOM - 4.0 * RADIUS
        right, up = turned((x, y), -ROOM_ANGLE)
        x, y = turned((min(max(right, -reach), reach), min(max(up, -reach), reach)), ROOM_ANGLE)
        for movers, (middle_x, middle_y) in zip(self.rooms, ROOMS, strict=True):
            for mover in movers:
                assert isinstance(mover.way, Straight)
                mover.way.start = middle_x + x, middle_y + y, 0.0

    def move_plate(self, number: int, x: float) -> None:
        """Move a plate in all lanes; it stays between its neighbours."""
        low = self.plates[number - 1][0].x if number > 0 else MUZZLE
        high = self.plates[number + 1][0].x if number + 1 < len(self.plates) else ARENA_RIGHT
        for place in self.plates[number]:
            place.x = min(max(x, low + PLATE), high - PLATE)

    def move_pegs(self, x: float, y: float) -> None:
        """Move both pegs, as seen from their bars' middles, as far as the bars reach."""
        distance = math.hypot(x, y)
        factor = min(max(distance, 0.4), HALF_BAR) / max(distance, 1e-6)
        for peg in self.pegs:
            peg.place.x, peg.place.y = peg.pivot[0] + factor * x, peg.pivot[1] + factor * y

    def aim_throw(self, x: float, y: float) -> None:
        """Throw so that the curve ends at a place."""
        start = self.thrown.start
        self.thrown.way = x - start[0], y - start[1] + self.thrown.fall
