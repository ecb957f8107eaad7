"""The mover of one move, the solids near it, and its casts at them.

Colliders are cast where they lie in the arrays of the world. While a move is computed, the mover's colliders are
shifted there. A solid outside the *region* in which solids were gathered is not seen: a cast that leaves the region
notes so in ``status``; then the move is void, and it is computed again in a larger region.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box, box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.geometry.shape_cast import cast_pair
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int64s, Layout, record
from ecsphys.engine.kernels.building import NamedTuple
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.shapes.layout import ShapeArrays

# One move, a row for each mover. First its results: (x, y), how far it was moved from its place; the rest of the
# displacement; normal and velocity of its floor, an entity, −1 for none; by how much it was carried and pushed; how
# high it climbed by steps; and where its contacts end. Then its order: the slots of the entity and its memory,
# −1 for a mover that slides; the displacement; whether it drops. And what is used on the way. way: the displacement
# with which it runs into solids. carry: its carrier's. size: the smaller side of the box round it. margin: how far
# around its way solids are known. snap: by how much it was put on its grid. inside_since: −1 if it is in no solid.
MOVE: Final = record(
    "x y remaining_x remaining_y floor_normal_x floor_normal_y floor_velocity_x floor_velocity_y carried_x carried_y"
    " pushed_x pushed_y stepped"
    " ask_x ask_y place_x place_y way_x way_y carry_x carry_y skin rounding size margin min_x min_y max_x max_y"
    " snap_x snap_y inside_since",
    "on_floor on_wall on_ceiling snapped crushed floor contacts"
    " owner memory drops row status needed entity filter_row transform_row own solids first_contact moved dropped",
)
# one_way: the normal from which a solid blocks, NaN if it does from everywhere. passes: not 0 if it is not in the way.
SOLID: Final = record("one_way_x one_way_y", "slot entity passes")
# The first impact of a collider, ``own``, and a solid: normal towards the mover, and point; the part of the way, and
# the gap at the start; the ways until the two touch, and until the mover enters the solid's skin, infinity if it does
# not; how steep it comes there; for contacts, bits how they meet, and how far they came nearer before.
HIT: Final = record("normal_x normal_y x y fraction gap touching stop approach closing", "entity slot own how")
# How a solid has moved since the character was moved last: the pose of its transform then and now, and the way by which
# it passed the mover.
MOTION: Final = record("then_x then_y then_angle x y angle way_x way_y", "slot pushes")
# A solid to stand on, slot −1 for none.
FOOT: Final = record("normal_x normal_y x y", "entity slot")

Moves = Annotated[NDArray[np.void], Layout(MOVE, 1)]
Hits = Annotated[NDArray[np.void], Layout(HIT, 1)]

FINE, LEFT_REGION, NO_ROWS, NO_CONTACTS = range(4)

# The mover's ground before and after the move: rows of the feet.
ON, AFTER = range(2)

# Bits of ``how``: the move tells the game of the contact; the mover stands there; the contact is void.
IS_TOLD, IS_STANDING, IS_VOID = 1, 2, 4

# Two normals that differ less are one.
SAME_NORMAL = 1e-6

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE, _LEAST_ALONG = 100.0, 0.1


@packed
class Workspace(NamedTuple):
    """Scratch of a move: slots of its ``own`` colliders; ``solids``, and one more; hits of two casts; the ``motions``
    of solids; ``dropped``: the one-way entities through which the mover is dropping; ``pairs`` for searches in grids,
    ``keys`` for sorting. These have one length. Then the ``feet`` (2,); normals of the ``planes`` (5, 2) at one place;
    and hulls."""

    own: Int64s
    solids: Annotated[NDArray[np.void], Layout(SOLID, 1)]
    ahead: Hits
    aside: Hits
    motions: Annotated[NDArray[np.void], Layout(MOTION, 1)]
    dropped: Int64s
    pairs: Int32Rows
    keys: Int64s
    feet: Annotated[NDArray[np.void], Layout(FOOT, 1)]
    planes: Float64Rows
    hulls: Float64Rows


class Mover(NamedTuple):
    """A move, its workspace, its contacts, and the placed shapes of the world with their boxes."""

    move: Any
    work: Workspace
    contacts: Hits
    bounds: Float64Rows
    shapes: ShapeArrays


class Found(NamedTuple):
    """The hits of a cast: how many, the first of those with the least fraction (−1: none), this fraction, 1 at most,
    and the least gap, infinity without any."""

    hits: int
    first: int
    fraction: float
    gap: float


@scalar
def dot(ax: float, ay: float, bx: float, by: float) -> float:
    """a · b."""
    return ax * bx + ay * by


@scalar
def fail(move: Any, status: int, needed: int) -> None:
    """Note why the move is void, and how many rows of a table it needs; the first reason stays."""
    if move.status == FINE:
        move.status = status
        move.needed = needed


@scalar
def shift(move: Any, x: float, y: float) -> None:
    """Move the mover, whatever is in the way."""
    move.x += x
    move.y += y


@scalar
def copy_foot(foot: Any, solid: Any) -> None:
    """Copy a foot's data of a solid: of a hit, a foot or a memory."""
    foot.normal_x, foot.normal_y = solid.normal_x, solid.normal_y
    foot.x, foot.y = solid.x, solid.y
    foot.entity, foot.slot = int(solid.entity), int(solid.slot)


