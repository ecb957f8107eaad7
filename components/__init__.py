"""Components: plain fields, kept in arrays. Everything a game needs to describe its bodies, or columns of its own."""

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
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.collision.hit_listener import HitListener
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

__all__ = [
    "COLLIDER_CLASSES",
    "AABBCollider",
    "Acceleration",
    "BallisticTrajectory",
    "Beam",
    "Bullet",
    "Camera",
    "CapsuleCollider",
    "ChainCollider",
    "CircleCollider",
    "CircularTrajectory",
    "Collider",
    "CollisionFilter",
    "Component",
    "CompoundCollider",
    "Controller",
    "Disabled",
    "Drag",
    "Emitter",
    "FanCollider",
    "Gravity",
    "HarmonicTrajectory",
    "HitListener",
    "HomingLaser",
    "LaserSegment",
    "Lifetime",
    "LinearTrajectory",
    "OBBCollider",
    "Orbit",
    "ParallaxLayer",
    "Parent",
    "PathTrajectory",
    "PerspectiveFloor",
    "PolygonCollider",
    "RasterWave",
    "RingBeam",
    "Solid",
    "Splash",
    "Spring",
    "Steering",
    "TileMap",
    "Transform",
    "Velocity",
    "VisibleTiles",
    "WorldBounds",
    "column",
    "despawn_many",
    "join",
    "laser_of",
    "spawn_many",
]
