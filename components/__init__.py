"""Components: plain fields, kept in arrays. Everything a game needs to describe its bodies, or columns of its own."""

from ecsphys.components.bullet import Bullet
from ecsphys.components.camera import Camera
from ecsphys.components.colliders import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.column import column
from ecsphys.components.component import Component
from ecsphys.components.compound_collider import CompoundCollider
from ecsphys.components.controller import Controller
from ecsphys.components.disabled import Disabled
from ecsphys.components.emitter import Emitter, Splash
from ecsphys.components.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.hit_listener import HitListener
from ecsphys.components.join import join
from ecsphys.components.light import (
    STEER_BY_SIGN,
    STEER_BY_SINE,
    Beam,
    HomingLaser,
    LaserSegment,
    RingBeam,
    laser_of,
)
from ecsphys.components.parallax_layer import ParallaxLayer
from ecsphys.components.parent import Parent
from ecsphys.components.perspective_floor import PerspectiveFloor
from ecsphys.components.raster_wave import RasterWave
from ecsphys.components.solid import Solid
from ecsphys.components.spawn import despawn_many, spawn_many
from ecsphys.components.tile_map import TileMap, VisibleTiles
from ecsphys.components.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.transform import Acceleration, Transform, Velocity

__all__ = [
    "COLLIDER_CLASSES",
    "STEER_BY_SIGN",
    "STEER_BY_SINE",
    "AABBCollider",
    "Acceleration",
    "BallisticTrajectory",
    "Beam",
    "Bullet",
    "Camera",
    "CapsuleCollider",
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
    "LinearTrajectory",
    "OBBCollider",
    "Orbit",
    "ParallaxLayer",
    "Parent",
    "PerspectiveFloor",
    "PolygonCollider",
    "RasterWave",
    "RingBeam",
    "Solid",
    "Splash",
    "Spring",
    "TileMap",
    "Transform",
    "Velocity",
    "VisibleTiles",
    "column",
    "despawn_many",
    "join",
    "laser_of",
    "spawn_many",
]
