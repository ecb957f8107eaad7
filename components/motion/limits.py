"""How long an entity lives and how far it gets: ``Lifetime``, ``WorldBounds``."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent, MixedComponent

# The choices of WorldBounds.at_edge, in the order of their numbers.
EDGES = ("clamp", "wrap", "bounce", "despawn")


@final
class Lifetime(FloatComponent):
    """The entity is deleted when its time is over, by a ``LifetimeSystem``.

    ``seconds``: what is left, >= 0; settable. The event ``lifetime_ended`` tells.
    """

    seconds: float = column(low=0.0)


@final
class WorldBounds(MixedComponent):
    """A rectangle that the entity's ``Transform`` does not leave, or not alive; a ``WorldBoundsSystem`` sees to it.

    ``min_x``, ``min_y``, ``max_x``, ``max_y``: world units, each min less than its max. ``at_edge``: "clamp" stops it
    at the edge, "wrap" brings it in at the opposite one, "bounce" reflects position and velocity, "despawn" deletes it.
    ``margin``: how far inside of the rectangle the edge is, units: a ball's radius keeps all of it in; negative lets it
    go out as far. ``restitution``: of "bounce", speed after it by that before, in [0, 1]. The event ``bounds_reached``
    tells.
    """

    min_x: float
    min_y: float
    max_x: float
    max_y: float
    at_edge: str = column(default="clamp", choices=EDGES)
    margin: float = 0.0
    restitution: float = column(default=1.0, low=0.0, high=1.0)
