"""A level of ecsphys in which all is at rest: solid tiles, or boxes that sleep, and some things that can be changed."""

from __future__ import annotations

from typing import Literal

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CollisionFilter,
    Disabled,
    DistanceJoint,
    Gravity,
    OBBCollider,
    Parent,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

Kind = Literal["tiles", "boxes"]

GRAVITY = (0.0, -9.8)
FEWEST_COLUMNS = 10


class Level:
    """In the current world of esper; without ``physics``, for what esper alone needs.

    Attributes
    ----------
    thing, thing_y
        A tile or box in the middle, and its y.
    body_at_rest
        A body that sleeps.
    joined
        A joint of two bodies.
    visitor
        What a change has created, if it is there.
    """

    def __init__(self, kind: Kind, count: int, physics: bool = True) -> None:
        if physics:
            ecsphys.install(gravity=GRAVITY)
        numbers = np.arange(count)
        if kind == "tiles":
            columns = max(FEWEST_COLUMNS, int(count**0.5))
            x, y = numbers % columns, -1.0 * (numbers // columns) - 1.0
            things = ecsphys.spawn_many(
                count,
                Transform.many(x=x, y=y),
                AABBCollider.many(0.5, 0.5),
                Solid.many(),
                CollisionFilter.many(),
            )
        else:
            esper.create_entity(Transform(0.0, -1.0), AABBCollider(2.0 * count + 50.0, 0.5), Solid())
            things = ecsphys.spawn_many(
                count,
                Transform.many(x=1.5 * numbers + 12.0, y=0.0),
                Velocity.many(),
                OBBCollider.many(0.5, 0.5),
                RigidBody.many(),
                CollisionFilter.many(),
            )
        self.thing = int(things[count // 2])
        self.thing_y = esper.component_for_entity(self.thing, Transform).y
        bodies = [
            esper.create_entity(Transform(2.0 * k, -0.1), Velocity(), OBBCollider(0.4, 0.4), RigidBody())
            for k in range(5)
        ]
        self.body_at_rest = bodies[2] if kind == "tiles" else self.thing
        self._pair = tuple(
            esper.create_entity(Transform(x, 50.0), Velocity(), CircleCollider(0.4), RigidBody(), Gravity(0.0))
            for x in (-53.0, -50.0)
        )
        self.joined = self.joint()
        self.visitor: int | None = None
        self._guests: list[int] = []

    def kinematic(self) -> int:
        """A kinematic body that its Transform drives; it is there until :meth:`clear`."""
        self._guests.append(esper.create_entity(Transform(-80.0, 50.0), CircleCollider(0.4), RigidBody("kinematic")))
        return self._guests[-1]

    def child(self) -> int:
        """A collider that another entity carries; both are there until :meth:`clear`."""
        carrier = esper.create_entity(Transform(-90.0, 50.0))
        self._guests += (carrier, esper.create_entity(Transform(), CircleCollider(0.4), Parent(carrier, x=1.0)))
        return self._guests[-1]

    def shot(self) -> int:
        """A new circle that flies, far from everything."""
        return esper.create_entity(Transform(50.0, 20.0), Velocity(5.0, 0.0), CircleCollider(0.2))

    def tile(self) -> int:
        """A new solid tile."""
        return esper.create_entity(Transform(50.0, 20.0), AABBCollider(0.5, 0.5), Solid())

    def body(self) -> int:
        """A new body that flies."""
        return esper.create_entity(Transform(50.0, 20.0), Velocity(5.0, 0.0), CircleCollider(0.2), RigidBody())

    def joint(self) -> int:
        """A joint of the two bodies."""
        return esper.create_entity(DistanceJoint(self._pair[0], self._pair[1], length=3.0))

    def toggle_disabled(self) -> None:
        """Disable the thing, or enable it again."""
        if esper.has_component(self.thing, Disabled):
            esper.remove_component(self.thing, Disabled)
        else:
            esper.add_component(self.thing, Disabled())

    def clear(self) -> None:
        """Take away what a change has left."""
        guests = self._guests if self.visitor is None else [*self._guests, self.visitor]
        for entity in guests:
            esper.delete_entity(entity, immediate=True)
        self._guests, self.visitor = [], None
        if esper.has_component(self.thing, Disabled):
            esper.remove_component(self.thing, Disabled)
