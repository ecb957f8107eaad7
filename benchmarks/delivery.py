"""Delivered hits: what it costs to tell of one that began, beside pymunk's ``begin``, in one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pymunk

import ecsphys
from benchmarks.peers.pymunk_space import new_space
from ecsphys import CircleCollider, HitListener, Transform
from ecsphys.types import Hit

PAIRS = 2_000

_ROUNDS = 31
_STEP = 1e-9
_TOGETHER, _APART = 0.5, 5.0

Listener = Callable[[], HitListener]


def measure_delivery(pairs: int = PAIRS) -> dict[str, tuple[float, float]]:
    """Medians in µs a hit, ours and pymunk's, by how it is told: steps in which it is, less steps in which it is not.

    Every handler counts. pymunk's callback has to look up the entities of its arbiter's bodies first.
    """
    count = _Count()
    players: dict[str, _Ours | _Pymunk] = {
        "alone": _Ours(pairs),
        "a delivered hit": _Ours(pairs, ("hit_started", count.hit)),
        "… to a listener": _Ours(pairs, listener=lambda: HitListener(on_started=count.hit)),
        "a delivered pair": _Ours(pairs, ("pair_started", count.pair)),
        "… to a listener of pairs": _Ours(
            pairs, listener=lambda: HitListener(on_started=count.pair, entities_only=True)
        ),
        "pymunk alone": _Pymunk(pairs),
        "pymunk": _Pymunk(pairs, count.pair),
    }
    try:
        times: dict[str, list[float]] = {name: [] for name in players}
        for _ in range(_ROUNDS):
            for name, player in players.items():
                player.step(_APART)
                times[name].append(player.step(_TOGETHER))
    finally:
        for player in players.values():
            player.close()
    medians = {name: 1e6 * statistics.median(seconds) / pairs for name, seconds in times.items()}
    alone, theirs = medians.pop("alone"), medians.pop("pymunk") - medians.pop("pymunk alone")
    return {name: (median - alone, theirs) for name, median in medians.items()}


class _Count:
    """The game's handlers."""

    def __init__(self) -> None:
        self.calls = 0

    def hit(self, hit: Hit) -> None:
        self.calls += 1

    def pair(self, entity_a: int, entity_b: int) -> None:
        self.calls += 1


class _Ours:
    """Pairs of circles in a world of their own."""

    def __init__(
        self,
        pairs: int,
        handler: tuple[str, Callable[..., None]] | None = None,
        listener: Listener | None = None,
    ) -> None:
        self._world = f"delivery {id(self)}"
        before = esper.current_world
        esper.switch_world(self._world)
        ecsphys.install()
        # esper keeps handlers weakly.
        self._handler = handler
        if handler is not None:
            esper.set_handler(*handler)
        moved = []
        for x in 3.0 * np.arange(pairs):
            parts = () if listener is None else (listener(),)
            esper.create_entity(Transform(x, 0.0), CircleCollider(1.0), *parts)
            moved.append(esper.create_entity(Transform(x, _APART), CircleCollider(1.0)))
        self._transforms = [esper.component_for_entity(entity, Transform) for entity in moved]
        esper.switch_world(before)

    def step(self, y: float) -> float:
        """Seconds of a step after every second circle has gone to y."""
        before = esper.current_world
        esper.switch_world(self._world)
        for transform in self._transforms:
            transform.y = y
        start = time.perf_counter()
        esper.process(_STEP)
        seconds = time.perf_counter() - start
        esper.switch_world(before)
        return seconds

    def close(self) -> None:
        esper.delete_world(self._world)


class _Pymunk:
    """The same as sensors."""

    def __init__(self, pairs: int, told: Callable[[int, int], None] | None = None) -> None:
        self._space = new_space()
        self._entities: dict[pymunk.Body, int] = {}
        self._told = told
        self._moved = []
        for x in (3.0 * np.arange(pairs)).tolist():
            for y in (0.0, _APART):
                body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
                body.position = x, y
                shape = pymunk.Circle(body, 1.0)
                shape.sensor = True
                self._space.add(body, shape)
                self._entities[body] = len(self._entities)
            self._moved.append((body, x))
        if told is not None:
            self._space.on_collision(begin=self._begin)

    def _begin(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
        body_a, body_b = arbiter.bodies
        if self._told is not None:
            self._told(self._entities[body_a], self._entities[body_b])

    def step(self, y: float) -> float:
        for body, x in self._moved:
            body.position = x, y
        start = time.perf_counter()
        self._space.step(_STEP)
        return time.perf_counter() - start

    def close(self) -> None:
        """Nothing is left of it."""
