"""``Disabled``: turns the collisions of an entity off without deleting it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.many import Marker


@final
@dataclass(frozen=True, slots=True)
class Disabled(Marker):
    """Turns the collisions of an entity off while the entity has this component.

    Its colliders hit nothing and block nothing, and queries do not find them. Its hits end with the reason "disabled"
    and start again when you remove the component. The entity still moves, and a body keeps its mass. Its children are
    not disabled.

    Examples
    --------
    >>> ghost = esper.create_entity(Transform(), CircleCollider(1), Disabled())
    >>> esper.remove_component(ghost, Disabled)
    Disabled()
    """
