"""Casts of one entity's colliders against the solid ones, where all of them are at this moment."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.engine.cast.shape_cast import CastImpacts, cast_shapes
from ecsphys.engine.shapes.layout import CIRCLE, EXTENT, RADIUS, SHAPE_COLUMNS, ShapeArrays
from ecsphys.systems.character_controller.solids import Box, Solids
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import dead_entities

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below what is seen.
_SKIN = 1e-4

# Far from the world's origin, coordinates themselves are coarser than that.
_ROUNDINGS = 64.0 * float(np.finfo(float64).eps)

# Fewer casts than these are made faster than chosen.
_FEW = 24

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE = 100.0
_LEAST_ALONG = 0.1

_ALL = 0xFFFFFFFF
_DISC = np.array([CIRCLE], uint8)

Shapes = tuple[NDArray[uint8], NDArray[float64], NDArray[float64]]


class Impacts(NamedTuple):
    """What a cast found, one row for each pair of a mover's collider and a solid one near its way."""

    solid: NDArray[int32]
    """The slot of the solid collider."""
    fraction: NDArray[float64]
    gap: NDArray[float64]
    normal: NDArray[float64]
    point: NDArray[float64]


class SolidCast:
    """One mover, with its colliders and the solid ones where they are now.

    ``skin``: the distance it should keep; ``rounding``: what cannot be told apart where it is; ``size``: the smaller
    side of the box round it. ``x``, ``y``: how far it has been shifted so far; its ``Transform`` is only read. The
    solids within ``reach`` of it are gathered in advance.
    """

    __slots__ = (
        "_box",
        "_boxes",
        "_disc",
        "_entities",
        "_filter_row",
        "_gathered",
        "_has_one_way",
        "_ignored",
        "_mover",
        "_near",
        "_pairs",
        "_reach",
        "_shapes",
        "_solids_of_pairs",
        "rounding",
        "size",
        "skin",
        "solids",
        "x",
        "y",
    )

    def __init__(self, solids: Solids, entity: int, mover: Slots, reach: float) -> None:
        self.solids = solids
        slots, placed = solids.slots, solids.placed
        self._mover: Shapes = (placed.forms[mover], placed.positions[mover], placed.shapes[mover])
        self._filter_row = int(slots.filter_row[mover[0]])
        # What never stands in its way: itself, what it carries, what is marked dead.
        self._entities = {entity, *solids.carried_by(entity), *dead_entities()}
        self._ignored: Slots = np.zeros(0, int32)
        boxes = placed.boxes[mover].tolist()
        min_x, min_y = min(box[0] for box in boxes), min(box[1] for box in boxes)
        max_x, max_y = max(box[2] for box in boxes), max(box[3] for box in boxes)
        self._box = (min_x, min_y, max_x, max_y)
        self.rounding = _ROUNDINGS * max(-min_x, -min_y, max_x, max_y)
        self.size = min(max_x - min_x, max_y - min_y)
        self.skin = max(_SKIN * self.size, self.rounding)
        self._disc = np.zeros((1, SHAPE_COLUMNS))
        self._disc[0, RADIUS] = self._disc[0, EXTENT] = self.skin
        self.x = 0.0
        self.y = 0.0
        self._reach = reach + 0.5 * (max_x - min_x + max_y - min_y)
        self._gather_around()

    @property
    def box(self) -> Box:
        """The box round the mover where it is now."""
        min_x, min_y, max_x, max_y = self._box
        return min_x + self.x, min_y + self.y, max_x + self.x, max_y + self.y

    def shift(self, x: float, y: float) -> None:
        """Move the mover, whatever is in the way."""
        self.x += x
        self.y += y

    def allows(self, solids: Slots) -> NDArray[bool_]:
        """For each of some solid colliders whether it stands in the mover's way at all."""
        slots = self.solids.slots
        if not solids.size:
            return np.zeros(0, bool_)
        numbers = slots.entity[solids].tolist()
        excluded = self._entities
        allowed = np.fromiter((number not in excluded for number in numbers), bool_, len(numbers))
        return allowed & meets(self._filter_row, slots.filter_row[solids])

    def ignore(self, solids: Slots) -> None:
        """From now on let pass some solid colliders, and no others."""
        self._ignored = solids
        self._gather_around()

    def exclude(self, entities: Iterable[int]) -> None:
        """Let pass some entities for good."""
        self._entities.update(entities)
        self._gather_around()

    def is_one_way(self, solid: int) -> bool:
        """Whether a solid collider blocks from one side only."""
        normals = self.solids.one_way_normals(np.array([solid], int32))
        return normals is not None and not math.isnan(normals[0, 0])

    def near_one_way(self, distance: float) -> list[int]:
        """The one-way solids that the mover touches, overlaps or is next to, whether or not they would block it."""
        min_x, min_y, max_x, max_y = self.box
        near = self.solids.near((min_x - distance, min_y - distance, max_x + distance, max_y + distance))
        normals = self.solids.one_way_normals(near)
        if normals is None:
            return []
        near = near[self.allows(near) & ~np.isnan(normals[:, 0])]
        return [slot for slot in near.tolist() if self._nearest(slot) <= distance]

    def _nearest(self, solid: int) -> float:
        """The gap to a solid collider, negative inside."""
        return float(self._towards(solid, (0.0, 0.0), 0.0, 0.0).gap.min())

    def cast(self, x: float, y: float) -> Impacts:
        """Impacts on the way (x, y) from where the mover is; solids farther than a skin from it may be left out."""
        min_x, min_y, max_x, max_y = self._swept(self.box, x, y, self.skin)
        pairs, solids = self._pairs, self._solids_of_pairs
        if len(pairs) > _FEW:
            near = _overlapping(self._boxes, min_x, min_y, max_x, max_y)[pairs[:, 1] - self._first_solid]
            pairs, solids = pairs[near], solids[near]
        positions = self._shapes[1]
        movers = self._mover[1]
        positions[: len(movers), 0] = movers[:, 0] + self.x
        positions[: len(movers), 1] = movers[:, 1] + self.y
        found = _impacts(pairs, x, y, solids, self._shapes)
        return self._blocking(found, x, y) if self._has_one_way else found

    def cast_point(self, point: tuple[float, float], x: float, y: float) -> Impacts:
        """Impacts of a disc as small as the skin on the way (x, y) from a point of the world."""
        edge = self.skin
        self._swept((point[0] - edge, point[1] - edge, point[0] + edge, point[1] + edge), x, y, edge)
        disc = len(self._mover[0])
        self._shapes[1][disc] = point
        pairs = np.full((self._near.size, 2), disc, int64)
        pairs[:, 1] = np.arange(self._first_solid, self._first_solid + self._near.size)
        found = _impacts(pairs, x, y, self._near, self._shapes)
        return self._blocking(found, x, y) if self._has_one_way else found

    def cast_towards(self, solid: int, back: tuple[float, float], x: float, y: float) -> Impacts:
        """Impacts with one solid collider only, from where it was before it moved by ``back``."""
        return self._blocking(self._towards(solid, back, x, y), x, y)

    def _towards(self, solid: int, back: tuple[float, float], x: float, y: float) -> Impacts:
        (forms, positions, shapes), placed = self._mover, self.solids.placed
        count = len(forms)
        pairs = np.column_stack((np.arange(count), np.full(count, count)))
        together = (
            np.append(forms, placed.forms[solid]),
            np.vstack((positions + np.array((self.x, self.y)), placed.positions[solid] - back)),
            np.vstack((shapes, placed.shapes[solid])),
        )
        return _impacts(pairs, x, y, np.full(count, solid, int32), together)

    @property
    def _first_solid(self) -> int:
        """Where the solids begin in what is gathered: after the mover's colliders and the disc."""
        return len(self._mover[0]) + 1

    def _swept(self, box: Box, x: float, y: float, margin: float) -> Box:
        """The box round a way, whose solids are gathered then."""
        min_x, min_y = box[0] + min(x, 0.0) - margin, box[1] + min(y, 0.0) - margin
        max_x, max_y = box[2] + max(x, 0.0) + margin, box[3] + max(y, 0.0) + margin
        least_x, least_y, most_x, most_y = self._gathered
        if min_x < least_x or min_y < least_y or max_x > most_x or max_y > most_y:
            self._gather((min_x, min_y, max_x, max_y))
        return min_x, min_y, max_x, max_y

    def _blocking(self, found: Impacts, x: float, y: float) -> Impacts:
        """Without those with one-way solids that let pass."""
        normals = self.solids.one_way_normals(found.solid)  # NaN for those that never let pass
        if normals is None:
            return found
        along = -(found.normal * normals).sum(axis=1)
        against = normals[:, 0] * x + normals[:, 1] * y <= 0.0
        blocks = np.isnan(along) | (against & (along > _LEAST_ALONG) & (found.gap >= -_STILL_OUTSIDE * self.skin))
        return found if blocks.all() else Impacts(*(part[blocks] for part in found))

    def _gather_around(self) -> None:
        min_x, min_y, max_x, max_y = self.box
        reach = self._reach
        self._gather((min_x - reach, min_y - reach, max_x + reach, max_y + reach))

    def _gather(self, box: Box) -> None:
        """Lay out the mover's shapes, a disc, and after them the shapes of the solids in a box, for casts."""
        self._gathered = box
        forms, positions, shapes = self._mover
        placed = self.solids.placed
        near = self.solids.near(box)
        near = near[self.allows(near)]
        if self._ignored.size:
            near = near[~np.isin(near, self._ignored)]
        self._near = near
        normals = self.solids.one_way_normals(near)
        self._has_one_way = normals is not None and not np.isnan(normals[:, 0]).all()
        movers, first = len(forms), self._first_solid
        self._boxes = placed.boxes[near]
        self._pairs = np.empty((near.size * movers, 2), int64)
        self._pairs[:, 0] = np.repeat(np.arange(movers), near.size)
        self._pairs[:, 1] = np.tile(np.arange(first, first + near.size), movers)
        self._solids_of_pairs = np.tile(near, movers)
        disc = self._disc
        self._shapes = (
            np.concatenate((forms, _DISC, placed.forms[near])),
            np.concatenate((positions, disc[:, :2], placed.positions[near])),
            np.concatenate((shapes, disc, placed.shapes[near])),
        )


