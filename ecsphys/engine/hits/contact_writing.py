"""Writes contacts to rows of the table: new ones, and ones that are the same as in the last step."""

from __future__ import annotations

from typing import NamedTuple

from numpy import nan, uint8

from ecsphys.engine.dynamics.body_mass import STATIC
from ecsphys.engine.dynamics.body_state import BodyList, center_from_position
from ecsphys.engine.hits.contact_filter import FilterBlocks
from ecsphys.engine.hits.contact_table import (
    IS_SOLVED,
    SPEED,
    TIME,
    ContactTable,
    FoundContacts,
    HitRows,
    begin_points,
    forget_points,
    keep_impulses,
    keep_points,
)
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.manifold.contact import DEPTH, NORMAL, POINT_COUNT, POINTS, SEPARATIONS
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.collider_slots import ColliderSlots
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY

# Bits for the row, in the number of a contact that rests.
_ROW_BITS = 32


@packed
class MassCenters(NamedTuple):
    """The dynamic bodies that do not turn about the positions of their colliders.

    ``body`` (slots,): for each slot of a collider the row of such a body, −1 for all others; empty without such bodies.
    Further the list of bodies, the block of Transform, and the ``positions`` of colliders.
    """

    body: Int32s
    listed: BodyList
    transforms: Float64Rows
    positions: Float64Rows


@packed
class Velocities(NamedTuple):
    """The block of Velocity: x, y, angular (3, rows); the velocities (2, slots of entities) on trajectories; and the
    centres of mass of bodies."""

    stepped: Float64Rows
    on_trajectories: Float64Rows
    centers: MassCenters


@packed
class ContactScene(NamedTuple):
    """The scene in which contacts are judged: the colliders and where they are, and how they meet and move.

    ``extent``: the numbers of the order of all colliders. ``dead`` flags colliders of entities that are marked dead.
    ``sleeping``: for each its place in the grid of sleeping ones, −1 if it is awake; empty if no contact goes on
    asleep. ``body_of``: for each its body, −1 without; empty if they are not known. ``body_kind``: the kind of each
    body.
    """

    colliders: ColliderSlots
    extent: Int64s
    positions: Float64Rows
    dead: Uint8s
    sleeping: Int32s
    body_of: Int32s
    body_kind: Uint8s
    filters: FilterBlocks
    velocities: Velocities


@inlined_scalar
def can_push(a: int, b: int, scene: ContactScene) -> bool:
    """Whether two colliders may push each other: not if both are of static bodies."""
    if max(a, b) >= scene.body_of.shape[0]:
        return True
    i = int(scene.body_of[a]) + 0
    j = int(scene.body_of[b]) + 0
    return i < 0 or j < 0 or scene.body_kind[i] != STATIC or scene.body_kind[j] != STATIC


@inlined_scalar
def point_velocity(
    slot: int, x: float, y: float, colliders: ColliderSlots, velocities: Velocities
) -> tuple[float, float]:
    """World velocity of the point at (x, y) from a collider's position: v + ω × r, with r from the centre of mass of a
    dynamic body, and from the position of anything else."""
    row = colliders.velocity_row[slot]
    centers = velocities.centers
    if slot < centers.body.shape[0] and centers.body[slot] >= 0:
        b = index(centers.body[slot])
        row = centers.listed.rows[VELOCITY, b]
        t = index(centers.listed.rows[TRANSFORM, b])
        center_x, center_y = center_from_position(b, centers.transforms[TRANSFORM_ANGLE, t], centers.listed)
        x += (centers.positions[slot, 0] - centers.transforms[TRANSFORM_X, t]) - center_x
        y += (centers.positions[slot, 1] - centers.transforms[TRANSFORM_Y, t]) - center_y
    if row >= 0:
        angular = velocities.stepped[2, row]
        return velocities.stepped[0, row] - angular * y, velocities.stepped[1, row] + angular * x
    path = colliders.trajectory[slot]
    if path >= 0:
        return velocities.on_trajectories[0, path], velocities.on_trajectories[1, path]
    return 0.0, 0.0


@scalar
def _mean(first: float, second: float, count: float) -> float:
    """A coordinate of the mean of a contact's points."""
    return 0.5 * (first + second) if count == 2 else first


@inlined_scalar
def _approach_speed(a: int, b: int, normal_x: float, normal_y: float, x: float, y: float, scene: ContactScene) -> float:
    """The speed at which two colliders approach each other at (x, y), along the normal from a to b."""
    positions = scene.positions
    ax, ay = point_velocity(a, x - positions[a, 0], y - positions[a, 1], scene.colliders, scene.velocities)
    bx, by = point_velocity(b, x - positions[b, 0], y - positions[b, 1], scene.colliders, scene.velocities)
    return (ax - bx) * normal_x + (ay - by) * normal_y


