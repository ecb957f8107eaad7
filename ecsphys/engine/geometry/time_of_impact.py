"""When two shapes that move and turn first touch: conservative advancement on the exact motions.

At a time t the separation gives a unit vector n and the gap between the shapes; moving on along their paths and turning
they cannot have used it up before some later time (:mod:`ecsphys.engine.geometry.safe_advance`). So time is advanced to
there, and the separation computed again (Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996). The
safe step keeps a part of the gap in reserve, so that the shapes are never through, and not even in touch.

*In reach* of an impact are gaps up to the target. From outside, the steps go for half of it: they end in reach from
above, for they converge quadratically on the half. But a gap in reach is no impact yet. What slides over flush tiles at
the distance at which it has come to rest on the first approaches the corner of each of the next, for it is there and
ahead. So the first time in reach at which they approach is kept, and the search goes on; that time is the impact if the
shapes come as near as a quarter of the target while they still approach, and is forgotten if not. Nor is it one if even
there they slide past each other along some edge, as a shape that was
placed in exact touch with a floor of tiles.

No step is shorter than the motions need for a part of the target, so the search ends. A pair that turns or
swings round each other hundreds of times in one step, each within the other's reach, may need a great many: after
_MOST_ADVANCES the time that was reached counts as the impact, so that even then nothing gets through.

Shapes may be swept by their *cores*: then they touch where they overlap by some amount, and shapes that overlap from
the start where they overlap by that amount more. So bodies that have sunk a little into a floor slide over its tiles.

All is computed relative to the position of the first shape, scaled by a power of two. Both hulls are built once, about
their positions, and turned from there.

Two hulls that touch at corners have many tangents, and the closest points tell only one. A box that slides over flush
tiles approaches the side of each next one until their corners meet. Another tangent shows that its bottom is level with
the tile's top, and stays so. So of all edge normals along which the hulls do not overlap, one along which they do not
approach either proves that they slide past each other.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry.closest_points import core_points
from ecsphys.engine.geometry.safe_advance import Approach, Facing, safe_advance, turning_rate
from ecsphys.engine.geometry.sweep_motion import (
    ANGLE,
    KIND,
    POLYNOMIAL,
    UNTIL,
    is_moving,
    offset,
    reach_along,
    relative_acceleration,
    speed_bound,
    velocity,
)
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import HULLS_SHAPE, extent, pair_scale, set_pair, support, turn_hull
from ecsphys.engine.manifold.separation import EDGE_OF_A, POINTS, separation
from ecsphys.engine.math.rounding import TOUCHING, rounding_slop
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CIRCLE, CX, CY, ShapeArrays, is_canonical


@scalar
def sliding_axis(
    a: NDArray[float64],
    b: NDArray[float64],
    x: float,
    y: float,
    vx: float,
    vy: float,
    turn_a: float,
    turn_b: float,
    slop: float,
) -> tuple[bool, float, float, float]:
    """(whether there is one, n_x, n_y, gap) of hulls a and b: n from a to b, the gap along it.

    a turns by ``turn_a`` a unit of time about the origin, b by ``turn_b`` about (x, y); (v_x, v_y) is the velocity of
    a's position less b's position. Gaps down to −slop are none, rates up to ``slop`` no approach.
    """
    rounding = a[at.ROUNDING] + b[at.ROUNDING]
    for side in range(2):
        own = a if side == 0 else b
        other = b if side == 0 else a
        sign = 1.0 if side == 0 else -1.0
        for k in range(int(own[at.EDGE_COUNT])):
            mx = own[at.NORMAL_X + k]
            my = own[at.NORMAL_Y + k]
            gap = -(own[at.X + k] * mx + own[at.Y + k] * my + support(other, -mx, -my)[0]) - rounding
            if gap < -slop:
                continue
            nx = sign * mx
            ny = sign * my
            rate_a = turning_rate(a, 0.0, 0.0, nx, ny, turn_a, slop)
            rate_b = turning_rate(b, x, y, -nx, -ny, turn_b, slop)
            if vx * nx + vy * ny + rate_a + rate_b <= slop:
                return True, nx, ny, gap
    return False, 0.0, 0.0, 0.0


# Scratch space: the hulls about their positions, and turned.
IMPACT_SHAPE = (2, *HULLS_SHAPE)

# The target is at least this many rounding errors.
_LEAST_TARGET = 8.0

# Parts of the target: what steps from outside go for; at most how near an impact comes; what steps in reach go for.
_AIM, _IMPACT, _NEAREST = 0.5, 0.25, 0.125

# A search is over after two or three advances, or some thirty of a graze; each full turn in reach may cost a few more.
_MOST_ADVANCES = 1_000


@scalar
def _turn_of(form: int, shapes: NDArray[float64], i: int, motion: NDArray[float64]) -> float:
    """A motion's turn, as far as it changes anything: a circle about its own centre does not turn."""
    if form == CIRCLE and shapes[i, CX] == 0.0 and shapes[i, CY] == 0.0:
        return 0.0
    return float(motion[ANGLE])


