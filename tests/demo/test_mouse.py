"""A table of all scenes: the left button of the mouse, by the events that the window sends, changes their worlds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import esper
import numpy as np
import pytest

from ecsphys import (
    CircularTrajectory,
    Controller,
    HarmonicTrajectory,
    LinearTrajectory,
    RigidBody,
    Spring,
    Transform,
    Velocity,
)
from ecsphys.demo.game import Game
from ecsphys.demo.game.rules import State
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import GAME, SCENES, LiveScene, open_scene
from ecsphys.demo.scenes.boundaries import Bounce, Restart
from ecsphys.demo.scenes.bullets.film import Film
from ecsphys.demo.scenes.bullets.shooting_range import BARS, ROOMS
from ecsphys.demo.scenes.chapters.light import Lights
from ecsphys.demo.scenes.chapters.methods import Comparison
from ecsphys.demo.scenes.chapters.queries import Questions
from ecsphys.demo.scenes.chapters.raster import FLOOR, SPACE, Touch
from ecsphys.demo.scenes.chapters.splash import Fountain
from ecsphys.demo.scenes.chapters.stress import Sweeper
from ecsphys.demo.scenes.collision.scene import middle_of
from ecsphys.demo.scenes.control.scene import Shots, Throws
from ecsphys.demo.scenes.entities.cells import DisabledCell, ListenerCell
from ecsphys.demo.scenes.entities.layers import Layer, LayersCell
from ecsphys.demo.scenes.entities.parts import PartsCell
from ecsphys.demo.scenes.platformer.walkers import Walkers
from ecsphys.effects import Beam, Camera, RasterWave
from ecsphys.systems import ParticleSystem

P = TypeVar("P", bound=esper.Processor)

REACH = 0.3


class Mouse:
    """Sends the events of the window."""

    def __init__(self, live: LiveScene) -> None:
        self.live = live
        self.events = SceneEvents(live)
        self.place = (0.0, 0.0)

    def press(self, x: float, y: float) -> None:
        self.move(x, y)
        self.events.send("hold", x, y, REACH)

    def move(self, x: float, y: float) -> None:
        self.place = (x, y)
        self.events.send("move", x, y)

    def drag(self, dx: float, dy: float, steps: int = 20) -> None:
        """Move by (dx, dy) in so many steps of the world."""
        x, y = self.place
        for step in range(1, steps + 1):
            self.move(x + dx * step / steps, y + dy * step / steps)
            self.live.step()

    def release(self) -> None:
        self.events.send("let_go")

    def click(self, x: float, y: float) -> None:
        self.press(x, y)
        self.release()

    def wait(self, steps: int) -> None:
        for _ in range(steps):
            self.live.step()


def processor(kind: type[P]) -> P:
    found = esper.get_processor(kind)
    assert isinstance(found, kind)
    return found


def place_of(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def drag_a_body(mouse: Mouse) -> None:
    """What every scene of rigid bodies does: the body that is held follows the mouse."""
    mouse.wait(90)
    bodies = [(place.y, entity) for entity, (place, _) in esper.get_components(Transform, RigidBody)]
    for _, entity in sorted(bodies, reverse=True):
        mouse.press(*_middle(entity))
        if mouse.live.grip.held is not None:
            break
    held = mouse.live.grip.held
    assert held is not None
    before = place_of(held).x, place_of(held).y
    mouse.drag(-0.8, 0.8, 40)
    left, up = before[0] - place_of(held).x, place_of(held).y - before[1]
    assert left + up > 0.3
    line = mouse.live.grip.line()
    assert line is not None
    assert line[1] == mouse.place
    mouse.release()
    assert mouse.live.grip.held is None


def drag_and_spawn(mouse: Mouse) -> None:
    """In the playground a body is dragged, and a place without one gets new ones while the button is down."""
    drag_a_body(mouse)
    low, high = mouse.live.layout.arena[1], mouse.live.layout.arena[3]
    middle = 0.5 * (mouse.live.layout.arena[0] + mouse.live.layout.arena[2])
    heights = np.linspace(high - 1.0, low, 20).tolist()
    free = next(y for y in heights if not mouse.live.physics.nearest((middle, y), max_distance=1.0))
    before = len(esper.get_component(RigidBody))
    mouse.press(middle, free)
    mouse.wait(30)
    mouse.release()
    spawned = len(esper.get_component(RigidBody)) - before
    assert spawned > 3
    mouse.wait(30)
    assert len(esper.get_component(RigidBody)) <= before + spawned


def _middle(entity: int) -> tuple[float, float]:
    return place_of(entity).x, place_of(entity).y


def begin_the_game(mouse: Mouse) -> None:
    game = mouse.live
    assert isinstance(game, Game)
    mouse.click(10.0, 5.0)
    mouse.wait(2)
    assert game.session.state is not State.TITLE


def throw_a_shape(mouse: Mouse) -> None:
    """A box on a trajectory is dragged over others, thrown, and bounces in the room from then on."""
    entity = next(entity for entity, _ in esper.get_component(LinearTrajectory))
    place = place_of(entity)
    mouse.wait(60)
    mouse.press(place.x, place.y)
    mouse.drag(1.0 - place.x, -place.y)
    assert math.dist((place.x, place.y), (1.0, 0.0)) < 0.1
    assert mouse.live.physics.hits.of(entity)
    mouse.drag(0.0, 2.0, 5)
    mouse.release()
    assert not esper.has_component(entity, LinearTrajectory)
    assert esper.has_component(entity, Bounce)
    assert esper.component_for_entity(entity, Velocity).y > 5.0
    mouse.wait(300)
    assert abs(place.x) < 17.0
    assert abs(place.y) < 8.0


def fling_twins(mouse: Mouse) -> None:
    """A body flung in steps takes its twin in closed form with it; both go back to their old motion together."""
    exact, stepped = (
        next(entity for entity, _ in esper.get_component(LinearTrajectory)),
        next(entity for entity, restart in esper.get_component(Restart) if restart.speed_x == 2.0),
    )
    down = 16.0 / 3.0
    mouse.wait(30)
    mouse.press(*_middle(stepped))
    mouse.drag(0.0, 1.0, 6)
    mouse.release()
    speed = esper.component_for_entity(exact, LinearTrajectory).vy
    assert speed > 3.0
    for _ in range(400):
        mouse.wait(1)
        assert place_of(exact).x == pytest.approx(place_of(stepped).x)
        assert place_of(exact).y - down == pytest.approx(place_of(stepped).y)
    assert esper.component_for_entity(exact, LinearTrajectory).vy == 0.6


def lead_and_aim(mouse: Mouse) -> None:
    """Each quarter: a ball dragged on its line, the square led, a throw aimed, and shots from the mouse."""
    _, path = min(esper.get_component(LinearTrajectory), key=lambda row: row[1].vx)
    mouse.press(-8.0, path.y)
    mouse.wait(3)
    assert path.x + path.vx * path.elapsed == pytest.approx(-8.0, abs=0.1)
    mouse.release()
    ((square, _),) = esper.get_component(Controller)
    mouse.press(-4.0, -2.0)
    mouse.wait(240)
    assert math.dist(_middle(square), (-4.0, -2.0)) < 0.6
    mouse.release()
    mouse.wait(2)
    resting = _middle(square)
    mouse.wait(10)
    assert _middle(square) == resting
    mouse.press(5.0, 4.0)
    mouse.release()
    throws = processor(Throws)
    assert throws.speed[1] / throws.speed[0] == pytest.approx((4.0 - 1.2) / (5.0 - 0.8))
    mouse.click(5.0, -4.0)
    shots = processor(Shots)
    assert shots.place == (5.0, -4.0)


def burst_and_spray(mouse: Mouse) -> None:
    particles, fountain = processor(ParticleSystem), processor(Fountain)
    mouse.wait(2)
    before = len(particles)
    mouse.press(-3.0, 5.0)
    assert len(particles) == before + fountain.settings.count
    np.testing.assert_array_equal(particles.position[before:], np.full((fountain.settings.count, 2), (-3.0, 5.0)))
    before = len(particles)
    mouse.drag(6.0, 0.0, 30)
    sprayed = len(particles) - before
    assert sprayed > 3 * 0.1 * fountain.settings.count
    mouse.release()
    assert fountain.mouse is None


def pull_the_spring(mouse: Mouse) -> None:
    comparison = processor(Comparison)
    mouse.press(12.0, 5.0)
    mouse.wait(20)
    ((_, swing),), ((_, spring),) = esper.get_component(HarmonicTrajectory), esper.get_component(Spring)
    assert swing.amplitude_x == pytest.approx(12.0 - spring.anchor_x)
    assert comparison.spring[0].x == pytest.approx(12.0, abs=0.1)
    mouse.release()
    mouse.wait(60)
    assert comparison.spring[0].x < 11.5
    mouse.press(-11.2, 4.0)
    assert comparison.radius == pytest.approx(1.6)
    mouse.release()
    mouse.wait(30)
    assert comparison.radius_error() < 0.2


def scroll_by_dragging(mouse: Mouse) -> None:
    """The view goes with the mouse, and glides back to its target."""
    mouse.wait(10)
    (_, camera), _ = esper.get_component(Camera)
    target, before = camera.target, camera.x
    mouse.press(0.0, 3.0)
    mouse.drag(9.0, 0.0)
    assert camera.x == pytest.approx(before - 9.0)
    mouse.release()
    mouse.wait(120)
    assert camera.target == target
    assert abs(place_of(target).x - camera.x) <= camera.dead_zone_x + 1e-9


def stir_drag_and_steer(mouse: Mouse) -> None:
    touch = mouse.live.layout.pointer
    assert isinstance(touch, Touch)
    ripple = min((wave for _, wave in esper.get_component(RasterWave)), key=lambda wave: wave.period)
    ((_, camera),) = esper.get_component(Camera)
    mouse.press(-10.0, -5.0)
    mouse.drag(3.0, 0.0)
    assert ripple.amplitude > 0.5
    mouse.release()
    mouse.wait(300)
    assert ripple.amplitude < 0.05
    mouse.press(8.0, 0.5 * (FLOOR[1] + FLOOR[3]))
    before = camera.x
    mouse.drag(4.0, 0.0)
    assert camera.x == pytest.approx(before - 4.0)
    mouse.release()
    mouse.move(SPACE[2] - 1.0, SPACE[3] - 1.0)
    mouse.wait(60)
    raster = touch.raster
    assert raster.eye[0] > 3.0
    assert raster.eye[1] > 1.0


def take_over_a_cell(mouse: Mouse) -> None:
    x, y = middle_of(2)
    mouse.move(x + 0.3, y - 0.2)
    mouse.wait(1)
    movers = sorted(esper.get_component(Transform), key=lambda pair: pair[0])
    assert (movers[2][1].x, movers[2][1].y) == (x + 0.3, y - 0.2)
    assert math.dist((movers[3][1].x, movers[3][1].y), middle_of(3)) < 3.0


def lead_the_lasers(mouse: Mouse) -> None:
    """The lasers' target comes to the mouse, beams point to it while it is held, and a click sends a ring."""
    lights = processor(Lights)
    mouse.move(-2.0, -3.0)
    mouse.wait(60)
    assert math.dist(_middle(lights.target), (-2.0, -3.0)) < 0.1
    lasers = list(lights.lasers)
    mouse.click(-2.0, -3.0)
    assert not set(lasers) & set(lights.lasers)
    mouse.wait(110)
    tips = [math.dist(_middle(laser), (-2.0, -3.0)) for laser in lights.lasers]
    assert min(tips) < 3.0
    mouse.press(0.0, 6.0)
    mouse.wait(1)
    for entity, (place, beam) in esper.get_components(Transform, Beam):
        assert math.atan2(6.0 - place.y, -place.x) == pytest.approx(math.atan2(beam.end_y, beam.end_x)), entity
    mouse.release()
    mouse.click(10.0, 5.0)
    assert [(center.x, center.y) for _, center in lights.rings].count((10.0, 5.0)) == 1


