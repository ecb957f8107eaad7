"""The mover of one move: its colliders, the solids near it, the hits of its casts, and the contacts of the move.

Colliders are cast where they lie in the arrays of the world. While a move is computed, those of the mover are shifted
there. A solid outside the *region* in which solids were gathered is not seen: a cast that leaves the region notes so in
``status``; then the move is void, and it is computed again in a larger region.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box, box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.cast.shape_cast import PairImpact, cast_pair
from ecsphys.engine.kernels.array_types import Float64Rows, Int64s, Layout, record
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import ShapeArrays

# (x, y): how far the mover has been shifted from its place. skin: the distance that it keeps. rounding: the error of
# floats where it is. size: the smaller side of the box round it. stepped: how high it climbed by steps. ask: the
# displacement that the game wants. way: the displacement with which it runs into solids; carry: its carrier's.
# Counts: own colliders, solids, contacts, moved solids, entities that it drops through.
STATE: Final = record(
    "x y skin rounding size stepped place_x place_y ask_x ask_y way_x way_y carry_x carry_y snap_x snap_y inside_since",
    "status needed entity filter_row transform_row memory drops own solids contacts moved dropped"
    " on_floor on_wall on_ceiling snapped",
)
# one_way: the normal from which a solid blocks, NaN if it does from everywhere. passes: not 0 if it is not in the way.
SOLID: Final = record("one_way_x one_way_y", "slot entity passes")
# The first impact of a collider, ``own``, and a solid: fraction of the way, gap at the start, normal towards the mover
# and point. touching, stop: the ways until the two touch, and until the mover enters the solid's skin, infinity if it
# does not; approach: how steep it comes there. how: bits; closing: how far they came nearer before they met.
HIT: Final = record("fraction gap normal_x normal_y x y touching stop approach closing", "own slot entity how")
# A collider to stand on, slot −1 for none, with the normal and the point there: so read of a hit, too.
SUPPORT: Final = record("normal_x normal_y x y", "slot entity")

Hits = Annotated[NDArray[np.void], Layout(HIT, 1)]

FINE, LEFT_REGION, NO_ROWS, NO_HITS, NO_CONTACTS = range(5)

# Rows of the boxes: round the mover before any shift; the region; and the region that a cast needed instead.
OWN, REGION, WANTED = range(3)

# Rows of the feet: the solid that the mover walks on, and the one that it stands on after the move.
ON, AFTER = range(2)

# Bits of ``how``: the move tells the game of the contact; the mover stands there; the contact is void.
IS_TOLD, IS_STANDING, IS_VOID = 1, 2, 4

# Two normals that differ less are one.
SAME_NORMAL = 1e-6

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE = 100.0
_LEAST_ALONG = 0.1


@packed
class MoverArrays(NamedTuple):
    """Scratch of a move: the ``state`` (1,); slots of its ``own`` colliders; ``solids``, and one more; the hits
    ``ahead`` and ``aside``; ``contacts``; the ``walls`` (2,) to its left and right; ``feet`` (2,): what it walks and
    stands on; normals of the ``planes`` (5, 2) at one place; ``boxes`` (3, 4); and hulls."""

    state: Annotated[NDArray[np.void], Layout(STATE, 1)]
    own: Int64s
    solids: Annotated[NDArray[np.void], Layout(SOLID, 1)]
    ahead: Hits
    aside: Hits
    contacts: Hits
    walls: Hits
    feet: Annotated[NDArray[np.void], Layout(SUPPORT, 1)]
    planes: Float64Rows
    boxes: Float64Rows
    hulls: Float64Rows


class Mover(NamedTuple):
    """The arrays of a move, and the placed shapes of the world with their boxes: all that casts read and write."""

    arrays: MoverArrays
    bounds: Float64Rows
    shapes: ShapeArrays


class Support(NamedTuple):
    """A collider to stand on: its ``slot`` (−1: none), its ``entity``, the normal and the point there."""

    slot: int
    entity: int
    normal_x: float
    normal_y: float
    x: float
    y: float


class Found(NamedTuple):
    """The hits of a cast: how many, the first of those with the least fraction (−1: none), this fraction, 1 at most,
    and the least gap, infinity without any."""

    count: int
    first: int
    fraction: float
    gap: float


@scalar
def no_support() -> Support:
    """Nothing."""
    return Support(-1, -1, 0.0, 0.0, 0.0, 0.0)


@scalar
def support_at(row: Any) -> Support:
    """The support of a record, or the solid of a hit."""
    return Support(row.slot, row.entity, row.normal_x, row.normal_y, row.x, row.y)


@scalar
def put_support(row: Any, support: Support) -> None:
    """Write a support to a record."""
    row.slot = support.slot
    row.entity = support.entity
    row.normal_x = support.normal_x
    row.normal_y = support.normal_y
    row.x = support.x
    row.y = support.y


@scalar
def dot(ax: float, ay: float, bx: float, by: float) -> float:
    """a · b."""
    return ax * bx + ay * by


@scalar
def shift(state: Any, x: float, y: float) -> None:
    """Move the mover, whatever is in the way."""
    state.x += x
    state.y += y


@scalar
def fail(state: Any, status: int, needed: int) -> None:
    """Note why the move is void, and how many rows of a table it needs; the first reason stays."""
    if state.status == FINE:
        state.status = status
        state.needed = needed


@scalar
def put_box(boxes: Float64Rows, row: int, box: Box) -> None:
    """Write a box to a row."""
    boxes[row, 0] = box.min_x
    boxes[row, 1] = box.min_y
    boxes[row, 2] = box.max_x
    boxes[row, 3] = box.max_y


@scalar
def swept_box(box: Box, x: float, y: float, margin: float) -> Box:
    """The box round a box on a way."""
    return Box(
        box.min_x + min(x, 0.0) - margin,
        box.min_y + min(y, 0.0) - margin,
        box.max_x + max(x, 0.0) + margin,
        box.max_y + max(y, 0.0) + margin,
    )


@scalar
def box_now(boxes: Float64Rows, row: int, state: Any) -> Box:
    """The box round the mover, or one of its colliders, where it is now."""
    x, y = state.x, state.y
    box = box_at(boxes, row)
    return Box(box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y)


@scalar
def need(arrays: MoverArrays, box: Box) -> None:
    """See that the solids in a box are known."""
    known = box_at(arrays.boxes, REGION)
    # A NaN leaves nothing.
    leaves_x = box.min_x < known.min_x or box.max_x > known.max_x
    if (leaves_x or box.min_y < known.min_y or box.max_y > known.max_y) and arrays.state[0].status == FINE:
        fail(arrays.state[0], LEFT_REGION, 0)
        put_box(arrays.boxes, WANTED, box)


@scalar
def put_colliders(mover: Mover, x: float, y: float) -> None:
    """Place the colliders of the mover, by their shift from its place."""
    state = mover.arrays.state[0]
    for k in range(state.own):
        mover.shapes.positions[mover.arrays.own[k], 0] = state.place_x + x
        mover.shapes.positions[mover.arrays.own[k], 1] = state.place_y + y


@scalar
def _lets_pass(solid: Any, impact: PairImpact, x: float, y: float, skin: float) -> bool:
    """Whether a solid is one-way, and an impact on the way (x, y) does not come from outside against its normal."""
    if math.isnan(solid.one_way_x):
        return False
    along = -(impact.normal_x * solid.one_way_x + impact.normal_y * solid.one_way_y)
    is_outside = along > _LEAST_ALONG and impact.gap >= -_STILL_OUTSIDE * skin
    return not (is_outside and solid.one_way_x * x + solid.one_way_y * y <= 0.0)


@scalar
def cast_at(mover: Mover, first: int, end: int, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at the solids from ``first`` to ``end``. Those farther than a skin may be left out.

    Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
    meets the side of none of them.
    """
    arrays = mover.arrays
    state = arrays.state[0]
    put_colliders(mover, state.x, state.y)
    count = 0
    nearest = -1
    fraction = gap = math.inf
    for k in range(state.own):
        own = arrays.own[k]
        way = swept_box(box_now(mover.bounds, own, state), x, y, state.skin)
        for row in range(first, end):
            solid = arrays.solids[row]
            if solid.passes != 0 or not overlaps_box(mover.bounds, solid.slot, way):
                continue
            impact = cast_pair(own, solid.slot, x, y, mover.shapes, arrays.hulls)
            if _lets_pass(solid, impact, x, y, state.skin):
                continue
            if count == hits.shape[0]:
                fail(state, NO_HITS, count + 1)
                continue
            hit = hits[count]
            hit.own = own
            hit.slot = solid.slot
            hit.entity = solid.entity
            hit.fraction = impact.fraction
            hit.gap = impact.gap
            hit.normal_x = 0.0 - impact.normal_x
            hit.normal_y = 0.0 - impact.normal_y
            hit.x = impact.x
            hit.y = impact.y
            if nearest < 0 or impact.fraction < fraction:
                nearest = count
                fraction = impact.fraction
            gap = min(gap, impact.gap)
            count += 1
    return Found(count, nearest, min(fraction, 1.0), gap)


