"""``Bullet``: continuous collision detection for fast entities."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class Bullet(MixedComponent, pushing=True):
    """Continuous collision detection (CCD): the entity never tunnels through anything, however fast it is.

    Each step sweeps its colliders along their motion. Each entity that they touch on the way is a hit with depth 0 and
    with its ``time`` in the step. The sweep finds every entity that the filter allows, moving or not; two bullets hit
    where they meet. An entity that the bullet overlaps at the beginning of a step does not stop it.

    A moving or turning collider pushes a stopped bullet along, together with the bullets in its way. It passes through
    a bullet that is jammed between it and a wall.

    A dynamic ``RigidBody`` keeps its velocity when it stops, and bounces off in the next step. It stops only at other
    bodies and at ``Solid`` entities. A ``sensor`` does not stop bullets, and a bullet's own sensor does not stop it.

    Parameters
    ----------
    stop
        1 or True: the entity stays at the point of contact for the rest of the step, and loses its velocity into the
        surface, so it slides from the next step on. On a trajectory, ``elapsed`` stops there. The hit lasts while the
        gap is below a millionth of the entity's size.
        0 or False: it reports the hit and flies on. A child of a ``Parent`` always flies on.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> shot = esper.create_entity(Transform(0, 0), Velocity(600, 0), CircleCollider(0.1), Bullet())
    >>> wall = esper.create_entity(Transform(5, 0), AABBCollider(0.05, 4))
    >>> esper.process(1 / 60)
    >>> physics.hits.has(shot, wall)
    True
    """

    stop: int = column(default=1, low=0, high=1)
