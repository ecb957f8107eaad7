"""One impact: two surfaces are stopped, with friction, and part again.

The impulses act along *lines*: of each of the contact's two points one along the normal, and one along the tangent.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_solving import Masses
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.math.lanes import load

# Two points whose determinant is less than this part of the product of their own answers count as one.
_SINGULAR = 1e-6


class Two(NamedTuple):
    """A number of each of two points."""

    first: float
    second: float


class Pair(NamedTuple):
    """How impulses at two points change the speeds along the normal: each at its own point, and at the other's."""

    first: float
    both: float
    second: float


@scalar
def push_apart(lacking: Two, answer: Pair) -> Two:
    """The impulses of two points that lack so much speed to part as they should: neither pulls, and one that pushes
    gives its point exactly its lack. A point that must not push lacks −∞.

    That is a linear complementarity problem: both push, or one, or none (E. Catto, "Iterative dynamics with temporal
    coherence", 2005). Points too near each other to be told apart push as one.
    """
    determinant = answer.first * answer.second - answer.both * answer.both
    if determinant > _SINGULAR * answer.first * answer.second:
        first = (answer.second * lacking.first - answer.both * lacking.second) / determinant
        second = (answer.first * lacking.second - answer.both * lacking.first) / determinant
        if first >= 0.0 and second >= 0.0:
            return Two(first, second)
    first = max(lacking.first, 0.0) / answer.first if answer.first > 0.0 else 0.0
    second = max(lacking.second, 0.0) / answer.second if answer.second > 0.0 else 0.0
    if first * answer.both >= lacking.second:
        return Two(first, 0.0)
    if second * answer.both >= lacking.first:
        return Two(0.0, second)
    return Two(first, 0.0) if first > second else Two(0.0, second)


@scalar
def affordable_part(at_first: float, answered: float, allowed: float) -> float:
    """The part of some impulses that does at most so much work: in all they do ``at_first`` by the speeds that there
    are, and half of ``answered`` by the impulses that they add."""
    if at_first + 0.5 * answered <= allowed:
        return 1.0
    return (math.sqrt(at_first * at_first + 2.0 * answered * allowed) - at_first) / answered


# Normal impulses and friction of two points change each other: they are solved so many times in turn.
_FRICTION_TURNS = 8


class Motion(NamedTuple):
    """The velocities of both bodies of a contact, or their movements."""

    ax: float
    ay: float
    a: float
    bx: float
    by: float
    b: float


class Line(NamedTuple):
    """The line along which an impulse acts: its direction, and the arms of both bodies."""

    x: float
    y: float
    a: float
    b: float


class Point(NamedTuple):
    """A point at which two bodies may meet: a row of ``bounces`` with its contact, and which of its points it is.

    It has its lines along normal and tangent. ``speed`` is negative where the surfaces approach, ``separation`` where
    they overlap. ``meeting`` is how fast they meet; 0 if they do not meet in this substep.
    """

    contact: int
    number: int
    normal: Line
    tangent: Line
    speed: float
    separation: float
    meeting: float


@inlined_scalar
def along(motion: Motion, line: Line) -> float:
    """How fast b moves away from a along a line, or how far."""
    straight = (motion.bx - motion.ax) * line.x + (motion.by - motion.ay) * line.y
    return straight + (motion.b * line.b - motion.a * line.a)


@inlined_scalar
def _pushed(motion: Motion, masses: Masses, line: Line, impulse: float) -> Motion:
    """The velocities after an impulse along a line."""
    px = impulse * line.x
    py = impulse * line.y
    return Motion(
        motion.ax - masses.ax * px,
        motion.ay - masses.ay * py,
        motion.a - masses.a * (impulse * line.a),
        motion.bx + masses.bx * px,
        motion.by + masses.by * py,
        motion.b + masses.b * (impulse * line.b),
    )


@inlined_scalar
def _answer(masses: Masses, line: Line, other: Line) -> float:
    """How much an impulse of 1 along one line changes the speed along another."""
    straight = (masses.ax + masses.bx) * line.x * other.x + (masses.ay + masses.by) * line.y * other.y
    return float(straight + (masses.a * line.a * other.a + masses.b * line.b * other.b))