def lead_the_balls(mouse: Mouse) -> None:
    """The ball of few steps and the ball of many follow the mouse, and circle again when it lets go."""
    mouse.press(0.0, 4.0)  # in the second panel
    mouse.wait(90)
    ball = next(entity for entity, _ in esper.get_component(Spring))
    assert math.dist(_middle(ball), (-11.2, 4.0)) < 0.1
    mouse.release()
    mouse.wait(6)
    circle = esper.component_for_entity(ball, CircularTrajectory)
    assert circle.radius == pytest.approx(0.9, abs=0.1)
    esper.switch_world(f"{mouse.live.world} beside")
    beside = [path.radius for _, path in esper.get_component(CircularTrajectory)]
    mouse.live.enter()
    assert beside == pytest.approx([circle.radius], abs=0.05)


def carry_and_call(mouse: Mouse) -> None:
    """A walker is carried over the floor but not through it, and the hero comes to the mouse."""
    walkers = processor(Walkers)
    mouse.wait(60)
    rider = walkers.walkers[7]
    mouse.press(rider.place.x, rider.place.y)
    mouse.drag(-2.0 - rider.place.x, 3.0 - rider.place.y, 40)
    mouse.wait(20)
    assert math.dist((rider.place.x, rider.place.y), (-2.0, 3.0)) < 0.6
    mouse.move(-2.0, -3.0)
    mouse.wait(60)
    assert rider.place.y > 1.0
    mouse.release()
    mouse.press(-9.6, -6.5)
    mouse.wait(240)
    assert abs(walkers.hero.place.x + 9.6) < 0.6
    mouse.release()
    assert mouse.live.layout.steering is not None
    assert (mouse.live.layout.steering.x, mouse.live.layout.steering.y) == (0.0, 0.0)