@inlined_scalar
def write_found(
    k: int, contact: int, beside: int, found: FoundContacts, table: ContactTable, scene: ContactScene, is_known: bool
) -> None:
    """Write a contact to row k of the table. If it ``is_known``, that row has its pair's entities, kinds and parts.

    ``beside`` it the same pair has another contact, −1 for none. A solver pushes the two apart at the points where they
    are now. The time and the approach speed come from the contact that was found between two steps.
    """
    colliders = scene.colliders
    hits = table.hits
    rows = found.contacts.rows
    a = index(found.contacts.pairs[contact, 0])
    b = index(found.contacts.pairs[contact, 1])
    is_swept = contact >= found.first_swept
    source = contact
    count = rows[contact, POINT_COUNT]
    if table.points.impulses.shape[0] > 0:
        if is_swept and beside >= 0 and found.swept[contact - found.first_swept, IS_SOLVED] != 0.0:
            source = beside
        begin_points(k, table.points, source, found.contacts, is_swept and source == contact)
        # Where the surfaces are apart is no point of a hit.
        is_apart = not found.contacts.points[contact, SEPARATIONS + 1] < 0.0
        if is_apart & (rows[contact, DEPTH] > 0.0) & (count == 2):
            count = 1.0
    told = (contact if is_swept else beside) - found.first_swept
    if is_swept or (told >= 0 and found.swept[told, IS_SOLVED] != 0.0):
        time = found.swept[told, TIME]
        speed = found.swept[told, SPEED]
    else:
        x = _mean(rows[contact, POINTS], rows[contact, POINTS + 2], count)
        y = _mean(rows[contact, POINTS + 1], rows[contact, POINTS + 3], count)
        time = 1.0
        speed = _approach_speed(a, b, rows[contact, NORMAL], rows[contact, NORMAL + 1], x, y, scene)
    hits.time[k] = time
    hits.approach_speed[k] = speed
    if not is_known:
        hits.entity_a[k] = colliders.entity[a]
        hits.entity_b[k] = colliders.entity[b]
        hits.collider_a[k] = colliders.kind[a]
        hits.collider_b[k] = colliders.kind[b]
        hits.part_a[k] = colliders.part[a]
        hits.part_b[k] = colliders.part[b]
    hits.sensor_a[k] = colliders.sensor[a]
    hits.sensor_b[k] = colliders.sensor[b]
    hits.normal[k, 0] = rows[source, NORMAL]
    hits.normal[k, 1] = rows[source, NORMAL + 1]
    hits.depth[k] = rows[contact, DEPTH]
    hits.point_count[k] = uint8(count)
    hits.points[k, 0, 0] = rows[contact, POINTS]
    hits.points[k, 0, 1] = rows[contact, POINTS + 1]
    hits.points[k, 1, 0] = rows[contact, POINTS + 2] if count == 2 else nan
    hits.points[k, 1, 1] = rows[contact, POINTS + 3] if count == 2 else nan


@inlined_scalar
def write_struck(k: int, table: ContactTable, last_table: ContactTable, j: int) -> None:
    """Write contact j of the last step to row k of the table, as a hit that began in this step.

    Its surfaces were merely near, struck each other, and are too far apart by now to be found. It has no points to
    solve.
    """
    hits = table.hits
    hits.is_new[k] = 1
    hits.is_near[k] = 0
    hits.rest[k] = 0
    hits.approach_speed[k] = last_table.hits.approach_speed[j]
    keep_points(k, table.points, last_table.points, j)
    forget_points(k, table.points)
    _keep_what_is_told(k, hits, last_table.hits, j)


@inlined_scalar
def write_again(k: int, table: ContactTable, last_table: ContactTable, j: int, scene: ContactScene, call: int) -> None:
    """Write contact j of the last step to row k of the table, where most of it may be already."""
    hits = table.hits
    last = last_table.hits
    has_points = table.points.impulses.shape[0] > 0
    # Velocities may have changed, though nothing has moved.
    count = float(last.point_count[j])
    x = _mean(last.points[j, 0, 0], last.points[j, 1, 0], count)
    y = _mean(last.points[j, 0, 1], last.points[j, 1, 1], count)
    a = index(last.pairs[j, 0])
    b = index(last.pairs[j, 1])
    hits.approach_speed[k] = _approach_speed(a, b, last.normal[j, 0], last.normal[j, 1], x, y, scene)
    if last.rest[j] != 0 and hits.rest[k] == last.rest[j]:
        if has_points:
            keep_impulses(k, table.points, last_table.points, j)
        return
    hits.is_new[k] = 0
    hits.is_near[k] = last.is_near[j]
    hits.rest[k] = last.rest[j] if last.rest[j] != 0 else call << _ROW_BITS | k
    if has_points:
        keep_points(k, table.points, last_table.points, j)
    _keep_what_is_told(k, hits, last, j)


@inlined_scalar
def _keep_what_is_told(k: int, hits: HitRows, last: HitRows, j: int) -> None:
    """Copy the values for the game from contact j of the last step to row k, but for its state."""
    hits.pairs[k, 0] = last.pairs[j, 0]
    hits.pairs[k, 1] = last.pairs[j, 1]
    hits.entity_a[k] = last.entity_a[j]
    hits.entity_b[k] = last.entity_b[j]
    hits.collider_a[k] = last.collider_a[j]
    hits.collider_b[k] = last.collider_b[j]
    hits.part_a[k] = last.part_a[j]
    hits.part_b[k] = last.part_b[j]
    hits.sensor_a[k] = last.sensor_a[j]
    hits.sensor_b[k] = last.sensor_b[j]
    hits.normal[k, 0] = last.normal[j, 0]
    hits.normal[k, 1] = last.normal[j, 1]
    hits.depth[k] = last.depth[j]
    hits.point_count[k] = last.point_count[j]
    for p in range(2):
        hits.points[k, p, 0] = last.points[j, p, 0]
        hits.points[k, p, 1] = last.points[j, p, 1]
    hits.time[k] = 1.0
