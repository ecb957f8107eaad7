"""The solid colliders of a world as movers see them: where they are now, and how they have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.character.one_way import OneWay
from ecsphys.components.store.component_table import rows_of
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.shapes.placement import PlacedShapes
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots
from ecsphys.engine.tables.entity_rows import SOLID
from ecsphys.systems.world.entity_table import Slots

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.spatial_query.filed_colliders import FiledColliders

Box = tuple[float, float, float, float]


class Solids:
    """The colliders of the entities with a ``Solid``, by their slots; those are looked at that are asked for.

    ``journal`` tells how they have moved.
    """

    __slots__ = ("_filed", "_state", "journal")

    def __init__(self, state: PhysicsState, filed: FiledColliders) -> None:
        self._state = state
        self._filed = filed
        self.journal = state.placing.keep_journal()
        load_kernels((cast_shapes,))

    def look(self) -> None:
        """See all where they are now. ValueError where the normal of a one-way solid is no direction."""
        self._filed.look()
        table = rows_of(OneWay)
        if len(table):
            length = np.hypot(*OneWay._columns.float64[:, table.row])
            bad = np.flatnonzero(~(np.isfinite(length) & (length > 0.0)))
            if bad.size:
                normal = tuple(OneWay._columns.float64[:, table.row[bad[0]]].tolist())
                entity = int(table.entity[bad[0]])
                raise ValueError(f"entity {entity}: the normal of a OneWay must be a direction, got {normal}")

    @property
    def slots(self) -> ColliderSlots:
        """What the colliders are."""
        return self._state.tables.colliders.slots

    @property
    def placed(self) -> PlacedShapes:
        """Where they are placed, solid or not."""
        return self._state.tables.colliders.placed

    def of_entity(self, entity: int) -> Slots:
        """The colliders of an entity, solid or not, by kind and part."""
        tables = self._state.tables
        slot = tables.entities.slot_of.get(entity, -1)
        return tables.colliders_of(np.array([slot], int32))

    def near(self, box: Box) -> Slots:
        """The solid colliders whose boxes overlap or touch a box, ascending."""
        found = self._filed.in_box(box)
        return np.sort(found[self.are_solid(found)])

    def are_solid(self, slots: Slots) -> NDArray[bool_]:
        """For each of some colliders whether its entity has a ``Solid``."""
        solid: NDArray[bool_] = self._state.tables.entities.slots.rows[SOLID, self.slots.owner[slots]] >= 0
        return solid

    def is_of(self, slot: int, entity: int) -> bool:
        """Whether a slot has a collider of a certain entity, still or again."""
        slots = self.slots
        return bool(slots.absence[slot] == PRESENT and slots.entity[slot] == entity)

    def angles(self, slots: Slots) -> NDArray[float64]:
        """How far colliders are turned with their entities: 0 for those that never turn."""
        return np.where(self.slots.kind[slots] == KIND_AABB, 0.0, self.placed.angles[slots])

    def poses(self, slots: Slots) -> NDArray[float64]:
        """Where colliders are placed, (n, 3): x, y, and :meth:`angles`."""
        return np.column_stack((self.placed.positions[slots], self.angles(slots)))

    def one_way_normals(self, slots: Slots) -> NDArray[float64] | None:
        """Unit vectors (n, 2), NaN for what blocks from all sides; None where no entity of the world is one-way."""
        table = rows_of(OneWay)
        if not len(table):
            return None
        normals = np.full((len(slots), 2), np.nan)
        entities: NDArray[int64] = self.slots.entity[slots]
        place = np.minimum(np.searchsorted(table.entity, entities), len(table) - 1)
        which = np.flatnonzero(table.entity[place] == entities)
        local = OneWay._columns.float64[:, table.row[place[which]]]
        x, y = local / np.hypot(*local)
        angle = self.angles(slots[which])
        cos, sin = np.cos(angle), np.sin(angle)
        normals[which] = np.column_stack((cos * x - sin * y, sin * x + cos * y))
        return normals

    def carried_by(self, entity: int) -> set[int]:
        """The entities whose ``Parent`` is this one, or one that it carries."""
        parents = self._state.levels.parents
        carried: set[int] = set()
        waiting = [entity] if parents else []
        while waiting:
            carrier = waiting.pop()
            found = {child for child, parent in parents.items() if parent == carrier} - carried
            carried |= found
            waiting.extend(found)
        return carried
