"""Forces on an entity with ``Transform`` and ``Velocity``: ``Gravity``, ``Spring``, ``Orbit``, ``Drag``.

They add up with :class:`~ecsphys.components.motion.transform.Acceleration`::

    a = acceleration + scale·gravity − (stiffness·(x − anchor) + damping·v)/mass − angular_speed²·(x − center)

and drag follows each substep of h seconds, exact for any h: v ·= e^(−linear·h), angular velocity ·= e^(−angular·h).
Forces do nothing on an entity with a trajectory.
"""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent


@final
class Gravity(FloatComponent, pushing=True):
    """The entity falls. Without this component only a dynamic ``RigidBody`` falls.

    The acceleration is ``physics.gravity``, which ``ecsphys.install(gravity=…)`` sets. The entity needs a ``Velocity``.

    Parameters
    ----------
    scale
        Multiplies gravity; no unit. With a negative scale the entity rises. Chapters A4, A5.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> stone = esper.create_entity(Transform(0, 5), Velocity(), Gravity())
    >>> balloon = esper.create_entity(Transform(0, 5), Velocity(), Gravity(scale=-0.1))
    """

    scale: float = 1.0


@final
class Spring(FloatComponent, pushing=True):
    """Pulls the entity to an anchor: F = −stiffness·(x − anchor) − damping·v, along both axes.

    Parameters
    ----------
    anchor_x, anchor_y
        The point of rest, in the world.
    stiffness
        Force per unit of length, >= 0.
    mass
        Mass for this spring only, > 0.
    damping
        Force per unit of speed, >= 0; critical at 2·√(stiffness·mass). Chapter A11.

    Examples
    --------
    >>> lamp = esper.create_entity(Transform(0, 3), Velocity(), Spring(0, 4, stiffness=20, damping=0.5))
    """

    anchor_x: float
    anchor_y: float
    stiffness: float = column(low=0.0)
    mass: float = column(default=1.0, above=0.0)
    damping: float = column(default=0.0, low=0.0)


@final
class Orbit(FloatComponent, pushing=True):
    """Circular motion by force: a = −angular_speed²·(x − center).

    An entity at distance R that moves across the radius with speed R·ω stays on its circle, up to the error of the
    integrator; other velocities give an ellipse. For an exact circle use a ``CircularTrajectory``.

    Parameters
    ----------
    center_x, center_y
        In the world.
    angular_speed
        ω in radians/s; its sign has no effect. Chapter A9.

    Examples
    --------
    >>> moon = esper.create_entity(Transform(5, 0), Velocity(0, 10), Orbit(0, 0, angular_speed=2))
    """

    center_x: float
    center_y: float
    angular_speed: float


@final
class Drag(FloatComponent, pushing=True):
    """Slows an entity down: its speed falls to 1/e within 1/rate seconds, exact for any step.

    Parameters
    ----------
    linear
        Rate for the velocity's x and y, in 1/s, >= 0.
    angular
        Rate for the angular velocity, in 1/s, >= 0.

    Examples
    --------
    >>> puck = esper.create_entity(Transform(), Velocity(8, 0), Drag(linear=0.4))
    """

    linear: float = column(default=0.0, low=0.0)
    angular: float = column(default=0.0, low=0.0)
