"""The demo's scenes as worlds: no picture, no pyglet."""

from __future__ import annotations

import math
from unittest.mock import Mock

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray
from played_scenes import assert_in_view, placed_positions

import ecsphys
from ecsphys import Transform
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.demo.game import Game
from ecsphys.demo.game.figures import paint_hero
from ecsphys.demo.game.hero import HALF_HEIGHT
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import SCENES, LiveScene, open_scene
from ecsphys.demo.scenes.chapters.light import hairpin, ribbon_along
from ecsphys.demo.scenes.scene import STEP

NAMES = list(SCENES)

# What they show is drawn through cameras of their own.
WITHOUT_COLLIDERS = ("scrolling", "raster")

# Steps in which everything must stay in view; the platformer has its own test, which plays it for longer.
SLOW = {"playground": 60, "stress": 60, "platformer": 60}
VIEWED_EVERY = 3
SAME_STEPS = 30

MOTIONS: tuple[type[ecsphys.Component], ...] = (
    ecsphys.Velocity,
    ecsphys.Gravity,
    ecsphys.Spring,
    ecsphys.Orbit,
    ecsphys.Drag,
    ecsphys.LinearTrajectory,
    ecsphys.BallisticTrajectory,
    ecsphys.CircularTrajectory,
    ecsphys.HarmonicTrajectory,
)


def positions(live: LiveScene) -> NDArray[float64]:
    return placed_positions(live.physics)


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_keeps_all_in_view_balances_its_hits_and_is_the_same_for_the_same_seed(name: str) -> None:
    live = open_scene(name, seed=3)
    steps = SLOW.get(name, 600)
    for step in range(1, steps + 1):
        live.step()
        if name not in WITHOUT_COLLIDERS and step % VIEWED_EVERY == 0:
            assert_in_view(live)
        if step <= 60:
            counts = live.counts()
            assert counts.starts - counts.ends == counts.hits
        if step == SAME_STEPS:
            first = positions(live)
    assert live.frame == steps
    live.close()
    again = open_scene(name, seed=3)
    for _ in range(SAME_STEPS):
        again.step()
    np.testing.assert_array_equal(first, positions(again))


@pytest.mark.parametrize("name", ["shapes", "stress"])
def test_another_seed_gives_another_scene(name: str) -> None:
    first, second = (positions(open_scene(name, seed)) for seed in (1, 2))
    assert first.shape != second.shape or (first != second).any()


def test_the_scene_of_shapes_has_every_collider_on_every_kind_of_motion() -> None:
    open_scene("shapes")
    for component in (*SHAPE_CLASSES, *MOTIONS):
        assert ecsphys.join(Transform, component)[0].size, component.__name__


def test_its_fans_run_from_a_sliver_to_the_full_circle() -> None:
    open_scene("shapes")
    _, rows = ecsphys.join(ecsphys.FanCollider)
    spreads = ecsphys.FanCollider.column("spread")[rows]
    assert spreads.min() < 0.2
    assert spreads.max() == 2.0 * np.pi
    assert ((spreads > np.pi) & (spreads < 2.0 * np.pi)).any()


def test_every_collider_class_hits_something_within_a_minute() -> None:
    live = open_scene("shapes")
    seen: set[int] = set()
    for _ in range(3600):
        live.step()
        seen |= {*live.physics.hits.collider_a.tolist(), *live.physics.hits.collider_b.tolist()}
        if len(seen) == len(SHAPE_CLASSES):
            return
    raise AssertionError(f"only {seen}")


def test_in_the_motion_scene_the_steps_stay_beside_the_trajectories_also_after_they_begin_anew() -> None:
    """Four columns, three rows: the cell under a trajectory moves as it does, to within the method's error."""
    live = open_scene("motion")
    down = (live.layout.arena[3] - live.layout.arena[1]) / 3.0
    transforms = [transform for _, transform in sorted(esper.get_component(Transform), key=lambda pair: pair[0])]
    apart = (1e-9, 1e-9, 0.02, 0.05)
    for _ in range(600):
        live.step()
        for exact, stepped, most in zip(transforms[:4], transforms[4:8], apart, strict=True):
            assert math.hypot(exact.x - stepped.x, exact.y - down - stepped.y) < most


def test_scenes_live_in_worlds_of_their_own_and_can_take_turns() -> None:
    first, second = open_scene("shapes"), open_scene("motion")
    entities = first.counts().entities
    for _ in range(5):
        first.step()
        second.step()
    assert (first.frame, second.frame) == (5, 5)
    assert first.counts().entities == entities != second.counts().entities
    first.close()
    assert first.world not in esper.list_worlds()
    second.step()


def test_what_a_scene_plays_beside_itself_is_closed_with_it() -> None:
    first, second = open_scene("steps"), open_scene("steps")
    first.step()
    assert sum(name.startswith(first.world) for name in esper.list_worlds()) == 2
    first.close()
    assert sum(name.startswith(first.world) for name in esper.list_worlds()) == 0
    second.step()
    second.close()
    assert esper.list_worlds()[-1].startswith("test ")


