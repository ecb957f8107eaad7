"""Types of values that ecsphys hands out: hits, results of queries and moves, parts of ``physics``.

A game needs these names only in annotations, but for ``SOLVER_CONTACT``.
"""

from ecsphys.engine.dynamics.contacts.materials import SOLVER_CONTACT
from ecsphys.systems.character_controller.move_results import CharacterMove, CharacterMoves, MoveContact, MoveResult
from ecsphys.systems.diagnosis.debug import Debug, Finding
from ecsphys.systems.diagnosis.debug_lines import DebugLines
from ecsphys.systems.dynamics.bodies import Bodies, MassProperties
from ecsphys.systems.dynamics.contact_changes import SolverContacts
from ecsphys.systems.dynamics.joints.joint_table import BreakReason, JointBreak
from ecsphys.systems.hits.hit import Hit, Phase, Reason
from ecsphys.systems.hits.hit_arrays import EndedHitArrays, HitArrays, Hits
from ecsphys.systems.profile import Profile
from ecsphys.systems.settings import Settings
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
from ecsphys.systems.world.collider_table import ColliderArrays

__all__ = [
    "SOLVER_CONTACT",
    "Bodies",
    "BreakReason",
    "CharacterMove",
    "CharacterMoves",
    "ColliderArrays",
    "Debug",
    "DebugLines",
    "EndedHitArrays",
    "Finding",
    "Hit",
    "HitArrays",
    "Hits",
    "JointBreak",
    "MassProperties",
    "MoveContact",
    "MoveResult",
    "Nearest",
    "NearestArrays",
    "OverlapArrays",
    "Phase",
    "Profile",
    "RayHit",
    "RayHitArrays",
    "Reason",
    "Settings",
    "ShapecastHit",
    "ShapecastHitArrays",
    "Snapshot",
    "SolverContacts",
]
