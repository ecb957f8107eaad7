"""``physics.debug.check()`` finds nothing in worlds in which nothing is wrong: the scenes of the demo, and its game."""

from __future__ import annotations

import pytest

from ecsphys.demo.scenes import SCENES, open_scene

PLAYED = (1, 40)


@pytest.mark.parametrize("name", list(SCENES))
def test_a_scene_of_the_demo_has_no_findings(name: str) -> None:
    live = open_scene(name, seed=3)
    assert live.physics.debug.check() == []
    for step in range(1, PLAYED[-1] + 1):
        live.step()
        if step in PLAYED:
            assert live.physics.debug.check() == [], step
    live.close()
