"""The game as the demo plays it: an esper world with the game's systems, stepped like any other scene."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import esper
import numpy as np

import ecsphys
from ecsphys.demo.game import level
from ecsphys.demo.game.autoplay import Autoplay
from ecsphys.demo.game.boss import BossSystem
from ecsphys.demo.game.bridge import JOINT_ITERATIONS, add_bridge
from ecsphys.demo.game.controls import DIRECTIONS, HELP, KEYS, Controls
from ecsphys.demo.game.crates import add_crates
from ecsphys.demo.game.damage import DamageSystem
from ecsphys.demo.game.enemies import FoeSystem
from ecsphys.demo.game.gates import GateSystem
from ecsphys.demo.game.hero import HeroSystem, create_hero
from ecsphys.demo.game.pointer import BoltPointer
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.sea import SeaSystem
from ecsphys.demo.game.session import Session
from ecsphys.demo.game.splashes import SplashSystem
from ecsphys.demo.game.vista import create_vista
from ecsphys.demo.scenes.scene import STEP, Layout, LiveScene, Scene

if TYPE_CHECKING:
    from ecsphys.demo.game.drawing import GamePicture

_GRAVITY = -18.0  # of particles and bombs; the hero has a gravity of its own, as heroes do
_VIEW_RATE = 4.0  # 1/s, at which the view follows
_VIEW_AHEAD = 4.0  # units that it looks ahead of the hero
_SAFE_MARGIN = 2.0  # units from an edge: where the hero gets up after a fall
_RECENT = 3.0  # seconds that moments are kept
_END_SECONDS = 0.8  # that the last screen stays at least


class Game(LiveScene):
    """A game in an esper world of its own; ``step`` advances it by ``STEP``, ``controls`` say what the player wants.

    It is a scene as the others of the demo are, and besides has the ``session``, from which its picture is painted.
    With ``autoplay`` a script holds the controls.
    """

    def __init__(self, scene: Scene, seed: int = 0, autoplay: bool = False) -> None:
        super().__init__(replace(scene, build=self._install), seed)
        self._autoplay = Autoplay(self.session) if autoplay else None

    @property
    def controls(self) -> Controls:
        return self.session.controls

    @property
    def state(self) -> State:
        return self.session.state

    def step(self, dt: float = STEP) -> None:
        """Advance the game by one step."""
        self.enter()
        if self._autoplay is not None:
            self._autoplay.decide()
        self.controls.advance()
        if self._wants_to_begin() and self._may_begin():
            self.begin()
        super().step(dt)

    def begin(self) -> None:
        """Start a game from the beginning, whatever was before."""
        self.enter()
        build_level(self.session, self._damage)
        self._process(0.0)
        self.session.enter(State.PLAY)

    def press(self, key: str) -> bool:
        return self.controls.press_key(key)

    def release(self, key: str) -> None:
        self.controls.release_key(key)

    def own_keys(self) -> frozenset[str]:
        return super().own_keys() | KEYS.keys() | DIRECTIONS.keys()

    def open_picture(self) -> GamePicture:
        from ecsphys.demo.game.drawing import GamePicture

        return GamePicture(self)

    @property
    def is_over(self) -> bool:
        return self.state in (State.WIN, State.LOSE)

    def outcome(self) -> str:
        """ "win" or "lose", "unfinished" for a game that was quit, and the score."""
        word = self.state.value if self.is_over else "unfinished"
        return f"{word} {self.session.tally.score}"

    def _wants_to_begin(self) -> bool:
        """A jump begins the first game too: Space is what many players press."""
        pressed = self.controls.pressed
        return "start" in pressed or (self.state is State.TITLE and "jump" in pressed)

    def _may_begin(self) -> bool:
        """Not in the middle of a game, and not before the player has seen how the last one ended."""
        if self.state is State.TITLE:
            return True
        return self.state is not State.PLAY and self.session.state_time > _END_SECONDS

    def _install(self, rng: np.random.Generator) -> Layout:
        self.session, self._damage = install(rng)
        return _layout(self.session)


def build(rng: np.random.Generator) -> Layout:
    """The game at its title as a plain scene without a player."""
    return _layout(install(rng)[0])


def install(rng: np.random.Generator) -> tuple[Session, DamageSystem]:
    """Add the game's systems to the current world, and build the level."""
    session = Session(ecsphys.install(gravity=(0.0, _GRAVITY)), int(rng.integers(2**32)))
    session.physics.settings.joint_iterations = JOINT_ITERATIONS
    damage = DamageSystem(session)
    foes, boss = FoeSystem(session, damage.on_shot), BossSystem(session, damage.on_shot)
    for system in (GateSystem(session), foes, boss, SeaSystem(session)):
        esper.add_processor(system, priority=ecsphys.Priority.INPUT)
    # After crates have moved, and before what it carries follows.
    esper.add_processor(HeroSystem(session, damage.on_strike), priority=ecsphys.Priority.HIERARCHY + 5)
    esper.add_processor(session.particles, priority=ecsphys.Priority.PARTICLE)
    esper.add_processor(session.light, priority=ecsphys.Priority.LIGHT)
    esper.add_processor(session.scrolling, priority=ecsphys.Priority.SCROLLING)
    esper.add_processor(ecsphys.systems.LifetimeSystem(session.physics), priority=ecsphys.Priority.LIFETIME)
    for after_hits in (damage, SplashSystem(session, session.particles), ViewSystem(session)):
        esper.add_processor(after_hits)
    build_level(session, damage)
    return session, damage


