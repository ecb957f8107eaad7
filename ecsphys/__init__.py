"""ecsphys: 2D physics for esper.

Give entities colliders and velocities, call ``install()``, and get their hits as events or as arrays::

    physics = ecsphys.install(gravity=(0.0, -9.8))
    ball = esper.create_entity(Transform(0, 5), Velocity(4, 0), Gravity(), CircleCollider(0.5))
    esper.process(1 / 60)

More is in :mod:`ecsphys.systems`, :mod:`ecsphys.effects` and :mod:`ecsphys.types`. Geometry without any world is in
:mod:`ecsphys.geometry`, drawing with pyglet in :mod:`ecsphys.debug_draw`.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import ecsphys.command  # first: it sees to Ctrl-C during the other imports
import ecsphys.import_checks  # before all that needs esper 3.9, or that is not in a clone's folder ecsphys

if sys.argv[:1] == ["-m"] and "ecsphys.build" in sys.orig_argv:
    # The command makes the library, without which nothing below is imported.
    from ecsphys.build import main

    main()
    sys.exit()

# isort: split
import ecsphys.engine.kernels  # noqa: F401  # before numpy, which cannot tell why a second interpreter fails

# isort: split
from ecsphys.components.collision.colliders import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.collision_filter import CollisionFilter, CollisionTable, Disabled, HitListener
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.dynamics.joints import (
    DistanceJoint,
    GearJoint,
    Joint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
)
from ecsphys.components.dynamics.rigid_body import Bullet, Character, OneWay, RigidBody, Solid
from ecsphys.components.motion.transform import (
    Acceleration,
    BallisticTrajectory,
    CircularTrajectory,
    Controller,
    Drag,
    Gravity,
    HarmonicTrajectory,
    Lifetime,
    LinearTrajectory,
    Orbit,
    Parent,
    PathTrajectory,
    Spring,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import join
from ecsphys.components.store.many import despawn_many, spawn_many
from ecsphys.systems.motion.control import InputState
from ecsphys.systems.physics import Physics, install
from ecsphys.systems.stage import Priority
from ecsphys.systems.stepping.fixed_step import FixedStep
from ecsphys.systems.stepping.step_worlds import step_worlds

__version__ = "0.1.0"

__all__ = [
    "COLLIDER_CLASSES",
    "AABBCollider",
    "Acceleration",
    "BallisticTrajectory",
    "Bullet",
    "CapsuleCollider",
    "ChainCollider",
    "Character",
    "CircleCollider",
    "CircularTrajectory",
    "Collider",
    "CollisionFilter",
    "CollisionTable",
    "Component",
    "CompoundCollider",
    "Controller",
    "Disabled",
    "DistanceJoint",
    "Drag",
    "FanCollider",
    "FixedStep",
    "GearJoint",
    "Gravity",
    "HarmonicTrajectory",
    "HitListener",
    "InputState",
    "Joint",
    "Lifetime",
    "LinearTrajectory",
    "MotorJoint",
    "MouseJoint",
    "OBBCollider",
    "OneWay",
    "Orbit",
    "Parent",
    "PathTrajectory",
    "Physics",
    "PolygonCollider",
    "Priority",
    "PrismaticJoint",
    "RevoluteJoint",
    "RigidBody",
    "Solid",
    "Spring",
    "Transform",
    "Velocity",
    "WeldJoint",
    "WheelJoint",
    "WorldBounds",
    "column",
    "despawn_many",
    "geometry",
    "install",
    "join",
    "spawn_many",
    "step_worlds",
]

if TYPE_CHECKING:
    import ecsphys.effects as effects
    import ecsphys.geometry as geometry
    import ecsphys.systems as systems
    import ecsphys.types as types

    # Not at run time: a star import would replace modules of these names, Python's or the game's own.
    __all__ += ["effects", "systems", "types"]
else:

    def __getattr__(name: str) -> ModuleType:
        """A module of the package, loaded when it is first used. Other names raise an error that suggests a name."""
        # Statements that are written out: tools that freeze games look for them.
        match name:
            case "effects":
                import ecsphys.effects as module
            case "geometry":
                import ecsphys.geometry as module
            case "systems":
                import ecsphys.systems as module
            case "types":
                import ecsphys.types as module
            case _:
                module = None
        if module is not None:
            return module
        raise _unknown_name(name)

    def _unknown_name(name: str) -> AttributeError | ImportError:
        """The error for a name that the package does not have.

        For ``from ecsphys import name`` it is an ImportError: Python would drop the message of an AttributeError.
        """
        from importlib.util import find_spec

        from ecsphys.components.other_names import most_alike, other_names

        message = f"ecsphys has no {name!r}"
        modules = (__getattr__(module) for module in ("systems", "effects", "types"))
        place = next((module.__name__ for module in modules if name in module.__all__), "")
        if meant := other_names()["ecsphys"].get(name) or (place and f"{place}.{name}: from {place} import {name}"):
            message += f"; use {meant}"
        elif name[:1] != "_" and (alike := most_alike(name, __all__, 0.7)):
            message += f"; did you mean ecsphys.{alike}?"
        else:
            message = f"module 'ecsphys' has no attribute {name!r}"
        is_import = sys._getframe(2).f_code.co_name == "_handle_fromlist"
        # A module of that name is imported next.
        if is_import and ";" in message and find_spec(f"ecsphys.{name}") is None:
            return ImportError(message, name="ecsphys")
        return AttributeError(message, name=name)

    def __dir__() -> list[str]:
        """Public names, and the modules that have more of them."""
        return sorted((*__all__, "effects", "systems", "types"))