def test_few_steps_are_drawn_as_smoothly_as_many() -> None:
    """Pictures of the ball by the frame: as they are, most do not move; interpolated, all do, as far as at 60 Hz."""
    live = open_scene("steps")
    fixed = live.physics.fixed_step
    assert fixed is not None
    _, (ball, _) = ecsphys.join(Transform)
    raw, smooth = [], []
    for _ in range(120):
        live.step()
        raw.append([Transform.column(name, writable=False)[ball] for name in ("x", "y")])
        smooth.append([fixed.interpolated(name)[ball] for name in ("x", "y")])
    moved = np.hypot(*np.diff(raw[6:], axis=0).T)
    drawn = np.hypot(*np.diff(smooth[6:], axis=0).T)
    assert np.count_nonzero(moved == 0.0) == pytest.approx(5 / 6 * len(moved), abs=1)
    assert drawn.min() == pytest.approx(drawn.max())
    assert drawn.max() == pytest.approx(moved.max() / 6)


def test_a_closed_scene_that_was_current_leaves_the_default_world() -> None:
    live = open_scene("motion")
    live.close()
    assert esper.current_world == "default"
    assert live.world not in esper.list_worlds()


def test_trails_end_where_their_movers_are_and_are_cut_at_jumps() -> None:
    live = open_scene("motion")
    trails = live.layout.trails
    assert trails is not None
    for _ in range(240):
        live.step()
        starts, ends, age = trails.segments()
        assert np.hypot(*(ends - starts).T).max() < 1.0
        assert age.min() == 0.0
        assert age.max() <= 1.0


def test_what_hits_is_lit_and_what_hits_no_more_fades() -> None:
    live = open_scene("shapes")
    highlights = Highlights()
    highlights.observe(live.physics, 0.0)
    for _ in range(120):
        before = highlights.heat
        live.step()
        highlights.observe(live.physics, STEP)
        colliders, hits = live.physics.debug.colliders, live.physics.hits
        hitting = {*zip(hits.entity_a.tolist(), hits.collider_a.tolist(), strict=True)}
        hitting |= {*zip(hits.entity_b.tolist(), hits.collider_b.tolist(), strict=True)}
        lit = [key in hitting for key in zip(colliders.entity.tolist(), colliders.collider.tolist(), strict=True)]
        assert (highlights.heat[lit] == 1.0).all()
        dark = ~np.array(lit)
        assert ((highlights.heat[dark] < before[dark]) | (before[dark] == 0.0)).all()


def test_light_stays_with_its_collider_when_entities_come_and_go() -> None:
    physics = ecsphys.install()
    first = esper.create_entity(Transform(50.0, 0.0), ecsphys.CircleCollider(1.0))
    for x in (0.0, 1.0):
        esper.create_entity(Transform(x, 0.0), ecsphys.CircleCollider(1.0))
    highlights = Highlights()
    esper.process(0.0)
    highlights.observe(physics, 0.0)
    assert highlights.heat.tolist() == [0.0, 1.0, 1.0]
    esper.delete_entity(first, immediate=True)
    esper.process(0.0)
    highlights.observe(physics, 0.0)
    assert highlights.heat.tolist() == [1.0, 1.0]
    for _, transform in esper.get_component(Transform):
        transform.x *= 10.0
    esper.process(0.1)
    highlights.observe(physics, 0.1)
    assert 0.0 < highlights.heat[0] == highlights.heat[1] < 1.0


def test_a_scene_begins_running_even_if_the_one_before_was_paused() -> None:
    player = Player(None, seed=0)
    try:
        player.open("shapes")
        player.paused = True
        player.open("motion")
        assert not player.paused
    finally:
        player.close()


@pytest.mark.parametrize("radius", [0.25, 0.55, 0.9, 1.3])
def test_the_ribbon_round_a_bend_ends_as_straight_as_it_runs(radius: float) -> None:
    vertices = ribbon_along(hairpin(radius), 1.8)
    left, right = vertices[0::2], vertices[1::2]
    widths = np.hypot(*(left - right).T)
    for end in (widths[:20], widths[-20:]):
        np.testing.assert_allclose(end, end[10], rtol=1e-9)


def test_the_fallen_knight_lies_on_the_ground() -> None:
    game = open_scene("game")
    assert isinstance(game, Game)
    game.begin()
    for _ in range(30):
        game.step()
    hero = game.session.hero
    floor = hero.transform.y - HALF_HEIGHT
    heights = []
    for health in (5, 0):
        game.session.tally.health = health
        brush = Mock()
        paint_hero(brush, game.session)
        painted = np.concatenate([call.args[0][:, 1] for call in brush.polygon.call_args_list])
        assert painted.min() > floor - 0.02
        heights.append(painted.max() - floor)
    assert heights[0] > 1.7
    assert heights[1] < 0.9
