"""One scene, opened, attacked, inspected, recorded, closed and replayed."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import esper
import numpy as np

from checks.demo.hostile_user import Clock, HostileUser
from checks.demo.inspection import entity_count, inspect, lost_bodies, require
from ecsphys.demo import mouse as mouse_module
from ecsphys.demo import window as window_module
from ecsphys.demo.player import Player
from ecsphys.demo.window import Session
from ecsphys.replay import replay

if TYPE_CHECKING:
    from pyglet.window import Window

_BATCHES, _ACTS = 6, 10
_CALM_SECONDS = 12.0
_SLOWEST = 150.0
"""Milliseconds of a step, the median of a batch."""


@dataclass
class Visit:
    """What was done to a scene, and what it took."""

    scene: str
    seed: int
    acts: int = 0
    steps: int = 0
    slowest: float = 0.0
    """Milliseconds of a step, the median of the slowest batch."""
    most_entities: int = 0
    is_replayed: bool = False


def attack(window: Window, visit: Visit, folder: Path) -> None:
    """Play a scene against all rules; any exception is a fault, with what the user did last in a note."""
    random = np.random.default_rng((visit.seed, *visit.scene.encode()))
    wanders = bool(random.random() < 0.5)
    path = folder / f"{visit.scene}.replay"
    clock = Clock()
    worlds, handlers = set(esper.list_worlds()), len(window._event_stack)
    with patch.object(window_module, "time", clock), patch.object(mouse_module, "time", clock):
        player = Player(window, visit.seed, wait=True, record_to=str(path))
        session = Session(player, window, None, None)
        user = HostileUser(window, session, player, clock, random, wanders)
        try:
            user.resize(640, 400)
            session._open(visit.scene)
            _play(user, player, visit, wanders)
        except Exception as error:
            error.add_note(f"after {visit.acts} acts, {visit.steps} steps: {', '.join(user.told[-12:])}")
            raise
        finally:
            window.pop_handlers()
            player._end_recording()
            if player.has_scene:
                player.live.close()
    require(set(esper.list_worlds()) <= worlds, f"worlds are left: {set(esper.list_worlds()) - worlds}")
    require(len(window._event_stack) == handlers, "handlers of the window are left")
    difference = replay(path)
    require(difference is None, f"the recording does not replay: {difference}")
    visit.is_replayed = True
    path.unlink()
    gc.collect()


def _play(user: HostileUser, player: Player, visit: Visit, wanders: bool) -> None:
    starts: dict[str, int] = {}
    live = None
    for _ in range(_BATCHES):
        player.simulate.samples.clear()
        for _ in range(_ACTS):
            user.act()
            visit.acts += 1
            if player.live is not live:
                live = player.live
                live.enter()
                starts.setdefault(live.scene.name, entity_count())
        times = player.simulate.samples
        visit.steps += len(times)
        player.draw()
        inspect(player.live, starts[player.live.scene.name])
        visit.most_entities = max(visit.most_entities, entity_count())
        if times:
            median = float(np.median(times))
            visit.slowest = max(visit.slowest, median)
            require(median < _SLOWEST, f"a step of {player.live.scene.name} takes {median:.0f} ms")
    if not wanders:
        for number, slider in enumerate([] if player.view is None else player.view.toolbar.sliders):
            player.events.send("put", number, slider.default)
        user.calm(_CALM_SECONDS)
        inspect(player.live, starts[player.live.scene.name], is_calm=True)
        if player.live.layout.has_bodies:
            lost = lost_bodies(player.live)
            require(not lost, f"{len(lost)} bodies are far outside, as {[*map(esper.components_for_entity, lost[:1])]}")
        player.draw()
