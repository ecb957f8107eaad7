"""Joints in blocks of lanes: where their numbers lie, and the calls that go through them.

Joints as they are solved: in blocks of LANES joints of one kind; no two of a block move the same body.

The order is the table's, one joint after the other, as far as it matters: a joint comes after all before it in
the table that have a body in common with it, one that moves. So a push goes through a whole chain in one pass; colours
of contacts would move it two links far. Chains of more than :data:`LEVELS_IN_ORDER` joints are cut into parts of so
many, which are solved side by side.
"""

from __future__ import annotations

from typing import Any

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.kernels import Float64Blocks, Int32Rows, Int32s, Int64s, NamedTuple, inlined_scalar, packed, scalar
from ecsphys.engine.kernels.intrinsics import call_kernel
from ecsphys.engine.math.lanes import LANES, load, store

# The fields of a joint in a block, in the order in which kinds of joints need them. A hinge has the first ones. In the
# world: arms from the centres of mass to the anchors, and d from a's anchor to b's, at the start of the step.
START_AX, START_AY, START_BX, START_BY, START_X, START_Y = range(6)
# The same in the substep.
ARM_AX, ARM_AY, ARM_BX, ARM_BY, APART_X, APART_Y = range(6, 12)
# Impulse and inverse matrix of the point; of a line the first impulse alone.
POINT_X, POINT_Y, POINT_XX, POINT_XY, POINT_YY = range(12, 17)
# The inverse inertias; impulse on b and angular impulse about its anchor, over the step.
INERTIA_A, INERTIA_B, TOTAL_X, TOTAL_Y, TOTAL_TURN, HINGE_FIELDS = range(17, 23)
# What has limits, a motor, a spring or a lock has the next ones. φ at the start, and in the substep; the mass of what
# turns; of the lock the impulse, its most, and its spring.
START_ANGLE, TURNED, TURN_MASS, LOCK, LOCK_MOST, LOCK_RATE, LOCK_MASS, LOCK_IMPULSE = range(HINGE_FIELDS, 30)
# Of the coordinate: direction, levers, value, answer to an impulse and the inverse of that, the effective mass.
DIRECTION_X, DIRECTION_Y, LEVER_A, LEVER_B, VALUE, ANSWER, MASS = range(30, 37)
# Impulses of what acts on it, in the order of their columns in the rows, and the limits.
SPRING, MOTOR, LOWER_LIMIT, UPPER_LIMIT, LOWER, UPPER = range(37, 43)
# The motor's speed and its greatest impulse; of the spring where it rests, and its factors.
MOTOR_SPEED, MOTOR_MOST, REST, SPRING_RATE, SPRING_MASS, SPRING_IMPULSE, TURNING_FIELDS = range(43, 50)
# What slides or is soft has all. The axis at the start, and in the substep; of the line the levers, how far off it is,
# and its mass.
START_AXIS_X, START_AXIS_Y, AXIS_X, AXIS_Y, LINE_A, LINE_B, LINE_OFF, LINE_MASS = range(TURNING_FIELDS, 57)
# What turning arms have changed of the impulse on b in the substep; of a soft point the spring's rate, and how fast it
# gives way to an impulse of 1; of a point of limited strength the most impulse.
TURNED_X, TURNED_Y, POINT_RATE, POINT_GIVE, POINT_MOST = range(57, 62)
# The inverse masses, if a body has other ones along x than along y.
MASS_AX, MASS_AY, MASS_BX, MASS_BY, ALL_FIELDS = range(62, 67)

# Columns of the rows of bodies of a block: from here on, a lane each.
ROW_A, ROW_B = 0, LANES
ROW_COLUMNS = 2 * LANES

# Further bits of the kind that all joints of a block have: a body has other inverse masses along x than along y; a gear
# has the joint; it is there only for this, because impulses move neither of its bodies; and it is one of the joints
# that link light bodies to heavy ones.
HAS_LOCKED_BODY, IS_GEARED, IS_PASSIVE, IS_LOADED = 1 << 14, 1 << 15, 1 << 16, 1 << 17

# More kinds than there are combinations in a game; a joint of yet another kind is alone in its block.
KIND_COUNT = 64

# Numbers of counts: how many blocks there are, the first gear, and whether any joint is loaded; how many runs there
# are, and how many blocks are in runs that several threads share.
BLOCK_COUNT, FIRST_GEAR, ANY_LOADED, RUN_COUNT, SHARED_BLOCKS, COUNT_NUMBERS = range(6)

# A chain of so many joints is solved in the order of the table. The stretch of longer ones depends on the springs of
# their joints, not on the order: a hanging chain of 400 links stretches by 4.2 % in table order, in parts of 32, and in
# Box2D with its two colours.
LEVELS_IN_ORDER = 32

# Rows of the levels of bodies: the level after the level of the body's last joint, and the level of its first one, both
# counted as if chains were not cut; and the same after the last that found no room in LEVELS_IN_ORDER levels.
NEXT_LEVEL, FIRST_LEVEL, NEXT_BEYOND, LEVEL_ROWS = range(4)

# Columns of a run: the block after its last, and how many blocks a thread takes at once, 0 for all.
RUN_END, RUN_AT_ONCE, RUN_COLUMNS = range(3)

