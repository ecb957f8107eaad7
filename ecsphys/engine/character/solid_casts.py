"""Casts of a mover's colliders against the solids near it.

Casts see the true shapes, not shapes grown by the skin: what slides over a row of flush tiles at a skin's distance
meets the side of none of them.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.cast.shape_cast import PairImpact, cast_pair
from ecsphys.engine.character.mover import (
    BOX_MAX_X,
    BOX_MAX_Y,
    BOX_MIN_X,
    BOX_MIN_Y,
    COLLIDER,
    COLLIDERS,
    FINE,
    FOUND,
    FRACTION,
    GAP,
    LEFT_REGION,
    NO_IMPACTS,
    NORMAL,
    ONE_WAY,
    PASSES,
    POINT,
    POSITION,
    REGION,
    ROWS,
    SKIN,
    SOLID,
    STATUS,
    WANTED,
    Mover,
    X,
    Y,
    box_now,
    fail,
)
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, ShapeArrays

# What is cast; see :func:`cast`.
ALL, THE_DISC, AT_SPARE = 0, 1, 2

# A one-way solid is met from outside if the mover is no deeper in it than this, in skins, and if the normal at the
# impact has at least this part along the solid's own: a round foot may come down beside a plank's end.
_STILL_OUTSIDE = 100.0
_LEAST_ALONG = 0.1


@scalar
def disc_row(mover: Mover) -> int:
    """The row of a disc as small as the skin."""
    return int(mover.counts[COLLIDERS])


@scalar
def spare_row(mover: Mover) -> int:
    """The row for one more solid."""
    return int(mover.counts[COLLIDERS]) + 1


@scalar
def first_solid(mover: Mover) -> int:
    """The row of the first solid near the mover; the last is before the row ROWS."""
    return int(mover.counts[COLLIDERS]) + 2


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
def need(mover: Mover, box: Box) -> None:
    """See that the solids in a box are known."""
    state = mover.state
    # A NaN leaves nothing.
    leaves_x = box.min_x < state[REGION] or box.max_x > state[REGION + 2]
    if not (leaves_x or box.min_y < state[REGION + 1] or box.max_y > state[REGION + 3]):
        return
    if mover.counts[STATUS] == FINE:
        fail(mover, LEFT_REGION, 0)
        state[WANTED] = box.min_x
        state[WANTED + 1] = box.min_y
        state[WANTED + 2] = box.max_x
        state[WANTED + 3] = box.max_y


@scalar
def touches_row(mover: Mover, row: int, box: Box) -> bool:
    """Whether the box of a row overlaps or touches another one."""
    bounds = mover.bounds
    overlaps_x = (bounds[row, BOX_MIN_X] <= box.max_x) & (bounds[row, BOX_MAX_X] >= box.min_x)
    return bool(overlaps_x & (bounds[row, BOX_MIN_Y] <= box.max_y) & (bounds[row, BOX_MAX_Y] >= box.min_y))


@scalar
def put_colliders(mover: Mover) -> None:
    """Place the colliders of the mover where it is now."""
    x, y = mover.state[X], mover.state[Y]
    for row in range(mover.counts[COLLIDERS]):
        mover.positions[row, ALONG_X] = mover.bounds[row, POSITION] + x
        mover.positions[row, ALONG_Y] = mover.bounds[row, POSITION + 1] + y


@scalar
def put_disc(mover: Mover, x: float, y: float) -> None:
    """Place the disc at a point of the world."""
    row = disc_row(mover)
    mover.positions[row, ALONG_X] = x
    mover.positions[row, ALONG_Y] = y


@scalar
def _box_of(mover: Mover, row: int) -> Box:
    """The box of a collider of the mover, or of the disc, where it is now."""
    state, bounds = mover.state, mover.bounds
    if row == disc_row(mover):
        edge = state[SKIN]
        px, py = mover.positions[row, ALONG_X], mover.positions[row, ALONG_Y]
        return Box(px - edge, py - edge, px + edge, py + edge)
    x, y = state[X], state[Y]
    return Box(
        bounds[row, BOX_MIN_X] + x, bounds[row, BOX_MIN_Y] + y, bounds[row, BOX_MAX_X] + x, bounds[row, BOX_MAX_Y] + y
    )


@scalar
def _lets_pass(mover: Mover, solid: int, impact: PairImpact, x: float, y: float) -> bool:
    """Whether a solid is one-way, and an impact on the way (x, y) does not come from outside against its normal."""
    one_way_x = mover.bounds[solid, ONE_WAY]
    one_way_y = mover.bounds[solid, ONE_WAY + 1]
    if one_way_x != one_way_x:
        return False
    along = -(impact.normal_x * one_way_x + impact.normal_y * one_way_y)
    is_outside = along > _LEAST_ALONG and impact.gap >= -_STILL_OUTSIDE * mover.state[SKIN]
    return not (is_outside and one_way_x * x + one_way_y * y <= 0.0)


@scalar
def cast(mover: Mover, pool: NDArray[float64], what: int, x: float, y: float, table: int) -> None:
    """Find the impacts on the way (x, y) of ``what`` was put where it is, by collider and solid.

    ALL: of the mover's colliders with the solids. THE_DISC: of the disc with the solids. AT_SPARE: of the colliders
    with the solid in the spare row only. Solids farther than a skin from the way may be left out.
    """
    counts, impacts = mover.counts, mover.impacts
    skin = mover.state[SKIN]
    first_row, end_row = 0, int(counts[COLLIDERS])
    solids, end_solids = first_solid(mover), int(counts[ROWS])
    if what == ALL:
        put_colliders(mover)
        need(mover, swept_box(box_now(mover), x, y, skin))
    elif what == THE_DISC:
        first_row = disc_row(mover)
        end_row = first_row + 1
        need(mover, swept_box(_box_of(mover, first_row), x, y, skin))
    else:
        put_colliders(mover)
        solids = spare_row(mover)
        end_solids = solids + 1
    found = 0
    for row in range(first_row, end_row):
        way = swept_box(_box_of(mover, row), x, y, skin)
        for solid in range(solids, end_solids):
            is_near = what == AT_SPARE or (mover.numbers[solid, PASSES] == 0 and touches_row(mover, solid, way))
            if not is_near:
                continue
            impact = cast_pair(
                row, solid, x, y, ShapeArrays(mover.forms, mover.positions, mover.shapes, pool), mover.hulls
            )
            if _lets_pass(mover, solid, impact, x, y):
                continue
            if found == impacts.shape[1]:
                fail(mover, NO_IMPACTS, found + 1)
                continue
            impacts[table, found, SOLID] = solid
            impacts[table, found, FRACTION] = impact.fraction
            impacts[table, found, GAP] = impact.gap
            impacts[table, found, NORMAL] = impact.normal_x
            impacts[table, found, NORMAL + 1] = impact.normal_y
            impacts[table, found, POINT] = impact.x
            impacts[table, found, POINT + 1] = impact.y
            impacts[table, found, COLLIDER] = row
            found += 1
    counts[FOUND + table] = found


@scalar
def first_impact(mover: Mover, table: int) -> int:
    """The impact with the lowest fraction, the first of these; −1 where there is none at all."""
    first = -1
    least = math.inf
    for k in range(mover.counts[FOUND + table]):
        if first < 0 or mover.impacts[table, k, FRACTION] < least:
            first = k
            least = mover.impacts[table, k, FRACTION]
    return first


@scalar
def least_fraction(mover: Mover, table: int) -> float:
    """The lowest fraction of the impacts, 1 at most."""
    least = 1.0
    for k in range(mover.counts[FOUND + table]):
        least = min(least, mover.impacts[table, k, FRACTION])
    return least


@scalar
def least_gap(mover: Mover, table: int) -> float:
    """The lowest gap of the impacts, infinity without any."""
    least = math.inf
    for k in range(mover.counts[FOUND + table]):
        least = min(least, mover.impacts[table, k, GAP])
    return least
