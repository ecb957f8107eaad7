"""The playground's bodies: how they are made, counted and taken away."""

from __future__ import annotations

import math
from collections import deque

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CollisionFilter, RigidBody, Transform, Velocity
from ecsphys.components.store.many import Many
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.patterns.pattern import TOY, Pattern
from ecsphys.demo.scenes.physics_parameters import gravity
from ecsphys.demo.scenes.playground.layers import COLORS, LAYERS, Layers
from ecsphys.demo.scenes.playground.outline import collider_of
from ecsphys.demo.scenes.playground.presets import Preset, build_room, places_for, room_for
from ecsphys.demo.scenes.rigid.stage import solver_substeps
from ecsphys.demo.scenes.rigid.tint import Tint
from ecsphys.demo.scenes.rigid.toys import TOYS, toy
from ecsphys.demo.scenes.scene import Box, Layout
from ecsphys.demo.scenes.tools.blast import DynamicBodies

COUNTS = (100, 200, 500, 1000, 2000, 3000, 5000, 7000, 10_000, 14_000, 20_000)
MIXED = len(TOYS)
"""The shape that is a mixture of all."""
ANY_LAYER = LAYERS
"""The layer that is any of them."""

_SIZES = (0.28, 0.5)
_MANY, _CHEAP = 5000, 6
"""Of more bodies a mixture has only the first so many TOYS: contacts of wide fans and compounds cost several times as
much as those of the others."""
_MOST_FACES = 1500
"""Of more bodies none has a face."""
_POUR_SECONDS = 8.0
"""In which the rain brings all bodies; then the oldest fall again."""
_POUR_EVERY = 0.1
"""Seconds between two showers: a step in which entities come costs more."""
_LOST_EVERY = 30
_LOST = 30.0
"""How far out of the room, in units, a body is taken away."""


