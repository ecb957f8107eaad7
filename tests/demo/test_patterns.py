"""Patterns: details on bodies by material, and faces that look where they go."""

from __future__ import annotations

import esper
import numpy as np
import pytest
from noted_sketch import NotedSketch
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    RigidBody,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.patterns import pattern
from ecsphys.demo.scenes.patterns.details import DETAILS
from ecsphys.demo.scenes.patterns.frames import frames_of
from ecsphys.demo.scenes.patterns.pattern import CRATE, DOLL, DOMINO, FACES, TOY, WOOD
from ecsphys.demo.scenes.patterns.patterns import Patterns
from ecsphys.demo.scenes.rigid.tint import put

RED = (1.0, 0.2, 0.2)


def drawn(physics: ecsphys.Physics, pixel: float = 0.03) -> NotedSketch:
    sketch = NotedSketch(pixel=pixel)
    colors = np.tile((1.0, 0.2, 0.2, 1.0), (len(physics.debug.colliders), 1))
    Patterns().paint(sketch, physics, colors)
    return sketch


def still() -> ecsphys.Physics:
    return ecsphys.install(gravity=(0.0, 0.0))


def test_a_plain_body_has_no_details() -> None:
    physics = still()
    put(RED, Transform(), OBBCollider(1.0, 1.0), RigidBody())
    esper.process(0.0)
    assert not drawn(physics).calls


@pytest.mark.parametrize("kind", DETAILS)
def test_details_lie_within_the_body_and_turn_with_it(kind: int) -> None:
    physics = still()
    body = put(RED, Transform(3.0, 2.0), OBBCollider(2.0, 0.8), RigidBody(), pattern=kind)
    esper.process(0.0)
    flat = drawn(physics).all("strokes", "starts") - (3.0, 2.0)
    assert np.abs(flat[:, 0]).max() <= 2.0
    assert np.abs(flat[:, 1]).max() <= 0.8
    esper.component_for_entity(body, Transform).angle = 0.5 * np.pi
    turned = drawn(physics).all("strokes", "starts") - (3.0, 2.0)
    assert turned == pytest.approx(np.column_stack((-flat[:, 1], flat[:, 0])))


def test_every_kind_has_details_or_a_face() -> None:
    kinds = {value for name, value in vars(pattern).items() if name.isupper() and isinstance(value, int)}
    assert kinds == set(DETAILS) | set(FACES)


@pytest.mark.parametrize("kind", [WOOD, DOMINO])
def test_grain_runs_along_the_longer_side(kind: int) -> None:
    found = []
    for number, collider in enumerate((OBBCollider(2.0, 0.5), OBBCollider(0.5, 2.0))):
        esper.switch_world(f"side {number}")
        physics = still()
        put(RED, Transform(), collider, RigidBody(), pattern=kind)
        esper.process(0.0)
        found.append(drawn(physics).all("strokes", "starts"))
    assert np.abs(found[1]) == pytest.approx(np.abs(found[0][:, ::-1]))


def test_details_vanish_on_bodies_of_few_pixels() -> None:
    physics = still()
    put(RED, Transform(), OBBCollider(0.5, 0.5), RigidBody(), pattern=CRATE)
    put(RED, Transform(3.0), Velocity(1.0), CircleCollider(0.5), RigidBody(), pattern=TOY)
    esper.process(0.0)
    assert drawn(physics, pixel=1.0 / 30.0).calls
    assert not drawn(physics, pixel=1.0 / 5.0).calls


def test_in_a_crowd_small_bodies_have_only_the_coarse_lines() -> None:
    physics = still()
    for number in range(121):
        put(RED, Transform(0.3 * number - 18.0), OBBCollider(0.4, 0.4), RigidBody(), pattern=CRATE)
    esper.process(0.0)
    assert drawn(physics).count("strokes") == 121 * DETAILS[CRATE].coarse
    esper.delete_entity(next(iter(esper.get_component(Transform)))[0], immediate=True)
    assert drawn(physics).count("strokes") == 120 * len(DETAILS[CRATE].lines)


def test_what_is_outside_of_the_picture_has_none() -> None:
    physics = still()
    put(RED, Transform(100.0), OBBCollider(0.5, 0.5), RigidBody(), pattern=CRATE)
    esper.process(0.0)
    assert not drawn(physics).calls


def eyes(sketch: NotedSketch) -> tuple[NDArray[float64], NDArray[float64]]:
    """The middles of the whites and of the pupils."""
    centers, radius = sketch.all("discs", "centers"), sketch.all("discs", "radius")
    return centers[radius == radius.max()], centers[radius < radius.max()]


