"""Casts of one entity's colliders against the solid ones, where all of them are at this moment."""

from __future__ import annotations

from typing import NamedTuple

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.solid import Solid
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.engine.shape_cast import cast_shapes
from ecsphys.systems.esper_world import dead_entities
from ecsphys.systems.placed_colliders import PlacedColliders
from ecsphys.systems.world_index import Proxies, WorldIndex

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below what is seen.
_SKIN = 1e-4

# Far from the world's origin, coordinates themselves are coarser than that.
_ROUNDINGS = 64.0 * float(np.finfo(float64).eps)

_ALL = 0xFFFFFFFF


class Solids:
    """The colliders of all solid entities of an index."""

    __slots__ = ("index", "is_filtered", "placed", "proxies")

    def __init__(self, index: WorldIndex) -> None:
        self.index = index
        marked = esper.get_component(Solid)
        entities = np.fromiter((entity for entity, _ in marked), int64, len(marked))
        self.proxies = index.proxies.select(np.flatnonzero(np.isin(index.proxies.entity, entities)))
        self.is_filtered = bool((self.proxies.filter_row >= 0).any())
        self.placed = PlacedColliders()


class Impacts(NamedTuple):
    """What a cast found, one row for each pair of a mover's collider and a solid one near its way."""

    entity: NDArray[int64]
    fraction: NDArray[float64]
    gap: NDArray[float64]
    normal: NDArray[float64]
    point: NDArray[float64]


class SolidCast:
    """One mover, an entity of the index of ``solids``, which are placed anew.

    ``skin``: the distance it should keep; ``rounding``: what cannot be told apart where it is. ``x``, ``y``: how far it
    has been shifted so far; its ``Transform`` is only read.
    """

    __slots__ = ("_allowed", "_box", "_placed", "_solids", "rounding", "skin", "x", "y")

    def __init__(self, solids: Solids, mover: Proxies) -> None:
        self._solids = solids
        solids.placed.place(solids.proxies)
        self._placed = PlacedColliders()
        self._placed.place(mover)
        self._allowed = _allowed(solids, mover)
        boxes = self._placed.boxes
        self._box = (*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())
        min_x, min_y, max_x, max_y = self._box
        self.rounding = _ROUNDINGS * max(map(abs, self._box))
        self.skin = max(_SKIN * min(max_x - min_x, max_y - min_y), self.rounding)
        self.x = 0.0
        self.y = 0.0

    def shift(self, x: float, y: float) -> None:
        """Move the mover, whatever is in the way."""
        self.x += x
        self.y += y

    def cast(self, x: float, y: float) -> Impacts:
        """Impacts on the way (x, y) from where the mover is; solids farther than a skin from it are left out."""
        solids = self._solids
        min_x, min_y, max_x, max_y = self._box
        min_x += self.x + min(x, 0.0) - self.skin
        max_x += self.x + max(x, 0.0) + self.skin
        min_y += self.y + min(y, 0.0) - self.skin
        max_y += self.y + max(y, 0.0) + self.skin
        boxes = solids.placed.boxes
        near = np.flatnonzero(
            (boxes[:, 0] <= max_x) & (boxes[:, 2] >= min_x) & (boxes[:, 1] <= max_y) & (boxes[:, 3] >= min_y)
            & self._allowed
        )  # fmt: skip
        movers = len(self._placed.forms)
        pairs = np.empty((near.size * movers, 2), int64)
        pairs[:, 0] = np.repeat(np.arange(movers), near.size)
        pairs[:, 1] = np.tile(np.arange(movers, movers + near.size), movers)
        count = len(pairs)
        found = Impacts(
            np.tile(solids.proxies.entity[near], movers),
            np.empty(count),
            np.empty(count),
            np.empty((count, 2)),
            np.empty((count, 2)),
        )
        if count:
            cast_shapes(
                pairs,
                x,
                y,
                np.concatenate((self._placed.forms, solids.placed.forms[near])),
                np.concatenate((self._placed.positions + np.array((self.x, self.y)), solids.placed.positions[near])),
                np.concatenate((self._placed.shapes, solids.placed.shapes[near])),
                VERTEX_POOL.data,
                found.fraction,
                found.gap,
                found.normal,
                found.point,
            )
        return found


def _allowed(solids: Solids, mover: Proxies) -> NDArray[bool_]:
    """Which solids stand in the mover's way at all: not itself, none marked dead, and none its filter lets pass."""
    proxies = solids.proxies
    allowed: NDArray[bool_] = proxies.entity != mover.entity[0]
    dead = dead_entities()
    if dead:
        allowed &= ~np.isin(proxies.entity, np.fromiter(dead, int64, len(dead)))
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