class Sandbox(esper.Processor):
    """Bodies in a room, in the current world; before each step it pours the rain and takes away what got out."""

    def __init__(self, layout: Layout, rng: np.random.Generator, preset: Preset, count: int) -> None:
        self.physics = layout.physics
        self.layers = Layers()
        self.bodies = DynamicBodies()
        self.preset = preset
        self.count = count
        """How many bodies there is room for."""
        self.shape = MIXED
        """The shape of new bodies: one of TOYS by its number, or MIXED."""
        self.layer = ANY_LAYER
        """The layer of new bodies, 0 to 3, or ANY_LAYER."""
        self.restitution = 0.1
        self.friction = 0.5
        self._layout = layout
        self._rng = rng
        self._steps = 0
        self._poured: deque[int] = deque()
        self._waited = self._owed = 0.0
        """Seconds since the rain brought bodies, and the part of a body that it did not bring then."""

    @property
    def room(self) -> Box:
        """The visible part of the room."""
        return room_for(self.preset, self.count)

    def begin(self, preset: Preset) -> None:
        """Begin a preset, in place of all there is."""
        self.preset = preset
        self.begin_again()

    def begin_again(self) -> None:
        """Begin the same preset again; all that was chosen stays chosen."""
        ecsphys.despawn_many(list(esper.get_entities()), immediate=True)
        self._poured.clear()
        self._waited = self._owed = 0.0
        build_room(self.preset, self.count)
        self.add_many(places_for(self.preset, self.count), MIXED, ANY_LAYER)
        self._layout.arena, self._layout.is_stale = self.room, True

    def choose_shape(self, shape: int) -> None:
        """Choose the shape of new bodies."""
        self.shape = shape

    def choose_layer(self, layer: int) -> None:
        """Choose the layer of new bodies."""
        self.layer = layer

    def process(self, dt: float) -> None:
        self._steps += 1
        if self.preset == "rain" and dt > 0.0:
            self._pour(dt)
        if self._steps % _LOST_EVERY == 0:
            self._take_away_lost()

    def hits(self) -> int:
        """How many hits there are in which a body takes part."""
        hits, entities = self.physics.hits, self.bodies()[0]
        return int(np.count_nonzero(np.isin(hits.entity_a, entities) | np.isin(hits.entity_b, entities)))

    def spawn(self, x: float, y: float) -> int:
        """One body between two steps, at once in the picture; its entity."""
        self._layout.is_stale = True
        return self.add(x, y)

    def add(self, x: float, y: float) -> int:
        """One body of the chosen shape and layer; its entity."""
        return int(self.add_many(np.array([[x, y]]), self.shape, self.layer)[0])

    def add_many(self, places: NDArray[float64], shape: int, layer: int) -> NDArray[int64]:
        """Bodies at places (n, 2), at any angle; their entities (n,)."""
        count = len(places)
        variety = len(TOYS) if self.count <= _MANY else _CHEAP
        kinds = self._rng.integers(variety, size=count) if shape == MIXED else np.full(count, shape)
        layers = self._layers_of(layer, count)
        sizes, angles = self._rng.uniform(*_SIZES, count), self._rng.uniform(0.0, math.tau, count)
        made = np.zeros(count, int64)
        for kind in np.unique(kinds).tolist():
            own = np.flatnonzero(kinds == kind)
            made[own] = ecsphys.spawn_many(
                own.size,
                Transform.many(x=places[own, 0], y=places[own, 1], angle=angles[own]),
                Velocity.many(),
                [toy(kind, size) for size in sizes[own].tolist()],
                *self._matter(layers[own]),
            )
        return made

    def add_outline(self, points: NDArray[float64], tolerance: float) -> str:
        """A body with the outline of a line (n, 2) drawn in the world; what there is to say, as why there is none."""
        drawn = collider_of(points, tolerance)
        if drawn.collider is not None:
            matter = self._matter(self._layers_of(self.layer, 1))
            place = Transform.many(x=drawn.x, y=drawn.y)
            ecsphys.spawn_many(1, place, Velocity.many(), [drawn.collider], *matter)
            self._layout.is_stale = True
        return drawn.caption

    def _layers_of(self, layer: int, count: int) -> NDArray[int64]:
        return self._rng.integers(LAYERS, size=count) if layer == ANY_LAYER else np.full(count, layer)

    def _matter(self, layers: NDArray[int64]) -> tuple[Many, ...]:
        """What bodies of these layers are made of."""
        shades = self._rng.uniform(0.78, 1.0, layers.size)
        red, green, blue = (np.array(COLORS)[layers] * shades[:, None]).T
        return (
            RigidBody.many(restitution=self.restitution, friction=self.friction),
            CollisionFilter.many(layers=self.layers.bits(layers), mask=self.layers.masks(layers)),
            Tint.many(red=red, green=green, blue=blue),
            *([Pattern.many(kind=TOY)] if self.count <= _MOST_FACES else []),
        )

    def switch_layers(self, a: int, b: int) -> None:
        """Let two layers hit if they do not, and the other way round."""
        self.layers.switch(a, b)
        self.wake()

    def set_material(self, restitution: float, friction: float) -> None:
        """Change the material of all bodies, and of those to come."""
        self.restitution, self.friction = restitution, friction
        _, rows = ecsphys.join(RigidBody)
        rows = rows[RigidBody.column("kind", writable=False)[rows] == 0]
        RigidBody.column("restitution")[rows] = restitution
        RigidBody.column("friction")[rows] = friction

    def clear(self) -> None:
        """Take all dynamic bodies away."""
        ecsphys.despawn_many(self.bodies()[0], immediate=True)
        self._poured.clear()
        self._layout.is_stale = True

    def wake(self) -> None:
        """Wake all bodies."""
        self.physics.bodies.wake(self.bodies()[0])

    def _pour(self, dt: float) -> None:
        """New bodies at the top, as many as there may be; then the oldest, again and again."""
        self._waited += dt
        if self._waited < _POUR_EVERY:
            return
        self._owed += self.count * self._waited / _POUR_SECONDS
        self._waited = 0.0
        number = int(self._owed)
        self._owed -= number
        left, _, right, top = self.room
        places = np.column_stack(
            (self._rng.uniform(left + 2.0, right - 2.0, number), top + self._rng.uniform(0.5, 3.0, number))
        )
        fresh = min(number, self.count - len(self._poured))
        self._poured += self.add_many(places[:fresh], MIXED, ANY_LAYER).tolist()
        for x, y in places[fresh:].tolist():
            entity = self._poured.popleft()
            if not esper.entity_exists(entity):
                continue
            place = esper.component_for_entity(entity, Transform)
            velocity = esper.component_for_entity(entity, Velocity)
            place.x, place.y = x, y
            velocity.x, velocity.y, velocity.angular = 0.0, 0.0, 0.0
            self._poured.append(entity)

    def _take_away_lost(self) -> None:
        entities, transforms, _ = self.bodies()
        left, _, right, _ = self.room
        x, y = (Transform.column(name, writable=False)[transforms] for name in ("x", "y"))
        lost = (x < left - _LOST) | (x > right + _LOST) | (y < -_LOST)
        if lost.any():
            ecsphys.despawn_many(entities[lost], immediate=True)


def parameters_of(sandbox: Sandbox) -> list[Parameter]:
    """The sliders of a sandbox."""

    def set_count(value: float) -> None:
        sandbox.count = round(value)
        sandbox.begin_again()

    return [
        Parameter("room for", lambda: float(sandbox.count), set_count, COUNTS, "{:,.0f}"),
        gravity(sandbox.physics),
        Parameter(
            "bounce",
            lambda: sandbox.restitution,
            lambda value: sandbox.set_material(value, sandbox.friction),
            (0.0, 0.1, 0.3, 0.5, 0.7, 0.9),
        ),
        Parameter(
            "friction",
            lambda: sandbox.friction,
            lambda value: sandbox.set_material(sandbox.restitution, value),
            (0.0, 0.25, 0.5, 0.75, 1.0),
        ),
        solver_substeps(sandbox.physics),
    ]
