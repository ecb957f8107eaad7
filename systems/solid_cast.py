"""Casts of one entity's colliders against the solid ones, where all of them are at this moment."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.parent import Parent
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.engine.compilation import load_kernels
from ecsphys.engine.shape_cast import cast_shapes
from ecsphys.systems.esper_world import dead_entities
from ecsphys.systems.placed_colliders import PlacedColliders
from ecsphys.systems.proxies import Proxies
from ecsphys.systems.world_index import WorldIndex

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below what is seen.
_SKIN = 1e-4

# Far from the world's origin, coordinates themselves are coarser than that.
_ROUNDINGS = 64.0 * float(np.finfo(float64).eps)

# Fewer casts than these are made faster than chosen.
_FEW = 24

_ALL = 0xFFFFFFFF


class Solids:
    """The colliders of all solid entities of an index, and those of the entities that have moved among them."""

    __slots__ = ("_movers", "index", "is_filtered", "placed", "proxies")

    def __init__(self, index: WorldIndex) -> None:
        self.index = index
        self.proxies = index.proxies.select(np.flatnonzero(np.isin(index.proxies.entity, index.solids)))
        self.is_filtered = bool((self.proxies.filter_row >= 0).any())
        self.placed = PlacedColliders()
        self._movers: dict[int, tuple[Proxies, PlacedColliders]] = {}
        load_kernels((cast_shapes,))

    def mover(self, entity: int) -> tuple[Proxies, PlacedColliders] | None:
        """The colliders of any entity and the place for them; None where it has none, or no ``Transform``."""
        known = self._movers.get(entity)
        if known is None:
            first, end = np.searchsorted(self.index.proxies.entity, (entity, entity + 1)).tolist()
            if first == end:
                return None
            known = self._movers[entity] = (self.index.proxies.select(slice(first, end)), PlacedColliders())
        return known


class Impacts(NamedTuple):
    """What a cast found, one row for each pair of a mover's collider and a solid one near its way."""

    entity: NDArray[int64]
    fraction: NDArray[float64]
    gap: NDArray[float64]
    normal: NDArray[float64]
    point: NDArray[float64]


class SolidCast:
    """One mover, with its colliders and the solid ones placed anew.

    ``skin``: the distance it should keep; ``rounding``: what cannot be told apart where it is. ``x``, ``y``: how far it
    has been shifted so far; its ``Transform`` is only read. The solids within ``reach`` of it are gathered in advance.
    """

    __slots__ = (
        "_allowed",
        "_box",
        "_boxes",
        "_entities",
        "_gathered",
        "_pairs",
        "_placed",
        "_shapes",
        "_solids",
        "rounding",
        "skin",
        "x",
        "y",
    )

    def __init__(self, solids: Solids, mover: Proxies, placed: PlacedColliders, reach: float) -> None:
        self._solids = solids
        self._placed = placed
        solids.placed.place(solids.proxies)
        placed.place(mover)
        self._allowed = _allowed(solids, mover)
        boxes = placed.boxes.tolist()
        min_x, min_y = min(box[0] for box in boxes), min(box[1] for box in boxes)
        max_x, max_y = max(box[2] for box in boxes), max(box[3] for box in boxes)
        self._box = (min_x, min_y, max_x, max_y)
        self.rounding = _ROUNDINGS * max(-min_x, -min_y, max_x, max_y)
        self.skin = max(_SKIN * min(max_x - min_x, max_y - min_y), self.rounding)
        self.x = 0.0
        self.y = 0.0
        reach += 0.5 * (max_x - min_x + max_y - min_y)
        self._gather((min_x - reach, min_y - reach, max_x + reach, max_y + reach))

    def shift(self, x: float, y: float) -> None:
        """Move the mover, whatever is in the way."""
        self.x += x
        self.y += y

    def cast(self, x: float, y: float) -> Impacts:
        """Impacts on the way (x, y) from where the mover is; solids farther than a skin from it may be left out."""
        min_x, min_y, max_x, max_y = self._box
        min_x += self.x + min(x, 0.0) - self.skin
        max_x += self.x + max(x, 0.0) + self.skin
        min_y += self.y + min(y, 0.0) - self.skin
        max_y += self.y + max(y, 0.0) + self.skin
        least_x, least_y, most_x, most_y = self._gathered
        if min_x < least_x or min_y < least_y or max_x > most_x or max_y > most_y:
            self._gather((min_x, min_y, max_x, max_y))
        pairs, entities = self._pairs, self._entities
        if len(pairs) > _FEW:
            boxes = self._boxes
            near = np.flatnonzero(
                _overlapping(boxes, min_x, min_y, max_x, max_y)[pairs[:, 1] - len(self._placed.forms)]
            )
            pairs, entities = pairs[near], entities[near]
        count = len(pairs)
        found = Impacts(entities, np.empty(count), np.empty(count), np.empty((count, 2)), np.empty((count, 2)))
        if count:
            forms, positions, shapes = self._shapes
            movers = self._placed.positions
            positions[: len(movers), 0] = movers[:, 0] + self.x
            positions[: len(movers), 1] = movers[:, 1] + self.y
            cast_shapes(pairs, x, y, forms, positions, shapes, VERTEX_POOL.data, *found[1:])
        return found

    def _gather(self, box: tuple[float, float, float, float]) -> None:
        """Lay out the mover's shapes, and after them those of the solids in a box, for casts."""
        self._gathered = box
        placed, solids = self._placed, self._solids.placed
        near = np.flatnonzero(_overlapping(solids.boxes, *box) & self._allowed)
        movers = len(placed.forms)
        self._boxes = solids.boxes[near]
        self._pairs = np.empty((near.size * movers, 2), int64)
        self._pairs[:, 0] = np.repeat(np.arange(movers), near.size)
        self._pairs[:, 1] = np.tile(np.arange(movers, movers + near.size), movers)
        self._entities: NDArray[int64] = np.tile(self._solids.proxies.entity[near], movers)
        self._shapes = (
            np.concatenate((placed.forms, solids.forms[near])),
            np.concatenate((placed.positions, solids.positions[near])),
            np.concatenate((placed.shapes, solids.shapes[near])),
        )


