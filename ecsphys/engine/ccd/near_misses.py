"""Contacts that are left out before they are solved: at seams of flush colliders, and where bodies fly past each other.

A contact of bodies that are apart acts along its normal as if the surfaces were infinite planes there. If bodies fly
fast, that is wrong: a ball that misses a corner by a hair would be deflected by it. So such a contact is compared with
the true shapes on their free motion over the step. If these do not meet, the contact is left out; if they do, and one
of the bodies cannot be moved, the contact acts along the normal of that impact, unless that is at a seam. Contacts that
free motion does not bring into action are kept: they hold what other contacts push.

Before all that, of the contacts of one mover those are left out whose normal its surroundings, colliders that do not
move or move as one, do not have together (:mod:`~ecsphys.engine.manifold.seams`). They keep their place in the
table, but lose their points: so hits stay the same. A contact is changed rather than left out

* at the foot of a face that rises from the floor, as a wall does: it acts along that face's normal, which is right for
  all of the mover that is above the floor;
* over a gap, where each of two tiles leaves the mover to the other: both act along the floor's normal.

All contacts are judged as they were found; only then is any of them changed.
"""

from __future__ import annotations

import math

from numpy import float64, uint8
from numpy.typing import NDArray

from ecsphys.engine.ccd.bullet_sweep import ARRIVED, KEPT
from ecsphys.engine.dynamics.bodies import KINEMATIC, OMEGA, VX, VY, BodyRows, StepBodies
from ecsphys.engine.dynamics.contacts.contact_filling import is_movable
from ecsphys.engine.geometry import sweep_motion
from ecsphys.engine.geometry.sweep_motion import offset
from ecsphys.engine.geometry.time_of_impact import IMPACT_SHAPE, time_of_impact
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, scalar, scratch
from ecsphys.engine.kernels.arrays import Float64Rows, Int32s, Uint8s
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import HULL_SIZE, extent, feature_point, set_hull, support
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.manifold.seams import NO_EDGE, Touch, find_seam, line_of, tolerances
from ecsphys.engine.shapes.layout import CX, CY, SHAPE_COLUMNS, WIDE_FAN, ShapeArrays
from ecsphys.engine.shapes.placement import TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.entity_rows import TRANSFORM

# Two bodies move as one if their velocities differ by no more than this part.
_AS_ONE = 1e-9

# What becomes of a contact.
_KEPT, _AT_SEAM = 0, 1

_NONE = -1

# Rows of hulls: of the mover, of the collider that it touches, of another one that it touches.
_MOVER, _OWN, _OTHER = 0, 1, 2
_new_seam_hulls = scratch((3, HULL_SIZE))


class FreeBodies(NamedTuple):
    """The bodies of a step; the row of each collider's Transform, and the block of Transform."""

    of: StepBodies
    transform_row: Int32s
    transforms: Float64Rows


class SeamRoom(NamedTuple):
    """The contacts of each mover as lists: ``heads`` (colliders,), the last one, and ``links`` (m,), the one before;
    −1 for none. A mover without contacts has no head. ``verdicts`` (m,)."""

    heads: Int32s
    links: Int32s
    verdicts: Uint8s


class _Scene(NamedTuple):
    """The contacts of a step, their bodies and colliders, the margin of contacts, the lists of contacts, and hulls:
    scratch, seen from the position of a mover."""

    table: ContactTable
    free: FreeBodies
    placed: ShapeArrays
    margin: float
    room: SeamRoom
    hulls: NDArray[float64]


class _Line(NamedTuple):
    """A surface: its normal, and where it is along that, seen from the mover's position."""

    nx: float
    ny: float
    height: float


_NO_LINE = _Line(0.0, 0.0, 0.0)


@scalar
def _link_contacts(
    table: ContactTable, count: int, free: FreeBodies, resting: Uint8s, is_vetoed: Uint8s, room: SeamRoom
) -> bool:
    """List for each mover its contacts with what impulses do not move; whether any has two."""
    pairs = table.hits.pairs
    rows = free.of.rows
    knows_resting = resting.shape[0] > 0
    has_vetoed = is_vetoed.shape[0] > 0
    for k in range(index(count)):
        room.heads[index(pairs[k, 0])] = _NONE
        room.heads[index(pairs[k, 1])] = _NONE
    any_two = False
    for k in range(index(count)):
        if table.points.features[k, 0] == NO_FEATURE or (knows_resting and resting[k] != 0):
            continue
        if has_vetoed and is_vetoed[k] != 0:
            continue
        first = index(pairs[k, 0])
        second = index(pairs[k, 1])
        a = int(free.of.body_of[first]) + 0
        b = int(free.of.body_of[second]) + 0
        if a < 0 or b < 0:
            continue
        moves_a = is_movable(index(a), rows)
        if moves_a == is_movable(index(b), rows):
            continue
        mover = first if moves_a else second
        room.links[k] = room.heads[mover]
        any_two |= room.heads[mover] != _NONE
        room.heads[mover] = k
    return any_two


