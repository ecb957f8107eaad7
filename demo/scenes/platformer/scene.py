"""A platformer: slopes, stairs, platforms that carry, planks to jump through, and machines that push and crush."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CircularTrajectory,
    Collider,
    Component,
    HarmonicTrajectory,
    InputState,
    OBBCollider,
    OneWay,
    Parent,
    PolygonCollider,
    Priority,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.platformer.picture import PlatformerPicture
from ecsphys.demo.scenes.platformer.pointer import PlatformerPointer
from ecsphys.demo.scenes.platformer.walkers import Keys, Walker, Walkers, patrols, repeats, seeks, stands
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
LOW = -7.0
"""The top of the lower floor."""
HIGH = 1.0
"""The top of the upper floor."""
_WHEEL = (2.7, -3.75)
_SPOKES = 4


class Seesaw(esper.Processor):
    """Tilts a plank to and fro by its transform's angle alone."""

    def __init__(self, place: Transform) -> None:
        self.place = place
        self._clock = 0.0

    def process(self, dt: float) -> None:
        self._clock += dt
        self.place.angle = 0.5 * math.sin(1.1 * self._clock)


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install()
    _build_ground()
    _build_slopes()
    _build_stairs()
    seesaw = _build_machines()
    _build_upper_floor()
    keys = InputState()
    walkers = Walkers(physics, _people(), keys)
    esper.add_processor(Seesaw(seesaw), Priority.BROADPHASE + 40)
    esper.add_processor(walkers, Priority.BROADPHASE + 30)
    pointer = PlatformerPointer(walkers, keys)
    esper.add_processor(pointer, Priority.BROADPHASE + 31)
    picture = PlatformerPicture(physics, walkers)
    captions = [
        Caption(-16.7, 0.1, "Hold: the hero comes", "Character.slope_limit"),
        Caption(-7.4, 0.1, "Stairs", "Character.step_height"),
        Caption(0.6, 0.1, "A turning wheel", "Parent"),
        Caption(5.6, 0.1, "A seesaw", "Solid"),
        Caption(11.0, 0.1, "Pushed and crushed", "CharacterMove"),
        Caption(-16.7, 7.8, "Drag people anywhere"),
        Caption(-5.6, 7.8, "Planks to jump through", "OneWay, drop"),
        Caption(2.5, 7.8, "A treadmill", "Velocity.angular"),
        Caption(7.6, 7.8, "A lift", "HarmonicTrajectory"),
        Caption(11.6, 7.8, "Fast over hills", "snap_distance"),
    ]
    hero = esper.component_for_entity(walkers.hero.entity, ecsphys.Character)

    def set_slope_limit(degrees: float) -> None:
        for _, character in esper.get_component(ecsphys.Character):
            character.slope_limit = math.radians(degrees)

    def set_step_height(height: float) -> None:
        for _, character in esper.get_component(ecsphys.Character):
            character.step_height = height

    def set_snap_distance(distance: float) -> None:
        for _, character in esper.get_component(ecsphys.Character):
            character.snap_distance = distance

    return Layout(
        physics,
        ARENA,
        captions,
        paints_itself=True,
        grid=NO_GRID,
        parameters=[
            Parameter(
                "slope limit",
                lambda: round(math.degrees(hero.slope_limit)),
                set_slope_limit,
                (25, 50, 70),
                "{:g}°",
            ),
            Parameter("step height", lambda: hero.step_height, set_step_height, (0.0, 0.2, 0.4, 0.8), "{:g} units"),
            Parameter("snap distance", lambda: hero.snap_distance, set_snap_distance, (0.0, 0.2, 0.4), "{:g} units"),
        ],
        readings=[
            Reading("hero", lambda: picture.describe(walkers.hero)),
        ],
        paint_below=picture.paint_level,
        paint_above=picture.paint_walkers,
        steering=keys,
        pointer=pointer,
    )


