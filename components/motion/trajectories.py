"""Motion in closed form, exact at any time: a trajectory gives the position, whatever the step's length.

A trajectory owns x and y of the entity's ``Transform`` and of its ``Velocity``, if it has one. A step adds dt to
``elapsed`` (seconds, settable) and writes both for this time. ``angle`` still turns by ``Velocity.angular``. Forces do
nothing. Two trajectories on one entity raise ValueError in the next step. Below, t stands for ``elapsed``.
"""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent


@final
class LinearTrajectory(FloatComponent, pushing=True):
    """Uniform motion: (x, y) + (vx, vy)·t.

    Parameters
    ----------
    x, y
        Position at t = 0.
    vx, vy
        Units/s.
    elapsed
        t in seconds, settable. Chapter A1.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> platform = esper.create_entity(Transform(), LinearTrajectory(0, 2, vx=3, vy=0))
    >>> esper.process(2.0)
    >>> esper.component_for_entity(platform, Transform)
    Transform(x=6.0, y=2.0, angle=0.0)
    """

    x: float
    y: float
    vx: float
    vy: float
    elapsed: float = 0.0


@final
class BallisticTrajectory(FloatComponent, pushing=True):
    """Uniformly accelerated motion: (x, y) + (vx, vy)·t + ½·(ax, ay)·t².

    Parameters
    ----------
    x, y
        Position at t = 0.
    vx, vy
        Velocity at t = 0, units/s.
    ax, ay
        The whole acceleration, units/s²; the world's gravity is not added.
    elapsed
        t in seconds, settable. Chapter A5.

    Examples
    --------
    >>> arrow = esper.create_entity(Transform(), BallisticTrajectory(0, 1, vx=20, vy=5, ay=-9.8))
    """

    x: float
    y: float
    vx: float
    vy: float
    ax: float = 0.0
    ay: float = 0.0
    elapsed: float = 0.0


@final
class CircularTrajectory(FloatComponent, pushing=True):
    """Uniform circular motion: center + radius·(cos φ, sin φ), φ = phase + angular_speed·t.

    Parameters
    ----------
    center_x, center_y
        In the world.
    radius
        Units, >= 0.
    angular_speed
        Radians/s, 2π/T for a period T; negative is clockwise.
    phase
        Radians, the angle at t = 0.
    elapsed
        t in seconds, settable. Chapter A8.

    Examples
    --------
    >>> guard = esper.create_entity(Transform(), CircularTrajectory(0, 0, radius=3, angular_speed=1.5))
    """

    center_x: float
    center_y: float
    radius: float = column(low=0.0)
    angular_speed: float
    phase: float = 0.0
    elapsed: float = 0.0


@final
class HarmonicTrajectory(FloatComponent, pushing=True):
    """The motion of a spring: center + amplitude·sin(ω·t + φ) where undamped, along both axes.

    Parameters
    ----------
    center_x, center_y
        The point of rest, in the world.
    amplitude_x, amplitude_y
        A, units.
    angular_frequency
        ω in radians/s, >= 0; √(stiffness/mass) of a spring.
    phase
        φ in radians; the start is x0 = A·sin φ, v0 = A·ω·cos φ.
    damping
        The ratio ζ, >= 0, no unit: 0 none, below 1 it swings (ω_d = ω·√(1 − ζ²)), 1 critical, above 1 it creeps.
    elapsed
        t in seconds, settable. Chapter A11.

    Examples
    --------
    >>> elevator = esper.create_entity(Transform(), HarmonicTrajectory(0, 4, 0, 3, angular_frequency=1.2))
    """

    center_x: float
    center_y: float
    amplitude_x: float
    amplitude_y: float
    angular_frequency: float = column(low=0.0)
    phase: float = 0.0
    damping: float = column(default=0.0, low=0.0)
    elapsed: float = 0.0