@scalar
def cast(mover: Mover, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at all solids."""
    arrays = mover.arrays
    state = arrays.state[0]
    need(arrays, swept_box(box_now(arrays.boxes, OWN, state), x, y, state.skin))
    return cast_at(mover, 0, state.solids, x, y, hits)


@scalar
def cast_at_spare(mover: Mover, x: float, y: float) -> Found:
    """Cast the mover by (x, y) at the solid behind all others only."""
    last = mover.arrays.state[0].solids
    return cast_at(mover, last, last + 1, x, y, mover.arrays.aside)


@scalar
def add_contact(arrays: MoverArrays, hit: Any, how: int) -> None:
    """Add a hit to the contacts of the move; they are merged in the end."""
    state = arrays.state[0]
    if state.contacts == arrays.contacts.shape[0]:
        fail(state, NO_CONTACTS, state.contacts + 1)
        return
    contact = arrays.contacts[state.contacts]
    put_support(contact, support_at(hit))
    contact.own = hit.own
    contact.how = how
    state.contacts += 1


@scalar
def merge_contacts(arrays: MoverArrays) -> None:
    """Report each surface of an entity once, at the first place where it was met.

    If the mover stands on a surface that is not reported, the last place counts. Void contacts go.
    """
    contacts = arrays.contacts
    count = 0
    for k in range(arrays.state[0].contacts):
        met = contacts[k]
        how = met.how
        is_new = how & IS_VOID == 0
        for other in range(count if is_new else 0):
            listed = contacts[other]
            apart = hypot(met.normal_x - listed.normal_x, met.normal_y - listed.normal_y)
            if listed.entity != met.entity or apart > SAME_NORMAL:
                continue
            is_same_pair = listed.own == met.own and listed.slot == met.slot
            if is_same_pair and (listed.how ^ how) & IS_STANDING == 0:
                if how & IS_STANDING == 0 and (listed.how & IS_TOLD != 0 or how & IS_TOLD == 0):
                    is_new = False
                    break
                if how & IS_STANDING != 0 and listed.how & IS_TOLD == 0:
                    listed.x = met.x
                    listed.y = met.y
                    is_new = False
                    break
            if listed.how & IS_TOLD != 0:
                how &= IS_STANDING
        if is_new:
            listed = contacts[count]
            put_support(listed, support_at(met))
            listed.own = met.own
            listed.how = how
            count += 1
    arrays.state[0].contacts = count
