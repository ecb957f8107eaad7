"""ecsphys: 2D physics for esper.

Attach colliders and motion to entities, ``install()`` the systems, and receive hits as events or as arrays::

    physics = ecsphys.install(gravity=(0.0, -9.8))
    ball = esper.create_entity(Transform(0, 5), Velocity(4, 0), Gravity(), CircleCollider(0.5))
    esper.process(1 / 60)

Geometry without any world is in :mod:`ecsphys.geometry`.
"""

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
from ecsphys.systems.analytic_motion import AnalyticMotionSystem
from ecsphys.systems.broadphase import BroadphaseSystem, BruteForceBroadphaseSystem
from ecsphys.systems.euler_motion import EulerMotionSystem
from ecsphys.systems.hierarchy import HierarchySystem
from ecsphys.systems.hits import EndedHitArrays, Hit, HitArrays, Phase, Reason
from ecsphys.systems.install import install
from ecsphys.systems.move_and_slide import FLOOR_ANGLE, MoveContact, MoveResult
from ecsphys.systems.narrowphase import NarrowphaseSystem
from ecsphys.systems.physics import Physics
from ecsphys.systems.priorities import (
    ANALYTIC_MOTION_PRIORITY,
    BROADPHASE_PRIORITY,
    EULER_MOTION_PRIORITY,
    HIERARCHY_PRIORITY,
    INPUT_PRIORITY,
    NARROWPHASE_PRIORITY,
)
from ecsphys.systems.stage import Stage
from ecsphys.systems.world_index import Proxies

__version__ = "0.1.0"

__all__ = [
    "ANALYTIC_MOTION_PRIORITY",
    "BROADPHASE_PRIORITY",
    "COLLIDER_CLASSES",
    "EULER_MOTION_PRIORITY",
    "FLOOR_ANGLE",
    "HIERARCHY_PRIORITY",
    "INPUT_PRIORITY",
    "NARROWPHASE_PRIORITY",
    "AABBCollider",
    "Acceleration",
    "AnalyticMotionSystem",
    "BallisticTrajectory",
    "BroadphaseSystem",
    "BruteForceBroadphaseSystem",
    "CapsuleCollider",
    "CircleCollider",
    "CircularTrajectory",
    "Collider",
    "CollisionFilter",
    "Component",
    "Drag",
    "EndedHitArrays",
    "EulerMotionSystem",
    "FanCollider",
    "Gravity",
    "HarmonicTrajectory",
    "HierarchySystem",
    "Hit",
    "HitArrays",
    "LinearTrajectory",
    "MoveContact",
    "MoveResult",
    "NarrowphaseSystem",
    "OBBCollider",
    "Orbit",
    "Parent",
    "Phase",
    "Physics",
    "PolygonCollider",
    "Proxies",
    "Reason",
    "Solid",
    "Spring",
    "Stage",
    "Transform",
    "Velocity",
    "column",
    "install",
    "join",
]