@pytest.mark.parametrize("velocity", [(3.0, 0.0), (-3.0, 0.0), (0.0, -3.0), (2.0, 2.0)])
def test_eyes_look_where_a_body_goes_however_it_is_turned(velocity: tuple[float, float]) -> None:
    physics = still()
    put(RED, Transform(0.0, 0.0, 1.1), Velocity(*velocity), CircleCollider(1.0), RigidBody(), pattern=TOY)
    esper.process(1.0 / 60.0)
    whites, pupils = eyes(drawn(physics))
    assert len(whites) == len(pupils) == 2
    looks = pupils - whites
    assert looks[0] == pytest.approx(looks[1])
    assert looks[0] @ velocity == pytest.approx(np.hypot(*looks[0]) * np.hypot(*velocity))
    assert np.hypot(*looks[0]) > 0.05


@pytest.mark.parametrize(("kind", "strokes"), [(TOY, 2), (DOLL, 4)])
def test_eyes_are_open_awake_and_closed_asleep_and_those_of_a_doll_are_crosses(kind: int, strokes: int) -> None:
    physics = still()
    body = put(RED, Transform(), Velocity(), CircleCollider(1.0), RigidBody(), pattern=kind)
    esper.process(1.0 / 60.0)
    physics.bodies.set_velocity(body, (0.5, 0.0))
    awake = drawn(physics)
    assert awake.count("discs") == 4
    assert awake.count("strokes") == 0
    physics.bodies.sleep(body)
    asleep = drawn(physics)
    assert asleep.count("discs") == 0
    assert asleep.count("strokes") == strokes


def test_what_only_turns_is_awake() -> None:
    physics = still()
    put(RED, Transform(), Velocity(0.0, 0.0, 2.0), CircleCollider(1.0), RigidBody(), pattern=TOY)
    esper.process(1.0 / 60.0)
    assert drawn(physics).count("discs") == 4


def test_a_compound_has_one_face() -> None:
    physics = still()
    cross = CompoundCollider([OBBCollider(1.0, 0.4), OBBCollider(0.4, 1.0)])
    put(RED, Transform(), Velocity(1.0), cross, RigidBody(), pattern=TOY)
    esper.process(0.0)
    assert drawn(physics).count("discs") == 4


def test_a_crowd_has_no_faces() -> None:
    physics = still()
    row = 1501
    tints = [pattern.Pattern.many(kind=TOY)]
    ecsphys.spawn_many(
        row, Transform.many(x=np.linspace(-19.0, 19.0, row)), Velocity.many(x=1.0), CircleCollider.many(0.5), *tints
    )
    esper.process(0.0)
    assert not drawn(physics).calls
    esper.delete_entity(next(iter(esper.get_component(Transform)))[0], immediate=True)
    assert drawn(physics).count("discs") == 4 * (row - 1)


@pytest.mark.parametrize(
    "collider",
    [
        CircleCollider(0.8, 0.3, 0.2),
        AABBCollider(0.8, 0.5, 0.3),
        OBBCollider(0.8, 0.5, 0.3, 0.1, 0.7),
        CapsuleCollider(1.0, 0.4, 0.2, 0.1, 0.5),
        FanCollider(1.2, 1.0, 0.5),
        FanCollider(1.2, 5.0, 0.5, 0.3),
        PolygonCollider([(0.8, -0.5), (0.5, 0.6), (-0.5, 0.6), (-0.8, -0.5)], offset_x=2.0, offset_y=-1.0),
    ],
    ids=lambda collider: type(collider).__name__,
)
def test_the_frame_of_a_collider_lies_in_it_however_its_body_is_turned(collider: Collider) -> None:
    physics = still()
    body = esper.create_entity(Transform(5.0, -3.0), collider)
    for angle in (0.0, 0.9, 2.5):
        esper.component_for_entity(body, Transform).angle = angle
        esper.process(0.0)
        frames = frames_of(physics, np.zeros(1, np.int64))
        least = float(frames.least[0])
        assert least > 0.2
        turns = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
        # Faces reach so far.
        rim = frames.center + 0.75 * least * np.column_stack((np.cos(turns), np.sin(turns)))
        found = [physics.query_point((x, y)) for x, y in rim.tolist()]
        assert all(body in entities for entities in found)


@pytest.mark.parametrize("name", ["pyramid", "tumbler", "ragdolls", "dominoes", "bridge", "breaking", "playground"])
def test_scenes_of_bodies_have_patterns(name: str) -> None:
    live = open_scene(name)
    for _ in range(3):
        live.step()
    kinds = Patterns().kinds(live.physics)
    assert np.count_nonzero(kinds) > 10 or name in ("ragdolls",)
    assert np.count_nonzero(kinds) > 0
    live.close()
