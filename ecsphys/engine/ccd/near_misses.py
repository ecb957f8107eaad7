"""Contacts of bodies that are near each other, and fly past each other.

A contact of bodies that are apart acts along its normal as if the surfaces were infinite planes there. If bodies fly
fast, that is wrong: a ball that misses a corner by a hair would be deflected by it. So such a contact is compared with
the true shapes on their free motion over the step. If these do not meet, the contact is left out; if they do, and one
of the bodies cannot be moved, the contact acts along the normal of that impact.

Contacts that free motion does not bring into action are kept: they hold what other contacts push.

Before all that, contacts at seams are left out (:mod:`~ecsphys.engine.ccd.seams`). A contact does not act along the
normal of an impact at a seam either, but as it was found.
"""

from __future__ import annotations

import math

from numpy import uint8

from ecsphys.engine.ccd.bullet_sweep import ARRIVED, KEPT
from ecsphys.engine.ccd.seams import (
    FreeBodies,
    SeamRoom,
    is_seam_at_impact,
    leave_out_seams,
    link_contacts,
)
from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import KINEMATIC
from ecsphys.engine.dynamics.contacts.contact_coloring import is_movable
from ecsphys.engine.geometry import sweep_motion
from ecsphys.engine.geometry.sweep_motion import offset
from ecsphys.engine.geometry.time_of_impact import IMPACT_SHAPE, time_of_impact
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels.array_types import Float64Rows, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.kernels.scratch import scratch
from ecsphys.engine.manifold.convex import extent
from ecsphys.engine.manifold.internal_edges import Touch
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.shapes.layout import CX, CY, SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.entity_rows import TRANSFORM

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
    rows = free.rows
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
        elif free.listed.kind[b] == KINEMATIC:
            t = index(free.listed.rows[TRANSFORM, b])
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
    has_seams = link_contacts(table, count, free, resting, is_vetoed, room)
    if has_seams:
        leave_out_seams(table, count, free, placed, margin, room)
    ahead = dt + dt / substeps
    hits = table.hits
    points = table.points
    rows = free.rows
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
        a = int(free.body_of[first]) + 0
        b = int(free.body_of[second]) + 0
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
                if is_seam_at_impact(k, side, touch, table, free, placed, margin, room):
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
