"""``Emitter``: a source of particles, and how they splash."""

from __future__ import annotations

from enum import IntEnum
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


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
