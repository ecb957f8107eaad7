"""The solver with its tables, which grow and shrink with the numbers of bodies and contacts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy import int32

from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import solver
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.joints import joint_blocks as joint
from ecsphys.engine.dynamics.joints.joint_order import order_joints, turns_of
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import run_joints
from ecsphys.engine.kernels import Capacity, aligned_zeros, zeros_of
from ecsphys.engine.kernels.intrinsics import address_of_kernel, handed_over
from ecsphys.engine.math.lanes import LANES
from ecsphys.engine.run.plan import BLOCK_ROOM, BLOCKS, JOINT_ROOM, RISING, SOLVED_ROOM, StepPlan
from ecsphys.engine.threads.crew import MOST_ITEMS, giving_way, new_crew
from ecsphys.engine.threads.shared_work import share

_FIRST_ROWS = 64

# Blocks for each thread from which on sharing them pays; a block of joints takes as long as so many of contacts.
_BLOCKS_AT_LEAST = 800
_BLOCKS_PER_JOINT_BLOCK = 2

# Steps of more phases are for one thread: a crew counts no more than half a million.
_MOST_PHASES = 1 << 18

_NO_RUNS: Final = solver.JointRuns(np.zeros((0, joint.RUN_COLUMNS), int32), 0, 0, 0)

Jointed = tuple[JointRows, JointSettings] | None
"""The joints of a step."""


class ContactSolver:
    """Solves the contacts of one world, step by step; it keeps nothing from one to the next but how many blocks there
    were, for the number of threads."""

    def __init__(self) -> None:
        self._body_capacity = Capacity()
        self._contact_capacity = Capacity()
        self._block_capacity = Capacity()
        self.room = field.SolverRoom(_bodies(_FIRST_ROWS), _blocks(_FIRST_ROWS), _places(_FIRST_ROWS))
        self._shared = solver.SharedRoom(_phases(solver.most_phases(1, _NO_RUNS)), new_crew(1), 0, 0, _NO_RUNS)
        self._joint_capacities = Capacity(), Capacity(), Capacity()
        self.joint_room = _joint_room(0, 0)
        """The room of the joints that were solved last."""
        self._last_blocks = 0
        self._solve: Callable[..., int] = solver.solve_step
        self._run_joints: Callable[..., None] = run_joints

    def solve(self, step: field.SolverStep, jointed: Jointed = None, threads: int = 1) -> None:
        """Move bodies over a step, see :func:`~ecsphys.engine.dynamics.solver.solve_step`. As many ``threads`` share
        large steps."""
        self._make_room(step.body_count, step.contact_count)
        self.solve_none()
        called = self._joints_of(step, jointed)
        runs = self._runs_of(jointed)
        members = self._members(threads, step, runs)
        if members > 1:

            def take_part(shared: solver.SharedRoom) -> None:
                solver.solve_shared(step, self.room, called, shared)

            share(take_part, self._rooms_of(members, step.settings.substeps, runs), members)
            needed = int(self.room.places.starts[field.BLOCK_COUNT])
        else:
            needed = self._solve(step, self.room, called)
        held = len(self.room.blocks.kinds)
        capacity = self._block_capacity.choose(needed, held)
        if capacity != held:
            self.room = self.room._replace(blocks=_blocks(capacity))
        if needed > held:
            self._solve(step, self.room, called)
        self._last_blocks = needed

    def plan(self, plan: StepPlan, step: field.SolverStep, jointed: Jointed, threads: int) -> bool:
        """Write a call of the solver to a plan; returns False where several threads would share it."""
        if self._members(threads, step, self._runs_of(jointed)) > 1:
            return False
        room = self.room
        plan.record(solver.solve_step, (step, room, self._joints_of(step, jointed)))
        plan.put(SOLVED_ROOM, len(room.places.places))
        plan.put(BLOCK_ROOM, len(room.blocks.kinds))
        plan.put(BLOCKS, self._last_blocks)
        plan.note_array(RISING, room.places.starts)
        if jointed is not None:
            plan.record(order_joints, (jointed[0], step.rows, self.joint_room))
            plan.put(JOINT_ROOM, self.joint_room.blocks.numbers.shape[1])
        return True

    def note_blocks(self, count: int) -> None:
        """Note how many blocks there were in a step that a plan has made."""
        self._last_blocks = count

    def solve_none(self) -> None:
        """Note that no contact was solved in this step."""
        self.room.places.starts[field.RISING_COUNT] = 0

    def _runs_of(self, jointed: Jointed) -> solver.JointRuns:
        """What several threads may share of the joints that were ordered last."""
        if jointed is None:
            return _NO_RUNS
        runs, counts = self.joint_room.places.runs, self.joint_room.places.counts
        turns = int(turns_of(jointed[1].iterations, bool(counts[joint.ANY_LOADED])))
        return solver.JointRuns(runs, int(counts[joint.RUN_COUNT]), turns, int(counts[joint.BLOCK_COUNT]))

    def _members(self, threads: int, step: field.SolverStep, runs: solver.JointRuns) -> int:
        """How many threads share a step."""
        if threads == 1 or max(step.body_count, runs.blocks) > MOST_ITEMS:
            return 1
        # By the contacts of the last step: this step's blocks are not counted yet.
        shared = int(self.joint_room.places.counts[joint.SHARED_BLOCKS])
        blocks = self._last_blocks + _BLOCKS_PER_JOINT_BLOCK * runs.turns * shared
        if blocks < 2 * _BLOCKS_AT_LEAST or solver.most_phases(step.settings.substeps, runs) > _MOST_PHASES:
            return 1
        return min(threads, blocks // _BLOCKS_AT_LEAST)

    def _rooms_of(self, members: int, substeps: int, runs: solver.JointRuns) -> list[solver.SharedRoom]:
        """For each member of a crew, which has done nothing yet."""
        phases, crew, _, _, _ = self._shared
        if len(phases.rows) < solver.most_phases(substeps, runs):
            phases = _phases(solver.most_phases(substeps, runs))
        if len(crew.done) != members:
            crew = new_crew(members)
        crew.left[:] = 0
        crew.done[:] = 0
        self._shared = solver.SharedRoom(phases, crew, 0, giving_way(), runs)
        return [self._shared._replace(member=member) for member in range(members)]

    def _joints_of(self, step: field.SolverStep, jointed: Jointed) -> joint.JointCall:
        """What runs the joints of a step."""
        if jointed is None:
            return joint.NO_JOINTS
        joints, how = jointed
        room = self._ordered(joints, step.rows, step.body_count)
        return joint.JointCall(
            address_of_kernel(self._run_joints),
            handed_over(joints),
            handed_over(room),
            handed_over(step.rows),
            handed_over(self.room.bodies),
            how,
        )

    def _ordered(self, joints: JointRows, rows: body.BodyRows, body_count: int) -> joint.JointRoom:
        """The room for the joints of a step, with a place in the blocks for each joint that is solved."""
        of_joints, of_bodies, of_fields = self._joint_capacities
        places = self.joint_room.places
        held = len(places.places), places.levels.shape[1]
        capacities = of_joints.choose(len(joints.kinds), held[0]), of_bodies.choose(body_count, held[1])
        if capacities != held:
            self.joint_room = _joint_room(*capacities)
        blocks, places = self.joint_room
        used, fields = order_joints(joints, rows, self.joint_room), blocks.numbers.shape[1]
        capacity = of_fields.choose(used, fields)
        if capacity != fields:
            numbers = aligned_zeros(capacity, LANES).reshape(1, capacity, LANES)
            self.joint_room = joint.JointRoom(blocks._replace(numbers=numbers), places)
        return self.joint_room

    def _make_room(self, body_count: int, count: int) -> None:
        held = len(self.room.bodies.links)
        capacity = self._body_capacity.choose(body_count, held)
        if capacity != held:
            self.room = self.room._replace(bodies=_bodies(capacity))
        held = len(self.room.places.places)
        capacity = self._contact_capacity.choose(count, held)
        if capacity != held:
            self.room = self.room._replace(places=_places(capacity))


def _bodies(rows: int) -> body.BodyRoom:
    return zeros_of(body.BodyRoom, (rows, body.ROOM_COLUMNS), rows, rows, rows)


def _places(rows: int) -> field.ContactPlaces:
    bounces, before = (rows, field.BOUNCE_COLUMNS), (rows, field.OLD_COLUMNS)
    return zeros_of(field.ContactPlaces, rows, field.PLACE_NUMBERS, (2, field.GROUPS), bounces, before, rows)


def _phases(rows: int) -> solver.StepPhases:
    phases = zeros_of(solver.StepPhases, (rows, solver.PHASE_COLUMNS), solver.STATE_NUMBERS)
    phases.rows[: solver.FIRST_PLANNED] = solver.FIRST_PHASES
    return phases


def _blocks(count: int) -> field.ContactBlocks:
    numbers = [(count, fields, LANES) for fields in (field.CONSTANTS, field.DOUBLES, field.TOTALS, field.EXTRAS)]
    return zeros_of(field.ContactBlocks, (count, field.ROW_COLUMNS), (count, LANES), count, *numbers)


def _joint_room(joints: int, bodies: int) -> joint.JointRoom:
    blocks = zeros_of(joint.JointBlocks, (joints, joint.ROW_COLUMNS), joints, (joints, LANES), joints, (1, 0, LANES))
    places = zeros_of(
        joint.JointPlaces,
        joints,
        joint.COUNT_NUMBERS,
        joints,
        (joint.SORTING_ROWS, joints + joint.KIND_COUNT + 1),
        (joint.LEVEL_ROWS, bodies),
        (joint.GROUP_ROWS, bodies),
        (joints + 1, joint.RUN_COLUMNS),
    )
    return joint.JointRoom(blocks, places)
