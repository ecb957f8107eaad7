"""When two shapes that move and turn first touch: conservative advancement on the exact motions.

At a time t the separation gives a unit vector n and the gap between the shapes; moving on along their paths and turning
they cannot have used it up before some later time (:func:`safe_advance`). So time is advanced to there, and the
separation computed again (Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996). The safe step keeps
a part of the gap in reserve, so that the shapes are never through, and not even in touch.

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

How far two hulls may go on before they can touch
-------------------------------------------------
Let n be the unit vector from A to B of their separation, and e ≤ 0 how far a vertex lies behind the one that reaches
furthest along n. With r its place about the entity's position and ω the turning, it moves along n by f = ω (r × n) a
unit of time, with the acceleration −ω² r · n. That is never above ω² |r|; and as its own rate is at most |ω|³ |r|, it
counts up to a time H for no more than −ω² r · n + |ω|³ H |r| / 3. With q half of the lesser, and the path's own
velocity v and acceleration a along n, the hulls can have come nearer after δ by no more than

    E(δ) = max over A's vertices of (e + f δ + q δ²) + the same of B + v δ + ½ a δ²

so the room left between them is safe until E(δ) takes it up. Each vertex counts by itself: a corner far behind, however
fast it turns towards the other hull, must first make up for its e. With all q ≥ 0, E is convex. From the far end of
the time, the root of the two vertices that reach furthest there is no earlier than E's, and so is the next one
from there: a few such steps find it exactly. Should they end before, the chord from E(0) = 0 is above E, and so safe.

Where n is the normal of an edge that turns, the edge's far end comes nearer though nothing is there to be met, and each
step would close only a part of the gap. So n may turn with the edge: n(δ), for a turning σ. For the hulls, all is as
before with ω − σ instead of ω. For the paths, with D from A's position to B's and m across n, −D · n(δ) has the slope
v · n − σ D · m and the second derivative a · n(δ) + 2σ v(δ) · m(δ) + σ² D(δ) · n(δ). Then steps converge quadratically.

Whatever it does, a hull that turns stays within the disc about its position through its furthest point: where the room
is enough for the discs, however fast it spins, only the paths count. A fan's arc is in the disc about its centre; where
n leaves the arc at an end, the rest of the arc cannot come before that vertex, if its q equals |centre| + radius.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry import sweep_motion
from ecsphys.engine.geometry.closest_points import core_points
from ecsphys.engine.kernels import NamedTuple, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import ARC, HULLS_SHAPE, extent, pair_scale, set_pair, support, turn_hull
from ecsphys.engine.manifold.manifold import EDGE_OF_A, POINTS, separation
from ecsphys.engine.math.rounding import TOUCHING, rounding_slop
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CIRCLE, CX, CY, ShapeArrays, is_canonical

# The root is almost always found in one or two.
_MOST_ROOTS = 8


class Approach(NamedTuple):
    """How hulls a and b move: a is at the origin, b at (x, y); (vx, vy) is the velocity of a's position less b's
    velocity, which changes at a rate of at most ``strength``; a turns by ``turn_a`` a unit of time about its position,
    b by ``turn_b``."""

    x: float
    y: float
    vx: float
    vy: float
    strength: float
    turn_a: float
    turn_b: float


class Facing(NamedTuple):
    """n points from hull a to b, across a line that separates them. Along n the velocity of the approach changes at a
    rate of at most 2 · ``curve``; the edge that n belongs to turns by ``turn``, 0 without one."""

    nx: float
    ny: float
    curve: float
    turn: float


@scalar
def first_time(slope: float, curve: float, room: float) -> float:
    """The first δ ≥ 0 at which slope · δ + curve · δ² reaches the room (≥ 0); infinity where it never does."""
    squared = slope * slope + 4.0 * curve * room
    if slope > 0.0:
        return 2.0 * room / (slope + math.sqrt(squared)) if squared >= 0.0 else math.inf
    if curve > 0.0:
        return (math.sqrt(squared) - slope) / (2.0 * curve)
    return math.inf


@scalar
def _furthest_span(hull: NDArray[float64], x: float, y: float) -> float:
    """Distance of a hull's furthest point, without its rounding, from (x, y); an arc counts as its full circle."""
    widest = 0.0
    for k in range(int(hull[at.VERTEX_COUNT])):
        rx = hull[at.X + k] - x
        ry = hull[at.Y + k] - y
        widest = max(widest, rx * rx + ry * ry)
    widest = math.sqrt(widest)
    radius = float(hull[at.ARC_RADIUS])
    if radius > 0.0:
        rx = hull[at.ARC_X] - x
        ry = hull[at.ARC_Y] - y
        widest = math.sqrt(rx * rx + ry * ry) + radius
    return widest


