"""Light: ``Beam``, ``RingBeam``, ``HomingLaser``, and the ``LaserSegment`` that a laser hits with (rows D1–D7).

All three need a ``Transform``, and a ``LightSystem`` in their world. Colours, pictures and blending are the renderer's.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import final

import esper

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


class Steering(IntEnum):
    """How a ``HomingLaser`` turns towards its target at each joint. Row D6."""

    SINE = 0
    """By the sine of the angle to the target: settles on it."""

    SIGN = 1
    """By the whole ``turn_limit`` to the target's side: jitters about its way."""


@final
class Beam(Component):
    """A straight beam between two points of its entity's frame (D1–D4); it turns with the entity.

    ``end_x``, ``end_y``, ``start_x``, ``start_y``: world units, in the frame of the ``Transform``. ``width``: world
    units, > 0. ``proportion``: if it is > 0, the beam is ``proportion`` times as wide as it is long (D3), and no
    narrower than ``width``. A beam of length zero has no area, and still collides as a circle.

    The entity gets a ``CapsuleCollider`` that the system keeps in step: its core runs from start to end, its radius is
    half the width, so its round ends reach that much farther.
    """

    end_x: float
    end_y: float
    width: float = column(above=0.0)
    start_x: float = 0.0
    start_y: float = 0.0
    proportion: float = column(default=0.0, low=0.0)


@final
class RingBeam(Component):
    """A ring of light about its entity (D5); it has no collider, as a ring's inside is empty.

    ``radius``: of the middle of the light, world units, >= 0. ``width``: > 0; the inner radius is never below 0.
    ``growth``: units/s, added to ``radius`` each step, which ends at 0. ``segment_length``: no quad is longer, > 0, as
    far as 16 to 1,024 quads allow.
    """

    radius: float = column(low=0.0)
    width: float = column(above=0.0)
    growth: float = 0.0
    segment_length: float = column(default=10.0, above=0.0)


@final
class HomingLaser(Component):
    """A laser that flies to a target as a chain of short segments (D6), drawn as a ribbon (D7).

    Its head is the entity's ``Transform``, which the system moves and turns; where that stands at first is the muzzle.
    It needs no ``Velocity``. Writing the transform's angle steers by hand; writing its x, y in flight has no effect.

    ``speed``: units/s, >= 0. ``width``: world units, > 0. ``target_x``, ``target_y``: in the world. ``target``: an
    entity to follow, −1 for none; as long as it has a ``Transform``, the system writes its place to the target.
    ``turn_limit``: radians per segment, 0 to π/2. ``segment_length``: world units, > 0. ``segments``: 1 to 4,096, the
    laser's length in segments. ``steering``: a :class:`Steering`.

    It hits by entities with a ``LaserSegment`` and a ``CapsuleCollider``: the system makes them when it first sees the
    laser, and deletes them with it. They take over the layers and the mask of the laser's ``CollisionFilter``, and its
    group where that is negative, so that a laser in a group with its cannon does not hit that. Otherwise they are in a
    negative group of their own, in which no laser hits another, nor itself. The ``approach_speed`` of their hits counts
    the other side's motion only.
    """

    speed: float = column(low=0.0)
    width: float = column(above=0.0)
    target_x: float = 0.0
    target_y: float = 0.0
    target: int = -1
    turn_limit: float = column(default=0.2, low=0.0, high=math.pi / 2.0)
    segment_length: float = column(default=10.0, above=0.0)
    segments: int = column(default=24, low=1, high=4096)
    steering: int = column(default=Steering.SINE, low=Steering.SINE, high=Steering.SIGN)


@final
class LaserSegment(Component):
    """Marks an entity as a segment of a laser: made, moved and deleted by the ``LightSystem``.

    ``owner``: the entity with the ``HomingLaser``. ``number``: 0 at the head.
    """

    owner: int
    number: int


def laser_of(entity: int) -> int | None:
    """The entity with the ``HomingLaser`` that a segment belongs to, itself for the laser, None for anything else.

    For hit handlers, where the collider that hit is a segment's: ``laser_of(hit.entity_a)``.
    """
    segment = esper.try_component(entity, LaserSegment)
    if segment is not None:
        return segment.owner
    return entity if esper.try_component(entity, HomingLaser) is not None else None
