"""The results of moves: one, or many as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.character.mover import HIT, MOVE

# Columns of CharacterMoves: pairs (x, y) of a result, and flags.
_PAIRS = ("moved", "remaining", "floor_normal", "floor_velocity", "carried", "pushed")
_FLAGS = ("on_floor", "on_wall", "on_ceiling", "snapped", "crushed")

# Where fields are in a record, and how many a record has.
PLACE = {name: place for place, name in enumerate(MOVE.names or ())}
_HIT_PLACE = {name: place for place, name in enumerate(HIT.names or ())}
_FIRST_FLAG, _ASKED, _HIT_ENTITY = PLACE["on_floor"], PLACE["ask_x"], _HIT_PLACE["entity"]
MOVE_SIZE, HIT_SIZE = len(PLACE), len(_HIT_PLACE)

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

    def __init__(self, moves: NDArray[np.void], walls: NDArray[np.void], contacts: NDArray[np.void]) -> None:
        self._records = moves, walls, contacts
        values, whole = moves.view(float64).reshape(-1, MOVE_SIZE), moves.view(int64).reshape(-1, MOVE_SIZE)
        for place, name in enumerate(_PAIRS):
            setattr(self, name, values[:, 2 * place : 2 * place + 2])
        for place, name in enumerate(_FLAGS):
            setattr(self, name, whole[:, _FIRST_FLAG + place] != 0)
        self.stepped, self.floor = moves["stepped"], moves["floor"]
        self.contact_start = np.concatenate((np.zeros(1, int64), moves["contacts"]))
        self.contact_entity, self.contact_normal, self.contact_point = _columns(contacts)
        entity, normal, point = _columns(walls)
        self.wall_entity = entity.reshape(-1, 2)
        self.wall_normal, self.wall_point = normal.reshape(-1, 2, 2), point.reshape(-1, 2, 2)

    def __len__(self) -> int:
        return len(self.floor)

    def __getitem__(self, i: int) -> CharacterMove:
        return MoveRecords(*self._records).character_move(range(len(self))[i])

    def __iter__(self) -> Iterator[CharacterMove]:
        return map(MoveRecords(*self._records).character_move, range(len(self)))

    def __repr__(self) -> str:
        return f"CharacterMoves of {len(self)}"


def _columns(contacts: NDArray[np.void]) -> tuple[NDArray[int64], NDArray[float64], NDArray[float64]]:
    """Entities (n,), normals and points (n, 2) of contacts."""
    values = contacts.view(float64).reshape(-1, HIT_SIZE)
    return contacts["entity"], values[:, 0:2], values[:, 2:4]


class MoveRecords:
    """Moves, walls and contacts of the kernel, read and written one by one: a record's ``floats`` and ``wholes`` are
    where its fields are, for move k from k · MOVE_SIZE on."""

    __slots__ = ("_contact_floats", "_contact_wholes", "_wall_floats", "_wall_wholes", "floats", "wholes")

    def __init__(self, moves: NDArray[np.void], walls: NDArray[np.void], contacts: NDArray[np.void]) -> None:
        self.floats: Any = moves.view(float64).data
        self.wholes = moves.view(int64).data
        self._wall_floats, self._wall_wholes = walls.view(float64).data, walls.view(int64).data
        self._contact_floats, self._contact_wholes = contacts.view(float64).data, contacts.view(int64).data

    def ask(self, k: int, way: Point, drops: bool) -> None:
        """Ask for move k."""
        first = MOVE_SIZE * k
        self.floats[first + _ASKED], self.floats[first + _ASKED + 1] = way
        self.wholes[first + PLACE["drops"]] = drops

    def asked(self, k: int) -> Point:
        """The displacement that was asked for in move k."""
        x, y = self.floats[MOVE_SIZE * k + _ASKED : MOVE_SIZE * k + _ASKED + 2]
        return x, y

    def contacts(self, k: int) -> tuple[MoveContact, ...]:
        """The contacts of move k."""
        end = PLACE["contacts"] + MOVE_SIZE * k
        first = self.wholes[end - MOVE_SIZE] if k else 0
        floats, wholes = self._contact_floats, self._contact_wholes
        return tuple([_contact(floats, wholes, place) for place in range(first, self.wholes[end])])

    def slide_result(self, k: int) -> MoveResult:
        """Move k as a result of ``move_and_slide``."""
        first = MOVE_SIZE * k
        x, y, remaining_x, remaining_y = self.floats[first : first + 4]
        on_floor, on_wall, on_ceiling = map(bool, self.wholes[first + _FIRST_FLAG : first + _FIRST_FLAG + 3])
        return MoveResult((x, y), (remaining_x, remaining_y), on_floor, on_wall, on_ceiling, self.contacts(k))

    def character_move(self, k: int) -> CharacterMove:
        """Move k as a result of ``move_character``."""
        first = MOVE_SIZE * k
        x, y, remaining_x, remaining_y, normal_x, normal_y, floor_vx, floor_vy, *rest = self.floats[first : first + 13]
        carried_x, carried_y, pushed_x, pushed_y, stepped = rest
        flags = self.wholes[first + _FIRST_FLAG : first + _FIRST_FLAG + 6]
        on_floor, on_wall, on_ceiling, snapped, crushed, floor = flags
        walls, entities = self._wall_floats, self._wall_wholes
        sides = [side for side in (2 * k, 2 * k + 1) if entities[HIT_SIZE * side + _HIT_ENTITY] >= 0]
        return CharacterMove(
            (x, y),
            (remaining_x, remaining_y),
            on_floor != 0,
            on_wall != 0,
            on_ceiling != 0,
            self.contacts(k),
            floor if floor >= 0 else None,
            (normal_x, normal_y),
            (floor_vx, floor_vy),
            stepped,
            snapped != 0,
            (carried_x, carried_y),
            (pushed_x, pushed_y),
            crushed != 0,
            tuple([_contact(walls, entities, side) for side in sides]),
        )


def _contact(floats: Any, wholes: Any, place: int) -> MoveContact:
    first = HIT_SIZE * place
    normal_x, normal_y, x, y = floats[first : first + 4]
    return MoveContact(wholes[first + _HIT_ENTITY], (normal_x, normal_y), (x, y))
