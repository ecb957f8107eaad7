"""Loaded joints link light bodies to heavy ones.

One pass over the joints carries a load through a body only as far as its mass allows: of a link of mass m that carries
M, each pass leaves all but m / M of an error. So a light body that carries much needs more passes, and so do all joints
that are linked to it by bodies that move, as each hands on the error of the others.
"""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import INVERSE_MASS, WORLD_ROW, BodyRows
from ecsphys.engine.dynamics.joints.joint_blocks import (
    ANY_LOADED,
    FIRST_GEAR,
    GROUP,
    HEAVIEST,
    HELD_BY,
    IS_LOADED,
    LIGHTEST,
    JointPlaces,
)
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, FIRST_JOINT, SECOND_JOINT, JointRows
from ecsphys.engine.kernels.array_types import Int32Rows
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index

# Joints are loaded where a body is so many times as heavy as a link.
_LOAD = 30.0

# A body that so many joints hold is a link: what one joint holds carries nothing.
_LINKS = 2


@scalar
def mark_loaded(count: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> None:
    """Add the bit of loaded joints to their kinds, also of gears."""
    end = int(places.counts[FIRST_GEAR]) + 0
    places.counts[ANY_LOADED] = 0
    if not _may_be_loaded(end, joints, rows, places):
        return
    _group_bodies(count, end, joints, rows, places.groups)
    for j in range(count):
        if _is_loaded(_group_of_joint(j, end, joints, rows, places.groups), rows, places.groups):
            places.kinds[j] |= IS_LOADED
            places.counts[ANY_LOADED] = 1


@inlined_scalar
def _mass_inverse(body: int, rows: BodyRows) -> float:
    return float(rows.bodies[body, INVERSE_MASS])


@inlined_scalar
def _may_be_loaded(end: int, joints: JointRows, rows: BodyRows, places: JointPlaces) -> bool:
    """Count the joints of each body; whether any is so much heavier than any link: in most worlds none is."""
    groups = places.groups
    for j in range(end):
        for side in range(2):
            groups[HELD_BY, index(joints.ends[j, BODY_A + side])] = 0
    for j in range(end):
        for side in range(2):
            groups[HELD_BY, index(joints.ends[j, BODY_A + side])] += 1
    light = 0.0
    heavy = 0.0
    for j in range(end):
        for side in range(2):
            body = index(joints.ends[j, BODY_A + side])
            inverse = _mass_inverse(body, rows)
            if inverse > 0.0:
                heavy = inverse if heavy == 0.0 else min(heavy, inverse)
                if groups[HELD_BY, body] >= _LINKS:
                    light = max(light, inverse)
    return light > _LOAD * heavy


@inlined_scalar
def _group_of(body: int, groups: Int32Rows) -> int:
    """The body that stands for the group of another."""
    one = body
    while int(groups[GROUP, one]) != one:
        # Halves the way for the next one.
        groups[GROUP, one] = groups[GROUP, index(groups[GROUP, one])]
        one = index(groups[GROUP, one])
    return one


@inlined_scalar
def _unite(a: int, b: int, rows: BodyRows, groups: Int32Rows) -> None:
    """Join the groups of two bodies."""
    a = _group_of(a, groups)
    b = _group_of(b, groups)
    if a == b:
        return
    groups[GROUP, b] = a
    light = index(groups[LIGHTEST, b])
    if _mass_inverse(light, rows) > _mass_inverse(index(groups[LIGHTEST, a]), rows):
        groups[LIGHTEST, a] = light
    heavy = index(groups[HEAVIEST, b])
    if _mass_inverse(heavy, rows) < _mass_inverse(index(groups[HEAVIEST, a]), rows):
        groups[HEAVIEST, a] = heavy


@inlined_scalar
def _held_body(j: int, k: int, end: int, joints: JointRows) -> int:
    """Body k, of 0 to 3, that a joint holds: of a gear the bodies of its first joint, then of its second; of any other
    joint its own, twice."""
    one = j
    if j >= end:
        one = index(joints.ends[j, SECOND_JOINT if k > 1 else FIRST_JOINT])
    return index(joints.ends[one, BODY_A + k % 2])


@inlined_scalar
def _group_of_joint(j: int, end: int, joints: JointRows, rows: BodyRows, groups: Int32Rows) -> int:
    """The group of the bodies of a joint, or of a gear's joints, that impulses move; WORLD_ROW without any."""
    for k in range(4):
        body = _held_body(j, k, end, joints)
        if _mass_inverse(body, rows) > 0.0:
            return _group_of(body, groups)
    return WORLD_ROW


@inlined_scalar
def _group_bodies(count: int, end: int, joints: JointRows, rows: BodyRows, groups: Int32Rows) -> None:
    """Find which bodies joints and gears hold together, with the lightest link and the heaviest body of each group."""
    for j in range(end):
        for side in range(2):
            body = index(joints.ends[j, BODY_A + side])
            groups[GROUP, body] = body
            groups[LIGHTEST, body] = body if groups[HELD_BY, body] >= _LINKS else WORLD_ROW
            groups[HEAVIEST, body] = body
    groups[GROUP, WORLD_ROW] = WORLD_ROW
    groups[LIGHTEST, WORLD_ROW] = WORLD_ROW
    for j in range(count):
        group = _group_of_joint(j, end, joints, rows, groups)
        for k in range(4):
            body = _held_body(j, k, end, joints)
            if _mass_inverse(body, rows) > 0.0:
                _unite(group, body, rows, groups)


@inlined_scalar
def _is_loaded(group: int, rows: BodyRows, groups: Int32Rows) -> bool:
    """Whether a group has a link that is much lighter than a body of it. The world, which no impulse moves, is no such
    link."""
    light = _mass_inverse(index(groups[LIGHTEST, group]), rows)
    return light > _LOAD * _mass_inverse(index(groups[HEAVIEST, group]), rows)
