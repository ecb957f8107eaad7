"""The scene in which contacts are judged: the colliders, their filters and bodies, and how they move."""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import STATIC, BodyList, center_from_position
from ecsphys.engine.hits.contact_filter import FilterBlocks
from ecsphys.engine.kernels import Float64Rows, Int32s, Int64s, NamedTuple, Uint8s, index, inlined_scalar, packed
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables.collider_slots import ColliderSlots
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


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
