"""Steps of equal length for frames of any length, and poses between two steps, to draw."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Literal, TypeVar

import esper
import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import finite_number, show
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import NO_ROWS, rows_of
from ecsphys.systems.arguments import KnownAttributes, checked_dt, whole_number
from ecsphys.systems.stage import LOOPS
from ecsphys.systems.world.esper_world import database_token, processors, token_in

PoseField = Literal["x", "y", "angle"]


class Interpolation:
    """The poses at both ends of the last step, and the poses between them.

    An entity that was created or teleported is drawn at its present position: it has no pose at the beginning of the
    step. The rows of this moment are kept, and so their instances stay alive: no row gets another instance until the
    next step begins.
    """

    __slots__ = ("_after", "_before", "_count", "_drawn", "_has_snapped", "_moves", "_rows")

    def __init__(self) -> None:
        self._rows = NO_ROWS
        self._has_snapped = False
        self._count = 0
        self._reserve(0)

    def _reserve(self, capacity: int) -> None:
        self._before: NDArray[float64] = np.zeros((3, capacity))
        self._after: NDArray[float64] = np.zeros((3, capacity))
        self._drawn: NDArray[float64] = np.zeros((3, capacity))
        self._moves: NDArray[bool_] = np.zeros(capacity, bool_)

    def begin_step(self) -> None:
        """Keep all poses before a step."""
        columns, rows = Transform._columns, rows_of(Transform)
        # Another thread may create transforms meanwhile: first how many there are, then a block that has them all.
        self._count, block = columns.high_water, columns.float64
        capacity = block.shape[1]
        is_larger = self._moves.size != capacity
        if is_larger:
            self._reserve(capacity)
        if is_larger or self._has_snapped or rows is not self._rows:
            self._moves[:] = False
            self._moves[rows.row] = True
            self._has_snapped = False
        self._rows = rows
        self._before[:, : self._count] = block[:, : self._count]

    def end_step(self) -> None:
        """Keep all poses after a step."""
        self._after[:, : self._count] = Transform._columns.float64[:, : self._count]

    def take_state(self) -> Any:
        """Copies of the interpolated poses, and their rows."""
        count = self._count
        return self._rows, self._before[:, :count].copy(), self._after[:, :count].copy(), self._moves[:count].copy()

    def put_state(self, state: Any) -> None:
        """Put back a value of :meth:`take_state`. None draws all at the present poses until the next step."""
        self._moves[:] = False
        # The next step finds the moving rows again.
        self._has_snapped = True
        if state is None:
            return
        self._rows, before, after, moves = state
        self._count = count = moves.size
        if count > self._moves.size:
            self._reserve(count)
        self._before[:, :count], self._after[:, :count], self._moves[:count] = before, after, moves

    def column(self, name: str, alpha: float) -> NDArray[float64]:
        """A field of all poses, as :meth:`FixedStep.interpolated` describes it."""
        columns = Transform._columns
        now = columns.column(name)
        if self._drawn.shape[1] < now.size:
            self._drawn = np.zeros((3, columns.capacity))
        field, count = columns.names_in("float64").index(name), self._count
        drawn: NDArray[float64] = self._drawn[field, : now.size]
        drawn[:] = now
        # Rows that differ from the end of the step were moved since, by the frame.
        moves = self._moves[:count] & (columns.float64[:, :count] == self._after[:, :count]).all(axis=0)
        before, after = self._before[field, :count], self._after[field, :count]
        with np.errstate(all="ignore"):  # rows of dead instances may hold anything
            between = before + alpha * (after - before)
        np.copyto(drawn[:count], between, where=moves)
        return read_only(drawn)

    def pose(self, transform: Transform, alpha: float) -> tuple[float, float, float]:
        """(x, y, angle) of one transform."""
        row = transform._row
        now = transform.x, transform.y, transform.angle
        if row >= self._count or not self._moves[row] or now != tuple(self._after[:, row].tolist()):
            return now
        x, y, angle = (self._before[:, row] + alpha * (self._after[:, row] - self._before[:, row])).tolist()
        return x, y, angle

    def snap(self, transform: Transform) -> None:
        """Draw one transform at its present pose until the next step begins."""
        if transform._row < self._count:
            self._moves[transform._row] = False
            self._has_snapped = True


def transform_of(entity: int) -> Transform:
    """An entity's transform. Raises KeyError if the entity does not exist, and ValueError if it has none."""
    transform = esper.try_component(whole_number("entity", entity), Transform)
    if transform is None:
        try:
            esper.components_for_entity(entity)
        except KeyError:
            raise KeyError(f"entity {entity!r} does not exist") from None
        raise ValueError(f"entity {entity} has no Transform")
    return transform


