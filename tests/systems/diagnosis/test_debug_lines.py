"""Debug lines: where each line is, in which colour, and whose it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    Collider,
    CompoundCollider,
    Disabled,
    DistanceJoint,
    GearJoint,
    MouseJoint,
    OBBCollider,
    Parent,
    Physics,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.types import DebugLines

COLORS = DebugLines.COLORS


def ends(lines: DebugLines) -> set[tuple[tuple[float, float], ...]]:
    """The lines as pairs of points, rounded, in any direction."""
    return {tuple(sorted(map(tuple, segment))) for segment in lines.segments.round(9).tolist()}


def color_of(physics: Physics, entity: int, **options: Any) -> tuple[int, ...]:
    """The one colour of all lines of an entity's colliders."""
    lines = physics.debug.lines(**options).of_kind("collider")
    (color,) = set(map(tuple, lines.colors[lines.entity == entity].tolist()))
    return color


def ground() -> int:
    return esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), Solid())


def test_an_empty_world_has_no_lines() -> None:
    lines = ecsphys.install().debug.lines(velocities=True, boxes=True)
    assert len(lines) == 0
    assert (lines.segments.shape, lines.colors.shape, lines.entity.shape) == ((0, 2, 2), (0, 4), (0,))
    assert list(lines.by_color()) == []


def test_all_lines_may_be_turned_off() -> None:
    physics = ecsphys.install()
    ground()
    assert len(physics.debug.lines(colliders=False, contacts=False, joints=False)) == 0


@pytest.mark.parametrize(
    "collider",
    [
        CircleCollider(1, 0.5, 0.25),
        AABBCollider(1, 2, 0.5),
        OBBCollider(1, 2, 0.5, 0.5, 0.3),
        CapsuleCollider(2, 0.5, angle=1.0),
        ecsphys.FanCollider(2, 1.0, 0.3),
        ecsphys.FanCollider(2, 5.0, 0.3),
        PolygonCollider([(0, 0), (2, 0), (0, 1)]),
        PolygonCollider([(0, 0), (2, 0), (0, 1)], radius=0.2),
    ],
    ids=lambda collider: type(collider).__name__,
)
def test_the_lines_of_a_collider_are_its_outline(collider: Any) -> None:
    place = Transform(3, 4, 0.7)
    physics = ecsphys.install()
    # The lines of one collider among others of its class, and of others.
    for x in (-50.0, 50.0):
        esper.create_entity(Transform(x, 0), CircleCollider(2))
        esper.create_entity(Transform(x, 9), OBBCollider(1, 1))
    entity = esper.create_entity(place, collider)
    lines = physics.debug.lines(segments=24)
    outline = geometry.outline(collider, place, segments=24)
    own = lines.segments[lines.entity == entity][: len(outline)]
    np.testing.assert_array_equal(own[:, 0], outline)
    np.testing.assert_array_equal(own[:, 1], np.roll(outline, -1, axis=0))


def test_a_circle_has_a_spoke_that_turns_with_it() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(1, 1, math.pi / 2), CircleCollider(2))
    assert ((1.0, 1.0), (1.0, 3.0)) in ends(physics.debug.lines())


def test_compounds_and_chains_have_the_lines_of_all_their_parts() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(5, 0), CompoundCollider([OBBCollider(1, 1), AABBCollider(0.5, 0.5, offset_y=3)]))
    esper.create_entity(Transform(0, 9), ChainCollider([(0, 0), (1, 0), (1, 1)]), Solid())
    lines = ends(physics.debug.lines())
    assert len(lines) == 4 + 4 + 2
    assert {
        ((4.0, -1.0), (6.0, -1.0)),
        ((4.5, 2.5), (5.5, 2.5)),
        ((0.0, 9.0), (1.0, 9.0)),
        ((1.0, 9.0), (1.0, 10.0)),
    } < lines


