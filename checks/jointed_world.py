"""A world whose bodies and joints come, go and change at random, and what must hold of it after each step."""

from __future__ import annotations

import math
import random
from typing import Any

import esper

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    Disabled,
    DistanceJoint,
    GearJoint,
    Joint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    Parent,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)
from ecsphys.types import JointBreak

# What entity_a and entity_b are for the world.
WORLD = -1

_KINDS = (RevoluteJoint, PrismaticJoint, DistanceJoint, WeldJoint, WheelJoint, MouseJoint, MotorJoint)
_MOST_BODIES = 25
_NEAR = 2.0

# Joints across more than this would only be faster: a joint brings its anchors together as a spring, however far.
_FAR = 20.0

# The farthest that anchors are from the centres of their bodies, half a unit large.
_ARM = 7.0

# Units or radians a second. Joints that pull against each other never hold, and throw bodies about; but what they add
# is bounded by their springs, and does not feed itself. Of 460 wild worlds the fastest body had 7e3.
_TOO_FAST = 1e4


class FaultError(AssertionError):
    """What does not hold."""


class JointedWorld:
    """An esper world of its own, and a game at random in it.

    In every second one, joints link only what is beside each other and not linked yet; else any two, with long arms, in
    loops, and to where bodies are not.
    """

    def __init__(self, seed: int) -> None:
        self.name = f"joints {seed} {len(esper.list_worlds())}"
        self._random = random.Random(seed)
        esper.switch_world(self.name)
        self.physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
        esper.set_handler("joint_broken", self._tell)
        esper.create_entity(Transform(0.0, -6.0), AABBCollider(30.0, 0.5), Solid())
        self._bodies: list[int] = []
        # Every joint there was, with the entity that carries it; those that the game took away or that were told of.
        self._made: list[tuple[int, Joint]] = []
        self._taken: set[int] = set()
        self._told: list[JointBreak] = []
        self._done: list[str] = []
        self._is_renamed = False
        self._is_wild = seed % 2 == 1
        # Of every second wild world, some bodies are up to a thousand times as heavy as others.
        self._is_uneven = seed % 4 == 3
        self.top_speed = 0.0
        """The highest speed of any body so far, units or radians a second."""

    def close(self) -> None:
        """Remove the world."""
        esper.switch_world("default")
        esper.delete_world(self.name)

    def step(self) -> None:
        """Do some things at random, advance, and look at what must hold; FaultError with what was done else."""
        esper.switch_world(self.name)
        self._is_renamed = False
        for _ in range(self._random.randrange(4)):
            self._act()
        self._stop()
        try:
            esper.process(1.0 / 60.0)
            self._check()
        except Exception as error:
            raise FaultError(f"{error}\n  after: " + "; ".join(self._done[-12:])) from error

    def _stop(self) -> None:
        """Stop what no joint moves: on a slider that turns by itself, a body gains speed without end, and rightly."""
        for entity, velocity in esper.get_component(Velocity):
            rigid = esper.try_component(entity, RigidBody)
            if rigid is None or rigid.kind != "dynamic":
                velocity.x = velocity.y = velocity.angular = 0.0

    def _tell(self, found: JointBreak) -> None:
        self._told.append(found)

    def _check(self) -> None:
        told: dict[int, JointBreak] = {}
        for found in self._told:
            if id(found.joint) in told:
                raise FaultError(f"told twice of {found}")
            told[id(found.joint)] = found
        attached = 0
        for owner, joint in self._made:
            here = esper.entity_exists(owner) and esper.try_component(owner, type(joint)) is joint
            attached += here
            if here and id(joint) in told:
                raise FaultError(f"told of {joint}, which is on entity {owner}")
            if here and not all(end == WORLD or esper.entity_exists(end) for end in (joint.entity_a, joint.entity_b)):  # type: ignore[attr-defined]
                raise FaultError(f"{joint} on entity {owner} names what is gone")
            if not here and id(joint) not in self._taken and id(joint) not in told:
                raise FaultError(f"not told that {joint} has gone from entity {owner}")
            if id(joint) in told and id(joint) in self._taken and owner not in (joint.entity_a, joint.entity_b):  # type: ignore[attr-defined]
                raise FaultError(f"told of {joint}, which the game took from entity {owner}")
            if id(joint) in told and told[id(joint)].entity != owner:
                raise FaultError(f"{told[id(joint)]} was on entity {owner}")
        if len(self.physics._state.joints) != attached:
            raise FaultError(f"{len(self.physics._state.joints)} joints listed, {attached} attached")
        for entity, (place, velocity) in esper.get_components(Transform, Velocity):
            if not all(map(math.isfinite, (place.x, place.y, place.angle, velocity.x, velocity.y, velocity.angular))):
                raise FaultError(f"entity {entity}: {place}, {velocity}")
            speed = max(map(abs, (velocity.x, velocity.y, velocity.angular)))
            if speed > _TOO_FAST:
                raise FaultError(f"entity {entity} moves too fast: {velocity}")
            self.top_speed = max(self.top_speed, speed)

    def _act(self) -> None:
        self._bodies = [body for body in self._bodies if esper.entity_exists(body)]
        acts = (
            (6, self._create_body),
            (20, self._create_joint),
            (2, self._create_gear),
            (2, self._delete_body),
            (2, self._delete_joint),
            (1, self._take_joint),
            (1, self._take_body),
            (3, self._write_joint),
            (3, self._rename_end),
            (1, self._disable),
            (3, self._carry),
            (1, self._rest),
            (1, self._move),
            (1, self._rewrite_body),
        )
        if len(self._bodies) < 4:
            act = self._create_body
        else:
            act = self._random.choices([one for _, one in acts], [weight for weight, _ in acts])[0]
        self._done.append(f"{act.__name__[1:]} {act()}")

    def _create_body(self) -> object:
        if len(self._bodies) >= _MOST_BODIES:
            return None
        r = self._random
        kind: Any = r.choice(("dynamic",) * 8 + ("kinematic", "static"))
        collider = CircleCollider(0.5) if r.random() < 0.5 else OBBCollider(0.5, 0.4)
        place = Transform(r.uniform(-6.0, 6.0), r.uniform(-4.0, 4.0), r.uniform(-3.0, 3.0))
        density = r.choice((1.0, 1.0, 30.0, 1000.0)) if self._is_uneven else 1.0
        body = RigidBody(kind, lock_x=r.random() < 0.1, density=density)
        self._bodies.append(esper.create_entity(place, collider, body))
        return self._bodies[-1]

    def _is_linked(self, a: int, b: int) -> bool:
        """Whether joints hold two bodies together already, or both to the world: more would pull against these. Where
        the world is wild, they may."""
        if self._is_wild:
            return False
        found, new = {a}, [a]
        links = [(joint.entity_a, joint.entity_b) for _, joint in self._attached() if not isinstance(joint, GearJoint)]
        links += [(child, carried.entity) for child, carried in esper.get_component(Parent)]
        while new:
            one = new.pop()
            for first, second in links:
                for here, there in ((first, second), (second, first)):
                    if here == one and there not in found:
                        found.add(there)
                        new.append(there)
        return b in found

    def _pair(self) -> tuple[int, int, float, float] | None:
        """Two bodies, and a point between them; but for a wild world, beside each other, and that nothing links."""
        a, b = self._random.sample(self._bodies, 2)
        one, other = (esper.component_for_entity(body, Transform) for body in (a, b))
        most = _FAR if self._is_wild else _NEAR
        if math.hypot(one.x - other.x, one.y - other.y) > most or self._is_linked(a, b):
            return None
        return a, b, 0.5 * (one.x + other.x), 0.5 * (one.y + other.y)

    def _create_joint(self) -> object:
        r = self._random
        near = self._pair()
        if near is None:
            return None
        a, b, x, y = near
        cls: Any = r.choice(_KINDS)
        options: dict[str, Any] = {"collide_connected": r.random() < 0.3}
        if r.random() < 0.3:
            options["break_force"] = r.uniform(1.0, 100.0)
        if r.random() < 0.3:
            options["break_torque"] = r.uniform(1.0, 100.0)
        joint: Any
        if cls is DistanceJoint:
            joint = cls.at(a, b, x, y, x + 1.0, y, **options)
        elif cls in (PrismaticJoint, WheelJoint):
            joint = cls.at(a, b, x, y, (1.0, 0.0), **options)
        elif cls is MouseJoint:
            if self._is_linked(a, WORLD):
                return None
            joint = cls.at(a, x, y, **options)
        else:
            end = None if r.random() < 0.3 and not self._is_linked(a, WORLD) else b
            joint = cls.at(a, end, x, y, **options)
        if self._is_wild:
            # Anchors that are not at one place, and far from their bodies.
            for name in ("x_a", "y_a", "x_b", "y_b"):
                if hasattr(joint, name) and r.random() < 0.5:
                    setattr(joint, name, r.uniform(-_ARM, _ARM))
        # On an entity of its own, or on any other; there may be one of a class.
        owner = r.choice(self._bodies) if r.random() < 0.3 else esper.create_entity()
        if esper.has_component(owner, cls):
            owner = esper.create_entity()
        esper.add_component(owner, joint)
        self._made.append((owner, joint))
        return cls.__name__, owner, a, b

    def _attached(self, *classes: type[Joint]) -> list[tuple[int, Any]]:
        return [
            (owner, joint)
            for owner, joint in self._made
            if esper.entity_exists(owner)
            and esper.try_component(owner, type(joint)) is joint
            and (not classes or type(joint) in classes)
        ]

    def _create_gear(self) -> object:
        carriers = list({owner for owner, _ in self._attached(RevoluteJoint, PrismaticJoint)})
        if len(carriers) < 2:
            return None
        first, second = self._random.sample(carriers, 2)
        geared = {end for _, gear in self._attached(GearJoint) for end in (gear.entity_a, gear.entity_b)}
        if not self._is_wild and (first in geared or second in geared):
            return None
        gear = GearJoint(first, second, ratio=self._random.choice((2.0, -0.5)))
        owner = esper.create_entity(gear)
        self._made.append((owner, gear))
        return owner, first, second

    def _forget(self, owner: int) -> None:
        """Note that the game takes all joints from an entity."""
        self._taken |= {id(joint) for entity, joint in self._attached() if entity == owner}

    def _delete_body(self) -> object:
        body = self._random.choice(self._bodies)
        if any(carried.entity == body for _, carried in esper.get_component(Parent)) and self._any_is_new():
            return None
        self._forget(body)
        esper.delete_entity(body, immediate=self._random.random() < 0.5)
        return body

    def _delete_joint(self) -> object:
        owners = [owner for owner, _ in self._attached() if owner not in self._bodies]
        if not owners:
            return None
        owner = self._random.choice(owners)
        self._forget(owner)
        esper.delete_entity(owner, immediate=self._random.random() < 0.5)
        return owner

    def _take_joint(self) -> object:
        attached = self._attached()
        if not attached or self._any_is_new():
            return None
        owner, joint = self._random.choice(attached)
        self._taken.add(id(joint))
        esper.remove_component(owner, type(joint))
        return type(joint).__name__, owner

    def _any_is_new(self) -> bool:
        """Whether there are joints that no step has seen yet as they are: where these cannot hold, it is an error."""
        if self._is_renamed:
            return True
        seen = {id(joint) for joint in self.physics._state.joints._listed.instances}
        return any(id(joint) not in seen for _, joint in self._attached())

    def _take_body(self) -> object:
        body = self._random.choice(self._bodies)
        if self._any_is_new():
            return None
        gone = self._random.choice((RigidBody, Transform))
        self._bodies.remove(body)
        if esper.has_component(body, gone):
            esper.remove_component(body, gone)
        return gone.__name__, body

    def _write_joint(self) -> object:
        attached = self._attached()
        if not attached:
            return None
        owner, joint = self._random.choice(attached)
        r = self._random
        name = r.choice([name for name in type(joint).__match_args__ if name not in ("entity_a", "entity_b")])
        value: Any = r.uniform(0.1, 1.0)
        if name in ("has_limits", "collide_connected"):
            value = not getattr(joint, name)
        elif name in ("lower", "min_length"):
            value = 0.0
        elif name in ("frequency", "length", "max_length"):
            return None
        setattr(joint, name, value)
        return type(joint).__name__, owner, name, value

    def _rename_end(self) -> object:
        attached = [(owner, joint) for owner, joint in self._attached() if not isinstance(joint, GearJoint)]
        if not attached:
            return None
        owner, joint = self._random.choice(attached)
        near = self._pair()
        if near is None:
            return None
        self._is_renamed = True
        joint.entity_a, joint.entity_b, *_ = near
        joint.x_a = joint.y_a = joint.x_b = joint.y_b = 0.0
        return type(joint).__name__, owner, near

    def _disable(self) -> object:
        body = self._random.choice(self._bodies)
        if esper.has_component(body, Disabled):
            esper.remove_component(body, Disabled)
        else:
            esper.add_component(body, Disabled())
        return body

    def _carry(self) -> object:
        """A child that stands for the body that carries it, and a joint at it; or another parent for one."""
        r = self._random
        near = self._pair()
        if near is None:
            return None
        parent, other, _, _ = near
        children = [child for child, _ in esper.get_component(Parent)]
        if children and r.random() < 0.5:
            child = r.choice(children)
            if any({child, parent} == {joint.entity_a, joint.entity_b} for _, joint in self._attached()):
                # No joint can hold the two together then.
                return None
            esper.component_for_entity(child, Parent).entity = parent
            return child, parent
        child = esper.create_entity(Transform(), Parent(parent, 0.5), CircleCollider(0.2))
        joint = WeldJoint(child, other)
        owner = esper.create_entity(joint)
        self._made.append((owner, joint))
        return child, parent, other, owner

    def _rest(self) -> object:
        body = self._random.choice(self._bodies)
        if esper.component_for_entity(body, RigidBody).kind != "dynamic" or not len(self.physics._state.body_table):
            return None
        if not self.physics._state.body_table.is_current():
            return None
        (self.physics.bodies.sleep if self._random.random() < 0.5 else self.physics.bodies.wake)(body)
        return body

    def _move(self) -> object:
        body = self._random.choice(self._bodies)
        esper.component_for_entity(body, Transform).x += self._random.uniform(-1.0, 1.0)
        return body

    def _rewrite_body(self) -> object:
        body = self._random.choice(self._bodies)
        rigid = esper.component_for_entity(body, RigidBody)
        rigid.kind = self._random.choice(("dynamic", "dynamic", "kinematic", "static"))
        return body, rigid.kind