@scalar
def _furthest_after(
    hull: NDArray[float64],
    x: float,
    y: float,
    nx: float,
    ny: float,
    turn: float,
    curve: float,
    horizon: float,
    delta: float,
) -> tuple[float, float, float]:
    """(e, f, q) of the vertex of a hull about (x, y) that may reach furthest along n after δ; ``curve`` is added to q.

    All zero but for q, which is then ``curve``, where the hull does not turn.
    """
    if turn == 0.0:
        return 0.0, 0.0, curve
    reach, feature = support(hull, nx, ny)
    half_square = 0.5 * turn * turn
    radius = hull[at.ARC_RADIUS]
    arm = 0.0
    if radius > 0.0:
        rx = hull[at.ARC_X] - x
        ry = hull[at.ARC_Y] - y
        arm = math.sqrt(rx * rx + ry * ry)
        if feature == ARC:
            return 0.0, turn * (rx * ny - ry * nx), max(curve + half_square * arm, 0.0)
        arm += radius
    # The middle one of a fan's three vertices, which is no end of its arc.
    count = int(hull[at.VERTEX_COUNT])
    apex = 1 if count == 3 else count
    best = -math.inf
    e = f = q = 0.0
    for k in range(count):
        rx = hull[at.X + k] - x
        ry = hull[at.Y + k] - y
        pull = arm
        if radius == 0.0 or k == apex:
            length = math.sqrt(rx * rx + ry * ry)
            pull = min(length, length * abs(turn) * horizon / 3.0 - (rx * nx + ry * ny))
        slack = min((hull[at.X + k] * nx + hull[at.Y + k] * ny) - reach, 0.0)
        slope = turn * (rx * ny - ry * nx)
        bend = max(curve + half_square * pull, 0.0)
        value = slack + (slope + bend * delta) * delta
        if value > best:
            best = value
            e, f, q = slack, slope, bend
    return e, f, q


@scalar
def turning_rate(hull: NDArray[float64], x: float, y: float, nx: float, ny: float, turn: float, slop: float) -> float:
    """How fast turning about (x, y) takes a hull further along n: the speed of the fastest of its furthest points."""
    if turn == 0.0:
        return 0.0
    reach, feature = support(hull, nx, ny)
    if feature == ARC:
        return float(turn * ((hull[at.ARC_X] - x) * ny - (hull[at.ARC_Y] - y) * nx))
    best = -math.inf
    for k in range(int(hull[at.VERTEX_COUNT])):
        if hull[at.X + k] * nx + hull[at.Y + k] * ny >= reach - slop:
            best = max(best, turn * ((hull[at.X + k] - x) * ny - (hull[at.Y + k] - y) * nx))
    return best


@scalar
def _closing_rate(
    a: NDArray[float64], b: NDArray[float64], approach: Approach, nx: float, ny: float, slop: float
) -> float:
    """How fast hulls a and b come nearer along n, which points from a to b."""
    rate_a = turning_rate(a, 0.0, 0.0, nx, ny, approach.turn_a, slop)
    rate_b = turning_rate(b, approach.x, approach.y, -nx, -ny, approach.turn_b, slop)
    return approach.vx * nx + approach.vy * ny + rate_a + rate_b


