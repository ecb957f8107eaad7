"""The wrecking yard: the slingshot throws where it aims, and the score counts what fell."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

from ecsphys import RigidBody, Transform, Velocity
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.patterns.pattern import DOLL, TOY, Pattern
from ecsphys.demo.scenes.scene import STEP, LiveScene
from ecsphys.demo.scenes.yard.aim import EVERY
from ecsphys.demo.scenes.yard.balls import FADE, MOST
from ecsphys.demo.scenes.yard.ground import ARENA, height_at
from ecsphys.demo.scenes.yard.slingshot import RADIUS, REST, Slingshot
from ecsphys.demo.scenes.yard.slow_motion import SLOWEST
from ecsphys.demo.scenes.yard.tally import CHAIN, CHAIN_POINTS, HINGE, Piece, Tally
from ecsphys.demo.scenes.yard.targets import BOX_POINTS, DOLL_POINTS

AT_PYRAMID = -5.8, 4.4
"""A pull that throws the ball into the upper half of the pyramid."""
HIGH = -4.0, 2.8


@pytest.fixture
def yard() -> LiveScene:
    return open_scene("yard")


def sling() -> Slingshot:
    found = esper.get_processor(Slingshot)
    assert isinstance(found, Slingshot)
    return found


def tally() -> Tally:
    found = esper.get_processor(Tally)
    assert isinstance(found, Tally)
    return found


def pace_of(live: LiveScene) -> float:
    assert live.layout.pace is not None
    return live.layout.pace()


def throw(live: LiveScene, place: tuple[float, float]) -> int:
    """Pull the ball to a place and let go; returns the ball."""
    pointer, ball = live.layout.pointer, sling().ball
    assert pointer is not None
    assert ball is not None
    assert pointer.press(*REST)
    pointer.move(*place)
    pointer.release()
    return ball


def play(live: LiveScene, seconds: float) -> list[float]:
    """Play so many seconds of real time as a player does; returns the pace of each step."""
    paces = []
    for _ in range(round(seconds / STEP)):
        paces.append(pace_of(live))
        live.step(STEP * paces[-1])
    return paces


def place_of(entity: int) -> tuple[float, float]:
    place = esper.component_for_entity(entity, Transform)
    return place.x, place.y


def dynamic_bodies() -> list[int]:
    return [entity for entity, body in esper.get_component(RigidBody) if body.kind == "dynamic"]


def poses() -> NDArray[float64]:
    return np.array([place_of(entity) for entity in dynamic_bodies()])


def test_a_ball_is_in_the_pouch_from_the_first_step(yard: LiveScene) -> None:
    ball = sling().ball
    assert ball is not None
    yard.step()
    assert sling().ball == ball
    assert place_of(ball) == REST


def test_the_pouch_follows_the_mouse_at_once_but_not_further_than_the_bands_nor_into_the_ground(
    yard: LiveScene,
) -> None:
    pointer, ball = yard.layout.pointer, sling().ball
    assert pointer is not None
    assert ball is not None
    assert pointer.press(-3.0, 4.0)
    assert place_of(ball) == (-3.0, 4.0)
    pointer.move(-100.0, REST[1])
    longest = REST[0] - place_of(ball)[0]
    assert 4.0 < longest < 6.0
    pointer.move(-2.0, -100.0)
    x, y = place_of(ball)
    assert y > height_at(x) + RADIUS
    assert math.dist((x, y), REST) <= longest + 1e-9


def test_a_ball_that_is_hardly_pulled_stays_in_the_pouch(yard: LiveScene) -> None:
    ball = throw(yard, (REST[0] - 0.1, REST[1]))
    yard.step()
    assert sling().ball == ball
    assert place_of(ball) == REST
    assert sling().shots == 0


def test_the_button_elsewhere_is_free_to_hold_bodies(yard: LiveScene) -> None:
    pointer = yard.layout.pointer
    assert pointer is not None
    assert not pointer.press(31.0, 0.5)
    assert yard.grip.press(31.0, 0.5)
    pointer.move(0.0, 0.0)
    pointer.release()
    assert sling().shots == 0


@pytest.mark.parametrize("pull", [10.0, 4.0, 20.0, -3.0])
@pytest.mark.parametrize("dt", [STEP, STEP / 4.0])
def test_the_ball_flies_through_the_dots_at_any_gravity_and_pace(yard: LiveScene, pull: float, dt: float) -> None:
    yard.physics.gravity = (0.0, -pull)
    pointer, ball = yard.layout.pointer, sling().ball
    assert pointer is not None
    assert ball is not None
    pointer.press(*REST)
    pointer.move(*HIGH)
    dots = sling().line[:-1]
    assert len(dots) > 16
    pointer.release()
    for dot in dots[1:17]:
        for _ in range(round(EVERY / dt)):
            yard.step(dt)
        assert math.dist(place_of(ball), dot) < 1e-6


def test_the_last_dot_is_where_the_ball_first_touches_something(yard: LiveScene) -> None:
    pointer = yard.layout.pointer
    assert pointer is not None
    pointer.press(*REST)
    pointer.move(*AT_PYRAMID)
    end, ball = sling().line[-1], sling().ball
    assert ball is not None
    pointer.release()
    before = place_of(ball)
    for _ in range(300):
        yard.step()
        if yard.physics.hits.of(ball):
            break
        before = place_of(ball)
    # The touch is between the last two steps.
    assert math.dist(before, end) < math.dist(before, place_of(ball)) + 0.1
    assert math.dist(before, end) < 0.8


def test_nothing_falls_untouched_in_20_seconds_and_all_sleeps(yard: LiveScene) -> None:
    yard.step()
    before = poses()
    for _ in range(1200):
        yard.step()
    np.testing.assert_array_equal(poses(), before)
    assert all(yard.physics.bodies.is_asleep(body) for body in dynamic_bodies())
    assert tally().points == 0


def test_the_buildings_stand_by_themselves_when_they_are_awake(yard: LiveScene) -> None:
    """Only ragdolls need their sleep to stand."""
    yard.step()
    yard.physics.bodies.wake(dynamic_bodies())
    for _ in range(300):
        yard.step()
    worth = {piece.worth for _, piece in esper.get_component(Piece) if piece.fell}
    assert worth == {DOLL_POINTS}


def test_a_shot_brings_down_much_of_the_pyramid(yard: LiveScene) -> None:
    throw(yard, AT_PYRAMID)
    play(yard, 7.0)
    assert tally().fallen >= 15
    assert tally().points >= 15 * BOX_POINTS + CHAIN_POINTS
    assert sling().shots == 1


def test_the_score_counts_what_fell_once_and_nothing_else(yard: LiveScene) -> None:
    def box_in_row(row: int) -> int:
        return next(entity for entity, piece in esper.get_component(Piece) if abs(piece.y - row - 0.5) < 1e-9)

    yard.step()
    assert tally().points == 0
    dropped, turned, nudged = box_in_row(9), box_in_row(8), box_in_row(0)
    for body in dynamic_bodies():
        esper.component_for_entity(body, RigidBody).kind = "static"
    esper.component_for_entity(nudged, Transform).x += 0.4
    yard.step()
    assert tally().points == 0
    esper.component_for_entity(dropped, Transform).y -= 1.0
    yard.step()
    assert (tally().points, tally().fallen) == (BOX_POINTS, 1)
    esper.component_for_entity(turned, Transform).angle -= 1.0
    yard.step()
    assert (tally().points, tally().fallen) == (2 * BOX_POINTS, 2)
    esper.component_for_entity(dropped, Transform).y += 1.0
    esper.component_for_entity(dropped, Transform).y -= 5.0
    for _ in range(5):
        yard.step()
    assert (tally().points, tally().fallen) == (2 * BOX_POINTS, 2)


def test_ragdolls_doze_while_they_stand_and_have_crosses_for_eyes_once_they_fell(yard: LiveScene) -> None:
    heads = [entity for entity, piece in esper.get_component(Piece) if piece.worth == DOLL_POINTS]
    assert len(heads) == 5
    assert {esper.component_for_entity(head, Pattern).kind for head in heads} == {TOY}
    esper.component_for_entity(heads[0], Transform).y -= 2.0
    yard.step()
    assert [esper.component_for_entity(head, Pattern).kind for head in heads] == [DOLL, TOY, TOY, TOY, TOY]


def test_ten_pieces_of_one_shot_are_a_chain_but_not_those_of_two(yard: LiveScene) -> None:
    boxes = [entity for entity, piece in esper.get_component(Piece) if piece.worth == BOX_POINTS]
    for body in dynamic_bodies():
        esper.component_for_entity(body, RigidBody).kind = "static"

    def drop(count: int) -> None:
        for _ in range(count):
            esper.component_for_entity(boxes.pop(), Transform).y -= 2.0
        yard.step()

    drop(CHAIN - 1)
    assert tally().points == (CHAIN - 1) * BOX_POINTS
    tally().begin_shot()
    drop(1)
    assert tally().points == CHAIN * BOX_POINTS
    drop(CHAIN - 1)
    assert tally().points == (2 * CHAIN - 1) * BOX_POINTS + CHAIN_POINTS


def test_a_hinge_that_breaks_scores(yard: LiveScene) -> None:
    plank = min(dynamic_bodies(), key=lambda body: math.dist(place_of(body), (19.0, -1.0)))
    yard.physics.bodies.apply_impulse(plank, (0.0, -900.0))
    yard.step()
    yard.step()
    assert tally().points > 0
    assert tally().points % HINGE == 0


def test_slow_motion_begins_at_the_first_big_impact_and_ends(yard: LiveScene) -> None:
    ball = throw(yard, AT_PYRAMID)
    steps = 0
    while pace_of(yard) == 1.0 and steps < 300:
        yard.step()
        steps += 1
    assert steps < 300
    assert place_of(ball)[0] > 20.0
    paces = play(yard, 2.0)
    assert min(paces) == pytest.approx(SLOWEST)
    assert paces[-1] == 1.0
    slow = sum(pace < 0.5 for pace in paces) * STEP
    assert 0.7 < slow < 1.6
    # No jerk: time changes its pace over several pictures.
    assert np.abs(np.diff(paces)).max() < 0.25
    assert min(play(yard, 4.0)) == 1.0


def test_slow_motion_can_be_turned_off(yard: LiveScene) -> None:
    switch = next(parameter for parameter in yard.layout.parameters if parameter.name == "slow motion")
    switch.change(-1)
    throw(yard, AT_PYRAMID)
    assert min(play(yard, 4.0)) == 1.0
    assert tally().fallen > 0


def test_the_next_ball_is_in_the_hand_after_a_second_also_while_the_button_is_held(yard: LiveScene) -> None:
    throw(yard, HIGH)
    assert sling().ball is None
    pointer = yard.layout.pointer
    assert pointer is not None
    assert pointer.press(*REST)
    pointer.move(-4.0, 4.0)
    play(yard, 0.9)
    assert sling().ball is None
    play(yard, 0.2)
    ball = sling().ball
    assert ball is not None
    assert place_of(ball) == (-4.0, 4.0)
    assert len(sling().line) > 1


def test_balls_beyond_the_most_fade_and_go(yard: LiveScene) -> None:
    look = yard.layout.look
    assert look is not None
    balls = []
    for _ in range(MOST + 2):
        for _ in range(66):
            yard.step()
        balls.append(throw(yard, (REST[0] - 2.0, REST[1] - 0.5)))
    for _ in range(round(0.7 * FADE / STEP)):
        yard.step()
    owners = yard.physics.debug.colliders.entity
    alphas = look.colors(yard.physics)[:, 3]
    assert alphas[owners == balls[-1]] == 1.0
    assert 0.0 < alphas[owners == balls[1]] < 0.5
    for _ in range(round(FADE / STEP)):
        yard.step()
    assert [esper.entity_exists(ball) for ball in balls] == [False] * 2 + [True] * MOST


def test_a_ball_that_leaves_the_yard_is_gone(yard: LiveScene) -> None:
    ball = throw(yard, HIGH)
    esper.component_for_entity(ball, Transform).y = ARENA[1] - 50.0
    yard.step()
    assert not esper.entity_exists(ball)


def test_the_camera_goes_with_the_ball_without_a_jump_and_comes_back(yard: LiveScene) -> None:
    follow = yard.layout.follow
    assert follow is not None
    assert follow() == pytest.approx(ARENA)
    ball = throw(yard, AT_PYRAMID)
    boxes, seen = [follow()], []
    for _ in range(round(9.0 / STEP)):
        yard.step(STEP * pace_of(yard))
        boxes.append(follow())
        x, y = place_of(ball)
        seen.append(boxes[-1][0] < x < boxes[-1][2] and boxes[-1][1] < y)
    assert all(seen)
    widths = np.array(boxes)[:, 2] - np.array(boxes)[:, 0]
    assert widths.min() < 0.7 * widths[0]
    assert np.abs(np.diff(boxes, axis=0)).max() < 1.0
    assert follow() == pytest.approx(ARENA, abs=0.3)


def test_all_down_is_told(yard: LiveScene) -> None:
    left = yard.layout.scores[-1]
    assert left.get() == str(tally().pieces)
    for body in dynamic_bodies():
        esper.component_for_entity(body, Transform).x += 5.0
        velocity = esper.try_component(body, Velocity)
        if velocity is not None:
            velocity.x = velocity.y = velocity.angular = 0.0
    yard.step()
    assert tally().fallen == tally().pieces
    assert "all" in left.get()
