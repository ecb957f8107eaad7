"""Particles: thousands of short-lived points in arrays, created and removed in bulk (rows A6, A7).

Particles are not entities: nothing collides with them, and a burst of thousands costs a few array operations.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.effects.light import Emitter, Splash
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.column import finite_number, show
from ecsphys.engine.effects.particles import ParticlePool, fly, normal_splash, uniform_splash
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.systems.motion.motion import position_velocities
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import KeptRows

Points = NDArray[float64]

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
    def _particles(self) -> ParticlePool:
        """The particles of the present world; none after the database was cleared."""
        self.follow_database()
        return self._pool

    def __len__(self) -> int:
        return len(self._particles)

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
        try:
            number = operator.index(count)
        except TypeError:
            raise TypeError(f"count must be a whole number, got {show(count)}") from None
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
        pool = self._particles
        arrays = (pool.position, pool.velocity, pool.age, pool.lifetime, pool.gravity_scale, pool.drag, pool.style)
        return self._rng.bit_generator.state, tuple(array.copy() for array in arrays)

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
        self._pool.age[:] += dt
        self._bury()
        self._fly(0, dt)
        self._emit(dt, counts, due, emitters[placed], transforms[placed], velocities[placed])
        self._bury()

    def _bury(self) -> None:
        self._pool.keep(self._pool.age < self._pool.lifetime)

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
        pool = self._pool
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
