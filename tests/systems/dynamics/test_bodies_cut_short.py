"""Bodies after a step that was cut short by an interrupt."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

import esper
import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))  # the checks are not installed

import ecsphys  # noqa: E402
from checks.signal_places import Cut, raising_at_signal_place  # noqa: E402
from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, Disabled, RigidBody, Solid, Transform  # noqa: E402

STEP = 1 / 60

# An interrupt in a finaliser is printed by Python, not raised.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Cutting(esper.Processor):
    """Ends a step between the bodies and the narrowphase."""

    def __init__(self) -> None:
        self.cuts = False

    def process(self, dt: float) -> None:
        if self.cuts:
            raise Cut


def test_contacts_that_were_solved_are_found_anew_where_the_step_ended_before_it_found_the_next() -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    cutting = Cutting()
    esper.add_processor(cutting, 250)
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(10.0, 0.5), Solid())
    # Upright: one point.
    transform = Transform(0.0, 0.75, np.pi / 2)
    body = esper.create_entity(transform, CapsuleCollider(1.0, 0.25), RigidBody())
    esper.process(STEP)
    esper.process(STEP)
    # On its side: two points, which the bodies find before the narrowphase does.
    transform.y, transform.angle = 0.25, 0.0
    cutting.cuts = True
    with pytest.raises(Cut):
        esper.process(STEP)
    cutting.cuts = False
    for _ in range(60):
        esper.process(STEP)
        assert np.isfinite((transform.x, transform.y, transform.angle)).all()
    assert transform.y == pytest.approx(0.25, abs=0.01)
    assert esper.has_component(body, RigidBody)


def test_a_disabled_body_weighs_what_it_weighed_after_a_measurement_that_was_cut_short_anywhere() -> None:
    physics = ecsphys.install()
    shape = CircleCollider(1.0)
    esper.create_entity(Transform(9.0, 0.0), shape, RigidBody())
    disabled = esper.create_entity(Transform(), CircleCollider(1.0), RigidBody())
    esper.process(STEP)
    esper.add_component(disabled, Disabled())
    esper.process(STEP)
    tried = 0
    for number in count(1):
        shape.radius = 1.0 + 0.001 * number
        try:
            with raising_at_signal_place(number, lambda frame: frame.f_code.co_name == "measure") as reached:
                esper.process(STEP)
        except Cut:
            tried += 1
        esper.process(STEP)
        assert physics.bodies.mass_of(disabled).mass == pytest.approx(np.pi)
        if not reached:
            break
    assert tried > 5
