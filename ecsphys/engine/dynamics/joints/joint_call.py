"""How the solver of contacts runs the joints: by the address of their kernel, which only a world with joints loads."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.kernels.kernel_calls import call_kernel

# The phases of a step: note which bodies are held; write the joints to their blocks, and let the first substep begin
# with their impulses; solve them with bias; place and solve them relaxing; write the impulses back.
LINK, BEGIN, PUSH, RELAX, KEEP = range(5)


class JointCall(NamedTuple):
    """The kernel ``run_joints``, 0 for none, and its arguments: packed bundles by their addresses, and the settings."""

    code: int
    joints: int
    blocks: int
    places: int
    rows: int
    bodies: int
    hertz: float
    damping_ratio: float
    iterations: int


NO_JOINTS = JointCall(0, 0, 0, 0, 0, 0, 0.0, 0.0, 0)


@inlined_scalar
def run_joints_of(called: JointCall, phase: int, h: float) -> None:
    """Run a phase of the joints, if there are any, for substeps of h seconds."""
    if called.code != 0:
        call_kernel(
            called.code,
            (
                called.joints,
                called.blocks,
                called.places,
                called.rows,
                called.bodies,
                called.hertz,
                called.damping_ratio,
                called.iterations,
                phase,
                h,
            ),
        )
