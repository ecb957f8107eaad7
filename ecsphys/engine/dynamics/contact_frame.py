"""Where two bodies that can both be moved are when their contact acts.

An impulse that acts at one point of both adds nothing to the angular momentum of the two. The arms of that point differ
by what the centres are apart; so an impulse with the arms of the step's start adds to it what the centres have moved
past each other since. Normal and arms of a contact are therefore those of the *moment* at which it acts, and the two
bodies where free flight takes them until then. Two that have no other contact act when they meet: solved in substeps,
that is when their impulses act on average. In a crowd the moment is the middle of the step for all, whichever acts
first.

What the centres move past each other until that moment is shared out between the arms of a and b: a point under the
centre of a body stays there, as that of a disc does. For two discs the normal is the line through both centres, and
turns with it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.kernels.compilation import scalar

# A point no farther than this part of its distance from the line along the normal through a centre is on it.
_UNDER_CENTER = 1e-6

# What is added to the share of two discs, and the share of a contact with what does not move.
_ROUND, STATIC_SHARE = 2.0, -1.0


class Frame(NamedTuple):
    """A contact's normal, the offsets of b's arms, the separation and arms of a (see ``contact_blocks``): of a point,
    or what is to be added to those of all its points."""

    nx: float
    ny: float
    offset_normal: float
    offset_tangent: float
    separation: float
    arm_normal: float
    arm_tangent: float


@scalar
def time_of_meeting(separation: float, speed: float, dt: float) -> float:
    """When surfaces that are a separation apart, which grows at a speed, touch in a step of dt seconds; 0 where they do
    from the beginning, or not at all."""
    return min(-separation / speed, dt) if separation > 0.0 > speed else 0.0


@scalar
def share_of(frame: Frame, has_two_points: bool, inertia_a: float, inertia_b: float) -> float:
    """The part of what centres move past each other that a's arms have, of a contact with a point that is that of the
    ``frame``; by _ROUND more for two discs.

    Where neither body has its point under the centre, the one that is harder to turn has more.
    """
    if not has_two_points:
        distance = frame.offset_tangent
        is_under_a = abs(frame.arm_normal) <= _UNDER_CENTER * abs(frame.arm_tangent)
        is_under_b = abs(frame.arm_normal + frame.offset_normal) <= _UNDER_CENTER * abs(frame.arm_tangent + distance)
        if is_under_a and is_under_b and distance > 0.0:
            return _ROUND + min(max(-frame.arm_tangent / distance, 0.0), 1.0)
        if is_under_a != is_under_b:
            return 0.0 if is_under_a else 1.0
    both = inertia_a + inertia_b
    return inertia_b / both if both > 0.0 else 0.5


@scalar
def frame_after(frame: Frame, dx: float, dy: float, share: float) -> Frame:
    """The frame when b has moved by (dx, dy) more than a, with what is added to separations and arms since ``frame``,
    so that separations still are those at the start where nothing has moved."""
    slid = dx * frame.ny - dy * frame.nx
    neared = dx * frame.nx + dy * frame.ny
    distance = frame.offset_tangent + neared
    if share < _ROUND:
        return Frame(frame.nx, frame.ny, frame.offset_normal - slid, distance, 0.0, share * slid, -share * neared)
    now = math.sqrt(distance * distance + slid * slid)
    along = distance / now if now > 0.0 else 1.0
    across = slid / now if now > 0.0 else 0.0
    nx = along * frame.nx + across * frame.ny
    ny = along * frame.ny - across * frame.nx
    grown = now - frame.offset_tangent
    return Frame(nx, ny, frame.offset_normal, now, grown - (dx * nx + dy * ny), 0.0, (_ROUND - share) * grown)
