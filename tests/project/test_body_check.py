"""The check of rigid bodies: silent on the engine, the same for a seed, and loud where a law is broken."""

from __future__ import annotations

import sys
from pathlib import Path

import esper
import numpy as np
import pytest

from ecsphys import Velocity

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

from checks.__main__ import main  # noqa: E402
from checks.bodies import Referee, Tally, play  # noqa: E402
from checks.body_worlds import BodyWorld, kind_of  # noqa: E402


def test_no_law_is_broken_in_a_world_of_each_ground() -> None:
    tally = Tally()
    for seed in range(10, 15):
        play(seed, 60, tally)
    assert tally.shown == []
    assert tally.faults == 0
    assert {"momentum of closed systems", "friction is in its cone", "sleepers lie still"} <= tally.worst.keys()


def test_a_seed_makes_the_same_world_again() -> None:
    one, other = BodyWorld(3), BodyWorld(3, " again")
    esper.switch_world(one.name)
    poses = one.poses()
    esper.switch_world(other.name)
    assert np.array_equal(poses, other.poses())
    for world in (one, other):
        world.close()


@pytest.mark.parametrize(
    ("field", "factor", "law"),
    [("x", 1.0 + 1e-9, "momentum of closed systems"), ("angular", 100.0, "angular momentum of closed systems")],
)
def test_what_a_step_adds_to_a_closed_system_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, field: str, factor: float, law: str
) -> None:
    seed = next(k for k in range(0, 1000, 5) if kind_of(k).turns and not kind_of(k).has_bullets)
    tally = Tally()
    referee = Referee(seed, tally)
    step = referee.world.step

    def cheat() -> None:
        step()
        for _, velocity in esper.get_component(Velocity):
            setattr(velocity, field, getattr(velocity, field) * factor)

    monkeypatch.setattr(referee.world, "step", cheat)
    referee.play(3)
    assert any(f", {law}: " in fault for fault in tally.shown)
    referee.world.close()


def test_the_command_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bodies", "--worlds", "2", "--steps", "5", "--seed", "7"]) == 0
    said = capsys.readouterr().out
    assert "2 worlds from seed 7, 10 steps" in said
    assert "0 faults" in said