def test_colours_tell_what_an_entity_is() -> None:
    physics = ecsphys.install()
    shape = OBBCollider
    kinds = {
        "dynamic": esper.create_entity(Transform(0, 9), shape(1, 1), RigidBody()),
        "kinematic": esper.create_entity(Transform(9, 0), shape(1, 1), RigidBody("kinematic")),
        "static": esper.create_entity(Transform(18, 0), shape(1, 1), RigidBody("static")),
        "character": esper.create_entity(Transform(27, 0), shape(1, 1), Character()),
        "collider": esper.create_entity(Transform(36, 0), shape(1, 1), Velocity()),
        "sensor": esper.create_entity(Transform(45, 0), shape(1, 1, sensor=True), Solid()),
        "disabled": esper.create_entity(Transform(54, 0), shape(1, 1), RigidBody(), Disabled()),
    }
    # The same before the first step and after it.
    for _ in range(2):
        assert {name: color_of(physics, entity) for name, entity in kinds.items()} == {
            name: COLORS[name] for name in kinds
        }
        solid = ground()
        assert color_of(physics, solid) == COLORS["static"]
        esper.delete_entity(solid, immediate=True)
        esper.process(1 / 60)


def test_a_body_that_falls_asleep_changes_its_colour_and_so_do_its_children() -> None:
    physics = ecsphys.install(gravity=(0, -9.8))
    ground()
    crate = esper.create_entity(Transform(0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    lamp = esper.create_entity(Transform(), Parent(crate, y=0.6), CircleCollider(0.1))
    assert color_of(physics, crate) == COLORS["dynamic"]
    for _ in range(120):
        esper.process(1 / 60)
    assert physics.bodies.is_asleep(crate)
    assert color_of(physics, crate) == color_of(physics, lamp) == COLORS["sleeping"]
    # An entity that comes between two steps does not wake anything in the picture.
    fresh = esper.create_entity(Transform(5, 5), CircleCollider(1), RigidBody())
    assert (color_of(physics, crate), color_of(physics, fresh)) == (COLORS["sleeping"], COLORS["dynamic"])
    physics.bodies.apply_impulse(crate, (1, 0))
    esper.process(1 / 60)
    assert color_of(physics, crate) == COLORS["dynamic"]


def test_a_solid_that_moves_is_kinematic() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), OBBCollider(1, 1), RigidBody())
    lift = esper.create_entity(Transform(9, 9), OBBCollider(1, 1), Solid(), Velocity(0, 1))
    esper.process(1 / 60)
    assert color_of(physics, lift) == COLORS["kinematic"]


def test_disabled_colliders_of_every_kind_are_shown_where_they_are() -> None:
    physics = ecsphys.install()
    parts: list[Collider] = [
        CircleCollider(1),
        OBBCollider(1, 1, offset_x=3),
        PolygonCollider([(0, 0), (1, 0), (0, 1)]),
    ]
    shapes = [
        CompoundCollider(parts),
        ChainCollider([(0, 0), (4, 0), (4, 4)]),
        CapsuleCollider(1, 0.5),
        AABBCollider(1, 2),
    ]
    places = [Transform(10.0 * k, 2, 0.3) for k in range(len(shapes))]
    entities = [esper.create_entity(place, shape) for place, shape in zip(places, shapes, strict=True)]
    esper.process(1 / 60)
    before = physics.debug.lines()
    for entity in entities[:3]:
        esper.add_component(entity, Disabled())
    # The last is both: what a Disabled was on stays where it is when that is removed again.
    esper.add_component(entities[3], Disabled())
    esper.process(1 / 60)
    now = physics.debug.lines()
    assert ends(now) == ends(before)
    for entity in entities:
        assert (before.entity == entity).sum() == (now.entity == entity).sum() > 0
        assert color_of(physics, entity) == COLORS["disabled"]


def test_colours_may_be_changed() -> None:
    physics = ecsphys.install()
    solid = ground()
    assert color_of(physics, solid, colors={"static": (1, 2, 3)}) == (1, 2, 3, 255)
    assert color_of(physics, solid, colors={"static": (1, 2, 3, 4), "dynamic": [5, 6, 7]}) == (1, 2, 3, 4)
    assert color_of(physics, solid) == COLORS["static"]