@scalar
def _advance_along(
    a: NDArray[float64],
    b: NDArray[float64],
    approach: Approach,
    facing: Facing,
    slope: float,
    room: float,
    drift: float,
    horizon: float,
) -> float:
    """:func:`safe_advance` along n, on which the paths come nearer by slope · δ + curve · δ² at most."""
    x, y = approach.x, approach.y
    nx, ny, curve, turn = facing
    turn_a, turn_b = approach.turn_a - turn, approach.turn_b - turn
    if turn_a == 0.0 and turn_b == 0.0:
        return min(first_time(slope, curve, room), horizon) if drift > room else horizon
    spare = room
    if turn_a != 0.0:
        spare -= _furthest_span(a, 0.0, 0.0) - support(a, nx, ny)[0]
    if turn_b != 0.0:
        reach = support(b, -nx, -ny)[0] + x * nx + y * ny
        spare -= _furthest_span(b, x, y) - reach
    sure = 0.0
    if spare > 0.0:
        sure = first_time(slope, curve, spare)
        if sure >= horizon or drift <= spare:
            return horizon
    curve_a = curve if turn_a != 0.0 else 0.0
    curve_b = curve if turn_a == 0.0 else 0.0
    delta = horizon
    for _ in range(_MOST_ROOTS):
        slack_a, slope_a, bend_a = _furthest_after(a, 0.0, 0.0, nx, ny, turn_a, curve_a, horizon, delta)
        slack_b, slope_b, bend_b = _furthest_after(b, x, y, -nx, -ny, turn_b, curve_b, horizon, delta)
        slack = slack_a + slack_b
        steepness = slope + slope_a + slope_b
        bend = bend_a + bend_b
        nearer = slack + (steepness + bend * delta) * delta
        if nearer <= room:
            return max(delta, sure)
        chord = delta * (room / nearer)
        root = first_time(steepness, bend, room - slack)
        if not root < delta:
            break
        delta = root
    return max(chord, sure)


@scalar
def safe_advance(
    a: NDArray[float64],
    b: NDArray[float64],
    approach: Approach,
    facing: Facing,
    room: float,
    drift: float,
    horizon: float,
) -> float:
    """A time up to the horizon before which hulls a and b come nearer by no more than ``room`` (≥ 0).

    Up to the horizon the paths alone come nearer along n by ``drift`` at most.
    """
    x, y, vx, vy, strength, _, _ = approach
    nx, ny, curve, turn_n = facing
    slope = vx * nx + vy * ny
    safe = _advance_along(a, b, approach, Facing(nx, ny, curve, 0.0), slope, room, drift, horizon)
    if turn_n == 0.0 or safe >= horizon:
        return safe
    # Along n as it turns, by an angle of 1 at most: then the bounds are as good as they are now but for a factor.
    turn = abs(turn_n)
    ahead = min(horizon, 1.0 / turn)
    fastest = abs(vx) + abs(vy) + strength * ahead
    furthest = abs(x) + abs(y) + fastest * ahead
    slope -= turn_n * (y * nx - x * ny)
    curve = 0.5 * strength + turn * (fastest + 0.5 * turn * furthest)
    along = _advance_along(a, b, approach, Facing(nx, ny, curve, turn_n), slope, room, math.inf, ahead)
    return max(safe, along)


