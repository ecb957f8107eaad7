"""A world with everything in it at once, played at random, and what must hold after each of its frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import esper
import numpy as np

import ecsphys
from checks.attacked_world import Pair, after_events, keys_of, require
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    CircularTrajectory,
    CompoundCollider,
    Disabled,
    DistanceJoint,
    FanCollider,
    Gravity,
    HitListener,
    Lifetime,
    OBBCollider,
    Parent,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
)
from ecsphys.components.store.standing_blocks import HOLDERS
from ecsphys.effects import Emitter
from ecsphys.systems.stage import Priority

STEP = 1 / 60

_MOST = 60
_FEWEST = 25
_WIDTH = 8.0

# Something this fast or this far has left for good: the world is over.
_BEYOND = 1e6


class HandlerError(Exception):
    """What a handler of the game raises."""


@dataclass
class Books:
    """What was told of hits until now: the pairs that are open by the arrays, and by the events."""

    open: frozenset[Pair]
    open_events: frozenset[Pair]


class SoakedWorld:
    """Bodies, joints, characters, bullets, particles, trajectories, triggers and snapshots, in a pit."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._random = np.random.default_rng(seed)
        esper.switch_world(name)
        self.physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
        self._particles = ecsphys.systems.ParticleSystem(self.physics)
        esper.add_processor(self._particles, Priority.PARTICLE)
        esper.add_processor(ecsphys.systems.LifetimeSystem(self.physics), Priority.LIFETIME)
        self._books = Books(frozenset(), frozenset())
        self._told: list[ecsphys.types.Hit] = []
        self._seen: ecsphys.types.HitArrays | None = None
        self._ring: list[ecsphys.types.Snapshot | None] = [None, None]
        self.raises = False
        """Whether handlers of the game raise."""
        self.is_over = False
        # Bound to the list: an interrupt comes before or after what they do.
        self._handlers = (self._told.append, self._raise_sometimes)
        for event in ("hit_started", "hit_ended"):
            for handler in self._handlers:
                esper.set_handler(event, handler)
        self._build()

    def close(self) -> None:
        """Leave nothing of it."""
        esper.switch_world("default")
        if self.name in esper.list_worlds():
            esper.delete_world(self.name)

    def _raise_sometimes(self, hit: ecsphys.types.Hit) -> None:
        if self.raises:
            raise HandlerError(f"of {hit.entity_a} and {hit.entity_b}")

    def _build(self) -> None:
        pit = [(-_WIDTH, 12.0), (-_WIDTH, 0.0), (-2.0, -1.0), (3.0, -0.5), (_WIDTH, 0.0), (_WIDTH, 12.0)]
        esper.create_entity(Transform(), ChainCollider(pit, side="left"), Solid())
        esper.create_entity(Transform(0.0, -3.0), AABBCollider(20.0, 1.0), Solid())
        esper.create_entity(
            Transform(-4.0, 3.0), OBBCollider(1.0, 0.2), CircularTrajectory(-4.0, 3.0, 1.0, 1.0), Solid()
        )
        esper.create_entity(Transform(4.0, 6.0), Emitter(rate=200.0, lifetime=0.3))
        self._characters = [
            esper.create_entity(Transform(x, 5.0), CapsuleCollider(0.6, 0.3, 1.57), Character()) for x in (-3.0, 5.0)
        ]
        for _ in range(_FEWEST):
            self._create()

    def _create(self) -> None:
        random = self._random
        x, y = random.uniform(-_WIDTH + 1.0, _WIDTH - 1.0), random.uniform(1.0, 12.0)
        colliders: tuple[Callable[[], Any], ...] = (
            lambda: CircleCollider(random.uniform(0.2, 0.6)),
            lambda: OBBCollider(random.uniform(0.2, 0.6), random.uniform(0.2, 0.6)),
            lambda: CapsuleCollider(random.uniform(0.0, 1.0), 0.25),
            lambda: PolygonCollider([(0, 0), (0.9, 0), (0.2, 0.7)], radius=0.05),
            lambda: FanCollider(0.6, random.uniform(0.5, 6.2)),
            lambda: CompoundCollider([CircleCollider(0.3), OBBCollider(0.5, 0.15, 0.4)]),
        )
        parts = [Transform(x, y, random.uniform(-3.0, 3.0)), colliders[random.integers(len(colliders))]()]
        kind = int(random.integers(10))
        if kind < 6:
            parts += [RigidBody(restitution=float(random.choice([0.0, 0.5]))), Velocity(*random.uniform(-3.0, 3.0, 3))]
        elif kind == 6:
            parts += [Velocity(*random.uniform(-90.0, 90.0, 2)), Bullet(), Lifetime(1.0)]
        elif kind == 7:
            parts += [Velocity(*random.uniform(-3.0, 3.0, 3)), Gravity(), HitListener(on_started=self._raise_sometimes)]
        elif kind == 8:
            parts += [RigidBody("kinematic"), Velocity(*random.uniform(-1.0, 1.0, 3))]
        if random.random() < 0.1:
            parts[1].sensor = True
        esper.create_entity(*parts)

    def _bodies(self) -> list[int]:
        bodies = esper.get_component(RigidBody)
        return [entity for entity, body in bodies if body.kind == "dynamic" and entity not in esper._dead_entities]

    def play(self) -> None:
        """What a game does between two steps."""
        random = self._random
        if random.random() < 0.5:
            self._act(int(random.integers(12)))
        for character in self._characters:
            try:
                self.physics.move_character(character, (0.1 * float(random.uniform(-1.0, 1.0)), -0.05))
            except RuntimeError as error:
                # So says the manual: a character in a crowd that is too thick stays.
                if "obstacles" not in str(error):
                    raise

    def _act(self, what: int) -> None:
        random, bodies = self._random, self._bodies()
        movers = [entity for entity, _ in esper.get_component(Velocity)]
        if what <= 2:
            if len(movers) < _MOST:
                self._create()
        elif what == 3 and len(movers) > _FEWEST:
            esper.delete_entity(int(random.choice(movers)), immediate=bool(random.integers(2)))
        elif what <= 5 and len(bodies) >= 2:
            self._join(*random.choice(bodies, 2, replace=False).tolist())
        elif what == 6 and movers:
            chosen = int(random.choice(movers))
            if esper.has_component(chosen, Disabled):
                esper.remove_component(chosen, Disabled)
            else:
                esper.add_component(chosen, Disabled())
        elif what == 7:
            self._particles.burst(0.0, 4.0, 50, Emitter(lifetime=0.5))
        elif what == 8 and bodies:
            self.physics.bodies.apply_impulse(int(random.choice(bodies)), random.uniform(-2.0, 2.0, 2).tolist())
        elif what == 9 and movers:
            chosen = int(random.choice(movers))
            if not esper.has_component(chosen, RigidBody) and not esper.has_component(chosen, Parent):
                esper.add_component(chosen, Parent(self._characters[0], 0.5, 0.5))
        elif what == 10 and movers:
            esper.add_component(int(random.choice(movers)), CircleCollider(float(random.uniform(0.2, 0.5))))
        elif what == 11 and movers:
            transform = esper.component_for_entity(int(random.choice(movers)), Transform)
            transform.x, transform.y = random.uniform(-_WIDTH + 1.0, _WIDTH - 1.0), random.uniform(2.0, 10.0)

    def _join(self, a: int, b: int) -> None:
        """Two bodies near each other, by a joint that breaks before it tears anything apart."""
        one, other = (esper.component_for_entity(body, Transform) for body in (a, b))
        if np.hypot(one.x - other.x, one.y - other.y) > 2.0 or len(list(esper.get_component(RevoluteJoint))) > 8:
            return
        x, y = 0.5 * (one.x + other.x), 0.5 * (one.y + other.y)
        kind: Any = (RevoluteJoint, WeldJoint, DistanceJoint)[int(self._random.integers(3))]
        ends = (one.x, one.y, other.x, other.y) if kind is DistanceJoint else (x, y)
        esper.create_entity(kind.at(a, b, *ends, break_force=200.0))

    def step(self) -> None:
        """One step; handlers may raise."""
        try:
            esper.process(STEP)
        except (HandlerError, ExceptionGroup) as error:
            others = error.split(HandlerError)[1] if isinstance(error, ExceptionGroup) else None
            if others is not None:
                raise others from None

    def check_books(self) -> None:
        """The arrays lead from the hits of the last time to those of now; a step that was cut short may have no new."""
        if self.physics.hits is self._seen:
            return
        self._seen = self.physics.hits
        ended, started = keys_of(self.physics.hits.ended), keys_of(self.physics.hits.started)
        require(ended <= self._books.open, f"ends of {ended - self._books.open} that were not there")
        still = self._books.open - ended
        require(not started & still, f"second starts of {started & still}")
        now = keys_of(self._seen)
        require(still | started == now, f"the books have {(still | started) ^ now} on one side only")
        self._books.open = frozenset(now)

    def check_whole(self) -> None:
        """What must hold after each step that came to its end."""
        self.check_books()
        require(not HOLDERS, f"blocks are held {len(HOLDERS)} times")
        self._read_events()
        require(
            self._books.open_events == self._books.open,
            f"events differ in {self._books.open_events ^ self._books.open}",
        )
        state = self.physics._state
        for cls, names in ((Transform, ("x", "y", "angle")), (Velocity, ("x", "y", "angular"))):
            entities, rows = ecsphys.join(cls)
            for name in names:
                values = np.abs(cls.column(name, writable=False)[rows])
                bad = entities[~np.isfinite(values)]
                require(not bad.size, f"{cls.__name__}.{name} of entities {bad[:5]} is not finite")
                self.is_over |= bool((values > _BEYOND).any())
        colliding = {
            entity
            for cls in (*ecsphys.COLLIDER_CLASSES, CompoundCollider, ChainCollider)
            for entity, _ in esper.get_component(cls)
            if esper.has_component(entity, Transform)
        }
        listed = set(self.physics.debug.colliders.entity.tolist())
        require(listed <= colliding, f"colliders of {listed - colliding} are listed, and not there")
        hitting = set(self._seen.entity_a.tolist()) | set(self._seen.entity_b.tolist()) if self._seen else set()
        require(hitting <= listed, f"hits of {hitting - listed}, which have no colliders")
        joints = sum(len(list(esper.get_component(cls))) for cls in (RevoluteJoint, WeldJoint, DistanceJoint))
        require(len(state.joints) == joints, f"{len(state.joints)} joints listed, {joints} attached")

    def _read_events(self) -> None:
        self._books.open_events = frozenset(after_events(self._books.open_events, self._told))
        self._told.clear()

    def roll_back(self, frames: int, as_bytes: bool) -> None:
        """Go on for some frames, back to the start, and the same way again: the digests are the same both times."""
        if as_bytes:
            # They are left out of bytes.
            for entity, _ in list(esper.get_component(HitListener)):
                esper.remove_component(entity, HitListener)
        number = int(self._random.integers(len(self._ring)))
        state = self._ring[number] = self.physics.snapshot(into=self._ring[number])
        saved = ecsphys.types.Snapshot.from_bytes(state.to_bytes()) if as_bytes else state
        books = Books(self._books.open, self._books.open_events)
        begun = self.physics.digest()
        ends = []
        for _ in range(2):
            for _ in range(frames):
                self.step()
                self.check_whole()
            ends.append(self.physics.digest())
            self.physics.restore(saved)
            require(self.physics.digest() == begun, f"a restore does not lead back, from bytes: {as_bytes}")
            self._books = Books(books.open, books.open_events)
            self._seen = self.physics.hits
        require(ends[0] == ends[1], f"{frames} frames lead to {ends[0]} first, to {ends[1]} after a restore")