@scalar
def no_foot(foot: Any) -> None:
    """Stand on nothing."""
    foot.slot = foot.entity = -1
    foot.normal_x = foot.normal_y = foot.x = foot.y = 0.0


@scalar
def swept_box(box: Box, x: float, y: float, margin: float) -> Box:
    """The box round a box on a way."""
    left, low = box.min_x + min(x, 0.0) - margin, box.min_y + min(y, 0.0) - margin
    return Box(left, low, box.max_x + max(x, 0.0) + margin, box.max_y + max(y, 0.0) + margin)


@scalar
def box_of(move: Any, margin: float) -> Box:
    """The box round the mover where it is now."""
    x, y = move.x, move.y
    return swept_box(Box(move.min_x + x, move.min_y + y, move.max_x + x, move.max_y + y), 0.0, 0.0, margin)


@scalar
def region_of(move: Any) -> Box:
    """The box in which all solids are known."""
    return swept_box(Box(move.min_x, move.min_y, move.max_x, move.max_y), move.ask_x, move.ask_y, move.margin)


@scalar
def need(move: Any, box: Box) -> None:
    """See that the solids in a box are known."""
    known = region_of(move)
    # A NaN leaves nothing.
    leaves_x = box.min_x < known.min_x or box.max_x > known.max_x
    if leaves_x or box.min_y < known.min_y or box.max_y > known.max_y:
        fail(move, LEFT_REGION, 0)


@scalar
def put_colliders(mover: Mover, x: float, y: float) -> None:
    """Place the colliders of the mover, by their shift from its place."""
    move = mover.move
    for k in range(move.own):
        mover.shapes.positions[mover.work.own[k], 0] = move.place_x + x
        mover.shapes.positions[mover.work.own[k], 1] = move.place_y + y


@scalar
def cast_at(mover: Mover, first: int, end: int, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at the solids from ``first`` to ``end``. Solids that it passes, or that are farther than
    a skin from the way are left out, but not the one behind all others.

    Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
    meets no side of them.
    """
    move, work = mover.move, mover.work
    put_colliders(mover, move.x, move.y)
    count = 0
    nearest = -1
    fraction = gap = math.inf
    for k in range(move.own):
        own = work.own[k]
        box = box_at(mover.bounds, own)
        moved = Box(box.min_x + move.x, box.min_y + move.y, box.max_x + move.x, box.max_y + move.y)
        way = swept_box(moved, x, y, move.skin)
        for row in range(first, end):
            solid = work.solids[row]
            is_near = solid.passes == 0 and overlaps_box(mover.bounds, solid.slot, way)
            if row < move.solids and not is_near:
                continue
            impact = cast_pair(own, solid.slot, x, y, mover.shapes, work.hulls)
            if not math.isnan(solid.one_way_x):
                along = -(impact.normal_x * solid.one_way_x + impact.normal_y * solid.one_way_y)
                is_outside = along > _LEAST_ALONG and impact.gap >= -_STILL_OUTSIDE * move.skin
                if not (is_outside and solid.one_way_x * x + solid.one_way_y * y <= 0.0):
                    continue
            if count == hits.shape[0]:
                fail(move, NO_ROWS, count + 1)
                continue
            hit = hits[count]
            hit.own, hit.slot, hit.entity = own, solid.slot, solid.entity
            hit.fraction, hit.gap = impact.fraction, impact.gap
            hit.normal_x, hit.normal_y = 0.0 - impact.normal_x, 0.0 - impact.normal_y
            hit.x, hit.y = impact.x, impact.y
            if nearest < 0 or impact.fraction < fraction:
                nearest = count
                fraction = impact.fraction
            gap = min(gap, impact.gap)
            count += 1
    return Found(count, nearest, min(fraction, 1.0), gap)


@scalar
def cast(mover: Mover, x: float, y: float, hits: Hits) -> Found:
    """Cast the mover by (x, y) at all solids."""
    need(mover.move, swept_box(box_of(mover.move, 0.0), x, y, mover.move.skin))
    return cast_at(mover, 0, mover.move.solids, x, y, hits)


@scalar
def cast_beside(mover: Mover, beside_x: float, beside_y: float, x: float, y: float) -> Found:
    """Cast the mover by (x, y), from a place beside its own, at the solid behind all others only."""
    move = mover.move
    here_x, here_y = move.x, move.y
    shift(move, beside_x, beside_y)
    found = cast_at(mover, move.solids, move.solids + 1, x, y, mover.work.aside)
    move.x, move.y = here_x, here_y
    return found


@scalar
def add_contact(mover: Mover, hit: Any, how: int) -> None:
    """Add a hit to the contacts of the move; they are merged in the end."""
    move = mover.move
    if move.contacts == mover.contacts.shape[0]:
        fail(move, NO_CONTACTS, move.contacts + 1)
        return
    contact = mover.contacts[move.contacts]
    copy_foot(contact, hit)
    contact.own, contact.how = hit.own, how
    move.contacts += 1