def _people() -> list[Walker]:
    slopes = repeats((4.3, Keys(1.0)), (0.1, Keys(jump=True)), (0.3, Keys()), (1.3, Keys(1.0)), (4.2, Keys(-1.0)))
    climbs = ((0.15, Keys(jump=True)), (0.95, Keys())) * 3
    drops = ((0.1, Keys(drop=True)), (0.8, Keys())) * 3
    return [
        Walker.at(-16.0, LOW + 0.5, slopes),
        Walker.at(-6.9, LOW + 0.5, patrols(-7.2, -0.5, 0.7)),
        Walker.at(_WHEEL[0], _WHEEL[1] + 2.6, stands),
        Walker.at(_WHEEL[0] - 2.0, _WHEEL[1] + 0.6, stands),
        Walker.at(7.3, -4.4, patrols(6.6, 8.2, 0.35)),
        Walker.at(13.2, LOW + 0.5, seeks(12.4, 0.4)),
        Walker.at(14.2, LOW + 0.5, patrols(14.3, 16.3, 0.45)),
        Walker.at(-11.9, HIGH + 0.6, stands),
        Walker.at(-10.5, 4.9, stands),
        Walker.at(-3.4, HIGH + 0.5, repeats(*climbs, (0.7, Keys()), *drops)),
        Walker.at(4.4, 4.2, seeks(4.4)),
        Walker.at(9.8, -2.0, stands),
        Walker.at(11.6, HIGH + 0.5, patrols(11.1, 16.5, 2.0)),
    ]


def _solid(collider: Collider, x: float, y: float, angle: float = 0.0, *more: Component) -> Transform:
    place = Transform(x, y, angle)
    esper.create_entity(place, collider, Solid(), *more)
    return place


def _mover(collider: Collider, path: Component) -> None:
    _solid(collider, 0.0, 0.0, 0.0, path)


def _block(min_x: float, min_y: float, max_x: float, max_y: float) -> None:
    half = (0.5 * (max_x - min_x), 0.5 * (max_y - min_y))
    _solid(AABBCollider(*half), 0.5 * (min_x + max_x), 0.5 * (min_y + max_y))


def _hill(*corners: tuple[float, float]) -> None:
    _solid(PolygonCollider([(x, y) for x, y in corners]), 0.0, 0.0)


def _build_ground() -> None:
    _block(ARENA[0], ARENA[1], ARENA[2], LOW)
    for x in (ARENA[0], ARENA[2]):
        _block(x - 0.15, LOW, x + 0.15, ARENA[3])


def _build_slopes() -> None:
    _hill((-15.3, LOW), (-9.9, LOW), (-12.1, LOW + 1.32), (-13.1, LOW + 1.32))
    _hill((-9.2, LOW), (-8.0, LOW), (-8.0, LOW + 1.35), (-8.6, LOW + 1.35))


def _build_stairs() -> None:
    tread, riser = 0.5, 0.36
    for k in range(5):
        _block(-6.4 + tread * k, LOW + riser * k, -1.4 - 0.34 * k, LOW + riser * (k + 1))


def _build_machines() -> Transform:
    """The wheel, the piston, the press, the lift, and the seesaw, whose place is returned."""
    hub = esper.create_entity(Transform(*_WHEEL), Velocity(angular=0.5))
    for k in range(_SPOKES):
        turn = math.tau * k / _SPOKES
        arm = Parent(hub, 2.0 * math.cos(turn), 2.0 * math.sin(turn))
        esper.create_entity(Transform(), AABBCollider(0.62, 0.1), Solid(), OneWay(), arm)
    _mover(AABBCollider(0.5, 0.5), HarmonicTrajectory(11.9, LOW + 0.52, 0.8, 0.0, 1.5))
    _mover(AABBCollider(0.7, 0.8), HarmonicTrajectory(15.4, LOW + 1.82, 0.0, 1.0, 1.3))
    _mover(AABBCollider(0.45, 0.12), HarmonicTrajectory(9.8, 0.5 * (LOW + HIGH), 0.0, 0.5 * (HIGH - LOW) - 0.13, 0.8))
    return _solid(OBBCollider(1.75, 0.12), 7.3, -5.3)


def _build_upper_floor() -> None:
    for low, high in ((-17.0, -14.6), (-9.2, 9.2), (10.4, 17.0)):
        _block(low, HIGH - 0.5, high, HIGH)
    _mover(AABBCollider(0.9, 0.12), HarmonicTrajectory(-11.9, HIGH - 0.12, 1.7, 0.0, 0.9))
    _mover(AABBCollider(0.8, 0.12), CircularTrajectory(-11.9, 4.2, 1.4, 1.0))
    for height in (2.4, 3.8, 5.2):
        _solid(AABBCollider(1.4, 0.08), -3.4, height - 0.08, 0.0, OneWay())
    _solid(CircleCollider(1.25), 4.4, HIGH + 1.35, 0.0, Velocity(angular=-1.5))
    _hill((11.4, HIGH), (13.8, HIGH), (12.6, HIGH + 0.5))
    _hill((14.0, HIGH), (16.4, HIGH), (15.2, HIGH + 0.6))
