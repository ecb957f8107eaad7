"""Where two bodies that can both be moved are when their contact acts.

An impulse that acts at one point of both adds nothing to the angular momentum of the two. The arms of that point differ
by the distance of the centres; so an impulse with the arms of the step's start adds to it the way that the centres have
moved past each other since. Normal and arms of a contact therefore belong to the *moment* at which it acts, and the two
bodies where free flight takes them until then. Two that have no other contact act when they meet: solved in substeps,
that is when their impulses act on average. In a crowd the moment is the middle of the step for all, whichever acts
first.

The way of the centres past each other until that moment is shared between the arms of a and b: a point under the
centre of a body stays there, as with a disc. For two discs the normal is the line through both centres, and
turns with it.

All is in lanes (:mod:`~ecsphys.engine.vectors.lanes`); of one contact, for any lane.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.vectors.lanes import larger, root, smaller, spread, where

# A point is on the line along the normal through a centre if it is no farther from it than this part of how far it is
# along the normal from both centres. Single precision is a tenth of that.
_UNDER_CENTER = 1e-6

# The addition to the share of two discs.
_ROUND = 2.0


class Frame(NamedTuple):
    """A contact's normal, the offsets of b's arms, the separation and arms of a (see ``contact_blocks``): of a point,
    or the addition to the separations and arms of all its points."""

    nx: Any
    ny: Any
    offset_normal: Any
    offset_tangent: Any
    separation: Any
    arm_normal: Any
    arm_tangent: Any


@inlined_scalar
def time_of_meeting(separation: Any, speed: Any, dt: float, lane: Any) -> Any:
    """When surfaces that are a separation apart, which grows at a speed, touch in a step of dt seconds; 0 where they do
    from the beginning, or not at all."""
    zero = spread(0.0, lane)
    return where(separation > zero, where(zero > speed, smaller(-separation / speed, spread(dt, lane)), zero), zero)


@inlined_scalar
def _is_under(across: Any, reach: Any, lane: Any) -> Any:
    """1 for a point that is under a centre, else 0."""
    most = spread(_UNDER_CENTER, lane) * reach
    return where(larger(across, -across) > most, spread(0.0, lane), spread(1.0, lane))


@inlined_scalar
def share_of(frame: Frame, has_two_points: Any, inertia_a: Any, inertia_b: Any, lane: Any) -> Any:
    """The share that a's arms have of the centres' way past each other, for a contact whose point is the point of the
    ``frame``; by _ROUND more for two discs. ``has_two_points`` is 1 where it is so, else 0.

    Where neither body has its point under the centre, the one that is harder to turn has more.
    """
    zero = spread(0.0, lane)
    half = spread(0.5, lane)
    one = spread(1.0, lane)
    both = inertia_a + inertia_b
    by_inertia = where(both > zero, inertia_b / both, half)
    distance = frame.offset_tangent
    along_a = frame.arm_tangent
    along_b = frame.arm_tangent + distance
    reach = larger(along_a, -along_a) + larger(along_b, -along_b)
    is_under_a = _is_under(frame.arm_normal, reach, lane)
    is_under_b = _is_under(frame.arm_normal + frame.offset_normal, reach, lane)
    share = where(is_under_a > is_under_b, zero, where(is_under_b > is_under_a, one, by_inertia))
    of_discs = spread(_ROUND, lane) + smaller(larger(-along_a / distance, zero), one)
    are_discs = where(distance > zero, is_under_a * is_under_b, zero)
    return where(has_two_points > half, by_inertia, where(are_discs > half, of_discs, share))


@inlined_scalar
def frame_after(frame: Frame, dx: Any, dy: Any, share: Any, lane: Any) -> Frame:
    """The frame when b has moved by (dx, dy) more than a, with the additions to separations and arms since ``frame``,
    so that separations still are those at the start where nothing has moved."""
    zero = spread(0.0, lane)
    round_share = spread(_ROUND, lane)
    slid = dx * frame.ny - dy * frame.nx
    neared = dx * frame.nx + dy * frame.ny
    distance = frame.offset_tangent + neared
    now = root(distance * distance + slid * slid)
    along = where(now > zero, distance / now, spread(1.0, lane))
    across = where(now > zero, slid / now, zero)
    nx = along * frame.nx + across * frame.ny
    ny = along * frame.ny - across * frame.nx
    grown = now - frame.offset_tangent
    is_sliding = share < round_share
    return Frame(
        where(is_sliding, frame.nx, nx),
        where(is_sliding, frame.ny, ny),
        where(is_sliding, frame.offset_normal - slid, frame.offset_normal),
        where(is_sliding, distance, now),
        where(is_sliding, zero, grown - (dx * nx + dy * ny)),
        where(is_sliding, share * slid, zero),
        where(is_sliding, -share * neared, (round_share - share) * grown),
    )
