"""Homing lasers in a world: segments that collide and name their owner, made and deleted in step; the mesh."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from numpy.testing import assert_allclose

import ecsphys
from ecsphys import CapsuleCollider, CircleCollider, CollisionFilter, Physics, Transform
from ecsphys.components.effects.light import HomingLaser, LaserSegment, Steering
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.stage import Priority
from ecsphys.types import Hit


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@pytest.fixture
def light(physics: Physics) -> LightSystem:
    system = LightSystem(physics)
    esper.add_processor(system, Priority.LIGHT)
    return system


def straight_laser(segments: int = 5, speed: float = 10.0, x: float = 0.0) -> tuple[int, HomingLaser]:
    laser = HomingLaser(speed, 2.0, target_x=x + 1000.0, segment_length=10.0, segments=segments)
    return esper.create_entity(Transform(x, 0.0), laser), laser


def segments_of(owner: int) -> list[int]:
    found = [
        (segment.number, entity) for entity, segment in esper.get_component(LaserSegment) if segment.owner == owner
    ]
    return [entity for _, entity in sorted(found)]


def test_the_head_moves_the_transform_at_its_speed(light: LightSystem) -> None:
    entity, laser = straight_laser(speed=30.0)
    place = esper.component_for_entity(entity, Transform)
    for _ in range(4):
        esper.process(0.25)
    assert (place.x, place.y, place.angle) == (30.0, 0.0, 0.0)
    laser.target_x, laser.target_y = 30.0, 1000.0
    for _ in range(12):
        esper.process(0.25)
    assert place.angle == pytest.approx(math.atan2(1000.0 - place.y, 30.0 - place.x), abs=0.01)


def test_the_pieces_cover_the_last_of_the_way(light: LightSystem) -> None:
    """55 flown of 5 segments of 10: from head 55 to tail 5, in pieces of 5, 10, 10, 10, 10, 5."""
    entity, _ = straight_laser()
    for _ in range(22):
        esper.process(0.25)
    pieces = segments_of(entity)
    capsules = [esper.component_for_entity(piece, CapsuleCollider) for piece in pieces]
    places = [esper.component_for_entity(piece, Transform).x for piece in pieces]
    assert [capsule.length for capsule in capsules] == [5.0, 10.0, 10.0, 10.0, 10.0, 5.0]
    assert [capsule.radius for capsule in capsules] == [1.0] * 6
    assert places == [52.5, 45.0, 35.0, 25.0, 15.0, 7.5]


def test_a_hit_names_the_laser(physics: Physics, light: LightSystem) -> None:
    entity, _ = straight_laser(speed=100.0)
    rock = esper.create_entity(Transform(20, 1.5), CircleCollider(1))
    bystander = esper.create_entity(Transform(20, 300), CircleCollider(1))
    esper.process(0.3)
    hits = physics.hits.of(rock)
    assert hits
    segments = [esper.component_for_entity(hit.other(rock), LaserSegment) for hit in hits]
    assert {segment.owner for segment in segments} == {entity}
    assert all(hit.depth == pytest.approx(0.5) for hit in hits)
    assert not physics.hits.of(bystander)


def test_steady_flight_changes_no_structure(light: LightSystem) -> None:
    target = esper.create_entity(moving := Transform(100, 100), CircleCollider(5))
    for angle in range(5):
        esper.create_entity(Transform(0, 0, angle), HomingLaser(300, 4, target=target))
    esper.process(1 / 60)
    listed = esper.get_component(Transform)
    for n in range(200):
        moving.x = 100 + 50 * math.cos(0.1 * n)
        esper.process(1 / 60)
    assert esper.get_component(Transform) is listed


def test_it_follows_an_entity_as_long_as_that_lives(light: LightSystem) -> None:
    target = esper.create_entity(place := Transform(0, 500))
    entity = esper.create_entity(Transform(), laser := HomingLaser(600, 4, target=target))
    for _ in range(20):
        esper.process(1 / 60)
    assert esper.component_for_entity(entity, Transform).y > 100.0
    place.x = 50.0
    esper.process(1 / 60)
    assert (laser.target_x, laser.target_y) == (50.0, 500.0)
    esper.delete_entity(target)
    esper.process(1 / 60)
    assert (laser.target_x, laser.target_y) == (50.0, 500.0)


def test_what_has_not_been_flown_meets_nothing(physics: Physics, light: LightSystem) -> None:
    """At the muzzle there is one piece at first, not the whole pile."""
    straight_laser(segments=20)
    muzzle = esper.create_entity(Transform(-1.5, 0), CircleCollider(1))
    esper.process(0.0)
    assert len(physics.hits.of(muzzle)) == 1
    for _ in range(4):
        esper.process(1.0)
    assert {hit.other(muzzle) for hit in physics.hits.of(muzzle)} <= set(segments_of(1)[:5])


def test_lasers_hit_neither_themselves_nor_each_other(physics: Physics, light: LightSystem) -> None:
    for angle in (0.0, 1.0, 2.0):
        esper.create_entity(Transform(0, 0, angle), HomingLaser(60, 5, turn_limit=0.8, steering=Steering.SIGN))
    for _ in range(200):
        esper.process(1 / 20)
        assert len(physics.hits) == 0


def test_segments_take_over_the_lasers_filter(physics: Physics, light: LightSystem) -> None:
    """Layers and mask always, a negative group too, so that a laser spares its cannon; changes at once."""
    cannon = esper.create_entity(Transform(), CircleCollider(3), CollisionFilter(group=-7))
    entity, _ = straight_laser(speed=100.0)
    shared = CollisionFilter(layers=2, mask=1, group=-7)
    esper.add_component(entity, shared)
    wall = esper.create_entity(Transform(10, 0), CircleCollider(3))
    esper.process(0.2)
    assert not physics.hits.of(cannon)
    assert physics.hits.of(wall)
    shared.group = 0
    esper.process(0.0)
    assert physics.hits.of(cannon)
    shared.mask = 4
    esper.process(0.0)
    assert not physics.hits.of(wall)


ended: list[tuple[str | None, int | None]] = []


def note_end(hit: Hit) -> None:
    segment = esper.try_component(hit.entity_b, LaserSegment)
    ended.append((hit.reason, None if segment is None else segment.owner))


@pytest.mark.parametrize("immediate", [False, True])
def test_deleting_the_laser_ends_its_hits_and_takes_the_segments(
    immediate: bool, physics: Physics, light: LightSystem
) -> None:
    ended.clear()
    esper.set_handler("hit_ended", note_end)
    esper.create_entity(Transform(20, 0), CircleCollider(1))
    entity, _ = straight_laser(speed=100.0)
    esper.process(0.3)
    running = len(physics.hits)
    assert running > 0
    esper.delete_entity(entity, immediate=immediate)
    esper.process(0.0)
    assert ended == [("despawned", entity)] * running
    esper.process(0.0)
    assert not esper.get_component(LaserSegment)


def test_a_laser_marked_dead_by_an_earlier_system_hits_no_more_in_this_step(
    physics: Physics, light: LightSystem
) -> None:
    esper.create_entity(Transform(20, 0), CircleCollider(1))
    entity, _ = straight_laser(speed=100.0)
    esper.process(0.3)

    class Killer(esper.Processor):
        def process(self, dt: float) -> None:
            if esper.entity_exists(entity):
                esper.delete_entity(entity)

    esper.add_processor(Killer(), priority=450)
    esper.process(0.0)
    assert len(physics.hits) == 0
    assert set(physics.hits.ended.reason.tolist()) == {"despawned"}
    for _ in range(3):
        esper.process(0.0)
    assert not esper.get_component(LaserSegment)


def test_removing_the_component_or_clearing_the_database_leaves_no_segment(light: LightSystem) -> None:
    entity, laser = straight_laser()
    esper.process(1.0)
    esper.remove_component(entity, HomingLaser)
    esper.process(1.0)
    esper.process(1.0)
    assert not esper.get_component(LaserSegment)
    esper.clear_database()
    again = esper.create_entity(Transform(7, 0), laser)
    esper.process(0.0)
    assert len(segments_of(again)) == 6
    assert esper.component_for_entity(again, Transform).x == 7.0


def test_segments_a_game_has_deleted_are_made_again(light: LightSystem) -> None:
    entity, _ = straight_laser()
    esper.process(1.0)
    esper.delete_entity(segments_of(entity)[2])
    esper.process(1.0)
    esper.process(1.0)
    assert len(segments_of(entity)) == 6
    assert esper.component_for_entity(entity, Transform).x == 30.0


def test_the_length_can_be_changed_in_flight(light: LightSystem) -> None:
    entity, laser = straight_laser(segments=3)
    for _ in range(10):
        esper.process(1.0)
    for segments in (8, 2):
        laser.segments = segments
        esper.process(0.0)
        esper.process(0.0)
        assert len(segments_of(entity)) == segments + 1
        assert esper.component_for_entity(entity, Transform).x == 100.0
        assert np.isfinite(light.laser_mesh().positions).all()


def test_other_entities_may_come_and_go_in_flight(light: LightSystem) -> None:
    lasers = [straight_laser(x=100.0 * n)[0] for n in range(4)]
    for n in range(30):
        esper.process(0.25)
        esper.create_entity(Transform())
        if n == 10:
            esper.delete_entity(lasers.pop(1))
        if n == 20:
            late = straight_laser(x=-500.0)[0]
    places = [esper.component_for_entity(entity, Transform).x for entity in (*lasers, late)]
    assert places == [75.0, 275.0, 375.0, -500.0 + 22.5]


def test_writing_the_angle_steers(light: LightSystem) -> None:
    esper.create_entity(place := Transform(), HomingLaser(10, 1, target_x=1000, turn_limit=0.0))
    esper.process(1.0)
    place.angle = math.pi / 2
    esper.process(1.0)
    assert (place.x, place.y) == pytest.approx((10.0, 10.0))


def test_the_mesh_runs_from_tail_to_head(light: LightSystem) -> None:
    assert light.laser_mesh().positions.shape == (0, 2)
    entity, _ = straight_laser()
    other, _ = straight_laser(x=500.0)
    for _ in range(22):
        esper.process(0.25)
    mesh = light.laser_mesh()
    assert mesh.entity.tolist() == [entity, other]
    mine = mesh.positions[: mesh.first_vertex[1]]
    u, v = mesh.texture_coordinates[: mesh.first_vertex[1]].T
    assert_allclose(mine[[0, 1, -2, -1]], ((5, 1), (5, -1), (55, 1), (55, -1)))
    assert_allclose(u, (mine[:, 0] - 5.0) / 50.0, atol=1e-15)
    assert v.tolist() == [1.0, 0.0] * (len(v) // 2)
    a, b, c = np.moveaxis(mesh.positions[mesh.triangles], 1, 0)
    areas = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(2 * 50.0 * 2.0)


def test_the_mesh_keeps_its_width_on_the_way_and_never_turns_over(light: LightSystem) -> None:
    esper.create_entity(Transform(0, 0, 2.0), HomingLaser(400, 20, target_x=300, segments=30, turn_limit=0.3))
    for _ in range(120):
        esper.process(1 / 60)
        mesh = light.laser_mesh()
        a, b, c = np.moveaxis(mesh.positions[mesh.triangles], 1, 0)
        assert ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] >= -1e-9).all()
        widths = np.hypot(*(mesh.positions[0::2] - mesh.positions[1::2]).T)
        assert (widths > 9.9).all()
        assert (widths <= 25.0).all()


def test_bad_values_are_refused(light: LightSystem) -> None:
    with pytest.raises(ValueError, match=r"HomingLaser\.turn_limit must be at least 0 and at most"):
        HomingLaser(1, 1, turn_limit=2.0)
    entity, _ = straight_laser()
    HomingLaser.column("segments")[ecsphys.join(HomingLaser)[1]] = 0
    with pytest.raises(ValueError, match=rf"entity {entity}: HomingLaser\.segments must be"):
        esper.process(0.0)


def test_lasers_of_different_lengths_do_not_disturb_each_other(light: LightSystem) -> None:
    """Room for joints is shared: a longer laser that comes and goes moves everyone's."""
    entity, _ = straight_laser(segments=3)
    for n in range(40):
        if n == 8:
            longer, _ = straight_laser(segments=9, x=500.0)
        if n == 30:
            esper.delete_entity(longer)
        esper.process(0.5)
        mesh = light.laser_mesh()
        flown = 5.0 * (n + 1)
        mine = mesh.positions[: mesh.first_vertex[1]]
        assert_allclose(mine[[0, -1], 0], (max(0.0, flown - 30.0), flown))
        lengths = [esper.component_for_entity(piece, CapsuleCollider).length for piece in segments_of(entity)]
        assert sum(lengths) == pytest.approx(min(30.0, flown))
    assert mesh.entity.tolist() == [entity]


@pytest.mark.parametrize("segments", [-5, 0, 5000])
def test_a_bad_number_of_segments_through_a_column_is_refused_before_anything_changed(
    light: LightSystem, segments: int
) -> None:
    owner, laser = straight_laser()
    esper.process(0.1)
    before = len(list(esper.get_entities()))
    HomingLaser.column("segments")[laser._row] = segments
    with pytest.raises(ValueError, match=rf"entity {owner}: HomingLaser\.segments"):
        esper.process(0.1)
    assert len(list(esper.get_entities())) == before
    HomingLaser.column("segments")[laser._row] = 5
    esper.process(0.1)
    assert len(list(esper.get_entities())) == before