def test_a_contact_is_a_bar_along_the_surface_and_a_line_along_the_normal() -> None:
    physics = ecsphys.install()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.create_entity(Transform(1.5, 0), CircleCollider(1))
    assert len(physics.debug.lines(colliders=False)) == 0
    esper.process(0.0)
    lines = physics.debug.lines(colliders=False, mark_size=0.5)
    assert ends(lines.of_kind("contact")) == {((0.75, -0.25), (0.75, 0.25))}
    np.testing.assert_allclose(lines.of_kind("normal").segments, [[(0.75, 0.0), (1.25, 0.0)]])
    assert lines.entity.tolist() == [a, a]
    assert {color for color, _ in lines.by_color()} == {COLORS["contact"]}


@pytest.mark.parametrize(
    "take_away",
    [
        esper.delete_entity,
        lambda entity: esper.delete_entity(entity, immediate=True),
        lambda entity: esper.add_component(entity, Disabled()),
        lambda entity: esper.remove_component(entity, Transform),
    ],
)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_contacts_of_what_is_gone_have_no_lines(take_away: Callable[[int], object], which: int) -> None:
    physics = ecsphys.install()
    row = [esper.create_entity(Transform(1.5 * k, 0), CircleCollider(1)) for k in range(3)]
    esper.process(0.0)
    take_away(row[which])
    lines = physics.debug.lines(colliders=False)
    assert lines.of_kind("contact").entity.tolist() == {0: row[1:2], 1: [], 2: row[:1]}[which]
    assert len(lines) == 2 * len(lines.of_kind("contact"))


def test_the_marks_of_contacts_have_the_size_of_the_colliders() -> None:
    physics = ecsphys.install()
    for x in (0, 150):
        esper.create_entity(Transform(x, 0), CircleCollider(100))
    esper.process(0.0)
    for colliders in (True, False):
        (normal,) = physics.debug.lines(colliders=colliders).of_kind("normal").segments
        assert math.dist(*normal) == pytest.approx(60)


def test_a_joint_leads_over_both_anchors() -> None:
    physics = ecsphys.install()
    a = esper.create_entity(Transform(0, 0, math.pi / 2), CircleCollider(0.5), RigidBody())
    b = esper.create_entity(Transform(5, 0), CircleCollider(0.5), RigidBody())
    rope = esper.create_entity(DistanceJoint.at(a, b, 1, 1, 4, 2))
    lines = physics.debug.lines().of_kind("joint")
    assert ends(lines) == {((0.0, 0.0), (1.0, 1.0)), ((1.0, 1.0), (4.0, 2.0)), ((4.0, 2.0), (5.0, 0.0))}
    assert set(lines.entity.tolist()) == {rope}


def test_a_joint_with_the_world_ends_at_its_anchor() -> None:
    physics = ecsphys.install()
    bob = esper.create_entity(Transform(3, 1), CircleCollider(0.5), RigidBody())
    esper.create_entity(RevoluteJoint.at(None, bob, 3, 4))
    assert ends(physics.debug.lines().of_kind("joint")) == {((3.0, 1.0), (3.0, 4.0))}
    grip = MouseJoint.at(bob, 3, 1)
    grip.target = 5, 1
    esper.create_entity(grip)
    assert ((3.0, 1.0), (5.0, 1.0)) in ends(physics.debug.lines().of_kind("joint"))


def test_a_gear_is_a_line_between_its_two_joints() -> None:
    physics = ecsphys.install()
    wheels = [esper.create_entity(Transform(x, 0), CircleCollider(1), RigidBody()) for x in (0, 3)]
    hinges = [esper.create_entity(RevoluteJoint.at(None, wheel, x, 0)) for wheel, x in zip(wheels, (0, 3), strict=True)]
    gear = esper.create_entity(GearJoint(*hinges))
    lines = physics.debug.lines().of_kind("joint")
    assert lines.entity.tolist() == [gear]
    assert ends(lines) == {((0.0, 0.0), (3.0, 0.0))}