def ask_at_the_mouse(mouse: Mouse) -> None:
    questions = processor(Questions)
    mouse.move(-14.0, -6.0)
    mouse.wait(60)
    assert math.dist(questions.lamp, (-14.0, -6.0)) < 0.1
    mouse.move(1.0, 2.0)
    assert questions.asked == (1.0, 2.0)
    mouse.move(12.0, 4.0)
    x, y, _ = questions.start
    assert questions.heading == pytest.approx(math.atan2(4.0 - y, 12.0 - x))


def move_guns_plates_and_pegs(mouse: Mouse) -> None:
    film = processor(Film)
    mouse.wait(60)
    assert film.moment > 0.0
    mouse.click(ROOMS[1][0] + 1.0, ROOMS[1][1])
    assert film.moment == 0.0
    for room in (0, 1):
        x, y, _ = film.movers[24 * room].way.pose(film.movers[24 * room].way.coordinates())
        assert (x, y) == pytest.approx((ROOMS[room][0] + 1.0, ROOMS[room][1]))
    mouse.press(2.1, 4.0)
    mouse.drag(0.4, 0.0)
    mouse.release()
    plates = [place for _, place in esper.get_component(Transform) if place.x == pytest.approx(2.5)]
    assert len(plates) == 3
    mouse.click(BARS[0][0], BARS[0][1] + 1.0)
    pegs = [place for _, place in esper.get_component(Transform) if place.y == pytest.approx(BARS[0][1] + 1.0)]
    assert {round(peg.x, 6) for peg in pegs} >= {round(x, 6) for x, _ in BARS}
    thrown = film.movers[-1].way
    start = thrown.pose(thrown.coordinates())
    mouse.click(start[0] + 2.0, start[1] - 2.0)
    while film.moment <= 1.0:
        mouse.wait(1)
    x, y, _ = film.movers[-1].pose_at(1.0)
    assert (x, y) == pytest.approx((start[0] + 2.0, start[1] - 2.0))


