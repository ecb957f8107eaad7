"""Forces on an entity with ``Transform`` and ``Velocity``: ``Gravity``, ``Spring``, ``Orbit``, ``Drag``.

They add up with :class:`~ecsphys.components.motion.transform.Acceleration`::

    a = acceleration + scale·gravity − (stiffness·(x − anchor) + damping·v)/mass − angular_speed²·(x − center)

and drag follows each substep of h seconds, exact for any h: v ·= e^(−linear·h), angular velocity ·= e^(−angular·h).
Forces do nothing on an entity with a trajectory.
"""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class Gravity(Component):
    """The entity falls: ``scale`` times the gravity of the world's physics. Without it, nothing falls.

    ``scale``: no unit, any finite number; negative rises. Rows A4, A5.
    """

    scale: float = 1.0


@final
class Spring(Component):
    """Pulls the entity to an anchor: F = −stiffness·(x − anchor) − damping·v, along both axes.

    ``anchor_x``, ``anchor_y``: the point of rest, in the world. ``stiffness``: force per unit of length, >= 0.
    ``mass``: > 0. ``damping``: force per unit of speed, >= 0; critical at 2·√(stiffness·mass). Row A11.
    """

    anchor_x: float
    anchor_y: float
    stiffness: float = column(low=0.0)
    mass: float = column(default=1.0, above=0.0)
    damping: float = column(default=0.0, low=0.0)


@final
class Orbit(Component):
    """Circular motion by force: a = −angular_speed²·(x − center).

    ``center_x``, ``center_y``: in the world. ``angular_speed``: ω in rad/s, its sign has no effect. An entity at
    distance R that moves across the radius with speed R·ω stays on its circle, up to the error of the integrator;
    other velocities give an ellipse. Row A9.
    """

    center_x: float
    center_y: float
    angular_speed: float


@final
class Drag(Component):
    """Slows an entity down: rates in 1/s, >= 0; speeds fall to 1/e in 1/rate seconds, exact for any step.

    ``linear`` acts on the velocity's x and y, ``angular`` on the spin.
    """

    linear: float = column(default=0.0, low=0.0)
    angular: float = column(default=0.0, low=0.0)