@scalar
def _move_as_one(a: int, b: int, x: float, y: float, rows: BodyRows) -> bool:
    """Whether two bodies that impulses do not move have the same velocity at a point of the world, and turn alike."""
    if a == b:
        return True
    bodies = rows.bodies
    omega = bodies[a, OMEGA]
    # At a hinge between them their velocities are the same, and a moment later the seam is none.
    if omega != bodies[b, OMEGA]:
        return False
    ax = bodies[a, VX] - omega * (y - rows.centers[a, 1])
    ay = bodies[a, VY] + omega * (x - rows.centers[a, 0])
    bx = bodies[b, VX] - omega * (y - rows.centers[b, 1])
    by = bodies[b, VY] + omega * (x - rows.centers[b, 0])
    return bool(abs(ax - bx) + abs(ay - by) <= _AS_ONE * (abs(ax) + abs(ay) + abs(bx) + abs(by)))


@scalar
def _set_hull(slot: int, mover: int, placed: ShapeArrays, hull: NDArray[float64]) -> bool:
    """Fill in the hull of a collider, seen from the mover's position. Returns whether it is convex."""
    form = int(placed.forms[slot]) + 0
    x = (placed.positions[slot, 0] - placed.positions[mover, 0]) + placed.shapes[slot, CX]
    y = (placed.positions[slot, 1] - placed.positions[mover, 1]) + placed.shapes[slot, CY]
    set_hull(hull, form, placed.shapes, slot, placed.pool, x, y, 1.0)
    return form != WIDE_FAN


@inlined_scalar
def _side_of_mover(k: int, scene: _Scene) -> int:
    """Which of a contact's colliders, 0 or 1, impulses move."""
    a = index(scene.free.of.body_of[index(scene.table.hits.pairs[k, 0])])
    return 0 if is_movable(a, scene.free.of.rows) else 1


@inlined_scalar
def _touch_at(k: int, p: int, side: int, scene: _Scene) -> Touch:
    """Point p of contact k on the surface of what does not move; the mover's hull is laid out."""
    hull = scene.hulls[_MOVER]
    hits = scene.table.hits
    sign = -1.0 if side == 0 else 1.0
    nx = sign * hits.normal[k, 0]
    ny = sign * hits.normal[k, 1]
    mover = index(hits.pairs[k, side])
    half = 0.5 * scene.table.points.separations[k, p]
    x = scene.table.points.positions[k, 2 * p] - scene.placed.positions[mover, 0] - half * nx
    y = scene.table.points.positions[k, 2 * p + 1] - scene.placed.positions[mover, 1] - half * ny
    return Touch(x, y, nx, ny, hull[at.MIDDLE_X], hull[at.MIDDLE_Y])


@scalar
def _look_beside(k: int, side: int, touch: Touch, scene: _Scene) -> tuple[int, int, _Line]:
    """The contact of the mover that carries it where contact k touches it at a seam, and its surface there.

    That is −1 where this is no seam; one that is kept, if there is any. The second number is the face of its own
    collider that rises at the seam, NO_EDGE for none. The hulls of both colliders are laid out.
    """
    pairs = scene.table.hits.pairs
    mover = index(pairs[k, side])
    own = index(scene.free.of.body_of[index(pairs[k, 1 - side])])
    world_x = scene.placed.positions[mover, 0] + touch.x
    world_y = scene.placed.positions[mover, 1] + touch.y
    hulls = scene.hulls
    carrier = _NONE
    rising = NO_EDGE
    line = _NO_LINE
    j = int(scene.room.heads[mover]) + 0
    while j >= 0:
        j = index(j)
        following = int(scene.room.links[j]) + 0
        other = index(pairs[j, 1 - _side_of_mover(j, scene)])
        is_beside = j != k and _move_as_one(
            own, index(scene.free.of.body_of[other]), world_x, world_y, scene.free.of.rows
        )
        if is_beside and _set_hull(other, mover, scene.placed, hulls[_OTHER]):
            allowed = tolerances(hulls[_MOVER], hulls[_OWN], hulls[_OTHER], scene.margin)
            seam = find_seam(touch, hulls[_OWN], hulls[_OTHER], allowed)
            if seam.edge != NO_EDGE:
                rising = max(rising, seam.rising)
                if carrier == _NONE or scene.room.verdicts[index(carrier)] != _KEPT:
                    carrier = j
                    nx = float(hulls[_OTHER, at.NORMAL_X + seam.edge])
                    ny = float(hulls[_OTHER, at.NORMAL_Y + seam.edge])
                    line = _Line(nx, ny, line_of(hulls[_OTHER], seam.edge))
        j = following
    return carrier, rising, line


