"""Components: plain fields, kept in arrays. Everything a game needs to describe its bodies, or columns of its own."""

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
from ecsphys.components.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.join import join
from ecsphys.components.parent import Parent
from ecsphys.components.solid import Solid
from ecsphys.components.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.transform import Acceleration, Transform, Velocity

__all__ = [
    "COLLIDER_CLASSES",
    "AABBCollider",
    "Acceleration",
    "BallisticTrajectory",
    "CapsuleCollider",
    "CircleCollider",
    "CircularTrajectory",
    "Collider",
    "CollisionFilter",
    "Component",
    "Drag",
    "FanCollider",
    "Gravity",
    "HarmonicTrajectory",
    "LinearTrajectory",
    "OBBCollider",
    "Orbit",
    "Parent",
    "PolygonCollider",
    "Solid",
    "Spring",
    "Transform",
    "Velocity",
    "column",
    "join",
]