@scalar
def time_of_impact(
    a: int,
    b: int,
    placed: ShapeArrays,
    motions: NDArray[float64],
    target: float,
    tolerance: float,
    from_time: float,
    room: NDArray[float64],
    core: float,
) -> tuple[float, float, float, float, float, float]:
    """First impact of placed shapes a and b from a part ``from_time`` of the step on: (time, gap, n_x, n_y, x, y).

    The shapes are ``placed`` as at the start of the step, ``motions`` are as in
    :mod:`ecsphys.engine.geometry.sweep_motion`; up to ``from_time`` in [0, 1] the shapes are taken to be in the clear.
    ``room`` is scratch space of shape IMPACT_SHAPE.

    The time is the first at which the shapes, while they approach, have a gap of at most ``target`` > 0, on the way to
    less than a quarter of it; the gap then is more than a quarter, so never are they through. (Where they slid nearer
    along an edge before, as a shape that moves in line with a side and past its corner, it is the rest of the sliding;
    that may be exact touch, but no overlap.) Infinity where that does
    not happen by the end of the step, and for shapes that overlap by more than ``tolerance`` (and rounding) at
    ``from_time``. Shapes in reach from the start, and such as overlap by less, meet at ``from_time``, or once they have
    begun to approach: leaving and sliding along are free. (Starting with a gap below a quarter, any approach that is
    more than rounding is an impact.) Where the target is less than 8 rounding errors of the sizes and ways, those are
    the target.

    With a ``core`` above 0, the gap counts from there on where the shapes overlap by that much more than they do at
    ``from_time``, or than not at all. No overlap at ``from_time`` is too deep then.

    The gap is the one at ``from_time``, negative where they overlap (minus the depth). At the impact n is the unit
    vector from a to b and (x, y) in the world lies midway between their surfaces; zeros without an impact.
    """
    forms, positions, shapes, _ = placed
    hulls = room[0]
    turned = room[1]
    in_order = is_canonical(placed, a, b)
    first = a if in_order else b
    second = b if in_order else a
    motion_a = motions[first]
    motion_b = motions[second]
    turn_a = _turn_of(forms[first], shapes, first, motion_a)
    turn_b = _turn_of(forms[second], shapes, second, motion_b)
    size_a = extent(shapes, first)
    size_b = extent(shapes, second)
    way = speed_bound(motion_a) + speed_bound(motion_b)
    scale = pair_scale(placed, first, second, way)
    start_x = scale * positions[second, ALONG_X] - scale * positions[first, ALONG_X]
    start_y = scale * positions[second, ALONG_Y] - scale * positions[first, ALONG_Y]
    # Of the gap: by the sizes, the ways, and by time as a number near 1 with a rounding error of its own.
    noise = TOUCHING * (
        scale * (size_a * (1.0 + abs(turn_a)) + size_b * (1.0 + abs(turn_b)) + way) + abs(start_x) + abs(start_y)
    )
    target = max(scale * target, _LEAST_TARGET * noise)
    from_x = scale * shapes[first, CX]
    from_y = scale * shapes[first, CY]
    _, first_a, end_a, _, first_b, end_b = set_pair(
        hulls, placed, first, second, scale * shapes[second, CX], scale * shapes[second, CY], scale
    )
    spin_a = spin_b = pull_x = pull_y = pull = strength = 0.0
    # How deep the shapes may overlap.
    allowed = 0.0
    is_measured = False

    curved = motion_a[KIND] != POLYNOMIAL or motion_b[KIND] != POLYNOMIAL
    time = from_time
    end = from_time
    impact = math.inf
    start_gap = math.inf
    impact_nx = impact_ny = impact_x = impact_y = 0.0
    for advances in range(_MOST_ADVANCES):
        is_last = advances == _MOST_ADVANCES - 1
        if time >= end:
            # From here to where the next motion ends, or the step does.
            moves_a = is_moving(motion_a, time)
            moves_b = is_moving(motion_b, time)
            end = min(motion_a[UNTIL] if moves_a else 1.0, motion_b[UNTIL] if moves_b else 1.0, 1.0)
            spin_a = turn_a if moves_a else 0.0
            spin_b = turn_b if moves_b else 0.0
            pull_x, pull_y, pull = relative_acceleration(motion_a, motion_b, moves_a, moves_b)
            pull_x *= scale
            pull_y *= scale
            pull *= scale
            strength = abs(pull_x) + abs(pull_y) + pull
        horizon = end - time
        ax, ay = offset(motion_a, time)
        bx, by = offset(motion_b, time)
        x = start_x + scale * (bx - ax)
        y = start_y + scale * (by - ay)
        avx, avy = velocity(motion_a, time)
        bvx, bvy = velocity(motion_b, time)
        slop = rounding_slop(scale * size_a, scale * size_b, x, y)
        vx = scale * (avx - bvx)
        vy = scale * (avy - bvy)
        angle_a = turn_a * min(time, motion_a[UNTIL])
        angle_b = turn_b * min(time, motion_b[UNTIL])
        for p in range(first_a, end_a):
            turn_hull(hulls[p], turned[p], angle_a, from_x, from_y, 0.0, 0.0)
        for q in range(first_b, end_b):
            turn_hull(hulls[q], turned[q], angle_b, 0.0, 0.0, x, y)

        advance = horizon
        nearest = math.inf
        in_reach = math.inf
        nx = ny = middle_x = middle_y = 0.0
        for p in range(first_a, end_a):
            for q in range(first_b, end_b):
                piece_a = turned[p]
                piece_b = turned[q]
                overlap, mx, my, kind, feature_a, feature_b = separation(piece_a, piece_b, slop, -math.inf)
                gap = allowed - overlap - piece_a[at.ROUNDING] - piece_b[at.ROUNDING]
                nearest = min(nearest, gap)
                slope = vx * mx + vy * my
                approaches = is_last
                if gap > target:
                    room = gap - _AIM * target
                else:
                    room = gap - _NEAREST * target if gap > _IMPACT * target else max(0.5 * gap, noise)
                    rate_a = turning_rate(piece_a, 0.0, 0.0, mx, my, spin_a, noise)
                    rate_b = turning_rate(piece_b, x, y, -mx, -my, spin_b, noise)
                    approaches |= slope + rate_a + rate_b > noise
                    if approaches and gap <= _IMPACT * target and not is_last:
                        slides, along_x, along_y, beside = sliding_axis(
                            piece_a, piece_b, x, y, vx, vy, spin_a, spin_b, noise
                        )
                        if slides:
                            approaches = False
                            mx = along_x
                            my = along_y
                            kind = POINTS
                            slope = vx * mx + vy * my
                            room = max(0.5 * beside, noise)
                if approaches and gap < in_reach:
                    in_reach = gap
                    nx = mx
                    ny = my
                    near_x, near_y, far_x, far_y = core_points(piece_a, piece_b, mx, my, kind, feature_a, feature_b)
                    aside = piece_a[at.ROUNDING] - piece_b[at.ROUNDING]
                    middle_x = 0.5 * (near_x + far_x + aside * mx)
                    middle_y = 0.5 * (near_y + far_y + aside * my)
                drift = math.inf
                if curved:
                    drift = scale * (
                        reach_along(motion_a, time, end, mx, my) + reach_along(motion_b, time, end, -mx, -my)
                    )
                curve = 0.5 * (pull_x * mx + pull_y * my + pull)
                turn_n = 0.0
                if kind != POINTS:
                    turn_n = spin_a if kind == EDGE_OF_A else spin_b
                approach = Approach(vx, vy, curve, strength, spin_a, spin_b, turn_n)
                advance = min(
                    advance, safe_advance(piece_a, piece_b, Facing(x, y, mx, my), approach, room, drift, horizon)
                )
        if not is_measured:
            is_measured = True
            start_gap = nearest / scale
            if core > 0.0:
                allowed = scale * core + max(-nearest, 0.0)
                continue
            if nearest < -max(noise, scale * tolerance):
                break
        if in_reach == math.inf:
            impact = math.inf
        elif impact == math.inf:
            impact = time
            impact_nx = nx
            impact_ny = ny
            impact_x = positions[first, ALONG_X] + (ax + middle_x / scale)
            impact_y = positions[first, ALONG_Y] + (ay + middle_y / scale)
        if in_reach <= _IMPACT * target or is_last:
            break
        if advance >= horizon:
            if end >= 1.0:
                impact = math.inf
                break
            time = end
        else:
            time += advance
    if impact == math.inf:
        return impact, start_gap, 0.0, 0.0, 0.0, 0.0
    if not in_order:
        impact_nx = -impact_nx
        impact_ny = -impact_ny
    return impact, start_gap, impact_nx + 0.0, impact_ny + 0.0, impact_x, impact_y