@inlined_scalar
def lines_of(p: int, block: int, lane: int, blocks: field.ContactBlocks) -> tuple[Line, Line]:
    """The lines along normal and tangent of point p of the contact in a lane of a block."""
    constants = blocks.constants
    nx = blocks.doubles[block, field.NORMAL_X, lane]
    ny = blocks.doubles[block, field.NORMAL_Y, lane]
    normal = load(constants, block, field.ARM_NORMAL + field.POINT_CONSTANTS * p, lane)
    tangent = load(constants, block, field.ARM_TANGENT + field.POINT_CONSTANTS * p, lane)
    return (
        Line(nx, ny, normal, normal + load(constants, block, field.OFFSET_NORMAL, lane)),
        Line(ny, -nx, tangent, tangent + load(constants, block, field.OFFSET_TANGENT, lane)),
    )


@inlined_scalar
def _longer(line: Line, a: float, b: float) -> Line:
    return Line(line.x, line.y, line.a + a, line.b + b)


@inlined_scalar
def lines_between(point: Point, first: Point, x: float, y: float, share: float) -> tuple[Line, Line]:
    """The lines of a point when the centre of b is at (x, y) as seen from a's centre, by the ``first`` point of the
    two; ``share``: as of ``share_of``, for discs at least 2."""
    n = first.normal
    t = first.tangent
    if share >= 2.0:
        length = math.sqrt(x * x + y * y)
        if not length > 0.0:
            return point.normal, point.tangent
        nx = x / length
        ny = y / length
        scale = length / (t.b - t.a)
        return Line(nx, ny, 0.0, 0.0), Line(ny, -nx, scale * t.a, scale * t.b)
    slid = (n.b - n.a) + (x * n.y - y * n.x)
    neared = (x * n.x + y * n.y) - (t.b - t.a)
    rest = 1.0 - share
    return (
        _longer(point.normal, share * slid, -rest * slid),
        _longer(point.tangent, -share * neared, rest * neared),
    )


class Surface(NamedTuple):
    """The data of an impact: friction, rolling resistance and its mass, and how fast the surfaces run past
    each other."""

    friction: float
    rolling: float
    rolling_mass: float
    running: float


@inlined_scalar
def surface_in(block: int, lane: int, blocks: field.ContactBlocks) -> Surface:
    """The surface of the contact in a lane of a block."""
    friction = load(blocks.constants, block, field.FRICTION, lane)
    if blocks.kinds[block] & field.IS_SPECIAL == 0:
        return Surface(friction, 0.0, 0.0, 0.0)
    extras = blocks.extras
    return Surface(
        friction,
        load(extras, block, field.ROLLING_RESISTANCE, lane),
        load(extras, block, field.ROLLING_MASS, lane),
        load(extras, block, field.TANGENT_SPEED, lane),
    )


class Outcome(NamedTuple):
    """The velocities after an impact, the impulses of both points along the normal, their sum along the tangent, and
    twice the work that friction has done until the surfaces were stopped."""

    after: Motion
    normal: Two
    tangent: float
    driven: float


@inlined_scalar
def has_answer(point: Point, masses: Masses) -> bool:
    """Whether impulses at a point move the bodies, if they meet there."""
    return point.meeting == 0.0 or _answer(masses, point.normal, point.normal) > 0.0


@inlined_scalar
def _lack(point: Point, speed: float) -> float:
    """So much ``speed`` does a point lack; −∞ where nothing meets."""
    return speed if point.meeting > 0.0 else -math.inf


@inlined_scalar
def _rub(
    after: Motion, point: Point, masses: Masses, surface: Surface, pressed: float, last: float
) -> tuple[Motion, float]:
    """Let friction stop what slides at a point that is ``pressed``; returns its impulse in place of the ``last``."""
    own = _answer(masses, point.tangent, point.tangent)
    if not own > 0.0:
        return after, last
    most = surface.friction * pressed
    impulse = last - (along(after, point.tangent) - surface.running) / own
    impulse = max(min(impulse, most), -most)
    return _pushed(after, masses, point.tangent, impulse - last), impulse


@inlined_scalar
def _driven(before: Motion, after: Motion, point: Point, surface: Surface) -> float:
    """Twice the way that friction acts along, seen from a surface that runs."""
    return along(before, point.tangent) + along(after, point.tangent) - 2.0 * surface.running


