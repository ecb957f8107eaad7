"""Contacts at the seams of flush colliders that do not move, or move as one.

Of the contacts of one mover, those are left out whose normal its surroundings, taken together, do not have
(:mod:`~ecsphys.engine.manifold.internal_edges`). They keep their place in the table, but lose their points: so hits
stay what they are. A contact is changed rather than left out

* at the foot of a face that rises from the floor, as a wall does: it acts along that face's normal, which is right for
  all of the mover that is above the floor;
* over a gap, where each of two tiles leaves the mover to the other: both act along the floor's normal.

All contacts are judged as they were found; only then is any of them changed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.dynamics.contacts.contact_coloring import is_movable
from ecsphys.engine.hits.contact_table import ContactTable
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import HULL_SIZE, feature_point, set_hull, support
from ecsphys.engine.manifold.internal_edges import NO_EDGE, Touch, find_seam, line_of, tolerances
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.shapes.layout import CX, CY, WIDE_FAN, ShapeArrays

# Two bodies move as one if their velocities differ by no more than this part.
_AS_ONE = 1e-9

# What becomes of a contact.
_KEPT, _AT_SEAM = 0, 1

_NONE = -1

# Rows of hulls: of the mover, of the collider that it touches, of another one that it touches.
_MOVER, _OWN, _OTHER = 0, 1, 2
SEAM_HULLS = 3


class FreeBodies(NamedTuple):
    """The bodies of a step: what each is, its row, and the row of each collider's body, −1 for none; the row of each
    collider's Transform, and the block of Transform."""

    listed: BodyList
    rows: BodyRows
    body_of: Int32s
    transform_row: Int32s
    transforms: Float64Rows


class SeamRoom(NamedTuple):
    """The contacts of each mover as lists: ``heads`` (colliders,), the last one, and ``links`` (m,), the one before;
    −1 for none. A mover without contacts has no head. ``verdicts`` (m,); ``hulls`` is scratch."""

    heads: Int32s
    links: Int32s
    verdicts: Uint8s
    hulls: Float64Rows


def new_seam_room(colliders: int, contacts: int) -> SeamRoom:
    """Room for so many colliders and contacts."""
    hulls = np.zeros((SEAM_HULLS, HULL_SIZE))
    return SeamRoom(np.zeros(colliders, int32), np.zeros(contacts, int32), np.zeros(contacts, uint8), hulls)


class _Line(NamedTuple):
    """A surface: its normal, and where it is along that, seen from the mover's position."""

    nx: float
    ny: float
    height: float


_NO_LINE = _Line(0.0, 0.0, 0.0)


@scalar
def link_contacts(
    table: ContactTable, count: int, free: FreeBodies, resting: Uint8s, is_vetoed: Uint8s, room: SeamRoom
) -> bool:
    """List for each mover its contacts with what impulses do not move; whether any has two."""
    pairs = table.hits.pairs
    rows = free.rows
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
        a = int(free.body_of[first]) + 0
        b = int(free.body_of[second]) + 0
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
    """Whether two bodies that impulses do not move have the same velocity at a point of the world."""
    if a == b:
        return True
    bodies = rows.bodies
    ax = bodies[a, VX] - bodies[a, OMEGA] * (y - rows.centers[a, 1])
    ay = bodies[a, VY] + bodies[a, OMEGA] * (x - rows.centers[a, 0])
    bx = bodies[b, VX] - bodies[b, OMEGA] * (y - rows.centers[b, 1])
    by = bodies[b, VY] + bodies[b, OMEGA] * (x - rows.centers[b, 0])
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
def side_of_mover(k: int, table: ContactTable, free: FreeBodies) -> int:
    """Which of a contact's colliders, 0 or 1, impulses move."""
    a = index(free.body_of[index(table.hits.pairs[k, 0])])
    return 0 if is_movable(a, free.rows) else 1


