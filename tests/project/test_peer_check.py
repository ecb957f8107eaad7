"""The bench of peers: the same scenes for a seed, sound where engines are, and loud on engines that cheat."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

from checks.__main__ import main  # noqa: E402
from checks.peers import breaks, flat, gas, laws, misses, rain, restitution, seams, shots, steps, walls  # noqa: E402
from checks.peers.ecsphys_player import EcsphysPlayer  # noqa: E402
from checks.peers.film import Film, Floats, shoot  # noqa: E402
from checks.peers.geometry import deepest_overlap, reach  # noqa: E402
from checks.peers.kinds import KINDS, Outcome, case_of, play  # noqa: E402
from checks.peers.scene import Box, Capsule, Disc, Fan, Figure, Kind, Scene, Take, Thing, even  # noqa: E402


class FakePlayer:
    """An engine in which everything flies on, evenly, and nothing ever hits."""

    name = "fake"

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.found: Floats = np.full((len(scene.things), 6), np.nan)
        self.steps = 0

    def add(self, numbers: list[int]) -> None:
        for k in numbers:
            thing = self.scene.things[k]
            self.found[k] = thing.x, thing.y, thing.angle, *thing.velocity, thing.spin

    def join(self, numbers: list[int]) -> None:
        pass

    def step(self, dt: float) -> None:
        self.found[:, :3] += self.found[:, 3:] * dt
        self.steps += 1

    def states(self) -> Floats:
        return self.found.copy()

    def asleep(self) -> np.ndarray:
        return np.zeros(len(self.scene.things), bool)

    def close(self) -> None:
        pass


class LossyPlayer(FakePlayer):
    """One that loses a little of all velocities in each step."""

    def step(self, dt: float) -> None:
        super().step(dt)
        self.found[:, 3:] *= 1.0 - 1e-6


class BrokenPlayer(FakePlayer):
    """One whose numbers are NaN after some steps."""

    def step(self, dt: float) -> None:
        super().step(dt)
        if self.steps > 3:
            self.found[:] = np.nan


def _broken(kind: str, engine: Callable[[Scene], FakePlayer], seeds: range = range(8)) -> set[str]:
    """The names of the figures that an engine breaks."""
    outcomes = [play(kind, seed, {"fake": engine}, True) for seed in seeds]
    return {outcome.figures["fake"][k].name for outcome in outcomes for k in outcome.broken()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_makes_the_same_scene_again(kind: str) -> None:
    for seed in range(5):
        assert case_of(kind, seed, True).takes == case_of(kind, seed, True).takes
    assert len({case_of(kind, seed, True).text for seed in range(5)}) > 1


def test_what_flies_on_evenly_misses_what_it_misses_and_nothing_more() -> None:
    assert _broken("misses", FakePlayer) == set()
    assert _broken("walls", FakePlayer) == {"bodies that passed"}
    assert _broken("shots", FakePlayer) == {"bullets that passed"}
    assert "error of the speed after a bounce" in _broken("restitution", FakePlayer)
    assert "speed left after a flat strike" in _broken("flat", FakePlayer)
    assert "balls that left the box" in _broken("gas", FakePlayer)
    assert "seconds at rest until all sleep" in _broken("rain", FakePlayer)
    assert "radians beyond a limit" in _broken("joints", FakePlayer, range(20))


def test_lost_momentum_and_velocity_are_seen() -> None:
    assert _broken("misses", LossyPlayer) == {"change of velocity without a hit"}
    assert "momentum lost, awake" in _broken("breaks", LossyPlayer)
    assert "momentum lost" in _broken("shots", LossyPlayer)


@pytest.mark.parametrize("kind", KINDS)
def test_an_engine_of_nan_breaks_every_kind(kind: str) -> None:
    for seed in range(6):
        assert play(kind, seed, {"fake": BrokenPlayer}, True).broken()


def _film(states: Floats, things: tuple[Thing, ...], asleep: np.ndarray | None = None) -> Film:
    count = len(states)
    slept = np.zeros(states.shape[:2], bool) if asleep is None else asleep
    return Film(Take(Scene(things), even(count / 60)), np.arange(count) / 60.0, np.arange(count), states, slept)


def test_laws_measure_what_was_planted() -> None:
    ball = Thing(0.0, 0.0, (Disc(0.5),), velocity=(2.0, 0.0))
    states = np.zeros((10, 2, 6))
    states[:, 0, 3], states[:, 1, 3] = 2.0, -1.0
    assert laws.momentum_error(_film(states, (ball, ball))) == 0.0
    assert laws.energies(_film(states, (ball, ball)))[0] == pytest.approx(0.5 * ball.mass() * 5.0)
    states[4:, 1, 3] = -1.3
    assert laws.momentum_error(_film(states, (ball, ball))) == pytest.approx(0.3 / 3.3)
    assert laws.velocity_change(_film(states, (ball, ball)), 1, 2.0) == pytest.approx(0.15)
    states[:, 0, 1] = 0.01 * np.arange(10)
    assert laws.drift(_film(states, (ball, ball)), 0, 3) == pytest.approx(0.06)
    assert laws.farthest(_film(states, (ball, ball)), 0, 0.0, 1.0) == pytest.approx(0.09)


def test_seconds_until_asleep_are_counted_from_the_last_fast_moment() -> None:
    ball = Thing(0.0, 0.0, (Disc(0.5),))
    states = np.zeros((601, 1, 6))
    states[:61, 0, 3] = 1.0
    asleep = np.zeros((601, 1), bool)
    assert laws.seconds_until_asleep(_film(states, (ball,), asleep)) == pytest.approx(9.0)
    asleep[121:] = True
    assert laws.seconds_until_asleep(_film(states, (ball,), asleep)) == pytest.approx(61 / 60)
    states[:, 0, 3] = 1.0
    assert laws.seconds_until_asleep(_film(states, (ball,), np.zeros((601, 1), bool))) == math.inf


def test_gaps_are_those_of_a_flight_in_small_steps() -> None:
    random = np.random.default_rng(3)
    for gap in (0.002, 0.1, 0.6):
        mover = Thing(0.0, 0.0, (Disc(0.5),), velocity=(20.0, 7.0))
        other = Thing(0.0, 0.0, (Box(0.7, 0.3),), "kinematic", angle=0.4, velocity=(1.0, -3.0))
        mover, other = misses.place(random, mover, other, gap)
        least = math.inf
        for t in np.linspace(0.0, 0.8, 20001).tolist():
            x = mover.x + t * mover.velocity[0] - other.x - t * other.velocity[0]
            y = mover.y + t * mover.velocity[1] - other.y - t * other.velocity[1]
            c, s = math.cos(other.angle), math.sin(other.angle)
            apart = max(abs(c * x + s * y) - 0.7, 0.0), max(abs(c * y - s * x) - 0.3, 0.0)
            least = min(least, math.hypot(*apart) - 0.5)
        assert least == pytest.approx(gap, abs=1e-4)


def test_shapes_reach_as_far_as_they_do() -> None:
    up = 0.0, 1.0
    assert reach(Thing(0.0, 0.0, (Box(1.0, 0.5),), angle=math.pi / 2), *up) == pytest.approx(1.0)
    assert reach(Thing(0.0, 0.0, (Capsule(2.0, 0.25),), angle=math.pi / 6), *up) == pytest.approx(0.75)
    assert reach(Thing(0.0, 0.0, (Fan(2.0, math.pi / 2),)), *up) == pytest.approx(math.sqrt(2.0))
    assert reach(Thing(0.0, 0.0, (Fan(2.0, math.pi / 2),)), 1.0, 0.0) == 2.0


def test_overlaps_are_as_deep_as_they_are() -> None:
    box = Thing(0.0, 0.0, (Box(1.0, 0.5),))
    assert deepest_overlap([box, Thing(0.0, 0.9, (Box(1.0, 0.5),))]) == pytest.approx(0.1)
    assert deepest_overlap([box, Thing(0.0, 1.1, (Box(1.0, 0.5),))]) == 0.0
    corner = Thing(1.0 + 0.3, 0.5 + 0.3, (Disc(0.5),))
    assert deepest_overlap([box, corner]) == pytest.approx(0.5 - 0.3 * math.sqrt(2.0))


def test_planted_faults_of_a_kind_are_seen() -> None:
    take = case_of("steps", 1, True).takes[0]
    film = shoot(FakePlayer, take)
    top = 4
    film.states[-1, top, 0] += 0.5
    assert steps.judge([film], top + 1, 0.5)[0].breaks()
    disc = Thing(0.0, 0.0, (Disc(0.5),), velocity=(10.0, 0.0), restitution=0.5)
    states = np.zeros((3, 2, 6))
    states[0, 0, 3], states[2, 0, 3] = 10.0, -5.2
    assert restitution.judge([_film(states, (disc, disc))], 5.0)[0].breaks()
    states[2, 0, 3] = -5.01
    assert not restitution.judge([_film(states, (disc, disc))], 5.0)[0].breaks()
    assert flat.judge([_film(states, (disc, disc))], 10.0)[0].breaks()
    states[:, 0, 0] = 1.0
    assert walls.judge([_film(states, (disc, disc))], 0, (1.0, 0.0), 0.02)[0].breaks()
    assert gas.judge_closed([_film(states, (disc, disc))], 0.03)[0].breaks()
    states[:, 0, 0] = 0.9
    assert rain.judge([_film(states, (disc, disc))], 0.5)[1].value == pytest.approx(0.2)
    assert shots.judge([_film(states[:2], (disc, disc))], 40.0)[0].breaks()


def test_what_differs_asleep_and_awake_is_seen() -> None:
    seed = next(k for k in range(100) if " rack" in case_of("breaks", k, True).text)
    films = [shoot(FakePlayer, take) for take in case_of("breaks", seed, True).takes]
    assert not any(figure.breaks() for figure in breaks.judge_closed(films))
    films[0].states[-1, 0, 0] += 1.0
    films[0].states[-1, 0, 3] += 1e-6
    names = {figure.name for figure in breaks.judge_closed(films) if figure.breaks()}
    assert names == {
        "momentum lost, asleep",
        "velocities asleep against awake",
        "part that moved asleep against awake",
    }


def test_a_bound_like_that_of_box2d_is_at_least_as_wide_as_box2ds_figure() -> None:
    def outcome(own: float, other: float) -> Outcome:
        found = [Figure("gap", value, 0.02, like_box2d=True) for value in (own, other)]
        return Outcome("joints", 1, "links", {"ecsphys": found[:1], "Box2D": found[1:]})

    assert outcome(0.3, 0.4).broken() == []
    assert outcome(0.5, 0.4).broken() == [0]
    assert outcome(0.01, 0.0).broken() == []
    assert outcome(math.nan, 0.4).broken() == [0]
    (line,) = outcome(0.5, 0.4).lines()
    assert line.startswith("--kind joints --seed 1 --scenes 1: links: gap: ecsphys 0.5, at most 0.4 (Box2D 0.4")


def test_ecsphys_plays_what_it_is_given() -> None:
    take = case_of("restitution", 8, True).takes[0]
    film = shoot(EcsphysPlayer, take)
    assert film.states.shape == (len(take.steps) + 1, 2, 6)
    assert film.states[0, 0, 3] == take.scene.things[0].velocity[0]
    late = dataclasses.replace(take.scene.things[0], born=2)
    film = shoot(EcsphysPlayer, dataclasses.replace(take, scene=Scene((late, take.scene.things[1]))))
    assert np.isnan(film.states[:2, 0]).all()
    assert film.states[2, 0, 0] == late.x


def test_the_command_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["peers", "--kind", "restitution", "--scenes", "3", "--seed", "7", "--quick"]) == 0
    said = capsys.readouterr().out
    assert "3 scenes from seed 7" in said
    assert "0 in which ecsphys broke a bound" in said


def test_the_command_fails_where_the_engine_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checks.peers.command.engines", lambda: {"ecsphys": FakePlayer})
    assert main(["peers", "--kind", "shots", "--scenes", "2"]) == 1
    said = capsys.readouterr().out
    assert "--kind shots --seed 1 --scenes 1: " in said
    assert "bullets that passed" in said


def test_a_track_without_seams_costs_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    def one(what: str, wide: float, kind: Kind) -> list[Thing]:
        half = 0.5 * seams._TILES * wide
        return [Thing(half, -0.5, (Box(half, 0.5),), kind)]

    monkeypatch.setattr(seams, "_track", one)
    for seed in range(1, 5):
        assert play("seams", seed, {"ecsphys": EcsphysPlayer}, True).broken() == []


def test_an_error_of_an_engine_names_the_scene() -> None:
    class FailingPlayer(FakePlayer):
        def step(self, dt: float) -> None:
            raise RuntimeError("no")

    with pytest.raises(RuntimeError) as caught:
        play("flat", 3, {"fake": FailingPlayer}, True)
    assert caught.value.__notes__ == ["--kind flat --seed 3 --scenes 1, in fake"]
