"""How long an entity lives and how far it gets: ``Lifetime``, ``WorldBounds``."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent, MixedComponent

# The choices of WorldBounds.at_edge, in the order of their numbers.
EDGES = ("clamp", "wrap", "bounce", "despawn")


@final
class Lifetime(FloatComponent):
    """Deletes the entity when its time is over; needs a :class:`LifetimeSystem`.

    The event "lifetime_ended" is sent with the entity, while its components are still there.

    Parameters
    ----------
    seconds
        Seconds until the entity is deleted, >= 0. You may assign it.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> esper.add_processor(LifetimeSystem(physics), ecsphys.Priority.LIFETIME)
    >>> spark = esper.create_entity(Transform(), Velocity(4, 0), Lifetime(0.5))
    >>> for _ in range(31):
    ...     esper.process(1 / 60)
    >>> esper.entity_exists(spark)
    False
    """

    seconds: float = column(low=0.0)


@final
class WorldBounds(MixedComponent, tracked=True):
    """Keeps the entity's ``Transform`` in a rectangle, or deletes the entity; needs a :class:`WorldBoundsSystem`.

    In each step in which the entity was outside, the event "bounds_reached" is sent with the entity and the side:
    "left", "right", "bottom" or "top". An empty rectangle raises ValueError in the next step.

    Parameters
    ----------
    min_x, min_y, max_x, max_y
        The rectangle, world units.
    at_edge
        "clamp": it stops at the edge. "wrap": it comes in at the opposite edge. "bounce": position and velocity are
        reflected. "despawn": it is deleted.
    margin
        How far inside the rectangle the edge is, units. Use a ball's radius to keep all of the ball inside. With a
        negative number, the entity may go outside by as much.
    restitution
        For "bounce": the speed after it divided by the speed before, in [0, 1].

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> esper.add_processor(WorldBoundsSystem(physics), ecsphys.Priority.BOUNDS)
    >>> bounds = WorldBounds(-8, -4.5, 8, 4.5, "bounce", margin=0.5)
    >>> ball = esper.create_entity(Transform(7, 0), Velocity(60, 0), bounds)
    >>> esper.process(1 / 60)
    >>> esper.component_for_entity(ball, Velocity).x
    -60.0
    """

    min_x: float
    min_y: float
    max_x: float
    max_y: float
    at_edge: str = column(default="clamp", choices=EDGES)
    margin: float = 0.0
    restitution: float = column(default=1.0, low=0.0, high=1.0)
