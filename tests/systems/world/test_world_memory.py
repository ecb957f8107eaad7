"""Worlds that are opened and closed: nothing of them stays, whatever refers to whatever."""

from __future__ import annotations

import gc

import esper

import ecsphys
from ecsphys import Bullet, CircleCollider, CompoundCollider, HitListener, OBBCollider, Transform, Velocity
from ecsphys.types import Hit


class Game:
    """Reaches its physics, and is reached by it through a listener's bound method."""

    def __init__(self, name: str) -> None:
        esper.switch_world(name)
        self.physics = ecsphys.install()
        self.hits: list[Hit] = []
        for k in range(6):
            body = (
                Transform(0.5 * k, 0),
                Velocity(1, 0),
                HitListener(self.on_hit, on_ongoing=lambda hit: self.on_hit(hit)),
            )
            esper.create_entity(*body, CompoundCollider([CircleCollider(1), OBBCollider(1, 1)]))
        esper.create_entity(Transform(), Velocity(100, 0), CircleCollider(0.1), Bullet())

    def on_hit(self, hit: Hit) -> None:
        self.hits.append(hit)

    def play(self) -> None:
        for _ in range(3):
            esper.process(1 / 60)
            self.physics.raycast((-9.0, 0.0), (1.0, 0.0))
        assert self.hits


def test_deleted_worlds_are_collected_with_listeners_that_reach_the_physics() -> None:
    def round_of_worlds(count: int) -> int:
        for number in range(count):
            Game(f"world {number}").play()
            esper.switch_world("default")
            esper.delete_world(f"world {number}")
        gc.collect()
        return Transform._columns.live_rows + CircleCollider._columns.live_rows + Bullet._columns.live_rows

    before = round_of_worlds(2)
    assert round_of_worlds(20) <= before


def test_a_replaced_entity_gives_its_rows_back_without_the_garbage_collector() -> None:
    physics = ecsphys.install()
    gc.collect()
    before = Transform._columns.live_rows  # other tests may hold some
    gc.disable()
    try:
        for _ in range(40):
            entities = [esper.create_entity(Transform(k, 0), CircleCollider(1)) for k in range(5)]
            esper.process(0.1)
            esper.process(0.1)
            assert len(physics.hits) == 4
            for entity in entities:
                esper.delete_entity(entity, immediate=True)
        assert Transform._columns.live_rows < before + 100
    finally:
        gc.enable()
