"""Ragdolls: they lie limp when they are still, and leave without being torn from the player's hand."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import AABBCollider, CircleCollider, MouseJoint, RigidBody, Solid, Transform
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.rigid.ragdolls import ragdoll
from ecsphys.demo.scenes.rigid.tint import Tint


def heights(doll: list[int]) -> list[float]:
    return [
        esper.component_for_entity(entity, Transform).y for entity in doll if esper.has_component(entity, RigidBody)
    ]


def test_dolls_that_have_fallen_lie_flat() -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(200.0, 1.0), Solid())
    dolls = [ragdoll(10.0 * number, 6.0, (1.0, 1.0, 1.0), 0.5 * number - 4.0) for number in range(16)]
    for _ in range(60 * 7):
        esper.process(1.0 / 60.0)
    # A doll stands 1.4 units high on hands and knees, measured at the chest; lying it is a third of that.
    chests = np.array([heights(doll)[0] for doll in dolls])
    assert np.median(chests) < 0.7
    assert (chests > 1.0).sum() <= 2
    assert np.mean([heights(doll) for doll in dolls]) < 0.55


def test_a_doll_in_the_hand_stays_while_older_ones_go() -> None:
    live = open_scene("ragdolls")
    live.layout.parameters[0].put(0.2)
    for _ in range(20):
        live.step()
    heads = [entity for entity, (_, _, body) in esper.get_components(Transform, CircleCollider, RigidBody)]
    first = min(entity for entity in heads if esper.component_for_entity(entity, RigidBody).kind == "dynamic")
    place = esper.component_for_entity(first, Transform)
    assert live.grip.press(place.x, place.y)
    live.grip.move(place.x, 12.0)
    for _ in range(60 * 14):
        live.step()
    assert live.grip.held == first
    assert esper.entity_exists(first)
    assert not esper.has_component(first, MouseJoint)
    live.grip.release()
    for _ in range(60 * 4):
        live.step()
    assert not esper.entity_exists(first)


def test_a_doll_that_goes_darkens_before_it_is_gone() -> None:
    live = open_scene("ragdolls")
    live.layout.parameters[0].put(0.2)
    live.step()
    doll = [entity for entity, (_, body) in esper.get_components(Tint, RigidBody) if body.kind == "dynamic"]
    start = esper.component_for_entity(doll[0], Tint).red
    last = start
    for _ in range(60 * 14):
        live.step()
        if not esper.entity_exists(doll[0]):
            break
        last = esper.component_for_entity(doll[0], Tint).red
    else:
        raise AssertionError("the oldest doll is still there")
    assert last < 0.1 * start