@scalar
def _set_hulls_of(k: int, side: int, scene: _Scene) -> bool:
    """Lay out the hulls of a contact's mover and of the touched shape. Returns whether the second is convex."""
    mover = index(scene.table.hits.pairs[k, side])
    _set_hull(mover, mover, scene.placed, scene.hulls[_MOVER])
    return _set_hull(index(scene.table.hits.pairs[k, 1 - side]), mover, scene.placed, scene.hulls[_OWN])


@scalar
def _judge(k: int, side: int, scene: _Scene) -> int:
    """Whether all points of contact k are at seams."""
    if not _set_hulls_of(k, side, scene):
        return _KEPT
    for p in range(2):
        if scene.table.points.features[k, p] == NO_FEATURE:
            break
        touch = _touch_at(k, p, side, scene)
        carrier, _, _ = _look_beside(k, side, touch, scene)
        if carrier == _NONE:
            return _KEPT
    return _AT_SEAM


@scalar
def _act_along(k: int, side: int, line: _Line, scene: _Scene) -> bool:
    """Let contact k act at one point, along the normal of a line, where the mover is nearest to it; whether it is near
    enough for that."""
    hull = scene.hulls[_MOVER]
    reach, vertex = support(hull, -line.nx, -line.ny)
    separation = -reach - hull[at.ROUNDING] - line.height
    if not separation < scene.margin:
        return False
    x, y = feature_point(hull, vertex, -line.nx, -line.ny)
    lift = hull[at.ROUNDING] + 0.5 * separation
    hits = scene.table.hits
    points = scene.table.points
    mover = index(hits.pairs[k, side])
    sign = -1.0 if side == 0 else 1.0
    hits.normal[k, 0] = sign * line.nx
    hits.normal[k, 1] = sign * line.ny
    points.separations[k, 0] = separation
    points.positions[k, 0] = scene.placed.positions[mover, 0] + (x - lift * line.nx)
    points.positions[k, 1] = scene.placed.positions[mover, 1] + (y - lift * line.ny)
    points.features[k, 1] = NO_FEATURE
    return True


@scalar
def _settle(k: int, side: int, scene: _Scene) -> None:
    """Leave out contact k, which is at a seam, or make it act along the surface that is there."""
    _set_hulls_of(k, side, scene)
    own = scene.hulls[_OWN]
    acts = False
    is_carried = False
    floor = _NO_LINE
    for p in range(2):
        if acts or scene.table.points.features[k, p] == NO_FEATURE:
            break
        touch = _touch_at(k, p, side, scene)
        carrier, rising, line = _look_beside(k, side, touch, scene)
        is_carried |= scene.room.verdicts[index(carrier)] == _KEPT
        if touch.nx * line.nx + touch.ny * line.ny > 0.0:
            floor = line
        if rising != NO_EDGE:
            nx = float(own[at.NORMAL_X + rising])
            ny = float(own[at.NORMAL_Y + rising])
            face = _Line(nx, ny, line_of(own, rising))
            foot = Touch(touch.x, touch.y, nx, ny, touch.middle_x, touch.middle_y)
            covering, _, _ = _look_beside(k, side, foot, scene)
            acts = covering == _NONE and _act_along(k, side, face, scene)
    if not acts and not is_carried and (floor.nx != 0.0 or floor.ny != 0.0):
        acts = _act_along(k, side, floor, scene)
    if not acts:
        scene.table.points.features[k, 0] = NO_FEATURE
        scene.table.points.features[k, 1] = NO_FEATURE


@scalar
def _leave_out_seams(count: int, scene: _Scene) -> None:
    """Remove the points of each of the first ``count`` contacts that are at a seam. They have been linked."""
    for task in range(2):
        for k in range(index(count)):
            if task == 0:
                scene.room.verdicts[k] = _KEPT
            elif scene.room.verdicts[k] == _KEPT:
                continue
            if scene.table.points.features[k, 0] == NO_FEATURE:
                continue
            first = index(scene.table.hits.pairs[k, 0])
            second = index(scene.table.hits.pairs[k, 1])
            if scene.free.of.body_of[first] < 0 or scene.free.of.body_of[second] < 0:
                continue
            side = _side_of_mover(k, scene)
            head = int(scene.room.heads[first if side == 0 else second]) + 0
            if head == _NONE or scene.room.links[index(head)] == _NONE:
                continue
            if is_movable(index(scene.free.of.body_of[second if side == 0 else first]), scene.free.of.rows):
                continue
            if task == 0:
                scene.room.verdicts[k] = _judge(k, side, scene)
            else:
                _settle(k, side, scene)


