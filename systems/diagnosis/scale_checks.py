"""Checks of sizes and places: sizes in other units, no ground below, anchors that are far apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import AABBCollider
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, PrismaticJoint, RevoluteJoint, WeldJoint, WheelJoint
from ecsphys.components.dynamics.rigid_body import RigidBody, Solid
from ecsphys.components.motion.transform import Gravity, Parent, Transform, Velocity, WorldBounds
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.systems.diagnosis.census import Census, Finding, found

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# Bodies between these sizes, in lengths, rest and bounce as they should.
_SMALLEST, _LARGEST = 0.02, 20.0

# By so much of the size of the smaller body may the anchors of a joint be apart.
_APART = 0.5

# An angle that is more than rounding, radians.
_TURNED = 1e-3

# Joints that hold two anchors together, and whether they do so but along an axis.
_HOLDING: Final[tuple[tuple[type[Any], bool], ...]] = (
    (RevoluteJoint, False),
    (WeldJoint, False),
    (PrismaticJoint, True),
    (WheelJoint, True),
)


def check_scale(census: Census, state: PhysicsState) -> Iterator[Finding]:
    """Bodies of a strange size or without ground, boxes that do not turn, and joints that tear at their bodies."""
    boxes = _boxes(census, state)
    sizes = {entity: _size(boxes[entity]) for entity in census.of_kind("dynamic") if entity in boxes}
    yield from _check_sizes(sizes, state.settings.length_unit)
    yield from _check_ground(census, state, boxes)
    yield from _check_unturned_boxes(census)
    yield from _check_anchors(census, boxes)


def _boxes(census: Census, state: PhysicsState) -> dict[int, NDArray[float64]]:
    """For each entity with colliders that block their box (min_x, min_y, max_x, max_y); a child's are its carrier's."""
    state.update()
    state.place()
    table = state.tables.colliders
    slots = table.order[table.slots.sensor[table.order] == 0]
    outermost = census.carriers
    boxes: dict[int, NDArray[float64]] = {}
    for entity, box in zip(table.slots.entity[slots].tolist(), table.placed.boxes[slots], strict=True):
        carrier = outermost.get(entity, entity)
        known = boxes.get(carrier)
        if known is None:
            boxes[carrier] = box.copy()
        else:
            known[:2] = np.minimum(known[:2], box[:2])
            known[2:] = np.maximum(known[2:], box[2:])
    return boxes


def _size(box: NDArray[float64]) -> float:
    return float(max(box[2] - box[0], box[3] - box[1]))


def _check_sizes(sizes: dict[int, float], length_unit: float) -> Iterator[Finding]:
    if not sizes:
        return
    middling = sorted(sizes.values())[len(sizes) // 2]
    if _SMALLEST <= middling / length_unit <= _LARGEST:
        return
    what = "large" if middling > length_unit else "small"
    advice = ", and scale gravity to the same units" if what == "large" else ""
    message = (
        f"bodies of {middling:.3g} units are {what} for a physics.settings.length_unit of {length_unit:g}, so they rest"
        f" and bounce badly: set it to the size of a typical body, about {middling:.2g}{advice}"
    )
    yield from found([entity for entity, size in sizes.items() if size == middling], message, "RigidBody")


def _check_ground(census: Census, state: PhysicsState, boxes: dict[int, NDArray[float64]]) -> Iterator[Finding]:
    """Bodies that all fall, with nothing below any of them that could stop them."""
    gravity = np.array(state.settings.gravity)
    kinds = census.kinds
    scales = {entity: one.scale for entity, one in census.having(Gravity).items()}
    unheld = kinds.keys() - _held(census) - census.with_any(Parent, WorldBounds) - census.on_paths
    falling = [
        entity
        for entity in sorted(unheld & boxes.keys())
        if kinds[entity] == "dynamic" and scales.get(entity, 1.0) > 0.0 and not _is_locked(census, entity, gravity)
    ]
    if not falling or not gravity.any():
        return
    blocking = {entity for entity, kind in kinds.items() if kind != "dynamic"} | census.with_any(Solid)
    outermost = census.carriers
    standing = {outermost.get(entity, entity) for entity in blocking} - set(falling)
    ground = [boxes[entity] for entity in sorted(standing & boxes.keys())]
    if not ground:
        message = (
            "falls forever, because nothing in this world stops bodies: add Solid() to the ground (a collider alone"
            " does not block)"
        )
        yield from found(falling, message, "RigidBody")
        return
    down = gravity / hypot(*gravity.tolist())
    lowest = max(_reach(box, down) for box in ground)
    if all(_is_beyond(boxes[entity], down, lowest) for entity in falling):
        x, y = state.settings.gravity
        message = (
            f"falls forever: gravity ({x:g}, {y:g}) pulls it away from all ground. With y up, gravity has a negative y;"
            " with y down, a positive y"
        )
        yield from found(falling, message, "RigidBody")


def _held(census: Census) -> set[int]:
    """The bodies that any joint holds: such a body may hang from others."""
    joints = [joint for cls in ANCHORED_JOINTS for joint in census.having(cls).values()]
    outermost = census.carriers
    return {outermost.get(end, end) for joint in joints for end in (joint.entity_a, joint.entity_b)}


def _is_locked(census: Census, entity: int, gravity: NDArray[float64]) -> bool:
    body = census.having(RigidBody)[entity]
    return bool((body.lock_x or not gravity[0]) and (body.lock_y or not gravity[1]))


def _is_beyond(box: NDArray[float64], direction: NDArray[float64], reach: float) -> bool:
    """Whether most of a box is farther than a reach."""
    return 0.5 * _along(box[:2] + box[2:], direction) > reach + 0.25 * _size(box)


def _reach(box: NDArray[float64], direction: NDArray[float64]) -> float:
    """How far a box reaches in a direction."""
    corner = np.where(direction > 0.0, box[2:], box[:2])
    return _along(corner, direction)


def _along(point: NDArray[float64], direction: NDArray[float64]) -> float:
    return float(point[0] * direction[0] + point[1] * direction[1])


def _check_unturned_boxes(census: Census) -> Iterator[Finding]:
    # A coin that only looks as if it turned may have a box that does not, and the gondola of a wheel stays level.
    blocking = census.with_any(RigidBody, Solid) - census.having(Parent).keys()
    places, speeds = census.having(Transform), census.having(Velocity)
    compounds = census.having(CompoundCollider).items()
    boxes = {entity for entity, one in compounds if any(isinstance(part, AABBCollider) for part in one.parts)}
    turned = [
        entity
        for entity in sorted((boxes | census.having(AABBCollider).keys()) & blocking)
        if (entity in places and abs(math.remainder(places[entity].angle, math.pi)) > _TURNED)
        or (entity in speeds and speeds[entity].angular)
    ]
    message = "never turns, but its entity does: use an OBBCollider, which turns with it"
    yield from found(turned, message, "AABBCollider")


def _check_anchors(census: Census, boxes: dict[int, NDArray[float64]]) -> Iterator[Finding]:
    # A child is where its parent is only after a step.
    places = {entity: one for entity, one in census.having(Transform).items() if entity not in census.having(Parent)}
    for cls, slides in _HOLDING:
        torn, distance = [], 0.0
        for owner, joint in census.having(cls).items():
            ends = joint.entity_a, joint.entity_b
            if any(end >= 0 and end not in places for end in ends) or getattr(joint, "linear_frequency", None):
                continue
            apart = _apart(joint, places, slides)
            sizes = [_size(boxes[end]) for end in ends if end in boxes]
            if sizes and apart > _APART * min(sizes):
                torn.append(owner)
                distance = distance or apart
        if not torn:
            continue
        has_anchors = any(getattr(census.having(cls)[torn[0]], name) for name in ("x_a", "y_a", "x_b", "y_b"))
        given = "are in the frames of the two bodies" if has_anchors else "were not given"
        message = (
            f"its anchors are {distance:.3g} units apart and are pulled together at once: x_a, y_a, x_b and y_b"
            f" {given}. Use {cls.__name__}.at(a, b, x, y), which takes a point of the world"
        )
        yield from found(torn, message, cls.__name__)


def _apart(joint: Any, places: dict[int, Transform], slides: bool) -> float:
    """How far the anchors of a joint are apart, but along its axis where it ``slides``."""
    (ax, ay, turn), (bx, by, _) = (
        _in_world(places, joint.entity_a, joint.x_a, joint.y_a),
        _in_world(places, joint.entity_b, joint.x_b, joint.y_b),
    )
    x, y = bx - ax, by - ay
    if not slides:
        return hypot(x, y)
    cos, sin = cos_sin(turn)
    axis_x, axis_y = cos * joint.axis_x - sin * joint.axis_y, sin * joint.axis_x + cos * joint.axis_y
    aside: float = abs(axis_x * y - axis_y * x) / (hypot(axis_x, axis_y) or 1.0)
    return aside


def _in_world(places: dict[int, Transform], entity: int, x: float, y: float) -> tuple[float, float, float]:
    """A point of an entity's frame in the world, and the angle of the entity."""
    if entity < 0:
        return x, y, 0.0
    place = places[entity]
    cos, sin = cos_sin(place.angle)
    return place.x + cos * x - sin * y, place.y + sin * x + cos * y, place.angle
