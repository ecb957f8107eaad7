"""The arrays of hits: they yield hits one by one, and cannot be written."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, Hit, Physics, Transform, Velocity
from ecsphys.systems.collision.hits import HitArrays

STEP = 1 / 60


@pytest.fixture
def physics() -> Physics:
    """Two pairs that overlap: one from the first step on, the other for two steps from the third on."""
    physics = ecsphys.install()
    for x in (0.0, 1.5):
        esper.create_entity(Transform(x, 0.0), CircleCollider(1.0))
    esper.create_entity(Transform(100.0, 0.0), CircleCollider(1.0))
    esper.create_entity(Transform(96.9, 0.0), CircleCollider(1.0), Velocity(60.0, 0.0))
    return physics


def as_row(hit: Hit) -> tuple[object, ...]:
    return (hit.entity_a, hit.entity_b, hit.depth, hit.normal, hit.approach_speed, hit.phase, hit.reason)


def test_iterating_yields_the_hits_that_handlers_hear_of_in_their_order(physics: Physics) -> None:
    heard: dict[str, list[Hit]] = {name: [] for name in ("hit_started", "hit_ongoing", "hit_ended")}
    handlers = {name: found.append for name, found in heard.items()}
    kept = {name: (lambda hit, add=add: add(hit)) for name, add in handlers.items()}
    for name, handler in kept.items():
        esper.set_handler(name, handler)
    phases: set[str] = set()
    for _ in range(8):
        esper.process(STEP)
        assert list(physics.started) == heard["hit_started"]
        assert list(physics.ended) == heard["hit_ended"]
        hits = list(physics.hits)
        assert [hit for hit in hits if hit.phase == "ongoing"] == heard["hit_ongoing"]
        assert [hit for hit in hits if hit.phase == "started"] == heard["hit_started"]
        assert [hit.phase == "started" for hit in hits] == physics.hits.is_new.tolist()
        phases.update(hit.phase for hit in (*hits, *physics.ended))
        for found in heard.values():
            found.clear()
    assert phases == {"started", "ongoing", "ended"}


def test_no_array_of_the_last_step_can_be_written(physics: Physics) -> None:
    checked = 0
    for _ in range(8):
        esper.process(STEP)
        for hits in (physics.hits, physics.started, physics.ended):
            for name in (*HitArrays.__slots__, *(["reason"] if hits is physics.ended else [])):
                with pytest.raises(ValueError, match="read-only"):
                    getattr(hits, name)[:] = 0
                checked += len(hits)
        colliders = physics.colliders
        for array in (colliders.boxes, physics.candidate_pairs, colliders.entity, colliders.body):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
    assert checked


def test_pairs_that_a_game_gives_stay_its_own_to_write(physics: Physics) -> None:
    given = np.array([[0, 1]], np.int32)
    physics.candidate_pairs = given
    with pytest.raises(ValueError, match="read-only"):
        physics.candidate_pairs[:] = 0
    given[:] = 1
