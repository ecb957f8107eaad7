"""The plain twins of the solvers: contacts and joints one after the other."""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactRows
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings
from ecsphys.engine.dynamics.joints.joint_blocks import JointBlocks, JointCall, JointPlaces, JointRoom
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import run_phase
from ecsphys.engine.dynamics.solver import SolverRoom, SolverSettings, advance
from ecsphys.engine.kernels.array_types import Uint8s
from ecsphys.engine.kernels.compilation import kernel


@kernel
def solve_one_by_one(
    contacts: ContactRows,
    count: int,
    rows: BodyRows,
    body_count: int,
    around: Surroundings,
    room: SolverRoom,
    settings: SolverSettings,
    resting: Uint8s,
    jointed: JointCall,
) -> int:
    """The twin of ``solve_step``."""
    return advance(contacts, count, rows, body_count, around, room, settings, resting, jointed, 0)


@kernel
def run_one_by_one(
    joints: JointRows,
    blocks: JointBlocks,
    places: JointPlaces,
    rows: BodyRows,
    bodies: BodyRoom,
    hertz: float,
    damping_ratio: float,
    iterations: int,
    phase: int,
    h: float,
) -> None:
    """The twin of ``run_joints``."""
    how = JointSettings(hertz, damping_ratio, iterations)
    run_phase(joints, JointRoom(blocks, places), rows, bodies, how, phase, h, 0)