@inlined_scalar
def _touch_at(k: int, p: int, side: int, table: ContactTable, placed: ShapeArrays, hull: NDArray[float64]) -> Touch:
    """Point p of contact k on the surface of what does not move; ``hull`` is the mover's."""
    hits = table.hits
    sign = -1.0 if side == 0 else 1.0
    nx = sign * hits.normal[k, 0]
    ny = sign * hits.normal[k, 1]
    mover = index(hits.pairs[k, side])
    half = 0.5 * table.points.separations[k, p]
    x = table.points.positions[k, 2 * p] - placed.positions[mover, 0] - half * nx
    y = table.points.positions[k, 2 * p + 1] - placed.positions[mover, 1] - half * ny
    return Touch(x, y, nx, ny, hull[at.MIDDLE_X], hull[at.MIDDLE_Y])


@scalar
def _look_beside(
    k: int,
    side: int,
    touch: Touch,
    table: ContactTable,
    free: FreeBodies,
    placed: ShapeArrays,
    margin: float,
    room: SeamRoom,
) -> tuple[int, int, _Line]:
    """The contact of the mover that carries it where contact k touches it at a seam, and its surface there.

    That is −1 where this is no seam; one that is kept, if there is any. The second number is the face of its own
    collider that rises at the seam, NO_EDGE for none. The hulls of both colliders are in the room.
    """
    pairs = table.hits.pairs
    mover = index(pairs[k, side])
    own = index(free.body_of[index(pairs[k, 1 - side])])
    world_x = placed.positions[mover, 0] + touch.x
    world_y = placed.positions[mover, 1] + touch.y
    hulls = room.hulls
    carrier = _NONE
    rising = NO_EDGE
    line = _NO_LINE
    j = int(room.heads[mover]) + 0
    while j >= 0:
        j = index(j)
        following = int(room.links[j]) + 0
        other = index(pairs[j, 1 - side_of_mover(j, table, free)])
        is_beside = j != k and _move_as_one(own, index(free.body_of[other]), world_x, world_y, free.rows)
        if is_beside and _set_hull(other, mover, placed, hulls[_OTHER]):
            allowed = tolerances(hulls[_MOVER], hulls[_OWN], hulls[_OTHER], margin)
            seam = find_seam(touch, hulls[_OWN], hulls[_OTHER], allowed)
            if seam.edge != NO_EDGE:
                rising = max(rising, seam.rising)
                if carrier == _NONE or room.verdicts[index(carrier)] != _KEPT:
                    carrier = j
                    nx = float(hulls[_OTHER, at.NORMAL_X + seam.edge])
                    ny = float(hulls[_OTHER, at.NORMAL_Y + seam.edge])
                    line = _Line(nx, ny, line_of(hulls[_OTHER], seam.edge))
        j = following
    return carrier, rising, line


@scalar
def _set_hulls_of(k: int, side: int, table: ContactTable, placed: ShapeArrays, room: SeamRoom) -> bool:
    """Lay out the hulls of a contact's mover and of the touched shape. Returns whether the second is convex."""
    mover = index(table.hits.pairs[k, side])
    _set_hull(mover, mover, placed, room.hulls[_MOVER])
    return _set_hull(index(table.hits.pairs[k, 1 - side]), mover, placed, room.hulls[_OWN])


@scalar
def _judge(
    k: int, side: int, table: ContactTable, free: FreeBodies, placed: ShapeArrays, margin: float, room: SeamRoom
) -> int:
    """Whether all points of contact k are at seams."""
    if not _set_hulls_of(k, side, table, placed, room):
        return _KEPT
    for p in range(2):
        if table.points.features[k, p] == NO_FEATURE:
            break
        touch = _touch_at(k, p, side, table, placed, room.hulls[_MOVER])
        carrier, _, _ = _look_beside(k, side, touch, table, free, placed, margin, room)
        if carrier == _NONE:
            return _KEPT
    return _AT_SEAM


