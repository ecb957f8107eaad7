"""``OneWay``: a solid that blocks from one side only."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.typed_components import FloatComponent


@final
class OneWay(FloatComponent):
    """Makes a ``Solid`` or a ``RigidBody`` block from one side only. Characters and bodies can jump up through it.

    It blocks entities that come from outside, against the normal. Entities that are already inside, or that come from
    another side, pass. For a body, this is decided when the two meet. The decision stays until they part, or until the
    body is clear of the side that blocks.

    Parameters
    ----------
    normal_x, normal_y
        Points away from the side that blocks: a vector of any length except 0, in the entity's frame. It turns with the
        entity, unless the entity has an ``AABBCollider``, which does not turn either.

    Examples
    --------
    >>> plank = esper.create_entity(Transform(0, 2), AABBCollider(2, 0.1), Solid(), OneWay())
    """

    normal_x: float = 0.0
    normal_y: float = 1.0