def switch_entities(mouse: Mouse) -> None:
    """The hexagon, a box of the table, a target dragged, and a stone thrown."""
    blinking, listening = processor(DisabledCell), processor(ListenerCell)
    layers, parts = processor(LayersCell), processor(PartsCell)
    was = blinking.is_disabled
    mouse.click(*blinking.middle)
    assert blinking.is_disabled is not was
    met = layers.tables[layers.table].meets(Layer.PLAYER, Layer.SHOT)
    mouse.click(layers.columns[2], layers.rows[0])
    for one, other in ((Layer.PLAYER, Layer.SHOT), (Layer.SHOT, Layer.PLAYER)):
        assert layers.tables[layers.table].meets(one, other) is not met
    assert layers.tables[layers.table].meets(Layer.PLAYER, Layer.FOE)
    target = listening.targets[0]
    mouse.press(target.transform.x, target.transform.y)
    mouse.drag(2.0, 0.5)
    mouse.release()
    assert (target.transform.x, target.transform.y) == pytest.approx((5.9, 3.5))
    before = sum(parts.counts)
    mouse.click(parts.middle[0] + 2.0, parts.middle[1] + 1.5)
    mouse.wait(40)
    assert sum(parts.counts) > before


def sweep(mouse: Mouse) -> None:
    sweeper = processor(Sweeper)
    mouse.move(10.0, 5.0)
    mouse.wait(1)
    crowded = sweeper.below()
    assert crowded > 5
    mouse.press(10.0, 5.0)
    mouse.wait(40)
    assert sweeper.below() < 0.6 * crowded


