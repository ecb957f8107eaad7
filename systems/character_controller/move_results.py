"""The results of moves: one, or many as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy import bool_, float64, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.character.mover import HIT, MOVE

# Columns of CharacterMoves: pairs (x, y) of a result, and flags.
_PAIRS = ("moved", "remaining", "floor_normal", "floor_velocity", "carried", "pushed")
_FLAGS = ("on_floor", "on_wall", "on_ceiling", "snapped", "crushed")


def _place(record: np.dtype[np.void], field: str) -> int:
    """Where a field of a record is, in bytes."""
    return int(record.fields[field][1]) if record.fields else 0


# The results of a move, from its first byte on, and its contacts; its order; and a contact.
_RESULT = Struct(f"<13d{_place(MOVE, 'on_floor') - 13 * 8}x" + 5 * "?7x" + "3q")
_WAY, _ASKED = Struct("<4d"), _place(MOVE, "ask_x")
_ORDER, _OWNER = Struct("<3q"), _place(MOVE, "owner")
_CONTACT = Struct(f"<4d{_place(HIT, 'entity') - 4 * 8}xq{HIT.itemsize - _place(HIT, 'slot')}x")

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
        values = moves.view(float64).reshape(-1, MOVE.itemsize // 8)
        for place, name in enumerate(_PAIRS):
            setattr(self, name, values[:, 2 * place : 2 * place + 2])
        for name in _FLAGS:
            setattr(self, name, moves[name] != 0)
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
    values = contacts.view(float64).reshape(-1, HIT.itemsize // 8)
    return contacts["entity"], values[:, 0:2], values[:, 2:4]


class MoveRecords:
    """Moves, walls and contacts of the kernel, read and written one by one."""

    __slots__ = ("_contacts", "_moves", "_walls")

    def __init__(self, moves: NDArray[np.void], walls: NDArray[np.void], contacts: NDArray[np.void]) -> None:
        self._moves, self._walls, self._contacts = (one.view(uint8).data for one in (moves, walls, contacts))

    def ask(self, slot: int, way: Point, up: Point, walks: bool, drops: bool) -> None:
        """Ask for the first move, of the entity in a slot."""
        _WAY.pack_into(self._moves, _ASKED, *way, *up)
        _ORDER.pack_into(self._moves, _OWNER, slot, walks, drops)

    def asked(self, k: int) -> Point:
        """The displacement that was asked for in move k."""
        x, y, _, _ = _WAY.unpack_from(self._moves, MOVE.itemsize * k + _ASKED)
        return x, y

    def slide_result(self, k: int) -> MoveResult:
        """Move k as a result of ``move_and_slide``."""
        x, y, rest_x, rest_y, *_, floor, wall, ceiling, _, _, _, end, first = self._result(k)
        return MoveResult((x, y), (rest_x, rest_y), floor, wall, ceiling, _contacts(self._contacts, first, end))

    def character_move(self, k: int) -> CharacterMove:
        """Move k as a result of ``move_character``."""
        x, y, rest_x, rest_y, normal_x, normal_y, velocity_x, velocity_y, *rest = self._result(k)
        carried_x, carried_y, pushed_x, pushed_y, stepped, *flags, floor, end, first = rest
        on_floor, on_wall, on_ceiling, snapped, crushed = flags
        return CharacterMove(
            (x, y),
            (rest_x, rest_y),
            on_floor,
            on_wall,
            on_ceiling,
            _contacts(self._contacts, first, end),
            floor if floor >= 0 else None,
            (normal_x, normal_y),
            (velocity_x, velocity_y),
            stepped,
            snapped,
            (carried_x, carried_y),
            (pushed_x, pushed_y),
            crushed,
            _contacts(self._walls, 2 * k, 2 * k + 2),
        )

    def _result(self, k: int) -> tuple[Any, ...]:
        return _RESULT.unpack_from(self._moves, MOVE.itemsize * k)

    def contacts(self, k: int) -> tuple[MoveContact, ...]:
        """The contacts of move k."""
        *_, end, first = self._result(k)
        return _contacts(self._contacts, first, end)


def _contacts(records: Any, first: int, end: int) -> tuple[MoveContact, ...]:
    """Contacts from the first to an end, but for those without an entity."""
    rows = _CONTACT.iter_unpack(records[HIT.itemsize * first : HIT.itemsize * end])
    return tuple([MoveContact(entity, (nx, ny), (x, y)) for nx, ny, x, y, entity in rows if entity >= 0])