def test_a_joint_is_drawn_no_more_once_its_entity_is_marked_dead() -> None:
    physics = ecsphys.install()
    a, b = (esper.create_entity(Transform(x, 0), CircleCollider(0.5), RigidBody()) for x in (0, 5))
    esper.create_entity(DistanceJoint.at(a, b, 0, 0, 5, 0))
    assert len(physics.debug.lines().of_kind("joint")) == 1
    esper.delete_entity(b)
    lines = physics.debug.lines()
    assert len(lines.of_kind("joint")) == 0
    assert set(lines.entity.tolist()) == {a}


def test_a_velocity_is_the_way_of_a_tenth_of_a_second() -> None:
    physics = ecsphys.install()
    mover = esper.create_entity(Transform(1, 2), Velocity(10, -20))
    esper.create_entity(Transform(8, 8), Velocity())
    esper.create_entity(Velocity(5, 5))
    lines = physics.debug.lines(velocities=True)
    np.testing.assert_allclose(lines.segments, [[(1, 2), (2, 0)]])
    assert (lines.entity.tolist(), len(lines.of_kind("velocity"))) == ([mover], 1)


def test_a_box_is_the_bounding_box_of_each_collider() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(3, 0), CircleCollider(1))
    lines = physics.debug.lines(colliders=False, boxes=True)
    corners = [(2.0, -1.0), (4.0, -1.0), (4.0, 1.0), (2.0, 1.0)]
    assert ends(lines) == {tuple(sorted((corners[k - 1], corners[k]))) for k in range(4)}


def shown_at(lines: DebugLines, entity: int) -> NDArray[float64]:
    """The centre of an entity's box."""
    points = lines.segments[(lines.entity == entity) & (lines.kind == 0)].reshape(-1, 2)
    found: NDArray[float64] = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return found


def test_between_two_steps_colliders_and_joints_are_where_the_fixed_step_draws_them() -> None:
    physics = ecsphys.install(fixed_step=60)
    assert physics.fixed_step is not None
    mover = esper.create_entity(Transform(0, 0), Velocity(60, 30, 3), OBBCollider(1, 2), RigidBody())
    esper.create_entity(MouseJoint(entity_a=mover, x_b=5.0, y_b=5.0, max_force=0.0))
    physics.debug.lines(interpolated=True)
    for _ in range(4):
        esper.process(0.4 / 60)
    assert 0.1 < physics.fixed_step.alpha < 0.9
    x, y, angle = physics.fixed_step.pose(mover)
    now = esper.component_for_entity(mover, Transform)
    assert abs(x - now.x) > 0.1
    between = physics.debug.lines(interpolated=True)
    own = between.segments[(between.entity == mover) & (between.kind == 0)]
    np.testing.assert_allclose(own[:, 0], geometry.outline(OBBCollider(1, 2), Transform(x, y, angle)), atol=1e-12)
    assert ((round(x, 9), round(y, 9)), (5.0, 5.0)) in ends(between.of_kind("joint"))
    at_step = physics.debug.lines()
    np.testing.assert_allclose(shown_at(at_step, mover), (now.x, now.y), atol=1e-12)
    # Disabled ones too.
    esper.add_component(mover, Disabled())
    np.testing.assert_allclose(shown_at(physics.debug.lines(interpolated=True), mover), (x, y), atol=1e-12)


def test_without_a_fixed_step_interpolated_lines_are_those_of_the_step() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0, 0), Velocity(6, 0), OBBCollider(1, 2))
    esper.process(0.1)
    np.testing.assert_array_equal(
        physics.debug.lines(interpolated=True).segments.round(12), physics.debug.lines().segments.round(12)
    )


def test_lines_follow_entities_that_come_go_and_come_again() -> None:
    physics = ecsphys.install()
    rng = np.random.default_rng(5)
    alive: list[int] = []
    # More than the first capacities of all tables.
    for count in (1, 400, 30, 2000, 5):
        for entity in alive:
            esper.delete_entity(entity, immediate=True)
        alive = ecsphys.spawn_many(count, Transform.many(x=9 * rng.random(count)), CircleCollider.many(0.5)).tolist()
        for stepped in (False, True):
            if stepped:
                esper.process(1 / 60)
            lines = physics.debug.lines(segments=8, contacts=False)
            entities, counts = np.unique(lines.entity, return_counts=True)
            assert entities.tolist() == sorted(alive)
            assert set(counts.tolist()) == {8 + 1}