@inlined_scalar
def _stopped(before: Motion, first: Point, second: Point, masses: Masses, answer: Pair, surface: Surface) -> Outcome:
    """Stop the surfaces where points meet, with friction."""
    after = before
    stopped = Two(0.0, 0.0)
    rubbed_0 = 0.0
    rubbed_1 = 0.0
    friction = surface.friction
    rolling = surface.rolling
    rolled = 0.0
    for _ in range(_FRICTION_TURNS if friction > 0.0 or rolling > 0.0 else 1):
        # The lack of the points if they had not pushed yet.
        lacking_0 = answer.first * stopped.first + answer.both * stopped.second - along(after, first.normal)
        lacking_1 = answer.both * stopped.first + answer.second * stopped.second - along(after, second.normal)
        wanted = push_apart(Two(_lack(first, lacking_0), _lack(second, lacking_1)), answer)
        after = _pushed(after, masses, first.normal, wanted.first - stopped.first)
        after = _pushed(after, masses, second.normal, wanted.second - stopped.second)
        stopped = wanted
        if friction > 0.0:
            after, rubbed_0 = _rub(after, first, masses, surface, stopped.first, rubbed_0)
            after, rubbed_1 = _rub(after, second, masses, surface, stopped.second, rubbed_1)
        if rolling > 0.0:
            most = rolling * (stopped.first + stopped.second)
            impulse = rolled - surface.rolling_mass * (after.b - after.a)
            impulse = max(min(impulse, most), -most)
            after = Motion(
                after.ax,
                after.ay,
                after.a - masses.a * (impulse - rolled),
                after.bx,
                after.by,
                after.b + masses.b * (impulse - rolled),
            )
            rolled = impulse
    driven = rubbed_0 * _driven(before, after, first, surface)
    driven += rubbed_1 * _driven(before, after, second, surface)
    return Outcome(after, stopped, rubbed_0 + rubbed_1, driven)


@inlined_scalar
def _allowed(pressed: float, point: Point, leaving: float) -> float:
    """Twice the work that a bounce at a point gives back."""
    return pressed * leaving * leaving / -point.speed if pressed > 0.0 and point.speed < 0.0 else 0.0


@inlined_scalar
def collide(
    before: Motion, first: Point, second: Point, leaving: Two, restitution: float, masses: Masses, surface: Surface
) -> Outcome:
    """Let surfaces collide where points meet, to be ``leaving`` so fast.

    By Newton's hypothesis each point leaves e times as fast as it came; both at once, as ``push_apart`` solves it. With
    friction, that alone may gain energy (Kane's paradox). So Stronge's energetic one is its bound: what pressing has
    taken from a point, half of its impulse times its speed, the bounce gives back e² of, and no more (W. J. Stronge,
    "Rigid body collisions with friction", 1990). What friction has done to set the surfaces sliding is of that, too.
    """
    answer = Pair(
        _answer(masses, first.normal, first.normal),
        _answer(masses, first.normal, second.normal),
        _answer(masses, second.normal, second.normal),
    )
    stop = _stopped(before, first, second, masses, answer, surface)
    speed_0 = along(stop.after, first.normal)
    speed_1 = along(stop.after, second.normal)
    lacking = Two(_lack(first, leaving.first - speed_0), _lack(second, leaving.second - speed_1))
    pushed = push_apart(lacking, answer)
    allowed = _allowed(stop.normal.first, first, leaving.first) + _allowed(stop.normal.second, second, leaving.second)
    part = affordable_part(
        pushed.first * speed_0 + pushed.second * speed_1,
        pushed.first * (answer.first * pushed.first + answer.both * pushed.second)
        + pushed.second * (answer.both * pushed.first + answer.second * pushed.second),
        0.5 * max(allowed - restitution * restitution * max(stop.driven, 0.0), 0.0),
    )
    after = _pushed(stop.after, masses, first.normal, part * pushed.first)
    after = _pushed(after, masses, second.normal, part * pushed.second)
    normal = Two(stop.normal.first + part * pushed.first, stop.normal.second + part * pushed.second)
    return Outcome(after, normal, stop.tangent, stop.driven)
