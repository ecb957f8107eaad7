"""The solver's room for joints, which grows and shrinks with their number."""

from __future__ import annotations

import numpy as np
from numpy import int32, int64

from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.joints.joint_blocks import (
    ANY_LOADED,
    BLOCK_COUNT,
    COUNT_NUMBERS,
    GROUP_ROWS,
    KIND_COUNT,
    LEVEL_ROWS,
    ROW_COLUMNS,
    RUN_COLUMNS,
    RUN_COUNT,
    SHARED_BLOCKS,
    SORTING_ROWS,
    JointBlocks,
    JointPlaces,
    JointRoom,
)
from ecsphys.engine.dynamics.joints.joint_order import order_joints
from ecsphys.engine.dynamics.joints.joint_rows import JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import turns_of
from ecsphys.engine.dynamics.solver_phases import JointRuns
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.vectors.lanes import LANES


class JointRooms:
    """Room for the joints of one world; nothing is kept in it from one step to the next."""

    def __init__(self) -> None:
        self._joint_capacity = Capacity()
        self._body_capacity = Capacity()
        self._field_capacity = Capacity()
        self.room = _room(0, 0)
        """The room of the last step."""

    def order(self, joints: JointRows, rows: BodyRows, body_count: int) -> JointRoom:
        """The room for a step, with a place in the blocks for each joint that is solved."""
        places = self.room.places
        capacities = (
            self._joint_capacity.choose(len(joints.kinds), len(places.places)),
            self._body_capacity.choose(body_count, places.levels.shape[1]),
        )
        if capacities != (len(places.places), places.levels.shape[1]):
            self.room = _room(*capacities)
        blocks, places = self.room
        used = order_joints(joints, rows, blocks, places)
        held = blocks.numbers.shape[1]
        capacity = self._field_capacity.choose(used, held)
        if capacity != held:
            self.room = JointRoom(blocks._replace(numbers=_numbers(capacity)), places)
        return self.room

    def runs(self, how: JointSettings) -> JointRuns:
        """What several threads may share of the joints that :meth:`order` has ordered."""
        places = self.room.places
        turns = int(turns_of(how.iterations, bool(places.counts[ANY_LOADED])))
        return JointRuns(places.runs, int(places.counts[RUN_COUNT]), turns, int(places.counts[BLOCK_COUNT]))

    def shared_blocks(self) -> int:
        """How many blocks of the last order several threads may share."""
        return int(self.room.places.counts[SHARED_BLOCKS])


def _room(joints: int, bodies: int) -> JointRoom:
    return JointRoom(
        JointBlocks(
            np.zeros((joints, ROW_COLUMNS), int32),
            np.zeros(joints, int64),
            np.zeros((joints, LANES), int32),
            np.zeros(joints, int64),
            _numbers(0),
        ),
        JointPlaces(
            np.zeros(joints, int32),
            np.zeros(COUNT_NUMBERS, int64),
            np.zeros(joints, int64),
            np.zeros((SORTING_ROWS, joints + KIND_COUNT + 1), int32),
            np.zeros((LEVEL_ROWS, bodies), int32),
            np.zeros((GROUP_ROWS, bodies), int32),
            np.zeros((joints + 1, RUN_COLUMNS), int32),
        ),
    )


def _numbers(fields: int) -> np.ndarray:
    return aligned_zeros(fields, LANES).reshape(1, fields, LANES)
