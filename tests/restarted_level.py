"""A small level of everything that a restart must begin again with, and a game that restarts it at any place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    Character,
    CircleCollider,
    DistanceJoint,
    Gravity,
    HitListener,
    Lifetime,
    LinearTrajectory,
    OBBCollider,
    Parent,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.effects import Emitter

DT = 1.0 / 60.0
FRAMES = 24
PRIORITIES = (700, 450, 395, 385, 360, 320, 250, 150, 50, 0, -600)
EVENTS = ("hit_started", "hit_ongoing", "hit_ended", "joint_broken", "lifetime_ended", "bounds_reached")
HEARD = ("on_started", "on_ongoing", "on_ended")
PLACES = ("between", "pre_solve", *EVENTS, *HEARD, *map(str, PRIORITIES))
"""Where the game may restart the level."""


class _At(esper.Processor):
    """A processor of the game, at some priority."""

    def __init__(self, reached: Callable[[], None]) -> None:
        self._reached = reached

    def process(self, dt: float) -> None:
        self._reached()


class Game:
    """Plays the level; :meth:`restart_at` has it cleared and built again at a place, once that is reached.

    ``told``: what was told since the level was built last, the number of the step first.
    """

    def __init__(self, fixed_step: float | None = None) -> None:
        self.physics = ecsphys.install(gravity=(0.0, -9.8), fixed_step=fixed_step)
        self.particles = ecsphys.systems.ParticleSystem(self.physics, seed=5)
        stages = (
            (self.particles, ecsphys.Priority.PARTICLE),
            (ecsphys.systems.LifetimeSystem(self.physics), ecsphys.Priority.LIFETIME),
            (ecsphys.systems.WorldBoundsSystem(self.physics), ecsphys.Priority.BOUNDS),
        )
        systems: list[tuple[esper.Processor, int]] = [*stages]
        # They are kept: esper itself refers to handlers weakly.
        self._handlers = {name: self._teller(name) for name in EVENTS}
        for name, handler in self._handlers.items():
            esper.set_handler(name, handler)
        systems += [(_At(self._reacher(str(priority))), priority) for priority in PRIORITIES]
        for system, priority in systems:
            if self.physics.fixed_step is None:
                esper.add_processor(system, priority)
            else:
                self.physics.fixed_step.add(system, priority)
        self.physics.pre_solve = lambda contacts: self._reach("pre_solve")
        self._place: str | None = None
        self._times = self.restarts = 0
        self.told: list[tuple[Any, ...]] = []
        self.build()

    def build(self) -> None:
        """The level, always the same, and what is asked for when it begins."""
        create, physics = esper.create_entity, self.physics
        self.told = []
        create(Transform(0, -1), AABBCollider(20, 1), Solid(), RigidBody("static"))
        boxes = [create(Transform(3, 0.5 + 1.02 * k), OBBCollider(0.5, 0.5), RigidBody()) for k in range(3)]
        ball = create(Transform(-3, 1), CircleCollider(0.4), RigidBody(restitution=0.5), self._ear())
        create(Transform(-3, 2.5), Parent(ball, 0.0, 0.6), CircleCollider(0.3, sensor=True))
        create(RevoluteJoint.at(None, create(Transform(-6, 3), OBBCollider(0.6, 0.2), RigidBody()), -6.5, 3))
        weight = create(Transform(8, 3), CircleCollider(0.5), RigidBody(mass=9))
        create(DistanceJoint.at(None, weight, 8, 6, 8, 3, break_force=80))
        create(Transform(0, 4), Velocity(6, 0), Gravity(), CircleCollider(0.5), WorldBounds(-2, 0, 1, 9), self._ear())
        create(Transform(0, 4), AABBCollider(0.5, 0.5), Lifetime(8 * DT))
        create(Transform(0, 4.2), LinearTrajectory(-1, 4.2, 9, 0), CircleCollider(0.3), self._ear())
        create(Transform(-9, 0.7), Velocity(70, 0), CircleCollider(0.1), Bullet())
        self._walker = create(Transform(5, 0.7), CapsuleCollider(0.4, 0.25, angle=1.57), Character())
        style = Emitter(rate=50, vx_spread=2, vy=2, lifetime=0.2)
        create(Transform(1, 1), style)
        physics.bodies.apply_force(boxes[2], (30, 0))
        physics.bodies.apply_impulse(ball, (1.5, 0))
        physics.move_character(self._walker, (0.01, -0.05))
        self.particles.burst(2, 2, 10, style)

    def restart(self) -> None:
        self.restarts += 1
        esper.clear_database()
        self.build()

    def restart_at(self, place: str, times: int) -> None:
        """Restart when the place has been reached so many times."""
        self._place, self._times = place, times

    @property
    def is_waiting(self) -> bool:
        """Whether the place was not reached yet."""
        return self._place is not None

    def frame(self) -> None:
        """A frame of the game, with the errors that it takes for granted."""
        before = self.restarts
        if self._place == "pre_solve":
            self._frame_with_pre_solve()
        else:
            esper.process(DT)
        if self.restarts == before or self.physics._state.clock > 0.0:
            self.physics.move_character(self._walker, (0.02, -0.05))
        self._reach("between")

    def _frame_with_pre_solve(self) -> None:
        """A frame in which nothing may come or go in ``pre_solve``."""
        before, message = self.restarts, ""
        try:
            esper.process(DT)
        except RuntimeError as error:
            message = str(error)
        assert message.startswith("physics.pre_solve must not create or delete") is (self.restarts > before)

    def seen(self) -> tuple[Any, ...]:
        """All that two equal worlds have in common."""
        physics, told = self.physics, list(self.told)
        hits = physics.hits
        return (
            physics.digest(),
            physics._state.clock,
            hits.entity_a.tolist(),
            hits.entity_b.tolist(),
            hits.depth.tobytes(),
            physics.hits.ended.reason.tolist(),
            self.particles.position.tobytes(),
            None if physics.fixed_step is None else (physics.fixed_step.step_count, physics.fixed_step.alpha),
            told,
        )

    def _reach(self, place: str) -> None:
        if place != self._place:
            return
        self._times -= 1
        if self._times <= 0:
            self._place = None
            self.restart()

    def _reacher(self, place: str) -> Callable[[], None]:
        return lambda: self._reach(place)

    def _teller(self, name: str) -> Callable[..., None]:
        def tell(*what: Any) -> None:
            self.told.append((name, *map(_plain, what)))
            self._reach(name)

        return tell

    def _ear(self) -> HitListener:
        number = self.restarts

        def hearer(name: str) -> Callable[[ecsphys.types.Hit], None]:
            def hear(hit: ecsphys.types.Hit) -> None:
                assert self.restarts == number, "a listener of an old level was called"
                self._handlers_of(name, hit)

            return hear

        return HitListener(hearer("on_started"), hearer("on_ongoing"), hearer("on_ended"))

    def _handlers_of(self, name: str, hit: ecsphys.types.Hit) -> None:
        self.told.append((name, _plain(hit)))
        self._reach(name)


def _plain(what: Any) -> Any:
    if isinstance(what, ecsphys.types.Hit):
        return what.entity_a, what.entity_b, what.depth, what.phase, what.reason
    if isinstance(what, ecsphys.types.JointBreak):
        return what.entity, what.entity_a, what.entity_b, what.reason, what.force
    return what