def _impacts(pairs: NDArray[int64], x: float, y: float, solids: Slots, shapes: Shapes) -> Impacts:
    """Impacts of pairs (m, 2) of ``shapes`` on the way (x, y); ``solids`` (m,) are the names of the second ones."""
    count = len(pairs)
    found = Impacts(solids, np.empty(count), np.empty(count), np.empty((count, 2)), np.empty((count, 2)))
    if count:
        cast_shapes(pairs, x, y, ShapeArrays(*shapes, VERTEX_POOL.data), CastImpacts(*found[1:]))
    return found


def _overlapping(boxes: NDArray[float64], min_x: float, min_y: float, max_x: float, max_y: float) -> NDArray[bool_]:
    """For each of the boxes (n, 4), whether it overlaps or touches another one."""
    overlapping: NDArray[bool_] = boxes[:, 0] <= max_x
    overlapping &= boxes[:, 2] >= min_x
    overlapping &= boxes[:, 1] <= max_y
    overlapping &= boxes[:, 3] >= min_y
    return overlapping


def meets(row: int, rows: Slots) -> NDArray[bool_]:
    """For each filter row (n,) whether it and a filter row let each other meet; as the engine's may_collide."""
    without = rows < 0
    if row < 0 and without.all():
        return np.ones(len(rows), bool_)
    layers_and_masks, groups = CollisionFilter._columns.uint32, CollisionFilter._columns.int64[0]
    layers = np.where(without, 1, layers_and_masks[0, rows])
    masks = np.where(without, _ALL, layers_and_masks[1, rows])
    layer, mask, group = (1, _ALL, 0) if row < 0 else (*layers_and_masks[:, row].tolist(), int(groups[row]))
    met: NDArray[bool_] = ((masks & layer) != 0) & ((layers & mask) != 0)
    return np.where(~without & (groups[rows] == group), group > 0, met) if group else met
