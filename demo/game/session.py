"""What the game's systems share while a game runs: state, tally, hero, view, and what has just happened."""

from __future__ import annotations

from dataclasses import dataclass

import esper
import numpy as np

import ecsphys
from ecsphys import Transform
from ecsphys.demo.game.controls import Controls
from ecsphys.demo.game.level import ARENA_LEFT, START, VIEW_WIDTH
from ecsphys.demo.game.rules import State, Tally
from ecsphys.demo.game.vista import Vista
from ecsphys.systems import LightSystem, ParticleSystem, ScrollingSystem
from ecsphys.types import CharacterMove


@dataclass
class Hero:
    """The hero's motion and timers, in units and seconds; the place is in the entity's ``Transform``.

    It is a component of that entity.
    """

    entity: int = 0
    vx: float = 0.0
    vy: float = 0.0
    facing: int = 1
    move: CharacterMove | None = None
    """The last one: whether it stands, and on what."""
    since_floor: float = 0.0
    jump_wanted: float = 0.0
    swing_left: float = 0.0
    dash_left: float = 0.0
    bolt_wait: float = 0.0
    swing_wait: float = 0.0
    dash_wait: float = 0.0
    down_left: float = 0.0
    stride: float = 0.0
    """Length of way run on the ground, which moves the legs."""
    is_pushing: bool = False
    """Whether it leans against a crate."""

    @property
    def on_floor(self) -> bool:
        return self.move is not None and self.move.on_floor

    @property
    def transform(self) -> Transform:
        return esper.component_for_entity(self.entity, Transform)


@dataclass
class Boss:
    """The Keeper's entity, the attack it is at, and the time until the next."""

    entity: int
    x: float = 0.0
    y: float = 0.0
    attack: int = 0
    elapsed: float = 0.0
    shots: int = 0
    aim: float = 0.0
    """Angle of its light."""
    beam: int | None = None
    health: float = 1.0
    """Share that is left, 0 to 1."""


@dataclass
class Fight:
    """A fight on the way: its middle, the walls that close it, the foes that belong to it, and the next wave."""

    x: float
    walls: list[int]
    foes: list[int]
    wave: int = 0
    pause: float = 0.0


@dataclass(frozen=True)
class Moment:
    """Something that has happened at a place, for the picture: a name, and an amount where it has one."""

    name: str
    x: float
    y: float
    time: float
    amount: float = 0.0


class Session:
    """One game from title to title; ``begin`` in world.py renews it."""

    def __init__(self, physics: ecsphys.Physics, seed: int) -> None:
        self.physics = physics
        self.particles = ParticleSystem(physics, seed)
        self.light = LightSystem(physics)
        self.scrolling = ScrollingSystem(physics)
        self.seed = seed
        self.controls = Controls()
        self.state = State.TITLE
        self.reset()

    def reset(self) -> None:
        """Forget the last game; the hero is created anew by the caller."""
        self.particles.clear()
        self.rng = np.random.default_rng(self.seed)
        self.tally = Tally()
        self.time = 0.0
        self.state_time = 0.0
        self.hero = Hero()
        self.boss: Boss | None = None
        self.won_in: float | None = None
        """Seconds from the boss's defeat to the win."""
        self.next_foe = 0
        self.next_gate = 0
        self.fight: Fight | None = None
        self.view_x = 0.5 * VIEW_WIDTH
        """The middle of the view."""
        self.shake = 0.0
        self.vista: Vista | None = None
        self.safe_place = START
        self.moments: list[Moment] = []
        self.splashed = 0
        """How many of the moments have made their splash."""

    @property
    def view_left(self) -> float:
        return self.view_x - 0.5 * VIEW_WIDTH

    @property
    def in_arena(self) -> bool:
        return self.boss is not None or self.won_in is not None or self.view_left >= ARENA_LEFT - 1e-9

    def forget_moments(self, before: float) -> None:
        """Forget what has happened before a time."""
        kept = [moment for moment in self.moments if moment.time >= before]
        self.splashed -= len(self.moments) - len(kept)
        self.moments = kept

    def tell(self, name: str, x: float, y: float, amount: float = 0.0) -> None:
        """Let the picture know that something has happened."""
        self.moments.append(Moment(name, x, y, self.time, amount))

    def enter(self, state: State) -> None:
        self.state = state
        self.state_time = 0.0
