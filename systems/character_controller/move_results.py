"""The results of moves: one, or many as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.character.casts import HIT, MOVE

# Columns of CharacterMoves: pairs (x, y) of a result, and flags.
_PAIRS = ("moved", "remaining", "floor_normal", "floor_velocity", "carried", "pushed")
_FLAGS = ("on_floor", "on_wall", "on_ceiling", "snapped", "crushed")

_PLACE = {name: k for k, name in enumerate(MOVE.names or ())}
_FIRST_FLAG, CONTACTS = _PLACE["on_floor"], _PLACE["contacts"]
_ENTITY = (HIT.names or ()).index("entity")

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

    moved: NDArray[float64]
    remaining: NDArray[float64]
    floor_normal: NDArray[float64]
    floor_velocity: NDArray[float64]
    carried: NDArray[float64]
    pushed: NDArray[float64]
    stepped: NDArray[float64]
    on_floor: NDArray[bool_]
    on_wall: NDArray[bool_]
    on_ceiling: NDArray[bool_]
    snapped: NDArray[bool_]
    crushed: NDArray[bool_]
    floor: NDArray[int64]
    wall_entity: NDArray[int64]
    wall_normal: NDArray[float64]
    wall_point: NDArray[float64]
    contact_start: NDArray[int64]
    contact_entity: NDArray[int64]
    contact_normal: NDArray[float64]
    contact_point: NDArray[float64]

    def __init__(self, rows: NDArray[np.void], walls: NDArray[np.void], contacts: NDArray[np.void]) -> None:
        self._rows, self._walls, self._contacts = rows, walls, contacts
        values, whole = rows.view(float64).reshape(-1, len(_PLACE)), rows.view(int64).reshape(-1, len(_PLACE))
        for place, name in enumerate(_PAIRS):
            setattr(self, name, values[:, 2 * place : 2 * place + 2])
        for place, name in enumerate(_FLAGS):
            setattr(self, name, whole[:, _FIRST_FLAG + place] != 0)
        self.stepped, self.floor = rows["stepped"], rows["floor"]
        self.contact_start = np.concatenate((np.zeros(1, int64), rows["contacts"]))
        self.contact_entity, self.contact_normal, self.contact_point = _columns(contacts)
        entity, normal, point = _columns(walls)
        self.wall_entity = entity.reshape(-1, 2)
        self.wall_normal, self.wall_point = normal.reshape(-1, 2, 2), point.reshape(-1, 2, 2)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i: int) -> CharacterMove:
        row = self._rows[i].item()
        i = i if i >= 0 else i + len(self)
        contacts = self._contacts[self.contact_start[i] : self.contact_start[i + 1]]
        return character_move(row, contacts.tolist(), self._walls[2 * i : 2 * i + 2].tolist())

    def __iter__(self) -> Iterator[CharacterMove]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"CharacterMoves of {len(self)}"


def _columns(contacts: NDArray[np.void]) -> tuple[NDArray[int64], NDArray[float64], NDArray[float64]]:
    """Entities (n,), normals and points (n, 2) of contacts."""
    values = contacts.view(float64).reshape(-1, len(HIT.names or ()))
    return contacts["entity"], values[:, 0:2], values[:, 2:4]


def _contact(row: tuple[Any, ...]) -> MoveContact:
    return MoveContact(row[_ENTITY], row[0:2], row[2:4])


def slide_result(row: tuple[Any, ...], contacts: list[Any], walls: list[Any]) -> MoveResult:
    """A result of ``move_and_slide`` from the row, the contacts and the walls of the kernel."""
    on_floor, on_wall, on_ceiling = map(bool, row[_FIRST_FLAG : _FIRST_FLAG + 3])
    return MoveResult(row[0:2], row[2:4], on_floor, on_wall, on_ceiling, tuple(map(_contact, contacts)))


def character_move(row: tuple[Any, ...], contacts: list[Any], walls: list[Any]) -> CharacterMove:
    """The same for a move of a character."""
    on_floor, on_wall, on_ceiling, snapped, crushed = map(bool, row[_FIRST_FLAG : _FIRST_FLAG + 5])
    floor = row[_FIRST_FLAG + 5]
    return CharacterMove(
        row[0:2],
        row[2:4],
        on_floor,
        on_wall,
        on_ceiling,
        tuple(map(_contact, contacts)),
        floor if floor >= 0 else None,
        row[4:6],
        row[6:8],
        row[12],
        snapped,
        row[8:10],
        row[10:12],
        crushed,
        tuple(_contact(wall) for wall in walls if wall[_ENTITY] >= 0),
    )
