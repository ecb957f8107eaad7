"""What the scene of bullets shows: with a ``Bullet`` nothing gets through, and the film tells when and where."""

from __future__ import annotations

import math

import esper
import pytest

from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.bullets.film import Film, Mover
from ecsphys.demo.scenes.bullets.shooting_range import LANES, MUZZLE, PLATES, RADIUS, ROOM, ROOM_ANGLE, ROOMS, THIN
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.scene import STEP, LiveScene


@pytest.fixture
def live() -> LiveScene:
    return open_scene("bullets")


def film_of(live: LiveScene) -> Film:
    live.enter()
    film = esper.get_processor(Film)
    assert isinstance(film, Film)
    return film


def parameter(live: LiveScene, name: str) -> Parameter:
    return next(parameter for parameter in live.layout.parameters if parameter.name == name)


def play(live: LiveScene, speed: float = 200.0, stop: bool = True) -> Film:
    """A volley at its end: whatever has been fired rests, and the film is over."""
    parameter(live, "speed").put(speed)
    parameter(live, "stop").put(float(stop))
    film = film_of(live)
    most = max(mover.steps(speed) for mover in film.movers)
    while film.moment <= most:
        live.step()
    return film


def out_of_room(mover: Mover, room: int) -> float:
    """How far beyond the walls of a room a disc's edge is, negative within."""
    x, y = mover.way.transform.x - ROOMS[room][0], mover.way.transform.y - ROOMS[room][1]
    cos, sin = math.cos(ROOM_ANGLE), math.sin(ROOM_ANGLE)
    return max(abs(cos * x + sin * y), abs(cos * y - sin * x)) + RADIUS - (ROOM - 0.5 * THIN)


def test_without_bullet_discs_end_behind_the_walls_and_with_bullet_never(live: LiveScene) -> None:
    movers = play(live).movers
    without, swept = (
        [mover for mover in movers if math.dist(mover.way.pose(mover.track[0])[:2], place) < 1e-9] for place in ROOMS
    )
    assert len(without) == len(swept) == 24
    assert min(out_of_room(mover, 0) for mover in without) > THIN
    assert not any(mover.impacts for mover in without)
    assert max(out_of_room(mover, 1) for mover in swept) < 0.0
    assert all(len(mover.impacts) == 1 for mover in swept)


@pytest.mark.parametrize("speed", [10.0, 25.0, 50.0, 100.0, 200.0])
def test_with_bullet_none_gets_out_at_any_speed_unless_it_is_not_to_stop(live: LiveScene, speed: float) -> None:
    swept = play(live, speed).movers[24:48]
    assert max(out_of_room(mover, 1) for mover in swept) < 0.0
    play(live, speed, stop=False)
    assert min(out_of_room(mover, 1) for mover in swept) > THIN
    assert all(mover.impacts for mover in swept)


def test_the_dials_tell_when_each_plate_was_reached(live: LiveScene) -> None:
    lanes = [mover for mover in play(live).movers if mover.way.transform.y in LANES]
    without, reporting, stopping = lanes
    times = [(x - 0.5 * THIN - RADIUS - MUZZLE) / (200.0 * STEP) for x in PLATES]
    assert without.impacts == []
    assert [impact.moment for impact in reporting.impacts] == pytest.approx(times, abs=1e-5)
    assert [impact.moment for impact in stopping.impacts] == pytest.approx(times[:1], abs=1e-5)
    x, _, _ = stopping.pose_at(1.0)
    assert x == pytest.approx(PLATES[0] - 0.5 * THIN - RADIUS, abs=1e-6)


def test_the_film_shows_a_stopped_disc_at_the_wall_from_its_impact_on(live: LiveScene) -> None:
    for mover in play(live).movers:
        if mover.bullet is not None and mover.bullet.stop and mover.impacts and len(mover.rests) == 1:
            time = mover.impacts[0].time
            end = mover.way.pose(mover.track[-1])
            assert mover.pose_at(time) == pytest.approx(end)
            assert mover.pose_at(1.0) == pytest.approx(end)
            assert math.dist(mover.pose_at(0.5 * time), end) > 0.1


def test_it_fires_again_by_itself_and_every_volley_is_the_same(live: LiveScene) -> None:
    film = film_of(live)
    volleys = []
    for _ in range(2):
        last = -1.0
        while film.moment > last:
            last = film.moment
            impacts = [mover.impacts for mover in film.movers]
            live.step()
        volleys.append(impacts)
    assert volleys[0] == volleys[1]
    assert live.frame < 600
