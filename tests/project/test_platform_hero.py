"""The hero of docs/recipes/platform-hero.md, played in the page's own level: each ability that the page promises."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import esper
import pytest

from ecsphys import Transform

PAGE = Path(__file__).resolve().parents[2] / "docs" / "recipes" / "platform-hero.md"
HALF = 0.9  # of the hero's height


class Played:
    """The page's code, executed, and a hand on its keys."""

    def __init__(self) -> None:
        self.page = ModuleType("platform_hero")
        for code in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            exec(compile(code, str(PAGE), "exec"), self.page.__dict__)
        self.hero: Any = self.page.__dict__["hero"]
        self.place = esper.component_for_entity(self.hero.entity, Transform)

    @property
    def feet(self) -> float:
        return self.place.y - HALF

    def steps(self, count: int) -> None:
        for _ in range(count):
            esper.process(1 / 60)

    def put(self, x: float, feet: float) -> None:
        """The hero at rest."""
        self.place.x, self.place.y = x, feet + HALF
        self.steps(1)

    def highest(self, count: int) -> float:
        heights = []
        for _ in range(count):
            self.steps(1)
            heights.append(self.feet)
        return max(heights)


@pytest.fixture
def play() -> Played:
    played = Played()
    played.steps(60)
    return played


def test_it_stands_on_the_ground_and_runs(play: Played) -> None:
    assert play.feet == pytest.approx(0.0, abs=1e-3)
    play.hero.walk = 1.0
    play.steps(30)
    assert play.place.x == pytest.approx(3.0, abs=0.11)


def test_a_jump_is_as_high_as_the_page_says_and_lower_if_the_key_is_released(play: Played) -> None:
    play.hero.press_jump()
    assert play.highest(60) == pytest.approx(2.5, abs=0.05)
    play.hero.press_jump()
    play.steps(6)
    play.hero.release_jump()
    assert play.highest(60) == pytest.approx(1.3, abs=0.05)


@pytest.mark.parametrize(("height", "jumps"), [(1.0, True), (2.6, False)])
def test_a_key_pressed_just_before_the_landing_is_remembered(play: Played, height: float, jumps: bool) -> None:
    play.put(0.0, 3.0)
    while play.feet > height:
        play.steps(1)
    play.hero.press_jump()
    while not play.hero.on_floor:
        play.steps(1)
    assert (play.highest(40) > 2.0) is jumps


@pytest.mark.parametrize(("wait", "jumps"), [(3, True), (12, False)])
def test_a_jump_is_forgiven_a_moment_after_the_ledge(play: Played, wait: int, jumps: bool) -> None:
    play.put(-16.5, 3.0)
    play.steps(5)
    assert play.hero.on_floor
    play.hero.walk = 1.0
    while play.hero.on_floor:
        play.steps(1)
    play.steps(wait)
    play.hero.press_jump()
    play.steps(1)
    assert (play.hero.vy > 0.0) is jumps


def test_it_slides_down_walls_and_jumps_from_one_to_the_other(play: Played) -> None:
    play.put(13.45, 7.0)
    play.hero.walk = -1.0
    play.steps(50)
    assert play.hero.vy == -play.page.__dict__["WALL_SLIDE"]
    feet = play.feet
    play.hero.press_jump()
    play.steps(8)
    assert play.place.x > 14.2
    assert play.feet > feet + 0.5
    play.hero.walk = 1.0
    play.steps(12)
    play.hero.press_jump()
    play.steps(2)
    assert play.hero.vx < 0.0 < play.hero.vy


def test_it_climbs_a_ladder_holds_on_and_jumps_off(play: Played) -> None:
    play.put(-7.5, 0.0)
    play.hero.climb = 1.0
    play.steps(40)
    feet = play.feet
    assert feet == pytest.approx(2.0, abs=0.15)
    play.hero.climb = 0.0
    play.steps(30)
    assert play.feet == feet
    play.hero.press_jump()
    assert play.highest(20) > feet + 2.0


def test_it_stands_at_the_top_of_a_ladder_and_climbs_down_again(play: Played) -> None:
    play.put(-7.5, 0.0)
    play.hero.climb = 1.0
    play.steps(120)
    assert play.feet == pytest.approx(4.0, abs=1e-3)
    play.hero.climb = -1.0
    play.steps(40)
    assert play.hero.is_climbing
    assert play.feet < 3.5
    play.steps(120)
    assert play.feet == pytest.approx(0.0, abs=1e-3)
    assert not play.hero.is_climbing


def test_spikes_throw_it_back_from_the_side_and_up_from_above(play: Played) -> None:
    play.put(4.0, 0.0)
    play.hero.walk = 1.0
    while play.hero.locked <= 0.0:
        play.steps(1)
    x = play.place.x
    play.hero.walk = 0.0
    play.steps(15)
    assert play.place.x < x - 1.0
    play.steps(60)
    play.put(5.5, 2.0)
    while play.hero.locked <= 0.0:
        play.steps(1)
    assert play.highest(20) > 1.0


def test_a_jump_takes_the_speed_of_the_platform_along(play: Played) -> None:
    platform = esper.component_for_entity(play.page.__dict__["plate"], Transform)
    play.page.__dict__["lift"].elapsed = 0.0
    play.steps(2)
    play.put(platform.x, 5.3)
    play.steps(10)
    beside = play.place.x - platform.x
    play.steps(15)
    assert play.place.x > 1.0
    assert play.place.x - platform.x == pytest.approx(beside, abs=1e-3)
    play.hero.press_jump()
    play.steps(10)
    assert play.hero.vx > 2.0
