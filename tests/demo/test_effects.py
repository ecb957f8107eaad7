"""Effects: what happens is seen, what does not happen is not, and the physics does not know of it."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from noted_sketch import NotedSketch

import ecsphys
from ecsphys import AABBCollider, CircleCollider, OBBCollider, RevoluteJoint, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.effects.effects import Effects
from ecsphys.demo.effects.joint_loads import JointLoads, load_colors
from ecsphys.demo.effects.particles import MOST_DUST, MOST_SPARKS
from ecsphys.demo.effects.shake import REACH, SECONDS, Shake
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.patterns.pattern import METAL, RUBBER
from ecsphys.demo.scenes.rigid.tint import put

STEP = 1.0 / 60.0


def floor_and_box(height: float) -> ecsphys.Physics:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    put((0.5, 0.5, 0.5), Transform(0.0, -1.0), AABBCollider(30.0, 1.0), Solid())
    put((1.0, 0.0, 0.0), Transform(0.0, height + 0.5), OBBCollider(0.5, 0.5), RigidBody())
    return physics


def play(effects: Effects, steps: int) -> tuple[int, float]:
    """The most particles there were at once, and the farthest shake, in some steps."""
    most, farthest = 0, 0.0
    for _ in range(steps):
        esper.process(STEP)
        effects.observe(STEP)
        most, farthest = max(most, effects.particles), max(farthest, math.hypot(*effects.shake))
    return most, farthest


def test_a_box_that_rests_makes_nothing() -> None:
    effects = Effects(floor_and_box(0.0))
    assert play(effects, 60) == (0, 0.0)
    sketch = NotedSketch()
    effects.paint(sketch)
    assert not sketch.calls


def test_a_box_that_falls_makes_sparks_and_dust_where_it_strikes_and_they_are_gone_soon() -> None:
    effects = Effects(floor_and_box(10.0))
    sketch = NotedSketch()
    for _ in range(200):
        esper.process(STEP)
        effects.observe(STEP)
        if effects.particles:
            break
    effects.paint(sketch)
    assert sketch.count("triangles") >= 3 * 5
    assert sketch.count("discs") >= 3
    assert np.abs(sketch.all("triangles", "points")[:, 1]).max() < 1.5
    assert np.abs(sketch.all("discs", "centers")).max() < 1.5
    # The box is red.
    for color in (sketch.all("discs", "color"), sketch.all("triangles", "color")):
        assert (color[:, 0] > color[:, 1] + 0.1).all()
    play(effects, 90)
    assert effects.particles == 0


@pytest.mark.parametrize(("lower", "higher"), [(1.0, 6.0), (6.0, 18.0)])
def test_a_harder_impact_makes_more(lower: float, higher: float) -> None:
    found = []
    for height in (lower, higher):
        esper.clear_database()
        esper.switch_world(f"from {height}")
        found.append(play(Effects(floor_and_box(height)), 150)[0])
    assert found[0] < found[1]


@pytest.mark.parametrize(("pattern", "sparks"), [(None, True), (METAL, True), (RUBBER, False)])
def test_rubber_throws_dust_but_no_sparks(pattern: int | None, sparks: bool) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    put((0.5, 0.5, 0.5), Transform(0.0, -1.0), AABBCollider(30.0, 1.0), Solid())
    put((1.0, 0.0, 0.0), Transform(0.0, 10.0), CircleCollider(0.5), RigidBody(), pattern=pattern)
    effects = Effects(physics)
    while not effects.particles:
        play(effects, 1)
    sketch = NotedSketch()
    effects.paint(sketch)
    assert sketch.count("discs") > 0
    assert (sketch.count("triangles") > 0) == sparks


def test_what_weighs_much_more_than_the_others_shakes_the_picture() -> None:
    physics = floor_and_box(0.0)
    for x in (3.0, 5.0, 7.0, 9.0):
        put((1.0, 0.0, 0.0), Transform(x, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    put((0.0, 1.0, 0.0), Transform(-6.0, 10.0), CircleCollider(1.5), RigidBody(density=6.0))
    _, farthest = play(Effects(physics), 120)
    assert 0.2 * REACH < farthest < 1.5 * REACH


def test_a_bridge_that_breaks_makes_sparks_and_shakes() -> None:
    live = open_scene("breaking")
    effects = Effects(live.physics)
    breaks: list[object] = []

    def note(broken: object) -> None:
        breaks.append(broken)

    esper.set_handler("joint_broken", note)
    for _ in range(400):
        live.step()
        effects.observe(STEP)
        if breaks:
            break
    assert breaks
    sketch = NotedSketch()
    effects.paint(sketch)
    assert sketch.count("triangles") >= 3 * 16
    assert sketch.count("rings") >= 1
    assert math.hypot(*effects.shake) > 0.0
    live.close()


def test_a_blast_is_seen_from_the_next_step_on_as_far_as_it_reaches() -> None:
    effects = Effects(floor_and_box(0.0))
    effects.blast(3.0, 4.0, 5.0)
    assert effects.particles == 0
    esper.process(STEP)
    effects.observe(STEP)
    assert effects.particles > 30
    radius = 0.0
    for _ in range(30):
        sketch = NotedSketch()
        effects.paint(sketch)
        if sketch.count("rings"):
            assert sketch.all("rings", "centers").tolist() == [[3.0, 4.0]]
            radius = max(radius, float(sketch.all("rings", "radius")[0]))
        esper.process(STEP)
        effects.observe(STEP)
    assert 4.5 < radius <= 5.0
    assert not sketch.count("rings")


def test_there_are_never_more_particles_than_the_most() -> None:
    physics = ecsphys.install()
    effects = Effects(physics)
    for step in range(40):
        for _ in range(5):
            effects.blast(float(step), 0.0, 3.0)
        esper.process(STEP)
        effects.observe(STEP)
        assert effects.particles <= MOST_SPARKS + MOST_DUST
    assert effects.particles > 0.5 * (MOST_SPARKS + MOST_DUST)


def test_switched_off_all_goes_at_once_and_nothing_comes() -> None:
    effects = Effects(floor_and_box(0.0))
    effects.blast(0.0, 3.0, 5.0)
    play(effects, 1)
    assert effects.particles
    effects.is_on = False
    assert effects.particles == 0
    assert effects.shake == (0.0, 0.0)
    effects.blast(0.0, 3.0, 5.0)
    assert play(effects, 5) == (0, 0.0)
    sketch = NotedSketch()
    effects.paint(sketch)
    assert not sketch.calls


def test_switched_off_the_hits_are_not_even_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    physics = floor_and_box(10.0)
    effects = Effects(physics, is_on=False)

    def refuse(self: object) -> None:
        raise AssertionError("the hits were read")

    esper.process(STEP)
    monkeypatch.setattr(ecsphys.Physics, "hits", property(refuse))
    effects.observe(STEP)
    effects.is_on = True
    with pytest.raises(AssertionError, match="hits were read"):
        effects.observe(STEP)


def test_the_physics_is_the_same_to_the_bit_with_effects_and_without() -> None:
    digests = []
    for has_effects in (False, True):
        live = open_scene("breaking", seed=2)
        effects = Effects(live.physics) if has_effects else None
        sketch, seen = NotedSketch(), 0
        for _ in range(330):
            live.step()
            if effects is not None:
                effects.observe(STEP)
                effects.paint(sketch)
                seen = max(seen, effects.particles)
        digests.append(live.physics.digest())
        assert (seen > 0) == has_effects
        live.close()
    assert digests[0] == digests[1]


def test_closing_a_scene_deletes_the_world_of_its_particles() -> None:
    before = set(esper.list_worlds())
    live = open_scene("pyramid")
    Effects(live.physics)
    assert len(set(esper.list_worlds()) - before) == 2
    live.close()
    assert set(esper.list_worlds()) == before


def test_a_shake_is_short_and_small_and_wears_off_where_everything_shakes() -> None:
    shake = Shake()
    shake.push(1.0)
    assert math.hypot(*shake.offset) <= 1.5 * REACH
    first = math.hypot(*shake.offset)
    shake.step(SECONDS)
    assert shake.offset == (0.0, 0.0)
    shake.push(1.0)
    assert 0.0 < math.hypot(*shake.offset) < 0.6 * first


def hanging(break_force: float | None, mass: float = 8.0) -> None:
    """A body of a mass that hangs from a hinge above it, at rest."""
    ecsphys.install(gravity=(0.0, -10.0))
    body = esper.create_entity(
        Transform(2.0, -1.0), Velocity(), OBBCollider(1.0, 1.0), RigidBody(density=0.25 * mass, can_sleep=False)
    )
    esper.create_entity(RevoluteJoint.at(None, body, 2.0, 0.0, break_force=break_force))
    for _ in range(60):
        esper.process(STEP)


@pytest.mark.parametrize(("break_force", "part"), [(8000.0, 0.01), (160.0, 0.5), (82.0, 0.975)])
def test_a_joint_has_the_part_of_its_strength_that_it_needs(break_force: float, part: float) -> None:
    hanging(break_force)
    marks = JointLoads().marks()
    assert marks.part == pytest.approx([part], rel=0.01)
    assert marks.places[0] == pytest.approx(np.array([[2.0, 0.0], [2.0, 0.0], [2.0, 0.0], [2.0, -1.0]]), abs=0.01)


def test_colours_go_from_blue_over_yellow_to_red() -> None:
    calm, half, near = load_colors(np.array((0.0, 0.6, 0.99)))
    assert calm[2] > calm[0]
    assert half[0] > 0.8
    assert half[1] > 0.7
    assert half[2] < half[1]
    assert near[0] > 0.95
    assert near[1] < 0.35


def test_only_joints_that_can_break_are_drawn_and_larger_under_load() -> None:
    radii = []
    for number, break_force in enumerate((None, 8000.0, 82.0)):
        esper.switch_world(f"hanging {number}")
        hanging(break_force)
        sketch = NotedSketch()
        JointLoads().paint(sketch)
        radii.append(sketch.all("discs", "radius").max() if sketch.calls else 0.0)
    assert radii[0] == 0.0
    assert 0.0 < radii[1] < radii[2]
