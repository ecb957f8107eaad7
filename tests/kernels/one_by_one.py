"""The plain twins of the solvers: contacts and joints one after the other."""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import SolverRoom, SolverStep
from ecsphys.engine.dynamics.joints.joint_blocks import JointBlocks, JointCall, JointPlaces, JointRoom
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import run_phase
from ecsphys.engine.dynamics.solver import advance
from ecsphys.engine.kernels.compilation import kernel


@kernel
def solve_one_by_one(step: SolverStep, room: SolverRoom, jointed: JointCall) -> int:
    """The twin of ``solve_step``."""
    return advance(step, room, jointed, 0)


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
