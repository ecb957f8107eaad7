"""``Emitter``: where particles come from, and how they splash."""

from __future__ import annotations

from enum import IntEnum
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


class Splash(IntEnum):
    """How the velocities of new particles are distributed about their mean, along each axis by itself."""

    UNIFORM = 0
    """Evenly over mean ± spread: a box with sharp edges. Row A6."""

    NORMAL = 1
    """Normally, with the spread as σ: a round cloud, dense in the middle, with a few that fly far. Row A7."""


@final
class Emitter(Component):
    """On an entity with a ``Transform``, a source of particles; on none, the style of a ``ParticleSystem.burst``.

    Lengths and directions are in the frame of the entity and turn with its angle.

    ``rate``: particles per second, 0 … 1,000,000. ``vx``, ``vy``: mean velocity, units/s. ``vx_spread``, ``vy_spread``:
    >= 0, half the range of a uniform splash, σ of a normal one, units/s. ``splash``: a :class:`Splash`. ``half_width``,
    ``half_height``: >= 0, of the box about the origin in which particles appear, evenly.
    ``lifetime``: seconds, > 0, evenly spread by ± ``lifetime_spread``. ``gravity_scale``: times the gravity of the
    world's physics. ``drag``: rate in 1/s, >= 0. ``style``: any integer, handed on to the particles for the renderer.
    ``due``: the part of the next particle that is due already, in [0, 1); kept by the system.
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
