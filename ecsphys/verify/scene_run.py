"""``SceneRun``: one run of a scene, and the digest of all that was seen in it."""

from __future__ import annotations

import hashlib
from dataclasses import fields, is_dataclass
from typing import Any, Final

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import join
from ecsphys.systems.physics import Physics, install

STEP: Final = 1 / 60
"""The seconds of a step."""

_FLOATS: Final = ("normal", "depth", "points", "approach_speed", "time", "impulse", "tangent_impulse")
_INTEGERS: Final = ("entity_a", "entity_b", "collider_a", "collider_b", "part_a", "part_b", "point_count", "is_new")


class SceneRun:
    """A run of a scene, which moves its world with :meth:`step`, and adds answers with :meth:`note`."""

    physics: Physics

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._hash = hashlib.sha256()

    @property
    def digest(self) -> str:
        """Of everything noted: 32 hexadecimal digits."""
        return self._hash.hexdigest()[:32]

    def begin(self, **settings: Any) -> None:
        """Add physics to the current world, with these arguments of :func:`ecsphys.install`, and gravity."""
        self.physics = install(**{"threads": self._threads, "gravity": (0.0, -9.8), **settings})

    def step(self, count: int = 1, dt: float = STEP) -> None:
        """Make steps, and note the state of the world after each."""
        for _ in range(count):
            esper.process(dt)
            self.note_state()

    def note_state(self) -> None:
        """Note positions, velocities, hits and the digest of the world."""
        physics = self.physics
        self._hash.update(physics.digest().to_bytes(8, "little"))
        for cls in (Transform, Velocity):
            entities, rows = join(cls)
            order = np.argsort(entities, kind="stable")
            self.note(entities[order])
            for field in ("x", "y", "angle" if cls is Transform else "angular"):
                self.note(cls.column(field, writable=False)[rows[order]])
        for hits in (physics.hits, physics.hits.started, physics.hits.ended):
            self.note(*(getattr(hits, name) for name in (*_INTEGERS, *_FLOATS)))
        self.note(physics.hits.ended.reason.tolist())

    def note(self, *values: Any) -> None:
        """Note arrays, numbers, texts, classes, and tuples and dataclasses of these. All NaN are equal; −0 is not 0."""
        for value in values:
            if isinstance(value, np.ndarray):
                self._hash.update(f"{value.shape}".encode())
                self._hash.update(_bytes_of(value))
            elif isinstance(value, tuple | list):
                self._hash.update(f"{len(value)}:".encode())
                self.note(*value)
            elif is_dataclass(value) and not isinstance(value, type):
                self.note(*(getattr(value, field.name) for field in fields(value)))
            else:
                self._hash.update(_text_of(value).encode())


def _text_of(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{float(value)!r};"
    if value is None or isinstance(value, int | np.integer | np.bool_):
        return f"{-1 if value is None else int(value)};"
    if isinstance(value, str | type):
        return f"{value!r};" if isinstance(value, str) else f"{value.__name__};"
    raise TypeError(f"a scene can note no {type(value).__name__}")


def _bytes_of(array: NDArray[Any]) -> bytes:
    if array.dtype.kind != "f":
        return array.astype("<i8").tobytes()
    # A NaN's sign differs between processors.
    return np.where(np.isnan(array), np.nan, array).astype("<f8").tobytes()


def fractions(count: int, salt: int = 0) -> list[float]:
    """Numbers in [0, 1) that look random, the same everywhere: the multiples of the golden ratio, modulo 1."""
    return [(0.7548776662466927 * salt + 0.6180339887498949 * k) % 1.0 for k in range(1, count + 1)]


def scattered(count: int, low: tuple[float, float], high: tuple[float, float], salt: int = 0) -> NDArray[float64]:
    """Points (count, 2) in a box, which look random: a sequence that fills it evenly (Roberts)."""
    along = [(salt * 0.3819660112501051 + 0.7548776662466927 * k) % 1.0 for k in range(1, count + 1)]
    across = [(salt * 0.2360679774997897 + 0.5698402909980532 * k) % 1.0 for k in range(1, count + 1)]
    return np.array(
        [(low[0] + (high[0] - low[0]) * u, low[1] + (high[1] - low[1]) * v) for u, v in zip(along, across, strict=True)]
    )
