"""Parts of compounds, each of which may be in one place only: in one compound, and on no entity besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.engine.tables.entity_rows import COMPOUND, FIRST_COLLIDER
from ecsphys.systems.world.row_checks import shared_instance_error

if TYPE_CHECKING:
    from ecsphys.systems.world.entity_table import EntityTable
    from ecsphys.systems.world.world_tables import LineChange

_Part = tuple[int, int]  # kind and row


class PartOwners:
    """Which entity's compound has which part, and which compound is whose; entities by their slots."""

    __slots__ = ("_compound_of", "_owner_of", "_parts_of", "_slot_of")

    def __init__(self) -> None:
        self._owner_of: dict[_Part, int] = {}
        self._parts_of: dict[int, list[_Part]] = {}
        # Compounds by their ids: the table of entities keeps them alive.
        self._compound_of: dict[int, int] = {}
        self._slot_of: dict[int, int] = {}

    def refuse_shared(self, changes: list[LineChange], entities: EntityTable) -> None:
        """ValueError naming both entities where one compound, or one part, would be in two places."""
        compounds: dict[int, Any] = {}
        for change in changes:
            if change.line == COMPOUND:
                compounds.update(zip(change.slots.tolist(), change.found, strict=True))
        if not compounds and not self._owner_of:
            return
        numbers = entities.slots.entity
        seen: dict[int, int] = {}
        parts: dict[_Part, int] = {}
        for slot, compound in compounds.items():
            if compound is None:
                continue
            self._refuse_shared_compound(slot, id(compound), seen, compounds, numbers)
            for part in _parts_of(compound):
                other = parts.setdefault(part, slot)
                known = self._owner_of.get(part, slot)
                if other == slot and known not in compounds:
                    other = known
                if other != slot:
                    raise _shared_part_error(part, other, slot, numbers)
        self._refuse_own(changes, entities, parts, compounds)

    def _refuse_shared_compound(
        self, slot: int, compound: int, seen: dict[int, int], compounds: dict[int, Any], numbers: NDArray[int64]
    ) -> None:
        other = seen.setdefault(compound, slot)
        known = self._slot_of.get(compound, slot)
        if other == slot and known not in compounds:
            other = known
        if other != slot:
            a, b = sorted((int(numbers[other]), int(numbers[slot])))
            raise ValueError(
                f"one CompoundCollider instance is on two entities, {a} and {b}:"
                " give each entity an instance of its own (copy.deepcopy makes one)"
            )

    def _refuse_own(
        self, changes: list[LineChange], entities: EntityTable, parts: dict[_Part, int], compounds: dict[int, Any]
    ) -> None:
        """ValueError where a part of a compound would be a collider of an entity besides."""
        numbers = entities.slots.entity
        changing: dict[int, set[int]] = {}
        for change in changes:
            kind = change.line - FIRST_COLLIDER
            if kind < 0:
                continue
            changing[kind] = set(change.slots.tolist())
            for slot, row in zip(change.slots.tolist(), change.rows.tolist(), strict=True):
                part = kind, row
                owner = parts.get(part, self._owner_of.get(part, -1))
                if row >= 0 and owner >= 0 and (part in parts or owner not in compounds):
                    raise _shared_part_error(part, owner, slot, numbers)
        for part, slot in parts.items():
            kind, row = part
            owners = entities.owners_of(FIRST_COLLIDER + kind)
            owner = int(owners[row]) if row < owners.size else -1
            if owner < 0 or owner in changing.get(kind, ()):
                continue
            if entities.rows_of(FIRST_COLLIDER + kind)[owner] == row:
                raise _shared_part_error(part, owner, slot, numbers)

    def owners_of(self, kind: int, rows: list[int]) -> NDArray[int32]:
        """The slots of the entities that have parts of a kind with some rows."""
        owner_of = self._owner_of
        found = {owner_of[kind, row] for row in rows if (kind, row) in owner_of} if owner_of else ()
        return np.fromiter(found, int32)

    def rows_of(self, kind: int) -> tuple[NDArray[int32], NDArray[int32]]:
        """The slots of the entities that have parts of a kind, and the rows of these."""
        found = [(slot, row) for (part_kind, row), slot in self._owner_of.items() if part_kind == kind]
        slots, rows = np.array(found, int32).reshape(-1, 2).T
        return slots, rows

    def note(self, changes: list[LineChange]) -> None:
        """Take on changes that were not refused."""
        for change in changes:
            if change.line != COMPOUND:
                continue
            for slot in change.slots.tolist():
                for part in self._parts_of.pop(slot, ()):
                    if self._owner_of.get(part) == slot:
                        del self._owner_of[part]
                compound = self._compound_of.pop(slot, 0)
                if self._slot_of.get(compound) == slot:
                    del self._slot_of[compound]
            for slot, found in zip(change.slots.tolist(), change.found, strict=True):
                if found is not None:
                    parts = self._parts_of[slot] = _parts_of(found)
                    self._owner_of.update(dict.fromkeys(parts, slot))
                    self._compound_of[slot] = id(found)
                    self._slot_of[id(found)] = slot


def _parts_of(compound: Any) -> list[_Part]:
    return [(kind, row) for kind, row in compound._lines.tolist()]


def _shared_part_error(part: _Part, one: int, other: int, numbers: NDArray[int64]) -> ValueError:
    a, b = sorted((int(numbers[one]), int(numbers[other])))
    return shared_instance_error(COLLIDER_CLASSES[part[0]], a, b)
