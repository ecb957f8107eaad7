"""What walks in the platformer, and how: a controller of twenty lines, and plans that press its keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import esper

from ecsphys import CapsuleCollider, Character, CollisionFilter, InputState, Physics, Transform
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.boxes import shortened
from ecsphys.types import CharacterMove

GRAVITY = 22.0
SPEED = 3.0
_JUMP = 8.6
_COYOTE_SECONDS = 0.1
_FASTEST_FALL = 20.0
_FLAT_SECONDS = 1.2
_CARRY_SPEED = 30.0


@dataclass(frozen=True)
class Keys:
    """What is pressed: ``walk`` from −1 to 1."""

    walk: float = 0.0
    jump: bool = False
    drop: bool = False


Plan = Callable[["Walker", float], Keys]
"""What a walker presses at a time, in seconds."""


@dataclass
class Walker:
    """A character, its plan, and what its controller keeps of it."""

    entity: int
    place: Transform
    start: tuple[float, float]
    plan: Plan
    clock: float = 0.0
    speed_y: float = 0.0
    drift: float = 0.0
    facing: float = 1.0
    coyote: float = 0.0
    flat: float = 0.0
    """Seconds that it is still shown as crushed."""
    last: CharacterMove | None = None
    carried_to: Pair | None = None
    """Where the mouse carries it."""
    by_hand: InputState | None = field(default=None, repr=False)

    @classmethod
    def at(cls, x: float, y: float, plan: Plan) -> Walker:
        """A new character that stands or falls at (x, y)."""
        place = Transform(x, y)
        entity = esper.create_entity(
            place,
            CapsuleCollider(0.34, 0.26, angle=0.5 * math.pi),
            Character(slope_limit=math.radians(50.0), step_height=0.4, snap_distance=0.4),
            CollisionFilter(group=-1),
        )
        return cls(entity, place, (x, y), plan)


class Walkers(esper.Processor):
    """Moves the characters, after the platforms have moved and before hits are looked for."""

    def __init__(self, physics: Physics, walkers: list[Walker], keys: InputState) -> None:
        self.physics = physics
        self.walkers = walkers
        self.hero = walkers[0]
        self._keys = keys

    def process(self, dt: float) -> None:
        if self._keys.x or self._keys.y:
            self.hero.by_hand = self._keys
        walking: list[Walker] = []
        for walker in self.walkers:
            walker.clock += dt
            if walker.flat > 0.0:
                walker.flat -= dt
                if walker.flat <= 0.0:
                    walker.place.x, walker.place.y = walker.start
            else:
                walking.append(walker)
        pressed = [self._pressed(walker) for walker in walking]
        moves = self.physics.move_characters(
            [walker.entity for walker in walking],
            [_way(walker, keys, dt) for walker, keys in zip(walking, pressed, strict=True)],
            [keys.drop for keys in pressed],
        )
        for walker, move in zip(walking, moves, strict=True):
            _follow(walker, move, dt)

    def _pressed(self, walker: Walker) -> Keys:
        if walker.carried_to is not None:
            return Keys()
        if walker.by_hand is None:
            return walker.plan(walker, walker.clock)
        return Keys(walker.by_hand.x, walker.by_hand.y > 0.5, walker.by_hand.y < -0.5)


def _way(walker: Walker, keys: Keys, dt: float) -> tuple[float, float]:
    """By how much it wants to move: to the mouse that carries it, or as the keys say, and falling."""
    if walker.carried_to is not None:
        x, y = walker.carried_to
        walker.speed_y = walker.drift = 0.0
        return shortened(x - walker.place.x, y - walker.place.y, _CARRY_SPEED * dt)
    before = walker.last
    if keys.walk:
        walker.facing = math.copysign(1.0, keys.walk)
    if keys.jump and walker.coyote > 0.0:
        walker.speed_y, walker.coyote = _JUMP, 0.0
        walker.drift = before.floor_velocity[0] if before is not None else 0.0
    walker.speed_y = max(walker.speed_y - GRAVITY * dt, -_FASTEST_FALL)
    return (SPEED * keys.walk + walker.drift) * dt, walker.speed_y * dt


def _follow(walker: Walker, move: CharacterMove, dt: float) -> None:
    """Keep what became of its move."""
    if move.on_floor:
        walker.speed_y, walker.drift, walker.coyote = 0.0, 0.0, _COYOTE_SECONDS
    else:
        walker.coyote -= dt
    if move.on_ceiling:
        walker.speed_y = min(walker.speed_y, 0.0)
    if move.crushed:
        walker.flat = _FLAT_SECONDS
    walker.last = move


def stands(walker: Walker, time: float) -> Keys:
    """Does nothing but ride."""
    return Keys()


def seeks(x: float, hurry: float = 4.0) -> Plan:
    """Walks towards a place, against whatever takes it away."""
    return lambda walker, time: Keys(min(max(hurry * (x - walker.place.x), -1.0), 1.0))


def patrols(low: float, high: float, speed: float = 1.0) -> Plan:
    """Walks to and fro between two places."""

    def plan(walker: Walker, time: float) -> Keys:
        beyond = walker.place.x - 0.5 * (low + high)
        facing = walker.facing if abs(beyond) < 0.5 * (high - low) else -math.copysign(1.0, beyond)
        return Keys(speed * facing)

    return plan


def repeats(*acts: tuple[float, Keys]) -> Plan:
    """Presses keys for some seconds each, again and again."""
    period = sum(seconds for seconds, _ in acts)

    def plan(walker: Walker, time: float) -> Keys:
        time %= period
        for seconds, keys in acts:
            if time < seconds:
                return keys
            time -= seconds
        return Keys()

    return plan
