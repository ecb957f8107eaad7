"""The results of moves: one, or many as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.character.move_kernel import (
    CARRIED,
    CLIMBED,
    FLOOR_ENTITY,
    FLOOR_NORMAL,
    HAS_SNAPPED,
    IS_CRUSHED,
    IS_ON_CEILING,
    IS_ON_FLOOR,
    IS_ON_WALL,
    MOVED,
    OF_FLOOR,
    PUSHED,
    REMAINING,
    WALL_COUNT,
)
from ecsphys.engine.character.mover import CONTACT_COLUMNS, CONTACT_NORMAL, CONTACT_POINT, OF_ENTITY

Point = tuple[float, float]


class MoveContact(NamedTuple):
    """A solid that stopped or turned a moved entity.

    Attributes
    ----------
    entity
        The solid entity.
    normal
        Unit vector away from its surface, towards the moved entity.
    point
        The point of contact, in the world; for two flat sides, one end of the line on which they touch.
    """

    entity: int
    normal: Point
    point: Point


class MoveResult(NamedTuple):
    """The result of :meth:`~ecsphys.Physics.move_and_slide`.

    Attributes
    ----------
    moved
        (x, y) by which the ``Transform`` was moved, units, including the way out of an overlap at the start.
    remaining
        The part (x, y) of the displacement that solids stopped, units.
    on_floor, on_wall, on_ceiling
        Whether it ran into a floor (the normal is within 45° of up), a ceiling (within 45° of down) or a wall (all
        others). It is also on the floor in a wedge of two walls that hold it together. It is on the floor only if it is
        pushed against the floor, so apply gravity in every step.
    contacts
        The solids that it ran into, in this order.
    """

    moved: Point
    remaining: Point
    on_floor: bool
    on_wall: bool
    on_ceiling: bool
    contacts: tuple[MoveContact, ...]


class CharacterMove(NamedTuple):
    """The result of :meth:`~ecsphys.Physics.move_character`.

    Attributes
    ----------
    moved
        (x, y) by which the ``Transform`` was moved in total, units.
    remaining
        The part (x, y) of the displacement that the character did not move: solids stopped it, or steps and snapping
        replaced it.
    on_floor, on_wall, on_ceiling
        Whether it stands on a floor, or ran into a wall or a ceiling. A floor is at most as steep as its
        ``slope_limit``; a ceiling is the same upside down. It stands on a floor without being pulled down. While it
        moves up, it is on a floor only if it runs into one.
    contacts
        The solids that it ran into or stands on, in this order.
    floor, floor_normal
        The entity on which it stands and the unit normal there; None and (0, 0) in the air.
    floor_velocity
        (x, y) in units/s: the floor's velocity under the character, over the time since the last move.
    stepped
        The height that it climbed by steps, in units.
    snapped
        Whether it followed the floor farther down than its displacement.
    carried, pushed
        (x, y) by which its floor moved it, and by which solids that moved into it moved it.
    crushed
        Whether it is still inside a solid. Between two solids there may be no way out.
    walls
        The nearest walls within its ``wall_reach`` at its new position, whether it pushes against them or not. There is
        at most one wall on each side; the wall to the left of up comes first. Their normals point to the character.
    """

    moved: Point
    remaining: Point
    on_floor: bool
    on_wall: bool
    on_ceiling: bool
    contacts: tuple[MoveContact, ...]
    floor: int | None
    floor_normal: Point
    floor_velocity: Point
    stepped: float
    snapped: bool
    carried: Point
    pushed: Point
    crushed: bool
    walls: tuple[MoveContact, ...]


class CharacterMoves:
    """The results of n moves of characters, in their order: a column for each field of :class:`CharacterMove`.

    ``moves[i]`` is move i as a :class:`CharacterMove`; negative numbers count from the end. Later moves do not change
    the arrays.

    Attributes
    ----------
    moved, remaining, floor_normal, floor_velocity, carried, pushed
        (n, 2) float64.
    stepped
        (n,) float64.
    on_floor, on_wall, on_ceiling, snapped, crushed
        (n,) bool.
    floor
        (n,) int64, −1 in the air.
    wall_entity, wall_normal, wall_point
        (n, 2) int64, −1 for none, (n, 2, 2) and (n, 2, 2) float64: the nearest wall within its ``wall_reach`` to the
        left of up, and the nearest wall to the right.
    contact_start
        (n + 1,) int64: the contacts of move i are ``contact_start[i]:contact_start[i + 1]``.
    contact_entity
        (m,) int64.
    contact_normal, contact_point
        (m, 2) float64.
    """

    __slots__ = ("_contacts", "_numbers", "_values", "_walls", "contact_start")

    def __init__(
        self,
        values: NDArray[float64],
        numbers: NDArray[int64],
        walls: NDArray[float64],
        contact_start: NDArray[int64],
        contacts: NDArray[float64],
    ) -> None:
        self._values = values
        self._numbers = numbers
        self._walls = walls.reshape(-1, 2, CONTACT_COLUMNS)
        self._contacts = contacts
        self.contact_start = contact_start

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, i: int) -> CharacterMove:
        numbers = self._numbers[i]
        place = i if i >= 0 else i + len(self)
        contacts = self._contacts[self.contact_start[place] : self.contact_start[place + 1]]
        walls = self._walls[i].tolist()
        return character_move(self._values[i].tolist(), numbers.tolist(), contacts.tolist(), walls)

    def __iter__(self) -> Iterator[CharacterMove]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"CharacterMoves of {len(self)}"

    def _pair(self, first: int) -> NDArray[float64]:
        return self._values[:, first : first + 2]

    def _flag(self, column: int) -> NDArray[bool_]:
        flags: NDArray[bool_] = self._numbers[:, column] != 0
        return flags

    @property
    def moved(self) -> NDArray[float64]:
        """(x, y) by which each ``Transform`` was moved."""
        return self._pair(MOVED)

    @property
    def remaining(self) -> NDArray[float64]:
        """The part of each displacement that the character did not move."""
        return self._pair(REMAINING)

    @property
    def on_floor(self) -> NDArray[bool_]:
        """Whether each stands on a floor."""
        return self._flag(IS_ON_FLOOR)

    @property
    def on_wall(self) -> NDArray[bool_]:
        """Whether each ran into a wall."""
        return self._flag(IS_ON_WALL)

    @property
    def on_ceiling(self) -> NDArray[bool_]:
        """Whether each ran into a ceiling."""
        return self._flag(IS_ON_CEILING)

    @property
    def floor(self) -> NDArray[int64]:
        """The entity on which each stands, −1 in the air."""
        floor: NDArray[int64] = self._numbers[:, FLOOR_ENTITY]
        return floor

    @property
    def floor_normal(self) -> NDArray[float64]:
        """The unit normal there, (0, 0) in the air."""
        return self._pair(FLOOR_NORMAL)

    @property
    def floor_velocity(self) -> NDArray[float64]:
        """The velocity of the floor there, in units/s."""
        return self._pair(OF_FLOOR)

    @property
    def stepped(self) -> NDArray[float64]:
        """The height that each climbed by steps, in units."""
        stepped: NDArray[float64] = self._values[:, CLIMBED]
        return stepped

    @property
    def snapped(self) -> NDArray[bool_]:
        """Whether each followed the floor farther down than its displacement."""
        return self._flag(HAS_SNAPPED)

    @property
    def carried(self) -> NDArray[float64]:
        """(x, y) by which its floor moved each."""
        return self._pair(CARRIED)

    @property
    def pushed(self) -> NDArray[float64]:
        """(x, y) by which solids that moved into it moved each."""
        return self._pair(PUSHED)

    @property
    def crushed(self) -> NDArray[bool_]:
        """Whether each is still inside a solid."""
        return self._flag(IS_CRUSHED)

    @property
    def wall_entity(self) -> NDArray[int64]:
        """The walls within reach to the left and the right of each, −1 for none."""
        return self._walls[:, :, OF_ENTITY].astype(int64)

    @property
    def wall_normal(self) -> NDArray[float64]:
        """Their unit normals, towards the characters."""
        return self._walls[:, :, CONTACT_NORMAL : CONTACT_NORMAL + 2]

    @property
    def wall_point(self) -> NDArray[float64]:
        """The points at which they would touch, in the world."""
        return self._walls[:, :, CONTACT_POINT : CONTACT_POINT + 2]

    @property
    def contact_entity(self) -> NDArray[int64]:
        """The solids of all contacts."""
        return self._contacts[:, OF_ENTITY].astype(int64)

    @property
    def contact_normal(self) -> NDArray[float64]:
        """Their unit normals, towards the movers."""
        return self._contacts[:, CONTACT_NORMAL : CONTACT_NORMAL + 2]

    @property
    def contact_point(self) -> NDArray[float64]:
        """The points of contact, in the world."""
        return self._contacts[:, CONTACT_POINT : CONTACT_POINT + 2]


def _contact(row: list[float]) -> MoveContact:
    entity, normal_x, normal_y, x, y = row
    return MoveContact(int(entity), (normal_x, normal_y), (x, y))


def slide_result(values: list[float], numbers: list[int], contacts: list[Any]) -> MoveResult:
    """A result of ``move_and_slide`` from the values, numbers and contacts of the kernel."""
    return MoveResult(
        (values[MOVED], values[MOVED + 1]),
        (values[REMAINING], values[REMAINING + 1]),
        numbers[IS_ON_FLOOR] != 0,
        numbers[IS_ON_WALL] != 0,
        numbers[IS_ON_CEILING] != 0,
        tuple(map(_contact, contacts)),
    )


def character_move(
    values: list[float], numbers: list[int], contacts: list[Any], walls: list[list[float]]
) -> CharacterMove:
    """The same for a move of a character."""
    floor = numbers[FLOOR_ENTITY]
    return CharacterMove(
        (values[MOVED], values[MOVED + 1]),
        (values[REMAINING], values[REMAINING + 1]),
        numbers[IS_ON_FLOOR] != 0,
        numbers[IS_ON_WALL] != 0,
        numbers[IS_ON_CEILING] != 0,
        tuple(map(_contact, contacts)),
        floor if floor >= 0 else None,
        (values[FLOOR_NORMAL], values[FLOOR_NORMAL + 1]),
        (values[OF_FLOOR], values[OF_FLOOR + 1]),
        values[CLIMBED],
        numbers[HAS_SNAPPED] != 0,
        (values[CARRIED], values[CARRIED + 1]),
        (values[PUSHED], values[PUSHED + 1]),
        numbers[IS_CRUSHED] != 0,
        tuple(_contact(wall) for wall in walls if wall[OF_ENTITY] >= 0.0) if numbers[WALL_COUNT] else (),
    )
