"""``Marker``: base of components without fields, such as ``Solid``."""

from __future__ import annotations

from typing import Any

from ecsphys.components.store.final import FinalBase
from ecsphys.components.store.many import Many


class Marker(FinalBase):
    """Base of components without fields: an entity has the component, or it does not."""

    __slots__ = ()

    @classmethod
    def many(cls) -> Many:
        """Describe one component for each entity that :func:`~ecsphys.spawn_many` creates.

        Examples
        --------
        >>> walls = ecsphys.spawn_many(3, Transform.many(x=[0, 4, 8]), OBBCollider.many(1, 1), Solid.many())
        """
        return ManyMarkers(cls)


class ManyMarkers(Many):
    """What ``many()`` of a component without fields returns."""

    __slots__ = ()

    def __init__(self, cls: type[Any]) -> None:
        self.cls, self.values = cls, {}

    def create(self, count: int) -> list[Any]:
        """``count`` new components."""
        return [self.cls() for _ in range(count)]