@scalar
def _sliding_axis(
    a: NDArray[float64], b: NDArray[float64], approach: Approach, slop: float
) -> tuple[bool, float, float, float]:
    """(whether there is one, n_x, n_y, gap) of hulls a and b: n from a to b, the gap along it.

    Gaps down to −slop are none, rates up to ``slop`` no approach.
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
            if gap >= -slop and _closing_rate(a, b, approach, sign * mx, sign * my, slop) <= slop:
                return True, sign * mx, sign * my, gap
    return False, 0.0, 0.0, 0.0


# Scratch space: the hulls about their positions, and turned.
IMPACT_SHAPE = (2, *HULLS_SHAPE)

# Of the core: what bodies that are deep in each other may get deeper in a step.
_CREEP = 0.03125

# The target is at least this many rounding errors.
_LEAST_TARGET = 8.0

# Parts of the target: what steps from outside go for; at most how near an impact comes; what steps in reach go for.
_AIM, _IMPACT, _NEAREST = 0.5, 0.25, 0.125

# A search is over after two or three advances, or some thirty of a graze; each full turn in reach may cost a few more.
_MOST_ADVANCES = 1_000


class _View(NamedTuple):
    """Two pieces at a time: their gap, whether they approach in reach, n and the features of their separation, and how
    much nearer they may come before they are looked at again."""

    gap: float
    approaches: bool
    nx: float
    ny: float
    kind: int
    feature_a: int
    feature_b: int
    room: float


@scalar
def _view(
    a: NDArray[float64],
    b: NDArray[float64],
    approach: Approach,
    allowed: float,
    target: float,
    slop: float,
    noise: float,
    is_last: bool,
) -> _View:
    """Two pieces that may overlap by an allowed depth."""
    overlap, nx, ny, kind, feature_a, feature_b = separation(a, b, slop, -math.inf)
    gap = allowed - overlap - a[at.ROUNDING] - b[at.ROUNDING]
    if gap > target:
        return _View(gap, is_last, nx, ny, kind, feature_a, feature_b, gap - _AIM * target)
    room = gap - _NEAREST * target if gap > _IMPACT * target else max(0.5 * gap, noise)
    approaches = is_last or _closing_rate(a, b, approach, nx, ny, noise) > noise
    if approaches and gap <= _IMPACT * target and not is_last:
        slides, along_x, along_y, beside = _sliding_axis(a, b, approach, noise)
        if slides:
            return _View(gap, False, along_x, along_y, POINTS, feature_a, feature_b, max(0.5 * beside, noise))
    return _View(gap, approaches, nx, ny, kind, feature_a, feature_b, room)


@scalar
def _turn_of(form: int, shapes: NDArray[float64], i: int, motion: NDArray[float64]) -> float:
    """A motion's turn, as far as it changes anything: a circle about its own centre does not turn."""
    if form == CIRCLE and shapes[i, CX] == 0.0 and shapes[i, CY] == 0.0:
        return 0.0
    return float(motion[sweep_motion.ANGLE])


@scalar
def allowed_depth(core: float, depth: float) -> float:
    """How deep two bodies of the solver may overlap that are ``depth`` deep in each other at the start.

    A body whose turns bring it back to a wall in each step would soon sink through without the slower rate. But it
    does get deeper: one that began between others may have to pass some on its way out.
    """
    return max(core, depth + _CREEP * core)


