"""A scripted player: looks at the world, as far as the view shows it, and holds the controls."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper

from ecsphys import Transform
from ecsphys.demo.game.boss import BEAM_SWEEP, WARNING
from ecsphys.demo.game.level import ARENA_LEFT, ARENA_RIGHT, BRIDGE, CRATE_HALF, GROUND, RAMPS, VIEW_WIDTH
from ecsphys.demo.game.parts import BEAM, KEEPER, Crate, Foe, Harm
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Boss, Session

_TITLE_SECONDS = 1.5
_REACH = 2.4
_AIM = 13.0


class Autoplay:
    """Decides anew before every step; it has no memory but the session's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._step = 0

    def decide(self) -> None:
        """Hold the controls as the state of the game asks for."""
        session, controls = self._session, self._session.controls
        self._step += 1
        controls.clear()
        if session.state is State.TITLE:
            if session.state_time >= _TITLE_SECONDS:
                controls.hold("start")
            return
        if session.state is not State.PLAY or session.tally.is_down:
            return
        if session.boss is not None:
            self._fight(session.boss)
        elif session.fight is not None and (foes := self._places(session.fight.foes)):
            self._clear(foes)
        elif session.won_in is None:
            self._travel()

    def _tap(self, action: str) -> None:
        """Press an action, letting it go in between: every third step."""
        if self._step % 3 == 0:
            self._session.controls.hold(action)

    def _travel(self) -> None:
        """To the right: over the sea, through crates, past foes."""
        session, hero, controls = self._session, self._session.hero, self._session.controls
        x, y = hero.transform.x, hero.transform.y
        controls.x = 1.0
        controls.held.add("jump")  # held, jumps go high; it is pressed below
        for foe_x, foe_y in self._foes():
            ahead, above = foe_x - x, foe_y - y
            if -1.0 < ahead < _REACH + 0.6 and abs(above) < 1.7:
                self._tap("sword")
                if ahead < 1.6:
                    controls.x = 0.0
            elif 0.0 < ahead < _AIM and abs(above) < 0.8 and session.tally.energy > 2.0:
                self._tap("bolt")
            elif 2.0 < ahead < 9.0 and abs(above - ahead) < 1.0 and session.tally.energy > 3.0:
                controls.y = 1.0
                self._tap("bolt")
        self._parry()
        for crate_x, crate_y in self._crates():
            if 0.0 < crate_x - x < 2.2 and abs(crate_y - y) < 1.4:
                self._tap("sword")
                if crate_x - x < CRATE_HALF + 0.6:
                    controls.x = 0.4
        if hero.on_floor and self._must_jump(x):
            controls.held.discard("jump")
            controls.hold("jump")

    def _clear(self, foes: list[tuple[float, float]]) -> None:
        """In a closed place: to the nearest foe, and strike it with what reaches it."""
        session, hero, controls = self._session, self._session.hero, self._session.controls
        x, y = hero.transform.x, hero.transform.y
        foe_x, foe_y = min(foes, key=lambda place: math.hypot(place[0] - x, place[1] - y))
        ahead, above = foe_x - x, foe_y - y
        side = 1.0 if ahead > 0.0 else -1.0
        controls.held.add("jump")
        controls.x = side if abs(ahead) > 1.9 else (0.3 * side if hero.facing != side else 0.0)
        if math.hypot(ahead, above) < _REACH + 0.4:
            self._tap("sword")
        elif session.tally.energy > 1.5 and abs(ahead) < _AIM:
            if abs(above) < 0.7:
                controls.x = side
                self._tap("bolt")
            elif above > 0.0 and abs(above - abs(ahead)) < 0.8:
                controls.x, controls.y = side, 1.0
                self._tap("bolt")
            elif above > 0.0 and abs(ahead) < 0.6:
                controls.x, controls.y = 0.0, 1.0
                self._tap("bolt")
        self._parry()
        for crate_x, crate_y in self._crates():
            if 0.0 < (crate_x - x) * side < 2.2 and abs(crate_y - y) < 1.4:
                self._tap("sword")
        is_stuck = abs(controls.x) == 1.0 and abs(hero.vx) < 1.0
        if hero.on_floor and (is_stuck or (1.6 < above < 4.5 and abs(ahead) < 2.5)):
            controls.held.discard("jump")
            controls.hold("jump")

    def _must_jump(self, x: float) -> bool:
        if any(0.0 < right - x < 0.9 for _, right in GROUND if right != BRIDGE[0]):
            return True
        return any(-1.3 < x - left < 0.1 for left, _, _ in RAMPS)

    def _parry(self) -> None:
        """Cut what flies towards the hero, jump over what cannot be cut."""
        hero = self._session.hero
        x, y = hero.transform.x, hero.transform.y
        for harm_x, harm_y, kind in self._harms():
            if kind != BEAM and math.hypot(harm_x - x, harm_y - y) < 2.6:
                if (harm_x - x) * hero.facing < -0.3:
                    self._session.controls.x = -0.3 * hero.facing
                self._tap("sword")

    def _fight(self, boss: Boss) -> None:
        """Keep away a little, throw bolts along the eighths of a turn, dash through the beam."""
        hero, controls = self._session.hero, self._session.controls
        keeper = esper.component_for_entity(boss.entity, Transform)
        x, y = hero.transform.x, hero.transform.y
        ahead, above = keeper.x - x, keeper.y - y
        side = 1.0 if ahead > 0.0 else -1.0
        # Where the bolts go: the distance at which the Keeper is straight up the diagonal.
        distance = max(above, 2.5)
        gap = abs(ahead) - distance
        if not ARENA_LEFT + 1.5 < x < ARENA_RIGHT - 1.5:
            gap = abs(gap)
        controls.x = side if gap > 0.4 else (-side if gap < -0.8 else 0.0)
        if abs(gap) < 1.0 or abs(above) < 1.2:
            self._shoot(side, above)
        if math.hypot(ahead, above) < 3.6:
            controls.x = side
            self._tap("sword")
        self._parry()
        if boss.attack == BEAM_SWEEP and boss.elapsed > WARNING:
            # Where the light meets the height of the hero.
            foot = keeper.x + above / math.tan(boss.aim) if math.tan(boss.aim) != 0.0 else math.inf
            if -0.2 < x - foot < 2.2:
                controls.x = -1.0
                self._tap("lance")

    def _shoot(self, side: float, above: float) -> None:
        controls, tally = self._session.controls, self._session.tally
        if tally.energy < 2.5:
            return
        if controls.x == 0.0:
            controls.x = 0.45 * side
        if controls.x * side > 0.0:
            controls.y = 1.0 if above > 1.2 else 0.0
            self._tap("bolt")

    @staticmethod
    def _places(entities: list[int]) -> list[tuple[float, float]]:
        places = (esper.component_for_entity(entity, Transform) for entity in entities if esper.entity_exists(entity))
        return [(place.x, place.y) for place in places]

    def _foes(self) -> Iterator[tuple[float, float]]:
        for entity, (foe, place) in esper.get_components(Foe, Transform):
            if foe.kind != KEEPER and esper.entity_exists(entity) and self._is_seen(place):
                yield place.x, place.y

    def _harms(self) -> Iterator[tuple[float, float, int]]:
        for entity, (harm, place) in esper.get_components(Harm, Transform):
            if esper.entity_exists(entity) and self._is_seen(place):
                yield place.x, place.y, harm.kind

    def _crates(self) -> Iterator[tuple[float, float]]:
        for entity, (_, place) in esper.get_components(Crate, Transform):
            if esper.entity_exists(entity) and self._is_seen(place):
                yield place.x, place.y

    def _is_seen(self, place: Transform) -> bool:
        return abs(place.x - self._session.view_x) < 0.5 * VIEW_WIDTH
