"""A plan: words, first its numbers, then the recorded calls of its kernels at fixed places.

So :mod:`ecsphys.engine.run.run_plan` can change single arguments, such as how many rows an array has, before it makes a
call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import file_in_grid
from ecsphys.engine.broadphase.grid import find_pairs_grid, wake_moved
from ecsphys.engine.ccd.near_misses import leave_out_misses
from ecsphys.engine.dynamics.bodies import gather_bodies
from ecsphys.engine.dynamics.contacts.materials import change_contacts
from ecsphys.engine.dynamics.followed_writes import follow_joints, follow_moves
from ecsphys.engine.dynamics.joints.joint_order import order_joints
from ecsphys.engine.dynamics.joints.joint_placing import measure_joints
from ecsphys.engine.dynamics.joints.jointed_step import hand_out_loads
from ecsphys.engine.dynamics.solver import solve_step
from ecsphys.engine.dynamics.step_end import finish_bodies, wake_bodies
from ecsphys.engine.hits.contact_filter import filter_pairs, leave_out_joined
from ecsphys.engine.hits.hit_tracking import track_hits
from ecsphys.engine.kernels import address_of, are_same
from ecsphys.engine.kernels.intrinsics import places_of, record_call, recorded
from ecsphys.engine.manifold.contact import find_contacts
from ecsphys.engine.manifold.seams import smooth_chain_contacts
from ecsphys.engine.motion.euler_motion import step_euler
from ecsphys.engine.motion.trajectory_motion import step_trajectories
from ecsphys.engine.shapes.measures import grow_boxes
from ecsphys.engine.shapes.placement import note_filed, place_shapes

# How far a step came: to its end, or to a place where Python goes on.
(
    DONE,
    BODIES_WOKEN,
    CHANGES_DUE,
    CHANGES_REFUSED,
    JOINTS_WOKEN,
    BODIES_MEASURED,
    BODIES_MOVED,
    STILLNESS_COUNTED,
    PAIRS_FOUND,
) = range(9)

# The plan's own address; then the address and the length of some arrays.
SELF = 0
NOTE_COUNTS, RISING, STILLNESS, RUN, FLAGS_OF_CLASSES, PLACES_OF_CLASSES = range(1, 13, 2)
(
    # The parts of a step in this world, 0 or 1.
    HAS_TRAJECTORIES,
    HAS_MOVERS,
    HAS_BODIES,
    GATHERS,
    ANY_SLEEPS,
    HAS_CHANGES,
    HAS_JOINTS,
    SOLVES,
    MOVES,
    HAS_KEPT,
    GROWS,
    IS_JOINED,
    IS_FILTERED,
    HAS_CHAINS,
    KNOWS_SLEEP,
    MAY_BREAK,
    # Whether writes of the game may be followed, as of follow_writes.
    FOLLOWS,
    # How much there is, and how much has room.
    CLASSES,
    COLLIDERS,
    USED,
    MOVING,
    LEAST_SHARED,
    CHANGES_ROOM,
    SOLVED_ROOM,
    BLOCK_ROOM,
    JOINT_ROOM,
    GROWN_ROOM,
    FILING_ROOM,
    PAIR_ROOM,
    KEPT_ROOM,
    TESTED_ROOM,
    FOUND_ROOM,
    HIT_ROOM,
    ENDED_ROOM,
    REST_FIRST,
    REST_END,
    # Numbers of the Python layer.
    TO_BE_NOTED,
    NOT_TO_BE_NOTED,
    STEPS_TO_PAY,
    # The contents of the other buffer of contacts.
    KNOWN,
    # Numbers that go on from step to step.
    CONTACTS,
    NEAR,
    CALL,
    LISTED,
    COST,
    EXPECTS_ALL,
    ARE_ALL_MOVED,
    HAS_STILLNESS,
    IS_FILED,
    IS_FILED_HERE,
    BOXES,
    # Results of a step.
    STATUS,
    NEWS,
    WOKEN,
    VETOED,
    HAVE_MOVED_FINITE,
    IS_FINITE,
    ASLEEP,
    FAST,
    BLOCKS,
    UNNOTED,
    STILL,
    DEPARTED,
    WAS_FILED,
    PAIRS,
    TESTED,
    NEW,
    ENDED,
    AT_REST,
    FIRST_CALL,
) = range(13, 83)

PLANNED: Final[tuple[Callable[..., Any], ...]] = (
    step_trajectories,
    step_euler,
    gather_bodies,
    wake_bodies,
    change_contacts,
    leave_out_misses,
    measure_joints,
    order_joints,
    solve_step,
    finish_bodies,
    place_shapes,
    wake_moved,
    grow_boxes,
    file_in_grid,
    find_pairs_grid,
    note_filed,
    leave_out_joined,
    filter_pairs,
    find_contacts,
    smooth_chain_contacts,
    track_hits,
    hand_out_loads,
    follow_moves,
    follow_joints,
)
"""The kernels that a plan calls."""


class CallPlaces:
    """Where the calls of some kernels are in a plan, from a first word on.

    Attributes
    ----------
    first
        The first word of each call, by the kernel's name; of several calls, of the first one.
    size
        How many words a call has.
    end
        The word after the last.
    """

    def __init__(self, kernels: Sequence[Callable[..., Any]], first: int, calls: dict[str, int]) -> None:
        """``calls``: how many calls there may be, for the names of kernels that may be called more than once."""
        self.first: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self._arguments: dict[str, dict[str, int]] = {}
        self._kernels = {kernel.__name__: kernel for kernel in kernels}
        self._several = calls.keys()
        for name, kernel in self._kernels.items():
            self.first[name] = first
            places: dict[str, int] = {}
            word = first + 1
            for argument, takes in places_of(kernel):
                places[argument] = word
                word += 1 + int(takes[-1]) if takes[0] == "A" else 1
            self._arguments[name] = places
            self.size[name] = word - first
            first += self.size[name] * calls.get(name, 1)
        self.end = first

    def argument(self, kernel: str, name: str) -> int:
        """The first word of an argument; of a bundle's part ``name`` is like ``grid.starts``."""
        return self._arguments[kernel][name.replace(".", "__")]

    def call(self, kernel: str) -> Callable[..., Any]:
        """For compiled code: a function of a plan, and of a number where there are several calls, which makes one."""
        return recorded(self._kernels[kernel], self.first[kernel], self.size[kernel] if kernel in self._several else 0)


