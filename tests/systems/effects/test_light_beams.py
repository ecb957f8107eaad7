"""Beams between two points (rows D3, D4): their corners, and the component with its capsule."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from numpy.testing import assert_allclose

import ecsphys
from ecsphys import CapsuleCollider, CircleCollider, Physics, Transform, Velocity
from ecsphys.components.effects.light import Beam
from ecsphys.engine.effects.strips import fixed_beams, proportional_beams
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.stage import Priority


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@pytest.fixture
def light(physics: Physics) -> LightSystem:
    system = LightSystem(physics)
    esper.add_processor(system, Priority.LIGHT)
    return system


def test_d3_side_is_the_quarter_turned_forward_halved() -> None:
    corners = proportional_beams(np.array(((1.0, 2.0),)), np.array(((5.0, 2.0),)))
    assert corners.tolist() == [[[1.0, 4.0], [1.0, 0.0], [5.0, 4.0], [5.0, 0.0]]]


def test_d3_width_grows_with_length() -> None:
    ends = np.array(((3.0, 4.0), (6.0, 8.0)))
    corners = proportional_beams(np.zeros((2, 2)), ends, 0.25)
    assert_allclose(np.hypot(*(corners[:, 0] - corners[:, 1]).T), (1.25, 2.5), rtol=1e-15)


@pytest.mark.parametrize("end", [(3.0, 4.0), (-30.0, 40.0), (0.0, -1e-200), (1e200, 0.0)])
def test_d4_width_is_fixed_and_across(end: tuple[float, float]) -> None:
    corners = fixed_beams(np.zeros((1, 2)), np.array((end,)), 2.0)[0]
    across = corners[0] - corners[1]
    assert math.hypot(*across) == pytest.approx(2.0, rel=1e-15)
    assert abs(across @ np.array(end)) <= 1e-15 * math.hypot(*end)
    assert end[0] * across[1] - end[1] * across[0] > 0.0  # left of forward


def test_d4_by_numbers() -> None:
    corners = fixed_beams(np.array(((1.0, 1.0),)), np.array(((4.0, 5.0),)), np.array((10.0,)))
    assert_allclose(corners[0], ((-3.0, 4.0), (5.0, -2.0), (0.0, 8.0), (8.0, 2.0)), atol=1e-14)


def test_d4_a_beam_of_length_zero_is_a_line_without_a_nan() -> None:
    corners = fixed_beams(np.ones((1, 2)), np.ones((1, 2)), 2.0)
    assert corners.tolist() == [[[1.0, 2.0], [1.0, 0.0], [1.0, 2.0], [1.0, 0.0]]]


def test_the_mesh_turns_with_the_entity(light: LightSystem) -> None:
    entity = esper.create_entity(Transform(10, 20, math.pi / 2), Beam(4, 0, width=2))
    esper.process(0.0)
    mesh = light.beam_mesh()
    assert_allclose(mesh.positions, ((9, 20), (11, 20), (9, 24), (11, 24)), atol=1e-14)
    assert mesh.texture_coordinates.tolist() == [[0, 1], [0, 0], [1, 1], [1, 0]]
    assert mesh.texture_q.tolist() == [1, 1, 1, 1]
    assert mesh.triangles.tolist() == [[0, 1, 2], [2, 1, 3]]
    assert (mesh.entity.tolist(), mesh.first_vertex.tolist()) == ([entity], [0, 4])


def test_a_proportional_beam_is_no_narrower_than_its_width(light: LightSystem) -> None:
    for length in (10.0, 1.0):
        esper.create_entity(Transform(), Beam(length, 0, width=0.5, proportion=0.2))
    esper.process(0.0)
    corners = light.beam_mesh().positions.reshape(2, 4, 2)
    assert (corners[:, 0, 1] - corners[:, 1, 1]).tolist() == [2.0, 0.5]
    radii = [capsule.radius for _, capsule in sorted(esper.get_component(CapsuleCollider))]
    assert radii == [1.0, 0.25]


def test_a_beam_hits_what_it_crosses_in_the_same_step(physics: Physics, light: LightSystem) -> None:
    gun = esper.create_entity(Transform(0, 0), Velocity(0, 10), Beam(100, 0, width=2))
    target = esper.create_entity(Transform(60, 11.5), CircleCollider(1))
    esper.process(0.5)
    assert len(physics.hits) == 0  # moved to y = 5
    esper.process(0.5)
    (hit,) = physics.hits.of(target)  # y = 10: 1.5 apart, radii 1 + 1
    assert hit.other(target) == gun
    assert hit.depth == pytest.approx(0.5)


def test_the_capsule_follows_the_ends_without_structural_change(light: LightSystem) -> None:
    beam = Beam(4, 0, width=2)
    entity = esper.create_entity(Transform(), beam)
    esper.process(0.0)
    esper.process(0.0)
    listed = esper.get_component(Transform)
    beam.start_x, beam.end_x, beam.end_y, beam.width = 1.0, 1.0, 6.0, 3.0
    esper.process(0.0)
    assert esper.get_component(Transform) is listed
    assert esper.component_for_entity(entity, CapsuleCollider) == CapsuleCollider.from_points(1, 0, 1, 6, 1.5)


def test_the_capsule_goes_with_the_beam_unless_it_was_the_games(light: LightSystem) -> None:
    bare = esper.create_entity(Transform(), Beam(4, 0, width=2))
    own = esper.create_entity(Transform(), Beam(4, 0, width=2), CapsuleCollider(1, 1))
    esper.process(0.0)
    for entity in (bare, own):
        esper.remove_component(entity, Beam)
    esper.process(0.0)
    assert not esper.has_component(bare, CapsuleCollider)
    assert esper.component_for_entity(own, CapsuleCollider) == CapsuleCollider(4, 1, 2)


def test_a_beam_of_length_zero_collides_as_a_circle(physics: Physics, light: LightSystem) -> None:
    esper.create_entity(Transform(), Beam(0, 0, width=2))
    esper.create_entity(Transform(1.5, 0), CircleCollider(1))
    esper.process(0.0)
    assert physics.hits.depth.tolist() == [0.5]
    assert np.isfinite(light.beam_mesh().positions).all()


def test_bad_values_are_refused_by_name(light: LightSystem) -> None:
    with pytest.raises(ValueError, match=r"Beam\.width must be greater than 0"):
        Beam(1, 0, width=0)
    entity = esper.create_entity(Transform(), Beam(1, 0, width=1))
    row = ecsphys.join(Beam)[1]
    Beam.column("end_x")[row] = math.nan
    with pytest.raises(ValueError, match=rf"entity {entity}: Beam\.end_x must be finite, got nan"):
        esper.process(0.0)


def test_one_instance_on_two_entities_is_refused(light: LightSystem) -> None:
    beam = Beam(1, 0, width=1)
    first = esper.create_entity(Transform(), beam)
    second = esper.create_entity(Transform(), beam)
    with pytest.raises(ValueError, match=rf"entities {first} and {second} share one Beam instance"):
        esper.process(0.0)


def test_clearing_the_database_starts_anew(light: LightSystem) -> None:
    for _ in range(2):
        entity = esper.create_entity(Transform(), Beam(4, 0, width=2))
        esper.process(0.0)
        assert esper.has_component(entity, CapsuleCollider)
        esper.clear_database()
