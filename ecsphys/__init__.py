"""ecsphys: 2D physics for esper.

Attach colliders and motion to entities, ``install()`` the systems, and receive hits as events or as arrays::

    physics = ecsphys.install(gravity=(0.0, -9.8))
    ball = esper.create_entity(Transform(0, 5), Velocity(4, 0), Gravity(), CircleCollider(0.5))
    esper.process(1 / 60)

Geometry without any world is in :mod:`ecsphys.geometry`.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

import ecsphys.command  # first: it sees to Ctrl-C during the other imports
import ecsphys.esper_version  # noqa: F401  # before all that needs esper 3.9
from ecsphys.components.character.character import Character
from ecsphys.components.character.one_way import OneWay
from ecsphys.components.character.solid import Solid
from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.collision.chain_collider import ChainCollider
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
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.collision_layers import CollisionTable, collision_filter, layers_of, mask_of
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.dynamics.joints.distance_joint import DistanceJoint
from ecsphys.components.dynamics.joints.gear_joint import GearJoint
from ecsphys.components.dynamics.joints.joint import Joint
from ecsphys.components.dynamics.joints.motor_joint import MotorJoint
from ecsphys.components.dynamics.joints.mouse_joint import MouseJoint
from ecsphys.components.dynamics.joints.prismatic_joint import PrismaticJoint
from ecsphys.components.dynamics.joints.revolute_joint import RevoluteJoint
from ecsphys.components.dynamics.joints.weld_joint import WeldJoint
from ecsphys.components.dynamics.joints.wheel_joint import WheelJoint
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.effects.camera import Camera
from ecsphys.components.effects.emitter import Emitter, Splash
from ecsphys.components.effects.light import (
    Beam,
    HomingLaser,
    LaserSegment,
    RingBeam,
    Steering,
    laser_of,
)
from ecsphys.components.effects.parallax_layer import ParallaxLayer
from ecsphys.components.effects.perspective_floor import PerspectiveFloor
from ecsphys.components.effects.raster_wave import RasterWave
from ecsphys.components.effects.tile_map import TileMap, VisibleTiles
from ecsphys.components.motion.controller import Controller
from ecsphys.components.motion.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.motion.limits import Lifetime, WorldBounds
from ecsphys.components.motion.parent import Parent
from ecsphys.components.motion.path_trajectory import PathTrajectory
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Acceleration, Transform, Velocity
from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component
from ecsphys.components.store.join import join
from ecsphys.components.store.spawn import despawn_many, spawn_many
from ecsphys.engine.character.ground import FLOOR_ANGLE
from ecsphys.engine.effects.perspective import clip_at_near_plane, project_perspective
from ecsphys.engine.effects.splash import normal_splash, uniform_splash
from ecsphys.systems.ccd.sweep import SweepSystem
from ecsphys.systems.character_controller.move_results import CharacterMove, CharacterMoves, MoveContact, MoveResult
from ecsphys.systems.collision.broadphase import BroadphaseSystem, BruteForceBroadphaseSystem
from ecsphys.systems.collision.narrowphase import NarrowphaseSystem
from ecsphys.systems.diagnosis.finding import Finding
from ecsphys.systems.dynamics.bodies import Bodies, MassProperties
from ecsphys.systems.dynamics.contact_changes import Contacts, SolverContacts
from ecsphys.systems.dynamics.joints.joint_breaks import BreakReason, JointBreak
from ecsphys.systems.dynamics.rigid_body_system import RigidBodySystem
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.effects.light_mesh import LightMesh
from ecsphys.systems.effects.particles import ParticleSystem
from ecsphys.systems.effects.row_shifts import RowShifts
from ecsphys.systems.effects.scrolling import ScrollingSystem
from ecsphys.systems.fixed_step.fixed_step import FixedStep
from ecsphys.systems.hits.hit import Hit, Phase, Reason
from ecsphys.systems.hits.hit_arrays import EndedHitArrays, HitArrays
from ecsphys.systems.hits.hit_event_system import HitEventSystem
from ecsphys.systems.install import install
from ecsphys.systems.limits.lifetime import LifetimeSystem
from ecsphys.systems.limits.world_bounds import WorldBoundsSystem
from ecsphys.systems.motion.analytic_motion import AnalyticMotionSystem
from ecsphys.systems.motion.control import ControlSystem
from ecsphys.systems.motion.euler_motion import EulerMotionSystem
from ecsphys.systems.motion.hierarchy import HierarchySystem
from ecsphys.systems.motion.input_state import InputState
from ecsphys.systems.physics import Physics, SteppedPhysics
from ecsphys.systems.priorities import (
    ANALYTIC_MOTION_PRIORITY,
    BOUNDS_PRIORITY,
    BROADPHASE_PRIORITY,
    EULER_MOTION_PRIORITY,
    FIXED_STEP_PRIORITY,
    HIERARCHY_PRIORITY,
    HIT_EVENT_PRIORITY,
    INPUT_PRIORITY,
    LIFETIME_PRIORITY,
    LIGHT_PRIORITY,
    NARROWPHASE_PRIORITY,
    PARTICLE_PRIORITY,
    RIGID_BODY_PRIORITY,
    SCROLLING_PRIORITY,
    SWEEP_PRIORITY,
)
from ecsphys.systems.profile import Profile
from ecsphys.systems.snapshot.snapshot import Snapshot
from ecsphys.systems.spatial_query.query_results import (
    Nearest,
    NearestArrays,
    OverlapArrays,
    RayHit,
    RayHitArrays,
    ShapecastHit,
    ShapecastHitArrays,
)
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.collider_arrays import ColliderArrays

__version__ = "0.1.0"

__all__ = [
    "ANALYTIC_MOTION_PRIORITY",
    "BOUNDS_PRIORITY",
    "BROADPHASE_PRIORITY",
    "COLLIDER_CLASSES",
    "EULER_MOTION_PRIORITY",
    "FIXED_STEP_PRIORITY",
    "FLOOR_ANGLE",
    "HIERARCHY_PRIORITY",
    "HIT_EVENT_PRIORITY",
    "INPUT_PRIORITY",
    "LIFETIME_PRIORITY",
    "LIGHT_PRIORITY",
    "NARROWPHASE_PRIORITY",
    "PARTICLE_PRIORITY",
    "RIGID_BODY_PRIORITY",
    "SCROLLING_PRIORITY",
    "SWEEP_PRIORITY",
    "AABBCollider",
    "Acceleration",
    "AnalyticMotionSystem",
    "BallisticTrajectory",
    "Beam",
    "Bodies",
    "BreakReason",
    "BroadphaseSystem",
    "BruteForceBroadphaseSystem",
    "Bullet",
    "Camera",
    "CapsuleCollider",
    "ChainCollider",
    "Character",
    "CharacterMove",
    "CharacterMoves",
    "CircleCollider",
    "CircularTrajectory",
    "Collider",
    "ColliderArrays",
    "CollisionFilter",
    "CollisionTable",
    "Component",
    "CompoundCollider",
    "Contacts",
    "ControlSystem",
    "Controller",
    "Disabled",
    "DistanceJoint",
    "Drag",
    "Emitter",
    "EndedHitArrays",
    "EulerMotionSystem",
    "FanCollider",
    "Finding",
    "FixedStep",
    "GearJoint",
    "Gravity",
    "HarmonicTrajectory",
    "HierarchySystem",
    "Hit",
    "HitArrays",
    "HitEventSystem",
    "HitListener",
    "HomingLaser",
    "InputState",
    "Joint",
    "JointBreak",
    "LaserSegment",
    "Lifetime",
    "LifetimeSystem",
    "LightMesh",
    "LightSystem",
    "LinearTrajectory",
    "MassProperties",
    "MotorJoint",
    "MouseJoint",
    "MoveContact",
    "MoveResult",
    "NarrowphaseSystem",
    "Nearest",
    "NearestArrays",
    "OBBCollider",
    "OneWay",
    "Orbit",
    "OverlapArrays",
    "ParallaxLayer",
    "Parent",
    "ParticleSystem",
    "PathTrajectory",
    "PerspectiveFloor",
    "Phase",
    "Physics",
    "PolygonCollider",
    "PrismaticJoint",
    "Profile",
    "RasterWave",
    "RayHit",
    "RayHitArrays",
    "Reason",
    "RevoluteJoint",
    "RigidBody",
    "RigidBodySystem",
    "RingBeam",
    "RowShifts",
    "ScrollingSystem",
    "ShapecastHit",
    "ShapecastHitArrays",
    "Snapshot",
    "Solid",
    "SolverContacts",
    "Splash",
    "Spring",
    "Stage",
    "Steering",
    "SteppedPhysics",
    "SweepSystem",
    "TileMap",
    "Transform",
    "Velocity",
    "VisibleTiles",
    "WeldJoint",
    "WheelJoint",
    "WorldBounds",
    "WorldBoundsSystem",
    "clip_at_near_plane",
    "collision_filter",
    "column",
    "despawn_many",
    "geometry",
    "install",
    "join",
    "laser_of",
    "layers_of",
    "mask_of",
    "normal_splash",
    "project_perspective",
    "spawn_many",
    "uniform_splash",
]

if TYPE_CHECKING:
    import ecsphys.geometry as geometry
else:

    def __getattr__(name: str) -> ModuleType:
        """``ecsphys.geometry``, loaded when it is first named; for other names an error that says what is meant."""
        if name == "geometry":
            return import_module("ecsphys.geometry")
        # Imported when a name is wrong: no game in play needs it.
        from ecsphys.other_names import unknown_name

        raise unknown_name(name, __all__)
