"""``Bullet``: never flies through anything, however fast it is."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class Bullet(Component):
    """Sweeps the entity's colliders along their motion in a step, so that nothing on the way is missed.

    What they touch on their way is a hit with depth 0, and with the ``time`` in the step at which it was. Everything
    counts that the entity's filter meets, moving or not; bullets meet each other half-way.

    ``stop``: 1 (or True) and the body rests where it touched for the rest of the step. Its velocity into the surface is
    gone, so that it slides along it from the next step on; on a trajectory, ``elapsed`` is held there. The hit goes on
    while the gap is below a millionth of the body's size. 0 (or False) and it only reports, and flies on; so it does
    where a ``Parent`` carries it.

    A dynamic ``RigidBody`` keeps its velocity where it is stopped, and bounces off in the next step; it stops only at
    other bodies and what is ``Solid``. A collider that is a ``sensor`` stops nothing, and is not stopped.

    What moves or turns against a bullet that stops takes it along, and those in its way; one that is jammed between two
    walls is passed by what pushes it.

    What a bullet overlaps at the beginning of a step does not stop it.
    """

    stop: int = column(default=1, low=0, high=1)