@scalar
def _is_seam_at_impact(k: int, side: int, touch: Touch, scene: _Scene) -> bool:
    """Whether contact k is at a seam where its bodies meet; the touch is seen from where the mover was at first."""
    if not _set_hulls_of(k, side, scene):
        return False
    moved = Touch(
        touch.x,
        touch.y,
        touch.nx,
        touch.ny,
        touch.middle_x + scene.hulls[_MOVER, at.MIDDLE_X],
        touch.middle_y + scene.hulls[_MOVER, at.MIDDLE_Y],
    )
    carrier, _, _ = _look_beside(k, side, moved, scene)
    return carrier != _NONE


# Cosine of the angle between two normals that count as one: the smoothed normals of chains differ from the normals of
# impacts.
_SAME = 0.999

_new_hulls = scratch(IMPACT_SHAPE)
_two_forms = scratch(2, uint8)
_two_positions = scratch((2, 2))
_two_shapes = scratch((2, SHAPE_COLUMNS))
_two_motions = scratch((2, sweep_motion.MOTION_COLUMNS))


@inlined_scalar
def _closing(k: int, p: int, a: int, b: int, dt: float, table: ContactTable, rows: BodyRows) -> float:
    """How much nearer the surfaces at point p of contact k come in ``dt`` seconds of free motion."""
    nx = table.hits.normal[k, 0]
    ny = table.hits.normal[k, 1]
    x = table.points.positions[k, 2 * p]
    y = table.points.positions[k, 2 * p + 1]
    closing = 0.0
    for side in range(2):
        body = a if side == 0 else b
        sign = 1.0 if side == 0 else -1.0
        omega = rows.bodies[body, OMEGA]
        vx = rows.bodies[body, VX] - omega * (y - rows.centers[body, 1])
        vy = rows.bodies[body, VY] + omega * (x - rows.centers[body, 0])
        vx += 0.5 * dt * rows.accelerations[body, 0]
        vy += 0.5 * dt * rows.accelerations[body, 1]
        closing += sign * (vx * nx + vy * ny)
    return closing * dt


@scalar
def _set_free_motion(
    i: int, slot: int, b: int, dt: float, free: FreeBodies, placed: ShapeArrays, two: ShapeArrays, motions: Float64Rows
) -> None:
    """Lay out a collider's shape and its free motion over ``dt`` seconds as the i-th of ``two``.

    A body that can be moved turns about its centre of mass and flies along a parabola. A kinematic body may have been
    placed where it ends: then it comes from one step back.
    """
    rows = free.of.rows
    motion = motions[i]
    for column in range(sweep_motion.MOTION_COLUMNS):
        motion[column] = 0.0
    motion[sweep_motion.UNTIL] = 1.0
    two.forms[i] = placed.forms[slot]
    for column in range(SHAPE_COLUMNS):
        two.shapes[i, column] = placed.shapes[slot, column]
    x = placed.positions[slot, 0]
    y = placed.positions[slot, 1]
    if b > 0:
        motion[sweep_motion.LINEAR_X] = rows.bodies[b, VX] * dt
        motion[sweep_motion.LINEAR_Y] = rows.bodies[b, VY] * dt
        motion[sweep_motion.ANGLE] = rows.bodies[b, OMEGA] * dt
        center_x = x
        center_y = y
        if is_movable(b, rows):
            motion[sweep_motion.SQUARE_X] = 0.5 * dt * dt * rows.accelerations[b, 0]
            motion[sweep_motion.SQUARE_Y] = 0.5 * dt * dt * rows.accelerations[b, 1]
            motion[sweep_motion.ANGLE] += 0.5 * dt * dt * rows.accelerations[b, 2]
            center_x = rows.centers[b, 0]
            center_y = rows.centers[b, 1]
        elif free.of.listed.kind[b] == KINEMATIC:
            t = index(free.of.listed.rows[TRANSFORM, b])
            center_x = free.transforms[TRANSFORM_X, t]
            center_y = free.transforms[TRANSFORM_Y, t]
            row = index(free.transform_row[slot])
            if x == free.transforms[TRANSFORM_X, row] and y == free.transforms[TRANSFORM_Y, row]:
                # Its shape is turned by its turn in the step, which changes little in one that was near.
                x -= motion[sweep_motion.LINEAR_X]
                y -= motion[sweep_motion.LINEAR_Y]
            center_x -= motion[sweep_motion.LINEAR_X]
            center_y -= motion[sweep_motion.LINEAR_Y]
        two.shapes[i, CX] += x - center_x
        two.shapes[i, CY] += y - center_y
        x = center_x
        y = center_y
    two.positions[i, 0] = x
    two.positions[i, 1] = y