def test_looking_changes_nothing() -> None:
    physics = ecsphys.install(gravity=(0, -9.8))
    ground()
    crates = [esper.create_entity(Transform(0, 0.5 + k), OBBCollider(0.5, 0.5), RigidBody()) for k in range(3)]
    digests = []
    start = physics.snapshot()
    for look in (False, True):
        physics.restore(start)
        for _ in range(40):
            if look:
                physics.debug.lines(velocities=True, boxes=True)
            esper.process(1 / 60)
        digests.append(physics.digest())
    assert digests[0] == digests[1]
    fresh = esper.create_entity(Transform(9, 9), OBBCollider(1, 1), RigidBody())
    physics.debug.lines()
    assert not esper.has_component(fresh, Velocity)
    assert len(crates) == 3


def test_after_clear_database_nothing_of_the_old_world_is_left() -> None:
    physics = ecsphys.install()
    for x in (0, 1):
        esper.create_entity(Transform(x, 0), CircleCollider(1), RigidBody())
    esper.process(1 / 60)
    esper.clear_database()
    assert len(physics.debug.lines()) == 0


def test_in_another_world_it_is_an_error() -> None:
    physics = ecsphys.install()
    esper.process(1 / 60)
    esper.switch_world("another")
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.debug.lines()


def test_lines_are_selected_by_kind_and_by_rows() -> None:
    physics = ecsphys.install()
    for x in (0, 1):
        esper.create_entity(Transform(x, 0), OBBCollider(1, 1), RigidBody())
    esper.process(0.0)
    lines = physics.debug.lines()
    contacts, colliders = lines.of_kind("contact", "normal"), lines.of_kind("collider")
    assert len(contacts) + len(colliders) == len(lines) == 4 + 4 + 2 + 2
    assert {DebugLines.KINDS[kind] for kind in contacts.kind} == {"contact", "normal"}
    np.testing.assert_array_equal(lines.select(slice(2)).segments, lines.segments[:2])
    with pytest.raises(ValueError, match="there is no kind 'hit'"):
        lines.of_kind("hit")  # type: ignore[arg-type]


def test_each_colour_comes_with_its_segments() -> None:
    physics = ecsphys.install()
    ground()
    esper.create_entity(Transform(0, 3), OBBCollider(1, 1), RigidBody())
    found = dict(physics.debug.lines().by_color())
    assert {color: len(segments) for color, segments in found.items()} == {COLORS["static"]: 4, COLORS["dynamic"]: 4}
    assert found[COLORS["dynamic"]].min() == -1.0


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"colliders": 1}, TypeError, "colliders must be True or False, got 1"),
        ({"interpolated": None}, TypeError, "interpolated must be True or False"),
        ({"segments": 2}, ValueError, "segments must be from 3 to 1024, got 2"),
        ({"mark_size": -1.0}, ValueError, "mark_size must be 0 or more"),
        ({"mark_size": math.nan}, ValueError, "mark_size must be finite"),
        ({"colors": "red"}, TypeError, "colors must be a dict"),
        ({"colors": {"wall": (1, 2, 3)}}, ValueError, "colors has no name 'wall'; the names are dynamic, sleeping"),
        ({"colors": {"static": "red"}}, TypeError, r"colors\['static'\] must be \(r, g, b\)"),
        ({"colors": {"static": (1, 2)}}, ValueError, "must be 3 or 4 numbers from 0 to 255"),
        ({"colors": {"static": (1, 2, 256)}}, ValueError, "must be 3 or 4 numbers from 0 to 255"),
        ({"colors": {"static": (0.5, 0, 0)}}, TypeError, "must be a whole number"),
    ],
)
def test_a_bad_option_is_named(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ecsphys.install().debug.lines(**options)
