"""Parts of compounds and chains, each of which may be in one place only: in one of these, and on no entity besides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.engine.shapes.layout import KIND_POLYGON
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND, FIRST_COLLIDER
from ecsphys.systems.world.row_checks import shared_instance_error

if TYPE_CHECKING:
    from ecsphys.systems.world.entity_table import EntityTable
    from ecsphys.systems.world.world_tables import LineChange

_Part = tuple[int, int]  # kind of the shape and row
_Place = tuple[int, int]  # slot of an entity, and the line of the component that has the parts


class PartOwners:
    """Which entity's compound or chain has which part, and whose each is; entities by their slots."""

    __slots__ = ("_compound_of", "_owner_of", "_parts_of", "_place_of")

    def __init__(self) -> None:
        self._owner_of: dict[_Part, _Place] = {}
        self._parts_of: dict[_Place, list[_Part]] = {}
        # Compounds and chains by their ids: the table of entities keeps them alive.
        self._compound_of: dict[_Place, int] = {}
        self._place_of: dict[int, _Place] = {}

    def refuse_shared(self, changes: list[LineChange], entities: EntityTable) -> None:
        """ValueError naming both entities where one compound or chain, or one part, would be in two places."""
        compounds: dict[_Place, Any] = {}
        for change in changes:
            if change.line in (COMPOUND, CHAIN):
                places = [(slot, change.line) for slot in change.slots.tolist()]
                compounds.update(zip(places, change.found, strict=True))
        if not compounds and not self._owner_of:
            return
        numbers = entities.slots.entity
        seen: dict[int, _Place] = {}
        parts: dict[_Part, _Place] = {}
        for place, compound in compounds.items():
            if compound is None:
                continue
            self._refuse_shared_compound(place, compound, seen, compounds, numbers)
            for part in _parts_of(compound):
                other = parts.setdefault(part, place)
                known = self._owner_of.get(part, place)
                if other == place and known not in compounds:
                    other = known
                if other != place:
                    raise _shared_part_error(part, other[0], place[0], numbers)
        self._refuse_own(changes, entities, parts, compounds)

    def _refuse_shared_compound(
        self,
        place: _Place,
        compound: Any,
        seen: dict[int, _Place],
        compounds: dict[_Place, Any],
        numbers: NDArray[int64],
    ) -> None:
        other = seen.setdefault(id(compound), place)
        known = self._place_of.get(id(compound), place)
        if other == place and known not in compounds:
            other = known
        if other != place:
            a, b = sorted((int(numbers[other[0]]), int(numbers[place[0]])))
            raise ValueError(
                f"entities {a} and {b} share one {type(compound).__name__} instance: make another with copy.deepcopy"
            )

    def _refuse_own(
        self,
        changes: list[LineChange],
        entities: EntityTable,
        parts: dict[_Part, _Place],
        compounds: dict[_Place, Any],
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
                owner = parts.get(part, self._owner_of.get(part))
                if row >= 0 and owner is not None and (part in parts or owner not in compounds):
                    raise _shared_part_error(part, owner[0], slot, numbers)
        for part, (slot, _) in parts.items():
            kind, row = part
            owners = entities.owners_of(FIRST_COLLIDER + kind)
            alone = int(owners[row]) if row < owners.size else -1
            if alone < 0 or alone in changing.get(kind, ()):
                continue
            if entities.rows_of(FIRST_COLLIDER + kind)[alone] == row:
                raise _shared_part_error(part, alone, slot, numbers)

    def owners_of(self, kind: int, rows: list[int]) -> NDArray[int32]:
        """The slots of the entities that have parts of a kind with some rows."""
        owner_of = self._owner_of
        found = {owner_of[kind, row][0] for row in rows if (kind, row) in owner_of} if owner_of else ()
        return np.fromiter(found, int32)

    def rows_of(self, kind: int) -> tuple[NDArray[int32], NDArray[int32]]:
        """The slots of the entities that have parts of a kind, and the rows of these."""
        found = [(slot, row) for (part_kind, row), (slot, _) in self._owner_of.items() if part_kind == kind]
        slots, rows = np.array(found, int32).reshape(-1, 2).T
        return slots, rows

    def note(self, changes: list[LineChange]) -> None:
        """Take on changes that were not refused."""
        for change in changes:
            if change.line not in (COMPOUND, CHAIN):
                continue
            places = [(slot, change.line) for slot in change.slots.tolist()]
            for place in places:
                for part in self._parts_of.pop(place, ()):
                    if self._owner_of.get(part) == place:
                        del self._owner_of[part]
                compound = self._compound_of.pop(place, 0)
                if self._place_of.get(compound) == place:
                    del self._place_of[compound]
            for place, found in zip(places, change.found, strict=True):
                if found is not None:
                    parts = self._parts_of[place] = _parts_of(found)
                    self._owner_of.update(dict.fromkeys(parts, place))
                    self._compound_of[place] = id(found)
                    self._place_of[id(found)] = place


def _parts_of(compound: Any) -> list[_Part]:
    # The segments of a chain are polygons.
    return [(min(kind, KIND_POLYGON), row) for kind, row in compound._lines.tolist()]


def _shared_part_error(part: _Part, one: int, other: int, numbers: NDArray[int64]) -> ValueError:
    a, b = sorted((int(numbers[one]), int(numbers[other])))
    return shared_instance_error(SHAPE_CLASSES[part[0]], a, b)
