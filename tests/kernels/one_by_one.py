"""The plain twins of the solvers: contacts and joints one after the other."""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import SolverRoom, SolverStep
from ecsphys.engine.dynamics.joints.joint_blocks import JointCall, JointPart, JointRoom
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import run_phase
from ecsphys.engine.dynamics.solver import advance
from ecsphys.engine.kernels import kernel


@kernel
def solve_one_by_one(step: SolverStep, room: SolverRoom, jointed: JointCall) -> int:
    """The twin of ``solve_step``."""
    return advance(step, room, jointed, 0)


@kernel
def run_one_by_one(
    joints: JointRows, room: JointRoom, rows: BodyRows, bodies: BodyRoom, how: JointSettings, part: JointPart, h: float
) -> None:
    """The twin of ``run_joints``."""
    run_phase(joints, room, rows, bodies, how, part, h, 0)