@scalar
def time_of_impact(
    a: int,
    b: int,
    placed: ShapeArrays,
    motions: NDArray[float64],
    target: float,
    tolerance: float,
    from_time: float,
    hull_room: NDArray[float64],
    core: float,
) -> tuple[float, float, float, float, float, float]:
    """First impact of placed shapes a and b from a part ``from_time`` of the step on: (time, gap, n_x, n_y, x, y).

    The shapes are ``placed`` as at the start of the step, ``motions`` are as in
    :mod:`ecsphys.engine.geometry.sweep_motion`; up to ``from_time`` in [0, 1] the shapes are taken to be in the clear.
    ``hull_room`` is scratch space of shape IMPACT_SHAPE.

    The time is the first at which the shapes, while they approach, have a gap of at most ``target`` > 0, on the way to
    less than a quarter of it; the gap then is more than a quarter, so never are they through. (Where they slid nearer
    along an edge before, as a shape that moves in line with a side and past its corner, it is the rest of the sliding;
    that may be exact touch, but no overlap.) Infinity where that does
    not happen by the end of the step, and for shapes that overlap by more than ``tolerance`` (and rounding) at
    ``from_time``. Shapes in reach from the start, and such as overlap by less, meet at ``from_time``, or once they have
    begun to approach: leaving and sliding along are free. (Starting with a gap below a quarter, any approach that is
    more than rounding is an impact.) Where the target is less than 8 rounding errors of the sizes and ways, those are
    the target.

    With a ``core`` > 0, the gap counts from there on where the shapes overlap by as much as :func:`allowed_depth` says.
    No overlap at ``from_time`` is too deep then.

    The gap is the one at ``from_time``, negative where they overlap (minus the depth). At the impact n is the unit
    vector from a to b and (x, y) in the world lies midway between their surfaces; zeros without an impact.
    """
    forms, positions, shapes, _ = placed
    hulls = hull_room[0]
    turned = hull_room[1]
    in_order = is_canonical(placed, a, b)
    first = a if in_order else b
    second = b if in_order else a
    motion_a = motions[first]
    motion_b = motions[second]
    turn_a = _turn_of(forms[first], shapes, first, motion_a)
    turn_b = _turn_of(forms[second], shapes, second, motion_b)
    size_a = extent(shapes, first)
    size_b = extent(shapes, second)
    way = sweep_motion.speed_bound(motion_a) + sweep_motion.speed_bound(motion_b)
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

    curved = (
        motion_a[sweep_motion.KIND] != sweep_motion.POLYNOMIAL or motion_b[sweep_motion.KIND] != sweep_motion.POLYNOMIAL
    )
    time = from_time
    end = from_time
    impact = math.inf
    start_gap = math.inf
    impact_nx = impact_ny = impact_x = impact_y = 0.0
    for advances in range(_MOST_ADVANCES):
        is_last = advances == _MOST_ADVANCES - 1
        if time >= end:
            # From here to where the next motion ends, or the step does.
            moves_a = sweep_motion.is_moving(motion_a, time)
            moves_b = sweep_motion.is_moving(motion_b, time)
            end = min(
                motion_a[sweep_motion.UNTIL] if moves_a else 1.0, motion_b[sweep_motion.UNTIL] if moves_b else 1.0, 1.0
            )
            spin_a = turn_a if moves_a else 0.0
            spin_b = turn_b if moves_b else 0.0
            pull_x, pull_y, pull = sweep_motion.relative_acceleration(motion_a, motion_b, moves_a, moves_b)
            pull_x *= scale
            pull_y *= scale
            pull *= scale
            strength = abs(pull_x) + abs(pull_y) + pull
        horizon = end - time
        ax, ay = sweep_motion.offset(motion_a, time)
        bx, by = sweep_motion.offset(motion_b, time)
        x = start_x + scale * (bx - ax)
        y = start_y + scale * (by - ay)
        avx, avy = sweep_motion.velocity(motion_a, time)
        bvx, bvy = sweep_motion.velocity(motion_b, time)
        slop = rounding_slop(scale * size_a, scale * size_b, x, y)
        angle_a = turn_a * min(time, motion_a[sweep_motion.UNTIL])
        angle_b = turn_b * min(time, motion_b[sweep_motion.UNTIL])
        for p in range(first_a, end_a):
            turn_hull(hulls[p], turned[p], angle_a, from_x, from_y, 0.0, 0.0)
        for q in range(first_b, end_b):
            turn_hull(hulls[q], turned[q], angle_b, 0.0, 0.0, x, y)

        advance = horizon
        nearest = math.inf
        in_reach = math.inf
        nx = ny = middle_x = middle_y = 0.0
        approach = Approach(x, y, scale * (avx - bvx), scale * (avy - bvy), strength, spin_a, spin_b)
        for p in range(first_a, end_a):
            for q in range(first_b, end_b):
                piece_a = turned[p]
                piece_b = turned[q]
                view = _view(piece_a, piece_b, approach, allowed, target, slop, noise, is_last)
                mx, my, kind = view.nx, view.ny, view.kind
                nearest = min(nearest, view.gap)
                if view.approaches and view.gap < in_reach:
                    in_reach = view.gap
                    nx = mx
                    ny = my
                    near_x, near_y, far_x, far_y = core_points(
                        piece_a, piece_b, mx, my, kind, view.feature_a, view.feature_b
                    )
                    aside = piece_a[at.ROUNDING] - piece_b[at.ROUNDING]
                    middle_x = 0.5 * (near_x + far_x + aside * mx)
                    middle_y = 0.5 * (near_y + far_y + aside * my)
                drift = math.inf
                if curved:
                    drift = scale * (
                        sweep_motion.reach_along(motion_a, time, end, mx, my)
                        + sweep_motion.reach_along(motion_b, time, end, -mx, -my)
                    )
                turn_n = 0.0
                if kind != POINTS:
                    turn_n = spin_a if kind == EDGE_OF_A else spin_b
                facing = Facing(mx, my, 0.5 * (pull_x * mx + pull_y * my + pull), turn_n)
                advance = min(advance, safe_advance(piece_a, piece_b, approach, facing, view.room, drift, horizon))
        if not is_measured:
            is_measured = True
            start_gap = nearest / scale
            if core > 0.0:
                allowed = scale * allowed_depth(core, max(-start_gap, 0.0))
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
