"""Steps of a fixed length in frames of any length: the same physics on every machine."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeVar

import esper
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.store.column import finite_number, show
from ecsphys.systems.fixed_step.interpolation import Interpolation, transform_of
from ecsphys.systems.settings import checked_dt
from ecsphys.systems.world.esper_world import processors

Processor = TypeVar("Processor", bound=esper.Processor)

# A frame is rounded, and so is a step: 0.1 s are six steps of 1/60 s, 12 frames of 1/144 s five of them. What is short
# of a step by less than this part of it is one; the difference stays in the remainder, so that nothing adds up.
_TOLERANCE = Fraction(1, 10**9)
_BELOW_ONE = math.nextafter(1.0, 0.0)


class FixedStep(esper.Processor):
    """Runs its own systems 0 to ``max_steps`` times a frame, each time for ``1/hz`` seconds.

    ``ecsphys.install(fixed_step=60)`` makes one of the physics, ``physics.fixed_step``. What a game adds to it by
    :meth:`add` runs in every step, what it adds by ``esper.add_processor`` once a frame. The time of frames is summed
    exactly, and what is left of it after the steps waits for the next frame. Before each step entities marked dead are
    removed, as ``esper.process`` does.

    Where a system raises, the error reaches the caller of ``esper.process``: the step counts as done, and what is due
    after it is done in the next frame.

    Parameters
    ----------
    systems
        ``(system, priority)`` pairs, or systems alone, of priority 0. They run in esper's order: higher priorities
        first, equal ones as they were added.
    hz
        Steps a second; more than 0, may be changed at any time.
    max_steps
        The most steps of one frame, at least 1. The whole steps beyond it are dropped, and the game runs slower: a
        computer too slow for its steps would else owe more of them each frame.

    Attributes
    ----------
    paused
        No time passes while it is True.
    steps
        How many steps the last frame had.
    step_count
        How many there were since the beginning.
    dropped_time
        Seconds dropped since the beginning.
    """

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
        self.steps = 0
        self.step_count = 0
        self.dropped_time = 0.0
        self._remainder = Fraction(0)
        self._asked = 0
        self._is_running = False
        self._interpolation: Interpolation | None = None
        self._systems: tuple[esper.Processor, ...] = ()
        for entry in systems:
            self.add(*(entry if isinstance(entry, tuple) else (entry,)))

    @property
    def hz(self) -> float:
        """Steps a second."""
        return self._hz

    @hz.setter
    def hz(self, value: float) -> None:
        if isinstance(value, bool):
            raise TypeError(f"hz must be a number of steps a second, got {value!r}")
        rate = finite_number("hz", value)
        if not (rate > 0.0 and 1.0 / rate < math.inf):
            raise ValueError(f"hz must be greater than 0, and 1/hz finite, got {value!r}")
        self._hz = rate
        self._dt = Fraction(1.0 / rate)
        self._due_from = (1 - _TOLERANCE) * self._dt

    @property
    def dt(self) -> float:
        """Seconds of one step, 1/hz."""
        return 1.0 / self._hz

    @property
    def max_steps(self) -> int:
        """The most steps of one frame."""
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
        """Seconds of the game that pass in a second: 1 at first, 0.5 is slow motion, 0 stands still."""
        return self._time_scale

    @time_scale.setter
    def time_scale(self, value: float) -> None:
        scale = finite_number("time_scale", value)
        if scale < 0.0:
            raise ValueError(f"time_scale must be 0 or more, got {value!r}")
        self._time_scale = scale

    @property
    def alpha(self) -> float:
        """How far the time is beyond the last step, as a part of a step: from 0 to less than 1."""
        return min(max(float(self._remainder / self._dt), 0.0), _BELOW_ONE)

    @property
    def systems(self) -> tuple[esper.Processor, ...]:
        """The systems in the order in which they run."""
        return self._systems

    def add(self, system: esper.Processor, priority: int = 0) -> None:
        """Let a system run in every step, from the next one on; as ``esper.add_processor``.

        TypeError for what is no processor; ValueError for one that is here already, for one that esper runs once a
        frame, and for another FixedStep.
        """
        if not isinstance(system, esper.Processor):
            raise TypeError(f"a FixedStep runs esper processors, got {show(system)}")
        name = type(system).__name__
        if isinstance(system, FixedStep):
            raise ValueError("a FixedStep cannot run another one: give both to esper")
        if any(system is known for known in self._systems):
            raise ValueError(f"this {name} runs in the fixed step already")
        if any(system is known for known in processors()):
            raise ValueError(f"this {name} has been added to esper, which would run it once a frame as well")
        system.priority = priority
        self._systems = tuple(sorted((*self._systems, system), key=lambda known: known.priority, reverse=True))

    def remove(self, system: esper.Processor) -> None:
        """Take a system away, from the next step on; ValueError where it is not here."""
        if not any(system is known for known in self._systems):
            raise ValueError(f"no such system runs in the fixed step: {show(system)} (give the system, not its class)")
        self._systems = tuple(known for known in self._systems if known is not system)

    def get(self, kind: type[Processor]) -> Processor | None:
        """The first system of exactly this class, None without one; as ``esper.get_processor``."""
        return next((system for system in self._systems if type(system) is kind), None)

    def step_once(self) -> None:
        """Ask for one step in the next ``esper.process``, paused or not, besides those that are due; asks add up.

        It takes no time from the frames.
        """
        self._asked += 1

    def process(self, *given: Any, **named: Any) -> None:
        """Run the steps that are due after another ``dt`` seconds; ``esper.process`` passes on what it was called with.

        The systems get the same arguments, but seconds of a step for those of the frame. TypeError and ValueError for
        a bad ``dt``, RuntimeError from within one of the systems: then nothing has changed. RuntimeError after a step
        in which a system switched the world.
        """
        if self._is_running:
            raise RuntimeError("a system of a FixedStep must not process it: its own step has not ended")
        if not given and "dt" not in named:
            raise TypeError("a FixedStep needs the seconds of the frame: esper.process(dt)")
        scaled = checked_dt(given[0] if given else named["dt"]) * self._time_scale
        if scaled == math.inf:
            raise ValueError(f"dt times time_scale must be finite, got a time_scale of {self._time_scale!r}")
        self.steps = 0
        if not self.paused:
            self._take(scaled)
        try:
            self._is_running = True
            for _ in range(self._asked):
                self._asked -= 1
                self._step(given, named)
            begun = 0
            while begun < self._max_steps and not self.paused and self._remainder >= self._due_from:
                begun += 1
                self._remainder -= self._dt
                self._step(given, named)
        finally:
            self._is_running = False

    def _take(self, seconds: float) -> None:
        """Add time, and drop the whole steps of it that are too many."""
        self._remainder += Fraction(seconds)
        if self._remainder <= self._max_steps * self._dt:
            return
        excess = math.floor(self._remainder / self._dt + _TOLERANCE) - self._max_steps
        if excess > 0:
            dropped = excess * self._dt
            self._remainder -= dropped
            self.dropped_time += float(dropped)

    def _step(self, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.steps += 1
        self.step_count += 1
        world, interpolation = esper.current_world, self._interpolation
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
        finally:
            if interpolation is not None:
                interpolation.end_step()
        if esper.current_world != world:
            raise RuntimeError(
                f"a system switched from the world {world!r} to {esper.current_world!r} within a fixed step:"
                " switch between frames instead"
            )

    def interpolated(self, name: str) -> NDArray[float64]:
        """A field of ``Transform``, "x", "y" or "angle", as it is to be drawn now: an array like ``Transform.column``.

        For each row it is previous + alpha · (current − previous), of the poses before and after the last step: what
        is drawn lags behind by up to a step, and moves evenly. What came during that step, what has been moved since
        outside of the steps, and what :meth:`snap` was told of, is drawn where it is. Angles are interpolated as they
        are, not wrapped.

        Read-only, shape (rows,), with the same rows as ``Transform.column(name)``; overwritten by the next call for
        the field. Poses are kept from the first call on, and cost nothing before; until the next step everything is
        where it is. ValueError for another name.
        """
        return self._poses().column(name, self.alpha)

    def pose(self, entity: int) -> tuple[float, float, float]:
        """(x, y, angle) at which an entity is to be drawn now; see :meth:`interpolated`.

        KeyError for an entity that does not exist, ValueError for one without a ``Transform``.
        """
        return self._poses().pose(transform_of(entity), self.alpha)

    def snap(self, entity: int) -> None:
        """Tell that an entity was put elsewhere in this step, and did not move there: it is drawn where it is.

        Errors as of :meth:`pose`. Needed in systems of the fixed step only.
        """
        transform = transform_of(entity)
        if self._interpolation is not None:
            self._interpolation.snap(transform)

    def _poses(self) -> Interpolation:
        if self._interpolation is None:
            self._interpolation = Interpolation()
        return self._interpolation