def build_level(session: Session, damage: DamageSystem) -> None:
    """The level as it is at the beginning, with the hero at its left end, in place of all there was."""
    esper.clear_database()
    session.reset()
    level.build(session.rng)
    add_crates(damage.on_crash)
    add_bridge()
    session.hero = create_hero(*level.START)
    session.vista = create_vista()
    session.vista.camera.x = session.view_x


def _layout(session: Session) -> Layout:
    arena = (0.0, level.VIEW_BOTTOM, level.LENGTH, level.VIEW_BOTTOM + level.VIEW_HEIGHT)
    return Layout(
        session.physics,
        arena,
        paints_itself=True,
        pointer=BoltPointer(session),
        help=HELP,
    )


class ViewSystem(esper.Processor):
    """Time, the view that follows the hero, and where the hero last stood safely."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def process(self, dt: float) -> None:
        session = self._session
        session.time += dt
        session.state_time += dt
        session.shake = max(session.shake - 1.6 * dt, 0.0)
        if session.moments and session.moments[0].time < session.time - _RECENT:
            session.forget_moments(session.time - _RECENT)
        if session.state is State.PLAY:
            session.tally.pass_time(dt)
            self._follow(dt)
            self._remember_place()

    def _follow(self, dt: float) -> None:
        session, hero = self._session, self._session.hero
        aim = hero.transform.x + _VIEW_AHEAD
        left = level.ARENA_LEFT if session.in_arena else 0.0
        if session.fight is not None:
            aim = session.fight.x
        aim = min(max(aim, left + 0.5 * level.VIEW_WIDTH), level.LENGTH - 0.5 * level.VIEW_WIDTH)
        session.view_x += (aim - session.view_x) * min(_VIEW_RATE * dt, 1.0)
        if session.vista is not None:
            session.vista.camera.x = session.view_x

    def _remember_place(self) -> None:
        session, hero = self._session, self._session.hero
        x, y = hero.transform.x, hero.transform.y
        if not hero.on_floor or session.tally.is_down or y > 1.0:
            return
        for left, right in level.GROUND:
            if left + _SAFE_MARGIN < x < right - _SAFE_MARGIN:
                session.safe_place = (x, max(y, 0.8))