TABLE: dict[str, Callable[[Mouse], None]] = {
    "playground": drag_and_spawn,
    GAME: begin_the_game,
    "shapes": throw_a_shape,
    "motion": fling_twins,
    "control": lead_and_aim,
    "splash": burst_and_spray,
    "methods": pull_the_spring,
    "scrolling": scroll_by_dragging,
    "raster": stir_drag_and_steer,
    "collision": take_over_a_cell,
    "light": lead_the_lasers,
    "steps": lead_the_balls,
    "platformer": carry_and_call,
    "queries": ask_at_the_mouse,
    "bullets": move_guns_plates_and_pegs,
    "entities": switch_entities,
    "stress": sweep,
}
"""All scenes but those of rigid bodies, in which the mouse drags any body."""


@pytest.mark.parametrize("name", list(SCENES))
def test_the_left_button_does_something_in_the_world(name: str) -> None:
    live = open_scene(name, seed=3)
    does = TABLE.get(name)
    if does is None:
        assert live.layout.has_bodies, f"{name} is not in the table"
        does = drag_a_body
    live.step()
    does(Mouse(live))
    live.close()


def test_a_mouse_that_was_never_over_the_scene_changes_nothing() -> None:
    """The button alone, as when the window loses the focus."""
    for name in TABLE:
        live = open_scene(name)
        SceneEvents(live).send("let_go")
        live.step()
        live.close()


def test_the_target_of_the_lasers_goes_back_to_its_circle_when_the_mouse_rests() -> None:
    live = open_scene("light")
    mouse = Mouse(live)
    lights = processor(Lights)
    mouse.move(-10.0, 6.0)
    mouse.wait(320)
    assert math.dist(_middle(lights.target), (1.4, -4.6)) == pytest.approx(2.2, abs=0.3)


def test_a_dragged_view_at_the_edge_of_its_world_is_followed_again() -> None:
    live = open_scene("scrolling")
    mouse = Mouse(live)
    for y in (3.0, -5.0):
        mouse.press(0.0, y)
        mouse.drag(500.0, 500.0, 4)
        mouse.release()
    mouse.wait(180)
    assert all(camera.target >= 0 for _, camera in esper.get_component(Camera))