MOST_CLASSES: Final = 16
"""How many classes of joints have room: some kernels are called for each."""

PLACES: Final = CallPlaces(PLANNED, FIRST_CALL, {"hand_out_loads": MOST_CLASSES, "follow_joints": MOST_CLASSES})
"""Where the calls are."""


def as_word(number: float) -> int:
    """A floating-point number as a word."""
    return int(float64(number).view(int64))


class StepPlan:
    """What ``run_plans`` takes: numbers and recorded calls.

    Attributes
    ----------
    words
        (n,) int64, as above.
    row, row_address
        (1, 2) int64, the address and the length of the words, and where this array is.
    """

    def __init__(self) -> None:
        self.words: NDArray[int64] = np.zeros(PLACES.end, int64)
        self.words[SELF] = address_of(self.words)
        self.row = np.array([(self.words[SELF], len(self.words))], int64)
        self.row_address = address_of(self.row)
        self._numbers = self.words.data
        # The named objects, by the places of the words: they live as long as these.
        self._calls: dict[int, tuple[Any, ...]] = {}
        self._arrays: dict[int, NDArray[Any]] = {}

    def begin(self) -> None:
        """Begin to write: all numbers are 0, and the calls stay."""
        self.words[SELF + 1 : FIRST_CALL] = 0

    def put(self, place: int, number: float) -> None:
        """Set a number, a whole one or a bool."""
        self._numbers[place] = int(number)

    def note_array(self, place: int, array: NDArray[Any]) -> None:
        """Note where a one-dimensional array is."""
        self._arrays[place] = array
        self._numbers[place], self._numbers[place + 1] = address_of(array), len(array)

    def record(self, kernel: Callable[..., Any], arguments: tuple[Any, ...], number: int = 0) -> None:
        """Record the call of a kernel with some arguments; ``number``: which of its calls."""
        first = PLACES.first[kernel.__name__] + number * PLACES.size[kernel.__name__]
        known = self._calls.get(first)
        if known is None or not are_same(known, arguments):
            record_call(kernel, arguments, self.words, first)
            self._calls[first] = arguments