def _overlapping(boxes: NDArray[float64], min_x: float, min_y: float, max_x: float, max_y: float) -> NDArray[bool_]:
    """For each of the boxes (n, 4), whether it overlaps or touches another one."""
    overlapping: NDArray[bool_] = boxes[:, 0] <= max_x
    overlapping &= boxes[:, 2] >= min_x
    overlapping &= boxes[:, 1] <= max_y
    overlapping &= boxes[:, 3] >= min_y
    return overlapping


def _carried_by(entity: int, index: WorldIndex) -> NDArray[int64]:
    """The entities whose ``Parent`` is this one, or one that it carries."""
    children, rows = index.children
    carried = np.zeros(0, int64)
    if children.size:
        parents = Parent.column("entity")[rows]
        found = children[parents == entity]
        while found.size > carried.size:
            carried = found
            found = children[np.isin(parents, carried) | (parents == entity)]
    return carried


def _allowed(solids: Solids, mover: Proxies) -> NDArray[bool_]:
    """Which solids stand in the mover's way at all: not itself, nothing it carries, none that is marked dead or
    that filters let pass."""
    proxies = solids.proxies
    allowed: NDArray[bool_] = proxies.entity != mover.entity[0]
    dead = dead_entities()
    if dead:
        allowed &= ~np.isin(proxies.entity, np.fromiter(dead, int64, len(dead)))
    carried = _carried_by(int(mover.entity[0]), solids.index)
    if carried.size:
        allowed &= ~np.isin(proxies.entity, carried)
    row = int(mover.filter_row[0])
    if row < 0 and not solids.is_filtered:
        return allowed
    # As the engine's may_collide, for one against many.
    layers_and_masks, groups = CollisionFilter._columns.uint32, CollisionFilter._columns.int64[0]
    rows = proxies.filter_row
    without = rows < 0
    layers = np.where(without, 1, layers_and_masks[0, rows])
    masks = np.where(without, _ALL, layers_and_masks[1, rows])
    layer, mask, group = (1, _ALL, 0) if row < 0 else (*layers_and_masks[:, row].tolist(), int(groups[row]))
    meets: NDArray[bool_] = ((masks & layer) != 0) & ((layers & mask) != 0)
    if group:
        meets = np.where(~without & (groups[rows] == group), group > 0, meets)
    meets &= allowed
    return meets
