"""The checks of turning pairs and of chains: silent on the engine, and loud where it errs."""

from __future__ import annotations

import sys
from pathlib import Path

import esper
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

from checks import chains, turning  # noqa: E402
from checks.__main__ import main  # noqa: E402
from checks.geometry import Tally  # noqa: E402
from checks.turning import Ways, check, impacts_of, is_clear  # noqa: E402


def test_no_time_of_impact_of_turning_pairs_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["turning", "--pairs", "338", "--seed", "4"]) == 0
    assert ": 0 faults" in capsys.readouterr().out


def test_a_disc_in_a_straight_line_is_clear_up_to_where_it_touches() -> None:
    ways = Ways(np.random.default_rng(1), "circle", "circle", 1)
    for batch, x in ((ways.a, 0.0), (ways.b, 5.0)):
        batch.sizes[:], batch.offsets[:] = 1.0, 0.0
        batch.positions[:] = x, 0.0
    ways.motion_a[:], ways.motion_b[:] = (6.0, 0.0, 3.0), (0.0, 0.0, -3.0)
    ways.size[:] = 1.0
    assert impacts_of(ways)[0] == pytest.approx([0.5], abs=1e-6)
    for end, clear in ((0.499, True), (0.501, False)):
        found, told = is_clear(ways, np.array([end]))
        assert (found[0], told[0]) == (clear, True)


@pytest.mark.parametrize(("late", "what"), [(1e-3, "nothing is met before the impact"), (-1e-3, "an impact is one")])
def test_an_impact_that_comes_late_or_early_is_a_fault(monkeypatch: pytest.MonkeyPatch, late: float, what: str) -> None:
    impacts = turning.impacts_of
    monkeypatch.setattr(turning, "impacts_of", lambda ways: (impacts(ways)[0] + late, impacts(ways)[1]))
    tally = Tally()
    check(Ways(np.random.default_rng(2), "obb", "capsule", 20), "pairs", tally)
    assert any(fault.startswith(what) for fault in tally.shown)


def test_no_answer_of_chains_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains", "--scenes", "6", "--seed", "1"]) == 0
    assert ": 0 faults" in capsys.readouterr().out


def test_a_chain_that_is_somewhere_else_is_a_fault() -> None:
    before = esper.current_world
    scene, tally = chains.Scene(1, 5), chains.Tally()
    x, y, angle = scene.place
    scene.place = (x + 0.1, y, angle)
    chains.compare(scene, tally)
    scene.close()
    esper.switch_world(before)
    assert tally.faults > 0