Processor = TypeVar("Processor", bound=esper.Processor)

# Frames and steps are rounded: 0.1 s are six steps of 1/60 s, and 12 frames of 1/144 s are five steps. A time that is
# too short by less than this part of a step counts as a step. The difference stays in the remainder and never adds up.
_TOLERANCE = Fraction(1, 10**9)
# More steps a second than any game makes.
_FASTEST = 10_000
_BELOW_ONE = math.nextafter(1.0, 0.0)


class _Run:
    """The values that change in each frame: a separate object, so assignments skip the check of names."""

    __slots__ = (
        "asked",
        "dropped_time",
        "frame_token",
        "is_running",
        "remainder",
        "step_count",
        "steps",
        "token",
        "world",
    )

    def __init__(self) -> None:
        self.steps = 0
        self.is_running = False
        # The world that it runs in, and the database that all below is of.
        self.world: str | None = None
        self.token: object = None
        # The database in which the frame began.
        self.frame_token: object = None
        self.forget_time()

    def forget_time(self) -> None:
        """Begin again."""
        self.step_count = 0
        self.dropped_time = 0.0
        self.remainder = Fraction(0)
        self.asked = 0


class FixedStep(KnownAttributes, esper.Processor):
    """Runs its own systems 0 to ``max_steps`` times per frame, each time for ``1/hz`` seconds.

    ``ecsphys.install(fixed_step=60)`` makes one for the physics, ``physics.fixed_step``. A system added with
    :meth:`add` runs in every step. A processor added with ``esper.add_processor`` runs once per frame. Times of frames
    are summed exactly; time that is left after the steps waits for the next frame. Entities marked dead are removed
    before each step, as ``esper.process`` does before a frame.

    If a system raises, the error reaches the caller of ``esper.process``. This step counts as done, and the remaining
    steps run in the next frame.

    ``esper.clear_database`` during a step ends the step: its other systems do not run. The waiting time is dropped, and
    the counts begin again.

    Parameters
    ----------
    systems
        ``(system, priority)`` pairs, or systems alone, with priority 0. They run in esper's order: higher priorities
        first, equal priorities in the order in which they were added.
    hz
        Steps per second, more than 0. You may change it at any time.
    max_steps
        The largest number of steps in one frame, at least 1. Further whole steps are dropped, and the game runs slower.
        Without this limit, a slow computer would fall further behind in each frame.

    Attributes
    ----------
    paused
        True stops the time.

    Examples
    --------
    >>> physics = ecsphys.install(fixed_step=60)
    >>> ball = esper.create_entity(Transform(), Velocity(6, 0))
    >>> esper.process(0.05)
    >>> physics.fixed_step.steps, round(esper.component_for_entity(ball, Transform).x, 9)
    (3, 0.3)
    """

    _called = "physics.fixed_step"
    _set_by_constructor = frozenset(("paused",))

    def __init__(
        self,
        systems: Iterable[esper.Processor | tuple[esper.Processor, int]] = (),
        hz: float = 60.0,
        max_steps: int = 5,
    ) -> None:
        self.hz = hz
        self.max_steps = max_steps
        self.time_scale = 1.0
        self.paused = False
        self._run = _Run()
        self._interpolation: Interpolation | None = None
        self._systems: tuple[esper.Processor, ...] = ()
        if not isinstance(systems, Iterable):
            raise TypeError(f"systems must be processors, or pairs of a processor and a priority, got {show(systems)}")
        for entry in systems:
            self.add(*(entry if isinstance(entry, tuple) else (entry,)))

    def _follow_database(self) -> None:
        """Begin again if the database was cleared since the last use."""
        token = token_in(self._run.world)
        if token is self._run.token:
            return
        if self._run.token is not None:
            self._run.forget_time()
            if self._interpolation is not None:
                self._interpolation.put_state(None)
        # Last: where this is cut short, it is done again.
        self._run.token = token

    def is_frame_of(self, token: object) -> bool:
        """Whether the frame began in the database of a token, so its seconds belong to this world."""
        return self._run.frame_token is token

    @property
    def steps(self) -> int:
        """The number of steps in the last frame."""
        return self._run.steps

    @property
    def step_count(self) -> int:
        """The number of steps since the beginning, or since the database was cleared."""
        self._follow_database()
        return self._run.step_count

    @property
    def dropped_time(self) -> float:
        """Seconds dropped since the beginning, or since the database was cleared."""
        self._follow_database()
        return self._run.dropped_time

    @property
    def hz(self) -> float:
        """Steps per second."""
        return self._hz

    @hz.setter
    def hz(self, value: float) -> None:
        self._hz = rate = checked_rate("hz", value)
        self._dt = Fraction(1.0 / rate)
        self._due_from = (1 - _TOLERANCE) * self._dt

    @property
    def dt(self) -> float:
        """Seconds of one step, 1/hz."""
        return 1.0 / self._hz

    @property
    def max_steps(self) -> int:
        """The largest number of steps in one frame."""
        return self._max_steps

    @max_steps.setter
    def max_steps(self, value: int) -> None:
        try:
            count = operator.index(value)
        except TypeError:
            raise TypeError(f"max_steps must be a whole number, got {value!r}") from None
        if count < 1:
            raise ValueError(f"max_steps must be at least 1, got {value!r}")
        self._max_steps = count

    @property
    def time_scale(self) -> float:
        """Seconds of the game per second: the default is 1; 0.5 is slow motion; 0 stands still."""
        return self._time_scale

    @time_scale.setter
    def time_scale(self, value: float) -> None:
        scale = finite_number("time_scale", value)
        if scale < 0.0:
            raise ValueError(f"time_scale must be 0 or more, got {value!r}")
        self._time_scale = scale

    @property
    def alpha(self) -> float:
        """How far the frame is beyond the last step, in steps: from 0 to less than 1."""
        self._follow_database()
        return min(max(float(self._run.remainder / self._dt), 0.0), _BELOW_ONE)

    @property
    def systems(self) -> tuple[esper.Processor, ...]:
        """The systems in the order in which they run."""
        return self._systems

    def add(self, system: esper.Processor, priority: int = 0) -> None:
        """Run a system in every step, from the next step on; the counterpart of ``esper.add_processor``.

        Raises TypeError unless it is a processor. Raises ValueError if the system was added already, here or with
        ``esper.add_processor``, and for another FixedStep.
        """
        if not isinstance(system, esper.Processor):
            raise TypeError(f"the system of a FixedStep must be an esper.Processor, got {show(system)}")
        name = type(system).__name__
        if isinstance(system, FixedStep):
            raise ValueError("a FixedStep cannot run another FixedStep: add both with esper.add_processor")
        if any(system is known for known in self._systems):
            raise ValueError(f"this {name} is in the fixed step already")
        if any(system is known for known in processors()):
            raise ValueError(
                f"this {name} was added with esper.add_processor, so it would also run once per frame: add it"
                " to one only"
            )
        finite_number("priority", priority)
        system.priority = priority
        self._systems = tuple(sorted((*self._systems, system), key=lambda known: known.priority, reverse=True))

    def remove(self, system: esper.Processor) -> None:
        """Remove a system, from the next step on. Raises ValueError if it was not added."""
        if not any(system is known for known in self._systems):
            raise ValueError(
                f"this system is not in the fixed step: {show(system)}; pass the system itself, not its class"
            )
        self._systems = tuple(known for known in self._systems if known is not system)

    def get(self, kind: type[Processor]) -> Processor | None:
        """The first system of exactly this class, or None; like ``esper.get_processor``."""
        return next((system for system in self._systems if type(system) is kind), None)

    def step_once(self) -> None:
        """Run one more step in the next ``esper.process``, paused or not; several calls add up.

        It takes no time from the frames.
        """
        self._follow_database()
        self._run.asked += 1

    def process(self, *given: Any, **named: Any) -> None:
        """Run the steps that are due after another ``dt`` seconds; ``esper.process`` calls this with its arguments.

        The systems get the same arguments, with the seconds of a step for ``dt``. Raises TypeError or ValueError for a
        bad ``dt``, and RuntimeError if one of the systems calls it; then nothing has changed. Raises RuntimeError after
        a step in which a system switched the world.
        """
        if self._run.is_running:
            raise RuntimeError(
                "a system in a FixedStep must not call its process() or esper.process(): the current step has not ended"
            )
        if not given and "dt" not in named:
            raise TypeError("a FixedStep needs the seconds since the last frame: call esper.process(dt)")
        scaled = checked_dt(given[0] if given else named["dt"]) * self._time_scale
        if scaled == math.inf:
            raise ValueError(f"dt · time_scale must be finite, got a time_scale of {self._time_scale!r}")
        if self._run.world is None:
            self._run.world = esper.current_world
        self._follow_database()
        self._run.frame_token = self._run.token
        self._run.steps = 0
        if not self.paused:
            self._take(scaled)
        try:
            self._run.is_running = True
            self._make_steps(given, named)
        finally:
            self._run.is_running = False

    def _make_steps(self, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Run the steps of :meth:`step_once`, and the steps that are due."""
        for _ in range(self._run.asked):
            self._run.asked -= 1
            if self._step(given, named):
                return
        begun = 0
        while begun < self._max_steps and not self.paused and self._run.remainder >= self._due_from:
            begun += 1
            self._run.remainder -= self._dt
            if self._step(given, named):
                return

    def _take(self, seconds: float) -> None:
        """Add time, and drop whole steps beyond ``max_steps``."""
        self._run.remainder += Fraction(seconds)
        if self._run.remainder <= self._max_steps * self._dt:
            return
        excess = math.floor(self._run.remainder / self._dt + _TOLERANCE) - self._max_steps
        if excess > 0:
            dropped = excess * self._dt
            self._run.remainder -= dropped
            self._run.dropped_time += float(dropped)

    def _step(self, given: tuple[Any, ...], named: dict[str, Any]) -> bool:
        """Make a step. Returns whether the database was cleared in it, which ends the frame."""
        self._run.steps += 1
        self._run.step_count += 1
        token, world, interpolation = self._run.token, esper.current_world, self._interpolation
        esper.clear_dead_entities()
        if given:
            given = (self.dt, *given[1:])
        else:
            named = {**named, "dt": self.dt}
        if interpolation is not None:
            interpolation.begin_step()
        try:
            for system in self._systems:
                system.process(*given, **named)
                if esper.current_world == world and database_token() is not token:
                    # The first step of the new world is a whole one.
                    break
        finally:
            if interpolation is not None:
                interpolation.end_step()
        if esper.current_world != world:
            raise RuntimeError(
                f"a system switched from the world {world!r} to {esper.current_world!r} during a fixed step:"
                " switch between frames instead"
            )
        self._follow_database()
        return self._run.token is not token

    def take_state(self) -> Any:
        """The waiting time, the number of steps, and the poses for drawing, for ``physics.snapshot``."""
        self._follow_database()
        poses = None if self._interpolation is None else self._interpolation.take_state()
        run = self._run
        return run.remainder, run.asked, run.steps, run.step_count, run.dropped_time, poses

    def put_state(self, state: Any) -> None:
        """Put back a value of :meth:`take_state`."""
        run = self._run
        # In one statement: an interrupt leaves all, or none.
        run.remainder, run.asked, run.steps, run.step_count, run.dropped_time, poses = state
        self._run.token = token_in(self._run.world)
        if self._interpolation is not None:
            self._interpolation.put_state(poses)

    def interpolated(self, name: PoseField) -> NDArray[float64]:
        """A field of ``Transform``, "x", "y" or "angle", to draw now: an array like ``Transform.column(name)``.

        Each row is previous + alpha · (current − previous), for the poses before and after the last step. The picture
        lags behind by up to a step, and moves evenly. An entity is drawn at its present position if it was created in
        this step, if you moved it outside of the steps, or after :meth:`snap`. Angles are not wrapped.

        The array is read-only, shape (rows,), with the same rows as ``Transform.column(name)``. The next call for the
        field overwrites it. The first call starts to record poses, which costs nothing before; until the next step,
        everything is drawn at its present position. Raises ValueError for another name.
        """
        return self._poses().column(name, self.alpha)

    def pose(self, entity: int) -> tuple[float, float, float]:
        """(x, y, angle) at which to draw an entity now; see :meth:`interpolated`.

        Raises KeyError if the entity does not exist, and ValueError if it has no ``Transform``.
        """
        return self._poses().pose(transform_of(entity), self.alpha)

    def snap(self, entity: int) -> None:
        """Draw an entity at its present position in this step, without interpolation. Call it after a teleport.

        Errors are the same as for :meth:`pose`. Only systems in the fixed step need it.
        """
        transform = transform_of(entity)
        if self._interpolation is not None:
            self._interpolation.snap(transform)

    def _poses(self) -> Interpolation:
        self._follow_database()
        if self._interpolation is None:
            self._interpolation = Interpolation()
        return self._interpolation


def checked_rate(name: str, value: Any, least: float = 0.0) -> float:
    """Steps per second. Raises TypeError or ValueError, with ``name``, unless it is a number of at ``least`` this."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be a number of steps per second, got {value!r}")
    rate = finite_number(name, value)
    if 0.0 < rate < least:
        advice = f"{name}={round(1.0 / rate)}" if 1.0 / rate < _FASTEST else f"{name}=60"
        raise ValueError(f"{name} must be at least {least:g} step per second, got {value!r}; use {advice}")
    if not (rate > 0.0 and 1.0 / rate < math.inf):
        raise ValueError(f"{name} must be greater than 0, and 1/{name} finite, got {value!r}")
    return rate


LOOPS[FixedStep._step.__code__] = lambda state: (
    None if state.stepping.fixed_step is None else (state.stepping.fixed_step, "_systems")
)


def running_systems() -> Iterator[esper.Processor]:
    """All that runs in the world, in frames or in fixed steps."""
    for processor in processors():
        if isinstance(processor, FixedStep):
            yield from processor.systems
        else:
            yield processor
