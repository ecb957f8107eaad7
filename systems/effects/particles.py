"""Particles: thousands of short-lived points in arrays, created and removed in bulk. They are no entities.

Flight under gravity and drag, v′ = a − k·v, is in closed form: as exact in one long step as in many short ones. With
z = k·t,

    v = v₀·e^(−z) + a·t·φ₁(z)            φ₁(z) = (1 − e^(−z))/z      → 1 for z → 0
    x = x₀ + v₀·t·φ₁(z) + a·t²·φ₂(z)     φ₂(z) = (1 − φ₁(z))/z       → ½ for z → 0

which without drag is x₀ + v₀·t + ½·a·t² (A5).

Random starts are uniform (A6) or normal by Box–Muller (A7). They are reals: an integer modulo a range, as the originals
have it, can take only as many values as the range is long, so thousands of drops lie on a few lines.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.effects.light import Emitter, Splash
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.column import finite_number, show
from ecsphys.engine.kernels import Capacity
from ecsphys.engine.math.elementary import cos_sin_of, exp_of, expm1_of, log_of, real_array
from ecsphys.systems.arguments import whole_number
from ecsphys.systems.motion.motion import position_velocities
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import KeptRows

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics


Points = NDArray[float64]

# Below it φ₂ = (1 − φ₁)/z would lose more than two digits; six terms of the series are exact to the last one there.
_SERIES_BELOW = 0.01


def decay_weights(z: NDArray[float64]) -> tuple[NDArray[float64], NDArray[float64]]:
    """φ₁(z) and φ₂(z) for z >= 0, in the shape of z."""
    small = z < _SERIES_BELOW
    divisor = np.where(small, 1.0, z)
    first = np.where(
        small,
        1.0 - z / 2 * (1.0 - z / 3 * (1.0 - z / 4 * (1.0 - z / 5 * (1.0 - z / 6)))),
        -expm1_of(-divisor) / divisor,
    )
    second = np.where(
        small,
        0.5 - z / 6 * (1.0 - z / 4 * (1.0 - z / 5 * (1.0 - z / 6 * (1.0 - z / 7)))),
        (1.0 - first) / divisor,
    )
    return first, second


def fly(
    position: Points,
    velocity: Points,
    acceleration: Points,
    drag: NDArray[float64],
    seconds: float | NDArray[float64],
) -> None:
    """Move particles in place: ``position``, ``velocity``, ``acceleration`` (n, 2), ``drag`` (n,) in 1/s, >= 0.

    ``seconds`` is one number or (n,).
    """
    time = np.broadcast_to(np.asarray(seconds, float64), drag.shape)[:, None]
    if not drag.any():
        position += time * (velocity + 0.5 * time * acceleration)
        velocity += time * acceleration
        return
    z = drag[:, None] * time
    first, second = decay_weights(z)
    position += time * (first * velocity + time * second * acceleration)
    velocity *= exp_of(-z)
    velocity += time * first * acceleration


_FIRST_CAPACITY = 256


class Particles(NamedTuple):
    """Particles in parallel arrays, the oldest first: position and velocity (n, 2), the others (n,)."""

    position: Points
    velocity: Points
    age: NDArray[float64]
    lifetime: NDArray[float64]
    gravity_scale: NDArray[float64]
    drag: NDArray[float64]
    style: NDArray[int64]


class ParticlePool:
    """``len(pool)`` particles. The arrays ``now`` are views of blocks with room for more, valid until the next call."""

    __slots__ = ("_blocks", "_capacity", "now")

    def __init__(self) -> None:
        self._capacity = Capacity()
        pairs = [np.empty((_FIRST_CAPACITY, 2), float64) for _ in range(2)]
        singles = [np.empty(_FIRST_CAPACITY, float64) for _ in range(4)]
        self._blocks: list[NDArray[Any]] = [*pairs, *singles, np.empty(_FIRST_CAPACITY, int64)]
        self.now = self._first(0)

    def __len__(self) -> int:
        return len(self.now.age)

    def _first(self, count: int) -> Particles:
        return Particles(*(block[:count] for block in self._blocks))

    def add(self, count: int, *values: NDArray[Any] | float) -> None:
        """Append ``count`` particles; ``values`` in the order of the arrays, each of its shape or one for all."""
        first, total = len(self), len(self) + count
        self._make_room(total)
        for block, value in zip(self._blocks, values, strict=True):
            block[first:total] = value
        self.now = self._first(total)

    def keep(self, chosen: NDArray[bool_]) -> None:
        """Remove all particles but the ``chosen`` (n,), which keep their order."""
        self._make_room(len(self))
        survivors = np.flatnonzero(chosen)
        if survivors.size < chosen.size:
            for block in self._blocks:
                # take makes a copy first, so source and target may overlap.
                block[: survivors.size] = block.take(survivors, axis=0)
            self.now = self._first(survivors.size)

    def _make_room(self, total: int) -> None:
        """Have room for as many, but not far more for long."""
        capacity, used = self._capacity.choose(total, len(self._blocks[0])), len(self)
        if capacity != len(self._blocks[0]):
            larger = [np.empty((capacity, *block.shape[1:]), block.dtype) for block in self._blocks]
            for new, block in zip(larger, self._blocks, strict=True):
                new[:used] = block[:used]
            self._blocks = larger
            self.now = self._first(used)


Reals = float | NDArray[float64]

# The most numbers that an array can have.
_MOST = sys.maxsize // 16


def uniform_splash(rng: np.random.Generator, low: Reals, high: Reals, count: int) -> NDArray[float64]:
    """``count`` uniform reals in [low, high], (count,); bounds are numbers or arrays (count,). Row A6.

    ValueError where low > high, for a negative count or another shape; TypeError unless all are
    real numbers, a whole count, a generator.
    """
    count = _checked_count(rng, count)
    low, high = _bounds("low", low, count), _bounds("high", high, count)
    if np.any(low > high):
        raise ValueError(f"a uniform splash needs low <= high, got {low!r} and {high!r}")
    u = rng.random(count)
    # The weighted sum cannot overflow, as high − low could; it may round past a bound.
    values: NDArray[float64] = np.clip(low * (1.0 - u) + high * u, low, high)
    return values


def normal_splash(rng: np.random.Generator, mean: Reals, sigma: Reals, count: int) -> NDArray[float64]:
    """``count`` normally distributed reals, (count,), by Box–Muller; mean and σ are numbers or arrays (count,). Row A7.

    Two uniform numbers make two independent normal ones, √(−2 ln a)·cos 2πb and √(−2 ln a)·sin 2πb. The generator
    gives numbers in [0, 1), so a = 1 − u is in (0, 1] and its logarithm finite: at most 8.6 σ from the mean.
    ValueError for σ < 0, for a negative count or another shape; TypeError unless all are real numbers, a
    whole count, a generator.
    """
    count = _checked_count(rng, count)
    mean, sigma = _bounds("mean", mean, count), _bounds("sigma", sigma, count)
    if np.any(sigma < 0.0):
        raise ValueError(f"a normal splash needs sigma >= 0, got {sigma!r}")
    pairs = (count + 1) // 2
    radius = np.sqrt(-2.0 * log_of(1.0 - rng.random(pairs)))
    cosines, sines = cos_sin_of(math.tau * rng.random(pairs))
    values: NDArray[float64] = mean + sigma * np.concatenate((radius * cosines, radius * sines))[:count]
    return values


def _checked_count(rng: np.random.Generator, count: int) -> int:
    if not callable(getattr(rng, "random", None)):
        raise TypeError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}")
    number = whole_number("count", count)
    if not 0 <= number <= _MOST:
        raise ValueError(f"count must be between 0 and {_MOST}, got {count!r}")
    return number


def _bounds(name: str, values: Reals, count: int) -> Reals:
    """A number, or one for each draw."""
    array = real_array(name, values, "(count,), or one number")
    if array.ndim and array.shape != (count,):
        raise ValueError(f"{name} must be a number or of shape ({count},), got the shape {array.shape}")
    return array


# Of a burst, and of all emitters in one step: some hundred bytes are needed for each while it is made.
_MOST_BORN = 1 << 22

# From here on floats are whole numbers: no part of a particle can be due.
_WHOLE = 2.0**53


class ParticleSystem(Stage):
    """Moves particles, creates particles at emitters, and removes old particles. Particles do not collide.

    Add it at ``Priority.PARTICLE``. It then runs after motion and hierarchy, so particles start at the present position
    of an emitter. It runs before the hits, so a burst from a hit handler is drawn once at the hit before it moves.

    The arrays are live and writable, the oldest particle first, and valid until the next step or burst.

    Parameters
    ----------
    physics
        The physics of the world. Its gravity acts on each particle, times the particle's ``gravity_scale``.
    seed
        Seed of the random numbers. The same steps and bursts give the same particles.

    Attributes
    ----------
    position, velocity
        (n, 2) float64, in the world. The flight under gravity and drag is exact, for steps of any length.
    age, lifetime
        (n,) float64, seconds. A particle exists while age < lifetime.
    style
        (n,) int64, the ``style`` of its emitter.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> particles = ParticleSystem(physics)
    >>> esper.add_processor(particles, ecsphys.Priority.PARTICLE)
    >>> particles.burst(0, 2, count=200, style=Emitter(vx_spread=3, vy_spread=3, lifetime=0.5))
    >>> esper.process(0.1)
    >>> particles.position.shape
    (200, 2)
    """

    _rests_at_times = True

    def __init__(self, physics: Physics, seed: int = 0) -> None:
        super().__init__(physics)
        self._seed = seed
        self._begin()
        self._emitters = KeptRows(Emitter, Transform, Velocity)

    def _begin(self) -> None:
        # Whether there was no emitter in the last run.
        self._has_no_emitters = False
        self._pool = ParticlePool()
        self._rng = np.random.default_rng(self._seed)

    def forget_world(self) -> None:
        self._begin()

    @property
    def _particles(self) -> Particles:
        """The particles of the present world; none after the database was cleared."""
        self.follow_database()
        return self._pool.now

    def __len__(self) -> int:
        return len(self._particles.age)

    @property
    def position(self) -> Points:
        return self._particles.position

    @property
    def velocity(self) -> Points:
        return self._particles.velocity

    @property
    def age(self) -> NDArray[float64]:
        return self._particles.age

    @property
    def lifetime(self) -> NDArray[float64]:
        return self._particles.lifetime

    @property
    def style(self) -> NDArray[int64]:
        return self._particles.style

    def burst(self, x: float, y: float, count: int, style: Emitter, angle: float = 0.0) -> None:
        """Add ``count`` particles at (x, y) at once.

        ``style`` has their velocities, lifetimes and look. It needs no entity, and its rate is ignored. ``angle``:
        radians, turns the frame of the style. Raises TypeError unless ``style`` is an ``Emitter`` and the others are
        numbers. Raises ValueError if ``count`` is negative or above 2²², or the position is not finite.
        """
        if type(style) is not Emitter:  # a subclass has rows of its own
            raise TypeError(f"style must be an Emitter, got {style!r}")
        number = whole_number("count", count)
        if not 0 <= number <= _MOST_BORN:
            raise ValueError(f"count must be 0 to {_MOST_BORN} particles, got {show(count)}")
        place = finite_number("x", x), finite_number("y", y)
        turn = finite_number("angle", angle)
        self.follow_database()
        self._add(np.full(number, style._row), np.full((number, 2), place), np.full(number, turn), np.zeros(number))

    def clear(self) -> None:
        """Remove all particles."""
        self._pool.keep(np.zeros(len(self._pool), bool))

    def take_state(self) -> Any:
        arrays = tuple([array.copy() for array in self._particles])
        return self._rng.bit_generator.state, arrays

    def put_state(self, state: Any) -> None:
        numbers, arrays = state
        if any(len(array) != len(arrays[0]) for array in arrays):
            raise ValueError("the arrays of the particles must all have one length")
        self.clear()
        self._pool.add(len(arrays[0]), *arrays)
        self._rng.bit_generator.state = numbers

    def _rests(self, others_move: bool) -> bool:
        return self._has_no_emitters and not len(self._pool)

    def run(self, dt: float) -> None:
        """Move all by ``dt`` seconds. More than 2²² new particles at once raise ValueError before anything changes."""
        _, emitters, transforms, velocities = self._emitters()
        self._has_no_emitters = not emitters.size
        if not emitters.size and not len(self._pool):
            return
        placed = transforms >= 0
        counts, due = _births(emitters[placed], dt)
        self._pool.now.age[:] += dt
        self._bury()
        self._fly(0, dt)
        self._emit(dt, counts, due, emitters[placed], transforms[placed], velocities[placed])
        self._bury()

    def _bury(self) -> None:
        self._pool.keep(self._pool.now.age < self._pool.now.lifetime)

    def _emit(
        self,
        dt: float,
        counts: NDArray[int64],
        due: NDArray[float64],
        emitters: NDArray[int64],
        transforms: NDArray[int64],
        velocities: NDArray[int64],
    ) -> None:
        """Make the particles of this step, each at its own time in the step, so a jet has no gaps between steps.

        An emitter with the fraction ``due`` left over has emitted the last of its ``counts`` particles due/rate ago,
        and the others before, 1/rate apart.
        """
        emitter_field = Emitter._columns.row_of_block
        emitter_field("due")[emitters] = due
        total = int(counts.sum())
        if not total:
            return
        source = np.repeat(np.arange(counts.size), counts)
        later = np.repeat(np.cumsum(counts), counts) - np.arange(1, total + 1)
        rate = emitter_field("rate")[emitters]
        age = np.clip((due[source] + later) / rate[source], 0.0, dt)
        x, y, angle = Transform._columns.values(transforms, "x", "y", "angle")
        place = np.column_stack((x, y))[source]
        # Back along the way the emitter has come, as far as its velocity tells.
        velocity = velocities[source]
        moving = np.flatnonzero(velocity >= 0)
        bodies = self.physics._state.body_table
        way = age[moving] * position_velocities(velocity[moving], bodies.listed, bodies.masses.off_center)
        place[moving] -= way.T
        self._add(emitters[source], place, angle[source], age)

    def _add(self, styles: NDArray[int64], place: Points, angle: NDArray[float64], age: NDArray[float64]) -> None:
        """Add particles: rows of their emitters (n,), positions (n, 2), angles (n,), and their ages (n,)."""
        names = "splash", "lifetime", "lifetime_spread", "gravity_scale", "drag", "style"
        kind, lifetime, lifetime_spread, gravity_scale, drag, style = Emitter._columns.values(styles, *names)
        count, rng, first = styles.size, self._rng, len(self._pool)
        normal = np.repeat(kind == Splash.NORMAL, 2)
        splash = uniform_splash(rng, -1.0, 1.0, 2 * count)
        splash[normal] = normal_splash(rng, 0.0, 1.0, int(normal.sum()))
        velocity = _pairs("vx", "vy", styles) + _pairs("vx_spread", "vy_spread", styles) * splash.reshape(count, 2)
        place_in_box = uniform_splash(rng, -1.0, 1.0, 2 * count).reshape(count, 2)
        offset = _pairs("half_width", "half_height", styles) * place_in_box
        lifetime += uniform_splash(rng, -lifetime_spread, lifetime_spread, count)
        cos, sin = cos_sin_of(angle)
        place, velocity = place + _turned(offset, cos, sin), _turned(velocity, cos, sin)
        self._pool.add(count, place, velocity, age, lifetime, gravity_scale, drag, style)
        if age.any():
            self._fly(first, age)

    def _fly(self, first: int, seconds: float | NDArray[float64]) -> None:
        """Move the particles from number ``first`` on."""
        pool = self._pool.now
        acceleration = pool.gravity_scale[first:, None] * np.array(self.physics.gravity)
        fly(pool.position[first:], pool.velocity[first:], acceleration, pool.drag[first:], seconds)


def _births(emitters: NDArray[int64], dt: float) -> tuple[NDArray[int64], NDArray[float64]]:
    """The numbers of particles that emitters make in ``dt`` seconds, and the fraction of the next particle.

    Particles that would be dead at the end of the step are not made, so a long step makes only as many as exist at its
    end. Raises ValueError for too many.
    """
    columns = ("rate", "due", "lifetime", "lifetime_spread")
    rate, due_before, lifetime, spread = Emitter._columns.values(emitters, *columns)
    with np.errstate(over="ignore"):
        due = np.minimum(due_before + rate * dt, _WHOLE)
        whole = np.floor(due)
        counts = np.minimum(whole, np.ceil(rate * (lifetime + spread)) + 1.0)
        total = float(counts.sum())
    if total > _MOST_BORN:
        raise ValueError(
            f"the emitters would make {total:.3g} particles in a step of {dt!r} s, more than {_MOST_BORN}: "
            f"lower Emitter.rate, or make shorter steps"
        )
    return counts.astype(int64), due - whole


def _pairs(x: str, y: str, rows: NDArray[int64]) -> Points:
    return np.column_stack(Emitter._columns.values(rows, x, y))


def _turned(vectors: Points, cos: NDArray[float64], sin: NDArray[float64]) -> Points:
    x, y = vectors[:, 0], vectors[:, 1]
    return np.column_stack((cos * x - sin * y, sin * x + cos * y))
