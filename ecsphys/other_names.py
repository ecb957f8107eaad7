"""Errors for unknown names of the package, such as ``ecsphys.Position``. They say which name to use."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from ecsphys.components.argument_names import most_alike

_BODY = "RigidBody, a component next to Transform and a collider"
_STATIC = "RigidBody(kind='static'), or Solid for entities that only block"

_PRIORITIES = (
    *("INPUT", "FIXED_STEP", "ANALYTIC_MOTION", "EULER_MOTION", "RIGID_BODY", "BOUNDS", "HIERARCHY", "PARTICLE"),
    *("LIGHT", "SWEEP", "BROADPHASE", "NARROWPHASE", "HIT_EVENT", "LIFETIME", "SCROLLING"),
)

OLD_NAMES: Final[dict[str, str]] = {
    **{f"{name}_PRIORITY": f"ecsphys.Priority.{name}" for name in _PRIORITIES},
    "collision_filter": "CollisionFilter.of(layers, meets=…, avoids=…)",
    "layers_of": "the method CollisionFilter.layers_as(Layer)",
    "mask_of": "the method CollisionFilter.mask_as(Layer)",
    "laser_of": "LaserSegment.owner, of ecsphys.effects",
    "FLOOR_ANGLE": "math.pi / 4",
    "SteppedPhysics": "Physics",
    "Contacts": "physics.pre_solve",
    "SolverContacts": "ecsphys.types.SolverContacts",
}
"""Names that older versions had."""

OTHER_NAMES: Final[dict[str, str]] = {
    **OLD_NAMES,
    **dict.fromkeys(("Position", "Pos", "Location", "Rotation", "Pose", "Transform2D"), "Transform(x, y, angle)"),
    **dict.fromkeys(("Vector", "Vec2", "Vec2d", "Vector2", "Point"), "pairs of numbers (x, y)"),
    **dict.fromkeys(("Speed", "LinearVelocity", "AngularVelocity", "Movement"), "Velocity(x, y, angular)"),
    **dict.fromkeys(("Body", "Rigidbody", "Rigidbody2D", "RigidBody2D", "DynamicBody", "PhysicsBody"), _BODY),
    **dict.fromkeys(("StaticBody", "StaticBody2D", "Static", "Wall", "Ground"), _STATIC),
    **dict.fromkeys(("KinematicBody", "KinematicBody2D", "Kinematic"), "RigidBody(kind='kinematic'), or Character"),
    **dict.fromkeys(("CharacterBody2D", "CharacterController", "CharacterBody", "Player"), "Character"),
    **dict.fromkeys(("Mass", "Material", "PhysicsMaterial", "Restitution", "Friction"), "the fields of RigidBody"),
    **dict.fromkeys(("Circle", "CircleShape", "Ball", "CircleCollider2D", "SphereCollider"), "CircleCollider(radius)"),
    **dict.fromkeys(
        ("Box", "Rect", "Rectangle", "BoxCollider", "BoxCollider2D", "RectCollider", "RectangleCollider", "BoxShape"),
        "OBBCollider(half_width, half_height), or AABBCollider for boxes that never turn",
    ),
    **dict.fromkeys(("Poly", "Polygon", "PolygonShape", "PolygonCollider2D", "ConvexCollider"), "PolygonCollider"),
    **dict.fromkeys(
        ("Segment", "Edge", "EdgeShape", "EdgeCollider", "EdgeCollider2D", "Line", "LineCollider", "ChainShape"),
        "ChainCollider(points)",
    ),
    **dict.fromkeys(("Capsule", "CapsuleCollider2D", "CapsuleShape"), "CapsuleCollider(length, radius)"),
    **dict.fromkeys(("MeshCollider", "ConcaveCollider", "ConcavePolygon"), "CompoundCollider.from_outline(points)"),
    **dict.fromkeys(("Shape", "Hitbox", "HitBox", "Collider2D", "AABB", "OBB"), "a collider such as CircleCollider"),
    **dict.fromkeys(("Trigger", "Sensor", "Area", "Area2D", "TriggerZone"), "sensor=True of a collider"),
    **dict.fromkeys(
        ("Layer", "Layers", "CollisionLayer", "CollisionLayers", "CollisionMask", "Filter", "ShapeFilter", "Mask"),
        "CollisionFilter(layers, mask, group)",
    ),
    **dict.fromkeys(("Force", "ConstantForce", "Impulse"), "physics.bodies.apply_force(entity, (x, y))"),
    **dict.fromkeys(("Damping", "AirResistance", "LinearDamping"), "Drag(linear, angular)"),
    **dict.fromkeys(("GravityScale",), "Gravity(scale)"),
    **dict.fromkeys(
        ("Space", "World", "PhysicsWorld", "B2World", "Engine", "Simulation", "init", "setup"), "install()"
    ),
    **dict.fromkeys(
        ("PhysicsSystem", "PhysicsProcessor", "MovementSystem", "MovementProcessor", "CollisionSystem"),
        "install(), which adds all systems",
    ),
    **dict.fromkeys(
        ("bodies", "gravity", "hits", "physics", "settings", "debug", "fixed_step", "colliders", "profile", "check"),
        "the result of install(): physics = ecsphys.install(), then physics.bodies, physics.hits …",
    ),
    **dict.fromkeys(("step", "update", "process", "tick"), "esper.process(dt), after install()"),
    **dict.fromkeys(("PivotJoint", "PinJoint", "HingeJoint", "HingeJoint2D"), "RevoluteJoint"),
    **dict.fromkeys(("SliderJoint", "SlideJoint", "GrooveJoint"), "PrismaticJoint, or DistanceJoint for a rope"),
    **dict.fromkeys(("SpringJoint", "SpringJoint2D", "DampedSpring", "RopeJoint", "Rope"), "DistanceJoint"),
    **dict.fromkeys(("FixedJoint", "FixedJoint2D"), "WeldJoint"),
    **dict.fromkeys(("TargetJoint2D", "DragJoint"), "MouseJoint"),
    **dict.fromkeys(("Raycast", "raycast", "RayCast2D", "ray_cast"), "physics.raycast(origin, direction)"),
    **dict.fromkeys(
        ("CollisionHandler", "ContactListener", "OnCollision", "on_collision", "on_hit"),
        "HitListener, or esper.set_handler('hit_started', function)",
    ),
    **dict.fromkeys(("Collision", "Contact", "Arbiter", "HitEvent"), "physics.hits, or ecsphys.types.Hit"),
    **dict.fromkeys(("create_entity", "delete_entity", "add_processor", "Processor"), "that name of esper"),
    **{name: f"the module, after import ecsphys.{name}" for name in ("debug_draw", "replay")},
}


MODULES: Final = ("systems", "effects", "types")
"""The modules of the package that have public names of their own."""


def unknown_name(name: str, known: Sequence[str]) -> AttributeError | ImportError:
    """The error for a name that the package does not have.

    For ``from ecsphys import name`` it is an ImportError: Python would drop the message of an AttributeError.
    """
    message = f"ecsphys has no {name!r}"
    if meant := OTHER_NAMES.get(name) or _place_of(name):
        message += f"; use {meant}"
    elif name[:1] != "_" and (alike := most_alike(name, known, 0.7)):
        message += f"; did you mean ecsphys.{alike}?"
    else:
        message = f"module 'ecsphys' has no attribute {name!r}"
    is_import = sys._getframe(2).f_code.co_name == "_handle_fromlist"
    # A module of that name is imported next.
    if is_import and ";" in message and find_spec(f"ecsphys.{name}") is None:
        return ImportError(message, name="ecsphys")
    return AttributeError(message, name=name)


def _place_of(name: str) -> str:
    """Where in the package's modules a name is, "" if nowhere."""
    places = (f"ecsphys.{module}" for module in MODULES if name in import_module(f"ecsphys.{module}").__all__)
    return next((f"{place}.{name}: from {place} import {name}" for place in places), "")
