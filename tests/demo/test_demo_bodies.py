"""Scenes of rigid bodies: something goes on happening, and the mouse and the sliders change it."""

from __future__ import annotations

import esper
import numpy as np
import pytest

from ecsphys import OBBCollider, RigidBody, Transform
from ecsphys.demo.scenes import SCENES, open_scene
from ecsphys.demo.scenes.scene import LiveScene

RIGID = [name for name, scene in SCENES.items() if scene.build.__module__.startswith("ecsphys.demo.scenes.rigid.")]


def test_wheels_cross_the_bridge_again_and_again() -> None:
    live = open_scene("bridge")
    crossed = []
    for _ in range(4):
        for _ in range(60 * 12):
            live.step()
        crossed.append(int(live.layout.readings[0].get()))
    assert (np.diff(crossed) >= 3).all()


def lowest_row() -> list[int]:
    """The dominoes of the lowest floor, from left to right."""
    rows = esper.get_components(Transform, OBBCollider, RigidBody)
    dominoes = [(place.x, entity) for entity, (place, _, body) in rows if body.kind == "dynamic" and place.y < 2.0]
    return [entity for _, entity in sorted(dominoes)]


def fallen(row: list[int]) -> list[int]:
    return [k for k, entity in enumerate(row) if abs(esper.component_for_entity(entity, Transform).angle) > 0.5]


def play(live: LiveScene, steps: int) -> None:
    for _ in range(steps):
        live.step()


@pytest.mark.parametrize("side", [-1, 1])
def test_a_click_beside_a_domino_tips_it_away_and_the_row_falls(side: int) -> None:
    live = open_scene("dominoes")
    play(live, 30)
    row = lowest_row()
    x = esper.component_for_entity(row[14], Transform).x + 0.2 * side
    assert live.layout.pointer is not None
    assert not live.layout.pointer.press(x, 1.2)
    play(live, 3)
    live.layout.pointer.release()
    play(live, 150)
    down = fallen(row)
    assert len(down) > 5
    assert (min(down) == 14) if side < 0 else (max(down) == 14)


def test_a_domino_that_is_dragged_is_held_and_not_tipped() -> None:
    live = open_scene("dominoes")
    play(live, 30)
    row = lowest_row()
    place = esper.component_for_entity(row[14], Transform)
    assert live.layout.pointer is not None
    assert not live.layout.pointer.press(place.x - 0.05, 1.2)
    assert live.grip.press(place.x - 0.05, 1.2)
    live.layout.pointer.move(place.x, 3.5)
    live.grip.move(place.x, 3.5)
    play(live, 40)
    live.layout.pointer.release()
    assert live.grip.held == row[14]
    assert place.y > 2.5
    assert fallen(row[:14]) == []


@pytest.mark.parametrize("name", RIGID)
def test_each_slider_begins_at_one_of_its_choices(name: str) -> None:
    for parameter in open_scene(name).layout.parameters:
        assert any(parameter.get() == pytest.approx(choice) for choice in parameter.choices), parameter.name


@pytest.mark.parametrize("end", [0, -1])
@pytest.mark.parametrize("name", RIGID)
def test_with_all_sliders_at_an_end_nothing_is_thrown_out(name: str, end: int) -> None:
    live = open_scene(name)
    play(live, 10)
    for parameter in live.layout.parameters:
        parameter.put(parameter.choices[end])
        assert parameter.get() == pytest.approx(parameter.choices[end])
    play(live, 60)
    rows = [place for _, (place, body) in esper.get_components(Transform, RigidBody) if body.kind == "dynamic"]
    places = np.array([(place.x, place.y) for place in rows])
    assert np.isfinite(places).all()
    left, _, right, top = live.layout.arena
    assert places[:, 0].min() > left
    assert places[:, 0].max() < right
    # Some scenes drop things from above the picture.
    assert places[:, 1].max() < top + 6.0
