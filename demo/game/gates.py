"""Fights on the way: the view stands still and the way is closed until all waves of foes are beaten."""

from __future__ import annotations

import esper

from ecsphys.demo.game.enemies import add_foe
from ecsphys.demo.game.level import GATES, VIEW_WIDTH, add_wall
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Fight, Session

_REACH = 2.0  # from the middle of a fight's place: where it begins
_PAUSE = 0.8  # seconds before each wave


class GateSystem(esper.Processor):
    """Begins a fight when the hero comes to its place, sends wave after wave, and opens the way again."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def process(self, dt: float) -> None:
        session = self._session
        if session.state is not State.PLAY:
            return
        fight = session.fight
        if fight is None:
            if session.next_gate < len(GATES) and session.hero.transform.x > GATES[session.next_gate].x - _REACH:
                session.fight = self._close(GATES[session.next_gate].x)
            return
        fight.pause -= dt
        if fight.pause > 0.0 or any(esper.entity_exists(foe) for foe in fight.foes):
            return
        waves = GATES[session.next_gate].waves
        if fight.wave == len(waves):
            self._open(fight)
            return
        for place in waves[fight.wave]:
            foe = add_foe(place)
            fight.foes.append(foe)
            session.tell("appear", place.x, place.y)
        fight.wave += 1
        fight.pause = _PAUSE

    def _close(self, x: float) -> Fight:
        """Walls at both ends of the view."""
        session = self._session
        session.tell("gate", x, 5.0)
        half = 0.5 * VIEW_WIDTH
        return Fight(x, [add_wall(x - half - 1.0), add_wall(x + half + 1.0)], [], pause=_PAUSE)

    def _open(self, fight: Fight) -> None:
        session = self._session
        for wall in fight.walls:
            esper.delete_entity(wall)
        session.fight = None
        session.next_gate += 1
        session.tally.heal()
        session.tell("open", fight.x, 5.0)