# Rows for sorting joints: the level of each, −1 for a joint that is not solved, and the number of its kind; the joints
# in the order of their kinds, and in the order in which they are solved; how many there are of a kind or level.
LEVELS, KIND_NUMBERS, BY_KIND, IN_ORDER, HOW_MANY, SORTING_ROWS = range(6)

# Rows of what tells loaded joints: of each body, how many joints hold it, and another body of its group, itself in the
# end; of that one, the lightest link of the group and the heaviest body, WORLD_ROW for none.
HELD_BY, GROUP, LIGHTEST, HEAVIEST, GROUP_ROWS = range(5)


@packed
class JointBlocks(NamedTuple):
    """Blocks of joints: for each ``rows`` (k, ROW_COLUMNS) of the bodies, ``kinds`` (k,), ``members`` (k, LANES), the
    joints, −1 for none, and ``firsts`` (k,), its first field in ``numbers`` (1, fields, LANES)."""

    rows: Int32Rows
    kinds: Int64s
    members: Int32Rows
    firsts: Int64s
    numbers: Float64Blocks


@packed
class JointPlaces(NamedTuple):
    """Where joints are: ``places`` (n,), block · LANES + lane, −1 for a joint that is not solved; ``counts``, see
    BLOCK_COUNT.

    ``kinds`` (n,): what each joint is, with the bits of blocks. ``runs`` (n + 1, RUN_COLUMNS): blocks in a row, either
    a level that threads share, or small levels that one thread solves. Gears count as one block after the last. Scratch
    space: ``sorting`` (SORTING_ROWS, n + KIND_COUNT + 1), ``levels`` of bodies (LEVEL_ROWS, bodies), ``groups``
    (GROUP_ROWS, bodies).
    """

    places: Int32s
    counts: Int64s
    kinds: Int64s
    sorting: Int32Rows
    levels: Int32Rows
    groups: Int32Rows
    runs: Int32Rows


@packed
class JointRoom(NamedTuple):
    """The solver's own of joints."""

    blocks: JointBlocks
    places: JointPlaces


class JointAt(NamedTuple):
    """The joint in a lane of a block, or those in all: the numbers of all blocks, its first field, and the lane."""

    numbers: NDArray[float64]
    first: int
    lane: Any


@inlined_scalar
def take(at: JointAt, name: int) -> Any:
    """A field of a joint."""
    return load(at.numbers, 0, at.first + name, at.lane)


@inlined_scalar
def put(at: JointAt, name: int, value: Any) -> None:
    """Write a field of a joint."""
    store(at.numbers, 0, at.first + name, at.lane, value)


@scalar
def is_hinge(kind: int) -> bool:
    """Whether a joint has no more than a point."""
    return kind & ~(row.COORDINATE | row.HAS_POINT | IS_LOADED) == 0 and kind & row.HAS_POINT != 0


@scalar
def acts_on_coordinate(kind: int) -> bool:
    """Whether anything acts on a joint's coordinate, or a gear has to know it."""
    return kind & (row.HAS_SPRING | row.HAS_MOTOR | row.HAS_LIMITS | row.IS_ROD | IS_GEARED) != 0


@scalar
def fields_of(kind: int) -> int:
    """How many fields a joint of a kind has."""
    if (
        kind & (row.HAS_LINE | row.IS_SOFT_POINT | row.IS_BOUNDED_POINT | HAS_LOCKED_BODY)
        or kind & row.COORDINATE >= row.SLIDE
    ):
        return ALL_FIELDS
    if kind & row.HAS_LOCK or acts_on_coordinate(kind):
        return TURNING_FIELDS
    return HINGE_FIELDS


# The phases of a step: note which bodies are held; write the joints to their blocks, and let the first substep begin
# with their impulses; solve them with bias; place and solve them relaxing; write the impulses back.
LINK, BEGIN, PUSH, RELAX, KEEP, PHASES = range(6)

# After all blocks.
_ALL_BLOCKS = 1 << 30


class JointPart(NamedTuple):
    """A phase, or the part of it that a thread does: one ``turn`` of those in which a pass solves each joint once, −1
    for all; and the first block and that after the last. Gears count as one block after the last."""

    phase: int
    turn: int
    first: int
    end: int


@inlined_scalar
def whole(phase: int) -> JointPart:
    """All of a phase."""
    return JointPart(phase, -1, 0, _ALL_BLOCKS)


class JointCall(NamedTuple):
    """The kernel ``run_joints``, 0 for none, and its arguments: packed bundles by their addresses, and the settings."""

    code: int
    joints: int
    room: int
    rows: int
    bodies: int
    how: row.JointSettings


NO_JOINTS = JointCall(0, 0, 0, 0, 0, row.JointSettings(0.0, 0.0, 0))


@inlined_scalar
def run_joints_of(called: JointCall, part: JointPart, h: float) -> None:
    """Run a part of a phase of the joints, if there are any, for substeps of h seconds."""
    if called.code != 0:
        bundles = called.joints, called.room, called.rows, called.bodies
        how = called.how.hertz, called.how.damping_ratio, called.how.iterations
        call_kernel(called.code, bundles + how + (part.phase, part.turn, part.first, part.end, h))