@kernel
def leave_out_misses(
    table: ContactTable,
    count: int,
    free: FreeBodies,
    placed: ShapeArrays,
    dt: float,
    substeps: int,
    margin: float,
    resting: Uint8s,
    is_vetoed: Uint8s,
    room: SeamRoom,
) -> int:
    """Remove the points of each of the first ``count`` contacts whose surfaces are apart, and whose bodies would act
    on each other in a step of ``dt`` seconds, though they fly past each other. Returns how many these are. Before that,
    take them from those at seams.

    The last of the ``substeps`` acts on bodies that would meet within a further one. ``margin`` is the margin of
    contacts. ``resting`` (m,) marks contacts between bodies that do not move, ``is_vetoed`` (m,) those that are not
    solved; without numbers if none are known. ``room`` is for as many colliders and contacts as there are.
    """
    has_seams = _link_contacts(table, count, free, resting, is_vetoed, room)
    scene = _Scene(table, free, placed, margin, room, _new_seam_hulls())
    if has_seams:
        _leave_out_seams(count, scene)
    ahead = dt + dt / substeps
    hits = table.hits
    points = table.points
    rows = free.of.rows
    hulls = _new_hulls()
    two = ShapeArrays(_two_forms(), _two_positions(), _two_shapes(), placed.pool)
    motions = _two_motions()
    knows_resting = resting.shape[0] > 0
    missed = 0
    for k in range(index(count)):
        if not points.separations[k, 0] > 0.0 or points.features[k, 0] == NO_FEATURE:
            continue
        if knows_resting and resting[k] != 0:
            continue
        first = index(hits.pairs[k, 0])
        second = index(hits.pairs[k, 1])
        a = int(free.of.body_of[first]) + 0
        b = int(free.of.body_of[second]) + 0
        if a < 0 or b < 0 or a == b:
            continue
        a = index(a)
        b = index(b)
        moves_a = is_movable(a, rows)
        moves_b = is_movable(b, rows)
        if not moves_a and not moves_b:
            continue
        acts = _closing(k, 0, a, b, ahead, table, rows) > points.separations[k, 0]
        if points.features[k, 1] != NO_FEATURE:
            if not points.separations[k, 1] > 0.0:
                continue
            acts |= _closing(k, 1, a, b, ahead, table, rows) > points.separations[k, 1]
        if not acts:
            continue
        _set_free_motion(0, first, a, dt, free, placed, two, motions)
        _set_free_motion(1, second, b, dt, free, placed, two, motions)
        size = min(extent(two.shapes, 0), extent(two.shapes, 1))
        time, _, nx, ny, x, y = time_of_impact(0, 1, two, motions, ARRIVED * size, KEPT * size, 0.0, hulls, 0.0)
        if time == math.inf:
            points.features[k, 0] = NO_FEATURE
            points.features[k, 1] = NO_FEATURE
            missed += 1
        elif not (moves_a and moves_b) and nx * hits.normal[k, 0] + ny * hits.normal[k, 1] < _SAME:
            side = 0 if moves_a else 1
            ax, ay = offset(motions[0], time)
            bx, by = offset(motions[1], time)
            if has_seams:
                # As if what impulses do not move had stayed where it was: seen from where the mover was, with the way
                # of the mover in the place of its middle.
                mover = first if moves_a else second
                sign = -1.0 if moves_a else 1.0
                other_x, other_y = (bx, by) if moves_a else (ax, ay)
                at_x = x - placed.positions[mover, 0] - other_x
                at_y = y - placed.positions[mover, 1] - other_y
                touch = Touch(at_x, at_y, sign * nx, sign * ny, sign * (bx - ax), sign * (by - ay))
                if _is_seam_at_impact(k, side, touch, scene):
                    continue
            # It acts where its bodies meet, at one point, seen from the mover as at the impact. The separation is how
            # much nearer the surfaces come until then along that normal.
            hits.normal[k, 0] = nx
            hits.normal[k, 1] = ny
            points.separations[k, 0] = max((ax - bx) * nx + (ay - by) * ny, 0.0)
            points.positions[k, 0] = x - (ax if moves_a else bx)
            points.positions[k, 1] = y - (ay if moves_a else by)
            points.features[k, 1] = NO_FEATURE
    return missed
