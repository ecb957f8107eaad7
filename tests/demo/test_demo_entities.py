"""What the scene of entities shows, checked with the hits as arrays."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

import esper
import pytest

from ecsphys import CollisionFilter
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.entities.cells import DisabledCell, ListenerCell
from ecsphys.demo.scenes.entities.layers import TABLES, LayersCell
from ecsphys.demo.scenes.entities.parts import PartsCell
from ecsphys.demo.scenes.scene import LiveScene

T = TypeVar("T", bound=esper.Processor)


@pytest.fixture
def live() -> LiveScene:
    return open_scene("entities")


def cell(live: LiveScene, kind: type[T]) -> T:
    live.enter()
    found = esper.get_processor(kind)
    assert isinstance(found, kind)
    return found


def test_the_hexagon_hits_nothing_while_it_is_disabled_and_its_hits_end_as_that(live: LiveScene) -> None:
    blinking = cell(live, DisabledCell)
    seen = []
    for _ in range(600):
        was_disabled = blinking.is_disabled
        hits = len(live.physics.hits.of(blinking.entity))
        live.step()
        ended = live.physics.hits.ended
        own = (ended.entity_a == blinking.entity) | (ended.entity_b == blinking.entity)
        if blinking.is_disabled and not was_disabled:
            assert hits > 0
            assert ended.reason[own].tolist() == ["disabled"] * hits
            seen.append(hits)
        if blinking.is_disabled:
            assert not live.physics.hits.of(blinking.entity)
        else:
            assert "disabled" not in ended.reason[own]
    live.step()
    assert len(seen) >= 3
    assert blinking.reasons["disabled"] == sum(seen)


def test_each_target_counts_its_own_hits_and_the_balls_stay_in_their_box(live: LiveScene) -> None:
    listening = cell(live, ListenerCell)
    counted: Counter[int] = Counter()
    low_x, low_y, high_x, high_y = listening.box
    for _ in range(600):
        live.step()
        started = live.physics.hits.started
        counted.update([*started.entity_a.tolist(), *started.entity_b.tolist()])
        for ball in listening.balls:
            assert low_x < ball.transform.x < high_x
            assert low_y < ball.transform.y < high_y
    counts = [target.count for target in listening.targets]
    assert counts == [counted[target.entity] for target in listening.targets]
    assert min(counts) > 5


@pytest.mark.parametrize("name", list(TABLES))
def test_who_meets_in_the_streams_is_what_the_table_says(live: LiveScene, name: str) -> None:
    cell(live, LayersCell).set_table(name)
    layers = cell(live, LayersCell).layers
    assert all(esper.has_component(entity, CollisionFilter) for entity in layers)
    met = set()
    for _ in range(360):
        live.step()
        hits = live.physics.hits
        for a, b in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True):
            if a in layers:
                met.add(frozenset((layers[a], layers[b])))
    table = TABLES[name]
    assert met == {
        frozenset((a, b)) for a in layers.values() for b in layers.values() if a is not b and table.meets(a, b)
    }


def test_every_part_of_the_ship_is_hit_and_counted(live: LiveScene) -> None:
    parts = cell(live, PartsCell)
    counted: Counter[int] = Counter()
    for _ in range(1200):
        live.step()
        started = live.physics.hits.started
        for part in (started.part_a, started.part_b):
            counted.update(part[part >= 0].tolist())
    assert parts.counts == [counted[number] for number in range(5)]
    assert min(parts.counts) > 0
