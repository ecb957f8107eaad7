"""The platformer of the demo: all in it do what the captions say, and the keys take over the hero."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest
from played_scenes import assert_in_view

from ecsphys.demo.scenes import LiveScene, open_scene
from ecsphys.demo.scenes.platformer.scene import HIGH, LOW
from ecsphys.demo.scenes.platformer.walkers import Walker, Walkers
from ecsphys.types import CharacterMove


def players(live: LiveScene) -> Walkers:
    live.enter()
    walkers = esper.get_processor(Walkers)
    assert isinstance(walkers, Walkers)
    return walkers


def play(steps: int, see: Callable[[int, Walker, CharacterMove], None]) -> None:
    live = open_scene("platformer")
    walkers = players(live).walkers
    for _ in range(steps):
        live.step()
        assert_in_view(live)
        for number, walker in enumerate(walkers):
            if walker.last is not None:
                see(number, walker, walker.last)
    live.close()


def test_all_show_what_the_captions_say_and_stay_in_view() -> None:
    shown: dict[str, set[int]] = {}
    heights: dict[int, list[float]] = {}
    off_the_hills = 0

    def see(number: int, walker: Walker, move: CharacterMove) -> None:
        nonlocal off_the_hills
        heights.setdefault(number, []).append(walker.place.y)
        for name, is_so in (
            ("steps", move.stepped > 0.0),
            ("snaps", move.snapped),
            ("rides", move.carried != (0.0, 0.0)),
            ("is pushed", move.pushed != (0.0, 0.0)),
            ("is crushed", move.crushed),
            ("meets a wall", move.on_wall),
        ):
            if is_so:
                shown.setdefault(name, set()).add(number)
        off_the_hills += number == 12 and not move.on_floor

    play(600, see)
    assert shown["steps"] >= {1}
    assert shown["snaps"] >= {1, 12}
    assert shown["rides"] >= {2, 3, 4, 7, 8, 10, 11}
    assert 5 in shown["is pushed"]
    assert shown["is crushed"] == {6}
    assert 0 in shown["meets a wall"]
    assert max(heights[0][60:]) < LOW + 2.5  # the hero stays before the steep slope
    assert max(heights[9]) > 5.2  # up through all three planks
    assert min(heights[9][300:]) < HIGH + 0.6  # and down again
    assert min(heights[11]) < LOW + 1.0
    assert max(heights[11]) > HIGH
    assert off_the_hills <= 10  # the first fall to the ground


@pytest.mark.parametrize(("key", "direction"), [("x", 1.0), ("x", -1.0)])
def test_the_keys_take_over_the_hero(key: str, direction: float) -> None:
    live = open_scene("platformer")
    hero = players(live).hero
    for _ in range(30):
        live.step()
    steering = live.layout.steering
    assert steering is not None
    hero.place.x, hero.place.y = -12.6, LOW + 1.9  # on the top of the hill
    setattr(steering, key, direction)
    before = hero.place.x
    for _ in range(12):
        live.step()
    assert (hero.place.x - before) * direction > 0.3
    steering.x, steering.y = 0.0, 1.0
    high = hero.place.y
    for _ in range(12):
        live.step()
    assert hero.place.y > high + 0.5
    live.close()
