"""Rigid bodies: balls that bounce, slides, a pyramid that is hit, dominoes, and a sorting floor for every shape."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.physics_parameters import gravity
from ecsphys.demo.scenes.scene import Box, Caption, Layout

ARENA: Box = (-24.0, -11.0, 24.0, 11.0)
_FLOOR = -10.0
_SHELF = 2.6
_LEFT, _RIGHT = -23.5, 23.5

_BOUNCES = (0.0, 0.3, 0.6, 0.8, 0.95)
_FRICTIONS = (0.1, 0.3, 0.5, 0.8)
_SLOPE = math.radians(25.0)

_BASE = 12
_PYRAMID = 6.0
_SHOT_SECONDS = 9.0
_SHOT = CircleCollider(0.9)

_DOMINOES = 24
_DROP_SECONDS = 0.3
_MOST_DROPPED = 70
_HAND = 1.0
_HAND_SPEED = 40.0


class Toys(esper.Processor):
    """Shoots at the pyramid, drops shapes onto the belt, and moves the hand after the mouse."""

    def __init__(self, physics: Physics, rng: np.random.Generator) -> None:
        self.physics = physics
        self._rng = rng
        self._clock = 0.0
        self._shot: int | None = None
        self._shots = 0
        self._drops = 0
        self._dropped: list[int] = []
        self._hand: int | None = None
        self._target = (0.0, 0.0)

    def point_at(self, x: float, y: float) -> None:
        """The mouse is at (x, y): from now on there is a hand."""
        self._target = (
            min(max(x, ARENA[0] + _HAND), ARENA[2] - _HAND),
            min(max(y, ARENA[1] + _HAND), ARENA[3] - _HAND),
        )
        if self._hand is None:
            parts = (Transform(*self._target), Velocity(), CircleCollider(_HAND), RigidBody("kinematic", friction=0.9))
            self._hand = esper.create_entity(*parts)

    def process(self, dt: float) -> None:
        self._clock += dt
        self._move_hand(dt)
        if self._clock >= 3.0 + self._shots * _SHOT_SECONDS:
            self._shoot()
        if self._clock >= self._drops * _DROP_SECONDS and dt > 0.0:
            self._drop()

    def _move_hand(self, dt: float) -> None:
        if self._hand is None or dt == 0.0:
            return
        transform = esper.component_for_entity(self._hand, Transform)
        velocity = esper.component_for_entity(self._hand, Velocity)
        away = math.hypot(self._target[0] - transform.x, self._target[1] - transform.y)
        rate = min(1.0 / dt, _HAND_SPEED / away) if away > 0.0 else 0.0
        velocity.x = (self._target[0] - transform.x) * rate
        velocity.y = (self._target[1] - transform.y) * rate

    def _shoot(self) -> None:
        self._shots += 1
        if self._shot is not None:
            esper.delete_entity(self._shot, immediate=True)
        self._shot = esper.create_entity(
            Transform(_LEFT + 2.0, _FLOOR + 2.5),
            Velocity(26.0, 5.0),
            CircleCollider(_SHOT.radius),
            RigidBody(density=6.0, restitution=0.2),
        )

    def _drop(self) -> None:
        self._drops += 1
        x = 8.0 + float(self._rng.uniform(0.0, 1.5))
        collider = _shape(self._drops)
        body = esper.create_entity(
            Transform(x, ARENA[3] - 0.6, float(self._rng.uniform(0.0, math.tau))),
            Velocity(0.0, -3.0),
            collider,
            RigidBody(),
        )
        self._dropped.append(body)
        if len(self._dropped) > _MOST_DROPPED:
            esper.delete_entity(self._dropped.pop(0), immediate=True)


def build(rng: np.random.Generator) -> Layout:
    physics = ecsphys.install(gravity=(0.0, -9.0))
    _wall(0.0, _FLOOR - 0.5, 30.0, 0.5)
    _wall(_LEFT - 0.5, 0.0, 0.5, 12.0)
    _wall(_RIGHT + 0.5, 0.0, 0.5, 12.0)
    _bouncing()
    _sliding()
    _pyramid()
    _dominoes()
    _belt()
    toys = Toys(physics, rng)
    esper.add_processor(toys, priority=450)
    return Layout(
        physics,
        ARENA,
        [
            Caption(_LEFT + 0.3, 10.6, "Restitution", ", ".join(f"{e:g}" for e in _BOUNCES)),
            Caption(
                -12.4, 10.6, "Friction", f"{', '.join(f'{mu:g}' for mu in _FRICTIONS)} on {math.degrees(_SLOPE):.0f}°"
            ),
            Caption(13.6, 10.6, "A belt", "a static body with a tangent speed"),
            Caption(_LEFT + 0.3, _SHELF - 1.0, "A pyramid, and what hits it", "at rest they sleep, and cost nothing"),
            Caption(13.4, -3.8, "Dominoes", "the mouse is a hand: push"),
        ],
        show_contacts=False,
        parameters=[gravity(physics), _substeps(physics)],
        readings=[Reading("asleep", lambda: _asleep(physics))],
        point_at=toys.point_at,
    )


def _substeps(physics: Physics) -> Parameter:
    def put(count: float) -> None:
        physics.bodies.solver_substeps = round(count)

    return Parameter("solver substeps", lambda: physics.bodies.solver_substeps, put, (1, 2, 4, 8, 16))


def _asleep(physics: Physics) -> str:
    bodies = [entity for entity, body in esper.get_component(RigidBody) if body.kind == "dynamic"]
    return f"{sum(physics.bodies.is_asleep(entity) for entity in bodies)} of {len(bodies)} bodies"


def _wall(
    x: float,
    y: float,
    half_width: float,
    half_height: float,
    angle: float = 0.0,
    friction: float | None = None,
    tangent_speed: float = 0.0,
) -> None:
    """A plank that stays; one with a friction of its own is a static body."""
    collider: Collider = OBBCollider(half_width, half_height) if angle else AABBCollider(half_width, half_height)
    body = Solid() if friction is None else RigidBody("static", friction=friction, tangent_speed=tangent_speed)
    esper.create_entity(Transform(x, y, angle), collider, body)


def _bouncing() -> None:
    _wall(-18.6, _SHELF - 0.15, 5.0, 0.15)
    for place, restitution in enumerate(_BOUNCES):
        esper.create_entity(
            Transform(-22.2 + 1.8 * place, 8.0), CircleCollider(0.55), RigidBody(restitution=restitution)
        )


def _sliding() -> None:
    for place, friction in enumerate(_FRICTIONS):
        x, y = -10.6 + 3.4 * place, 5.6
        _wall(x, y, 1.75, 0.12, _SLOPE, friction=friction)
        along, across = 1.1, 0.46
        c, s = math.cos(_SLOPE), math.sin(_SLOPE)
        box = OBBCollider(0.45, 0.32)
        esper.create_entity(
            Transform(x + along * c - across * s, y + along * s + across * c, _SLOPE), box, RigidBody(friction=friction)
        )
    _wall(-5.6, _SHELF - 0.15, 7.4, 0.15)
    _wall(-13.1, _SHELF + 1.6, 0.1, 1.6)


def _pyramid() -> None:
    for row in range(_BASE):
        for column in range(_BASE - row):
            x = _PYRAMID + (column + 0.5 * row - 0.5 * (_BASE - 1)) * 0.98 - 8.0
            esper.create_entity(Transform(x, _FLOOR + 0.45 + 0.9 * row), OBBCollider(0.45, 0.45), RigidBody())


def _dominoes() -> None:
    _wall(17.6, -3.2, 5.4, 0.12)
    for place in range(_DOMINOES // 2):
        esper.create_entity(Transform(13.0 + 0.75 * place, -3.08 + 0.8), OBBCollider(0.1, 0.8), RigidBody())


def _belt() -> None:
    _wall(10.6, 3.4, 5.6, 0.2, 0.0, tangent_speed=3.0, friction=0.9)
    _wall(20.4, 0.6, 2.4, 0.12, math.radians(-20.0))


def _shape(number: int) -> Collider | CompoundCollider:
    """Shapes by turns, one of each collider."""
    return (
        lambda: CircleCollider(0.42),
        lambda: OBBCollider(0.5, 0.3),
        lambda: CapsuleCollider(0.6, 0.24),
        lambda: FanCollider(0.75, 2.2, 0.0),
        lambda: PolygonCollider([(0.5, -0.3), (0.35, 0.4), (-0.35, 0.4), (-0.5, -0.3), (0.0, -0.5)]),
        lambda: PolygonCollider([(0.35, 0.0), (-0.2, 0.3), (-0.2, -0.3)], 0.12),
        lambda: CompoundCollider([OBBCollider(0.5, 0.14), OBBCollider(0.14, 0.5)]),
    )[number % 7]()
