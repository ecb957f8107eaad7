"""Light: ``Beam``, ``RingBeam``, ``HomingLaser``, and the ``LaserSegment`` that a laser hits with (rows D1–D7).

All three need a ``Transform``, and a ``LightSystem`` in their world. Your renderer chooses colors, pictures and
blending.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import FloatComponent, MixedComponent


class Steering(IntEnum):
    """How a ``HomingLaser`` turns toward its target at each joint. Chapter D6."""

    SINE = 0
    """By the sine of the angle to the target: settles on it."""

    SIGN = 1
    """By the whole ``turn_limit`` to the target's side: jitters about its path."""


@final
class Beam(FloatComponent):
    """A straight beam between two points of its entity's frame (D1–D4); it turns with the entity.

    The ``LightSystem`` gives the entity a ``CapsuleCollider`` and updates it in each step: its core runs from start to
    end, its radius is half the width, so its round ends reach that much farther. A beam of length 0 has no area and
    collides as a circle.

    Parameters
    ----------
    end_x, end_y, start_x, start_y
        The two ends, in the entity's frame, units.
    width
        World units, > 0.
    proportion
        If > 0, the beam is ``proportion`` times as wide as it is long (D3), and no narrower than ``width``.

    Examples
    --------
    >>> laser_gate = esper.create_entity(Transform(0, 2), Beam(end_x=6, end_y=0, width=0.2))
    """

    end_x: float
    end_y: float
    width: float = column(above=0.0)
    start_x: float = 0.0
    start_y: float = 0.0
    proportion: float = column(default=0.0, low=0.0)


@final
class RingBeam(FloatComponent):
    """A ring of light about its entity (D5). It has no collider: the inside of a ring is empty.

    Parameters
    ----------
    radius
        Radius of the middle of the light, world units, >= 0.
    width
        World units, > 0; the inner radius is never below 0.
    growth
        Units/s, added to ``radius`` in each step. The radius does not fall below 0.
    segment_length
        The largest length of a quad, units, > 0. A ring has 16 to 1,024 quads.

    Examples
    --------
    >>> shock_wave = esper.create_entity(Transform(), RingBeam(radius=0.5, width=0.3, growth=8))
    """

    radius: float = column(low=0.0)
    width: float = column(above=0.0)
    growth: float = 0.0
    segment_length: float = column(default=10.0, above=0.0)


@final
class HomingLaser(MixedComponent):
    """A laser that flies to a target as a chain of short segments (D6), drawn as a ribbon (D7).

    The ``LightSystem`` moves and turns the entity's ``Transform``, which is the head; its first position is the muzzle.
    The entity needs no ``Velocity``. Assign the transform's angle to steer by hand. Assigning x or y in flight has no
    effect.

    The system makes an entity with a ``LaserSegment`` and a ``CapsuleCollider`` for each segment, and deletes them with
    the laser. These entities have the hits. They copy the layers and the mask of the laser's ``CollisionFilter``. They
    also copy its group if it is negative, so a laser in the group of its cannon does not hit the cannon. Otherwise all
    segments are in one negative group, so a laser does not hit itself or other lasers. The ``approach_speed`` of their
    hits includes the motion of the other entity only.

    Parameters
    ----------
    speed
        Units/s, >= 0.
    width
        World units, > 0.
    target_x, target_y
        The point it flies to, in the world.
    target
        An entity to follow, −1 for none. While the target has a ``Transform``, the system writes its position to
        ``target_x``, ``target_y``.
    turn_limit
        Radians per segment, 0 to π/2.
    segment_length
        World units, > 0.
    segments
        The laser's length in segments, 1 to 4,096.
    steering
        A :class:`Steering`.

    Examples
    --------
    >>> foe = esper.create_entity(Transform(30, 5), CircleCollider(1))
    >>> laser = esper.create_entity(Transform(), HomingLaser(speed=40, width=0.5, target=foe))
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
class LaserSegment(MixedComponent):
    """Marks an entity as a segment of a laser: made, moved and deleted by the ``LightSystem``.

    Parameters
    ----------
    owner
        The entity with the ``HomingLaser``.
    number
        0 at the head.
    """

    owner: int
    number: int


class Splash(IntEnum):
    """How the velocities of new particles are distributed about their mean, along each axis on its own."""

    UNIFORM = 0
    """Evenly over mean ± spread: a box with sharp edges. Chapter A6."""

    NORMAL = 1
    """Normally, with the spread as σ: a round cloud, dense in the middle, with a few that fly far. Chapter A7."""


@final
class Emitter(MixedComponent):
    """A source of particles on an entity with a ``Transform``, or the style of a :meth:`ParticleSystem.burst`.

    Lengths and directions are in the frame of the entity and turn with its angle. Needs a :class:`ParticleSystem`.

    Parameters
    ----------
    rate
        Particles per second, 0 … 1,000,000.
    vx, vy
        Mean velocity, units/s.
    vx_spread, vy_spread
        Half the range of a uniform splash, σ of a normal one; units/s, >= 0.
    splash
        A :class:`Splash`: uniform or normal.
    half_width, half_height
        Half the size of the box about the origin in which particles appear, evenly; units, >= 0.
    lifetime
        Seconds, > 0.
    lifetime_spread
        Seconds, >= 0. Lifetimes are evenly distributed over ``lifetime`` ± this.
    gravity_scale
        Multiplies the world's gravity; with 0, particles do not fall.
    drag
        Rate of air resistance in 1/s, >= 0.
    style
        Any integer. The particles get it, for your renderer.
    due
        The fraction of the next particle that is due already, in [0, 1); the system writes it.

    Examples
    --------
    >>> fountain = esper.create_entity(Transform(), Emitter(rate=200, vy=8, lifetime=1.5, gravity_scale=1))
    """

    rate: float = column(default=0.0, low=0.0, high=1e6)
    vx: float = 0.0
    vy: float = 0.0
    vx_spread: float = column(default=1.0, low=0.0)
    vy_spread: float = column(default=1.0, low=0.0)
    splash: int = column(default=Splash.UNIFORM, low=0, high=1)
    half_width: float = column(default=0.0, low=0.0)
    half_height: float = column(default=0.0, low=0.0)
    lifetime: float = column(default=1.0, above=0.0)
    lifetime_spread: float = column(default=0.0, low=0.0)
    gravity_scale: float = 0.0
    drag: float = column(default=0.0, low=0.0)
    style: int = 0
    due: float = column(default=0.0, low=0.0, below=1.0)
