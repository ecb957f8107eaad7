"""``Disabled``: turns the collisions of an entity off without deleting it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.many import Marker


@final
@dataclass(frozen=True, slots=True)
class Disabled(Marker):
    """Turns the collisions of an entity off for as long as it has this component.

    Its colliders hit nothing, block nothing and answer no query. Its hits end with the reason "disabled", and start
    again when the component is removed. The entity still moves, a body with its mass. Its children are not disabled.

    Examples
    --------
    >>> ghost = esper.create_entity(Transform(), CircleCollider(1), Disabled())
    >>> esper.remove_component(ghost, Disabled)
    Disabled()
    """