@scalar
def _act_along(
    k: int, side: int, line: _Line, margin: float, table: ContactTable, placed: ShapeArrays, room: SeamRoom
) -> bool:
    """Let contact k act at one point, along the normal of a line, where the mover is nearest to it; whether it is near
    enough for that."""
    hull = room.hulls[_MOVER]
    reach, vertex = support(hull, -line.nx, -line.ny)
    separation = -reach - hull[at.ROUNDING] - line.height
    if not separation < margin:
        return False
    x, y = feature_point(hull, vertex, -line.nx, -line.ny)
    lift = hull[at.ROUNDING] + 0.5 * separation
    hits = table.hits
    points = table.points
    mover = index(hits.pairs[k, side])
    sign = -1.0 if side == 0 else 1.0
    hits.normal[k, 0] = sign * line.nx
    hits.normal[k, 1] = sign * line.ny
    points.separations[k, 0] = separation
    points.positions[k, 0] = placed.positions[mover, 0] + (x - lift * line.nx)
    points.positions[k, 1] = placed.positions[mover, 1] + (y - lift * line.ny)
    points.features[k, 1] = NO_FEATURE
    return True


@scalar
def _settle(
    k: int, side: int, table: ContactTable, free: FreeBodies, placed: ShapeArrays, margin: float, room: SeamRoom
) -> None:
    """Leave out contact k, which is at a seam, or make it act along the surface that is there."""
    _set_hulls_of(k, side, table, placed, room)
    own = room.hulls[_OWN]
    acts = False
    is_carried = False
    floor = _NO_LINE
    for p in range(2):
        if acts or table.points.features[k, p] == NO_FEATURE:
            break
        touch = _touch_at(k, p, side, table, placed, room.hulls[_MOVER])
        carrier, rising, line = _look_beside(k, side, touch, table, free, placed, margin, room)
        is_carried |= room.verdicts[index(carrier)] == _KEPT
        if touch.nx * line.nx + touch.ny * line.ny > 0.0:
            floor = line
        if rising != NO_EDGE:
            nx = float(own[at.NORMAL_X + rising])
            ny = float(own[at.NORMAL_Y + rising])
            face = _Line(nx, ny, line_of(own, rising))
            foot = Touch(touch.x, touch.y, nx, ny, touch.middle_x, touch.middle_y)
            covering, _, _ = _look_beside(k, side, foot, table, free, placed, margin, room)
            acts = covering == _NONE and _act_along(k, side, face, margin, table, placed, room)
    if not acts and not is_carried and (floor.nx != 0.0 or floor.ny != 0.0):
        acts = _act_along(k, side, floor, margin, table, placed, room)
    if not acts:
        table.points.features[k, 0] = NO_FEATURE
        table.points.features[k, 1] = NO_FEATURE


@scalar
def leave_out_seams(
    table: ContactTable, count: int, free: FreeBodies, placed: ShapeArrays, margin: float, room: SeamRoom
) -> None:
    """Remove the points of each of the first ``count`` contacts that are at a seam. They have been linked."""
    for task in range(2):
        for k in range(index(count)):
            if task == 0:
                room.verdicts[k] = _KEPT
            elif room.verdicts[k] == _KEPT:
                continue
            if table.points.features[k, 0] == NO_FEATURE:
                continue
            first = index(table.hits.pairs[k, 0])
            second = index(table.hits.pairs[k, 1])
            if free.body_of[first] < 0 or free.body_of[second] < 0:
                continue
            side = side_of_mover(k, table, free)
            head = int(room.heads[first if side == 0 else second]) + 0
            if head == _NONE or room.links[index(head)] == _NONE:
                continue
            if is_movable(index(free.body_of[second if side == 0 else first]), free.rows):
                continue
            if task == 0:
                room.verdicts[k] = _judge(k, side, table, free, placed, margin, room)
            else:
                _settle(k, side, table, free, placed, margin, room)


@scalar
def is_seam_at_impact(
    k: int,
    side: int,
    touch: Touch,
    table: ContactTable,
    free: FreeBodies,
    placed: ShapeArrays,
    margin: float,
    room: SeamRoom,
) -> bool:
    """Whether contact k is at a seam where its bodies meet; the touch is seen from where the mover was at first."""
    if not _set_hulls_of(k, side, table, placed, room):
        return False
    moved = Touch(
        touch.x,
        touch.y,
        touch.nx,
        touch.ny,
        touch.middle_x + room.hulls[_MOVER, at.MIDDLE_X],
        touch.middle_y + room.hulls[_MOVER, at.MIDDLE_Y],
    )
    carrier, _, _ = _look_beside(k, side, moved, table, free, placed, margin, room)
    return carrier != _NONE
