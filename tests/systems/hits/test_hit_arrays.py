"""The arrays of hits: they yield hits one by one, and cannot be written."""

from __future__ import annotations

import copy
import pickle

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import COLLIDER_CLASSES, CircleCollider, CompoundCollider, OBBCollider, Physics, Transform, Velocity
from ecsphys.systems.hits.hit import HIT_COLUMNS
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.types import Hit

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
        assert list(physics.hits.started) == heard["hit_started"]
        assert list(physics.hits.ended) == heard["hit_ended"]
        hits = list(physics.hits)
        assert [hit for hit in hits if hit.phase == "ongoing"] == heard["hit_ongoing"]
        assert [hit for hit in hits if hit.phase == "started"] == heard["hit_started"]
        assert [hit.phase == "started" for hit in hits] == physics.hits.is_new.tolist()
        phases.update(hit.phase for hit in (*hits, *physics.hits.ended))
        for found in heard.values():
            found.clear()
    assert phases == {"started", "ongoing", "ended"}


def test_no_array_of_the_last_step_can_be_written(physics: Physics) -> None:
    checked = 0
    for _ in range(8):
        esper.process(STEP)
        for hits in (physics.hits, physics.hits.started, physics.hits.ended):
            for name in (*HIT_COLUMNS, *(["reason"] if hits is physics.hits.ended else [])):
                with pytest.raises(ValueError, match="read-only"):
                    getattr(hits, name)[:] = 0
                checked += len(hits)
        colliders = physics.debug.colliders
        for array in (colliders.boxes, physics.debug.candidate_pairs, colliders.entity, colliders.body):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0
    assert checked


def test_an_array_that_is_first_read_after_its_step_is_refused(physics: Physics) -> None:
    refused = 0
    for _ in range(8):
        esper.process(STEP)
        kept = [(hits, hits.entity_a.copy()) for hits in (physics.hits.started, physics.hits.ended)]
        esper.process(STEP)
        for hits, entity_a in kept:
            assert np.array_equal(hits.entity_a, entity_a)
            if len(entity_a):
                refused += 1
                with pytest.raises(RuntimeError, match=r"from an earlier step: read 'points' before"):
                    hits.points  # noqa: B018
    assert refused


def test_hits_that_were_selected_stay(physics: Physics) -> None:
    selected: list[tuple[HitArrays, list[Hit]]] = []
    for _ in range(8):
        esper.process(STEP)
        selected += [(hits.select(np.arange(len(hits))), list(hits)) for hits in (physics.hits, physics.hits.started)]
    for hits, seen in selected:
        assert list(hits) == seen
    assert any(seen for _, seen in selected)


def test_hits_have_no_other_attributes_and_are_copied_whole(physics: Physics) -> None:
    esper.process(STEP)
    for hits in (physics.hits, physics.hits.started):
        assert not hasattr(hits, "colour")
        for twin in (copy.copy(hits), pickle.loads(pickle.dumps(hits))):
            assert list(twin) == list(hits)


def test_hits_of_an_entity_and_between_two_are_found_in_all_hits_and_in_those_that_started_or_ended(
    physics: Physics,
) -> None:
    a, b, far = (esper.create_entity(Transform(x, 500.0), CircleCollider(1.0)) for x in (0.0, 1.0, 9.0))
    esper.process(STEP)
    for hits in (physics.hits, physics.hits.started, physics.hits.select(slice(None))):
        assert hits.has(a, b)
        assert hits.has(b, a)
        assert not hits.has(a, far)
        assert [hit.other(a) for hit in hits.of(a)] == [b]
        assert hits.of(far) == []
    esper.process(STEP)
    assert physics.hits.has(a, b)
    assert not physics.hits.started.has(a, b)
    esper.delete_entity(b)
    esper.process(STEP)
    assert physics.hits.ended.has(b, a)
    assert [(hit.other(a), hit.reason) for hit in physics.hits.ended.of(a)] == [(b, "despawned")]


def test_a_selection_knows_which_of_its_hits_started(physics: Physics) -> None:
    for _ in range(8):
        esper.process(STEP)
        some = physics.hits.between(CircleCollider, Transform)
        assert list(some.started) == [hit for hit in some if hit.phase == "started"]


def test_hits_of_an_earlier_step_have_no_ended_ones(physics: Physics) -> None:
    esper.process(STEP)
    old = physics.hits
    esper.process(STEP)
    with pytest.raises(RuntimeError, match=r"from an earlier step: read physics\.hits again"):
        _ = old.ended
    with pytest.raises(RuntimeError, match=r"from an earlier step: read physics\.hits again"):
        _ = old.started


def test_pairs_that_a_game_gives_stay_its_own_to_write(physics: Physics) -> None:
    given = np.array([[0, 1]], np.int32)
    physics.debug.candidate_pairs = given
    with pytest.raises(ValueError, match="read-only"):
        physics.debug.candidate_pairs[:] = 0
    given[:] = 1


def test_a_hit_that_is_kept_says_the_same_after_its_step_and_as_a_copy(physics: Physics) -> None:
    kept: list[tuple[Hit, str]] = []
    for _ in range(8):
        esper.process(STEP)
        kept += [(hit, repr(hit)) for hits in (physics.hits, physics.hits.started, physics.hits.ended) for hit in hits]
    assert {hit.phase for hit, _ in kept} == {"started", "ongoing", "ended"}
    for hit, text in kept:
        assert repr(hit) == text
        for twin in (
            copy.copy(hit),
            pickle.loads(pickle.dumps(hit)),
            hit.seen_from(hit.entity_b).seen_from(hit.entity_a),
        ):
            assert twin == hit
            assert hash(twin) == hash(hit)
        assert hit.seen_from(hit.entity_b) != hit
        assert hit != text


def test_a_hit_says_what_its_row_of_the_arrays_does(physics: Physics) -> None:
    esper.create_entity(Transform(-3, 0), CompoundCollider([CircleCollider(1), OBBCollider(2, 1, offset_x=1.5)]))
    esper.process(STEP)
    hits = physics.hits
    assert len(hits) > 1
    assert set(hits.part_b.tolist()) > {-1}
    assert set(hits.point_count.tolist()) == {1, 2} or len(set(hits.collider_b.tolist())) > 1
    for row, hit in enumerate(hits):
        assert (hit.entity_a, hit.entity_b) == (hits.entity_a[row], hits.entity_b[row])
        assert hit.collider_a is COLLIDER_CLASSES[hits.collider_a[row]]
        assert hit.collider_b is COLLIDER_CLASSES[hits.collider_b[row]]
        assert hit.normal == tuple(hits.normal[row])
        assert (hit.depth, hit.approach_speed, hit.time) == (hits.depth[row], hits.approach_speed[row], hits.time[row])
        assert hit.points == tuple(map(tuple, hits.points[row, : hits.point_count[row]].tolist()))
        assert [-1 if part is None else part for part in (hit.part_a, hit.part_b)] == [
            hits.part_a[row],
            hits.part_b[row],
        ]


@pytest.mark.parametrize("parts", [2, 3, 7])
def test_hits_of_compounds_are_in_the_order_of_entities_kinds_and_parts(parts: int) -> None:
    rng = np.random.default_rng(parts)

    def compound() -> CompoundCollider:
        offsets = rng.permutation(parts) * 0.01
        return CompoundCollider(
            [CircleCollider(1.0, x, 0.0) if k % 3 else OBBCollider(1.0, 1.0, x, 0.0) for k, x in enumerate(offsets)]
        )

    physics = ecsphys.install()
    for x in (0.0, 0.3, 1.4, 2.5):
        esper.create_entity(Transform(x, 0.0), compound())
        esper.create_entity(Transform(x, 0.5), CircleCollider(0.5))
    esper.process(STEP)
    hits = physics.hits
    columns = (hits.part_b, hits.part_a, hits.collider_b, hits.collider_a, hits.entity_b, hits.entity_a)
    assert np.array_equal(np.lexsort(columns), np.arange(len(hits)))
    assert len(np.unique(np.column_stack(columns), axis=0)) == len(hits) > 5 * parts


def test_a_hit_names_its_entities_where_others_have_taken_the_place_of_those_before() -> None:
    physics = ecsphys.install()
    still = esper.create_entity(Transform(), CircleCollider(1.0))
    esper.create_entity(Transform(50.0, 0.0), CircleCollider(1.0))
    other = esper.create_entity(Transform(1.0, 0.0), CircleCollider(1.0))
    for _ in range(6):
        for _ in range(3):
            esper.process(STEP)
            assert (physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist()) == ([still], [other])
            assert physics.hits.collider_b.tolist() == physics.hits.collider_a.tolist()
        esper.delete_entity(other, immediate=True)
        esper.process(STEP)
        other = esper.create_entity(Transform(1.0, 0.0), CircleCollider(1.0))


def test_in_another_world_no_entity_of_it_is_taken_for_one_of_the_hits(physics: Physics) -> None:
    esper.process(STEP)
    hits = (physics.hits, physics.hits.started, physics.hits.select(slice(None)))
    world = esper.current_world
    esper.switch_world("with entities of the same numbers")
    for _ in range(4):
        esper.create_entity()
    for one in hits:
        with pytest.raises(RuntimeError, match="belongs to the world"):
            one.of(1)
        with pytest.raises(RuntimeError, match="belongs to the world"):
            one.has(1, 2)
    esper.switch_world(world)
    assert all(len(one.of(1)) == 1 and one.has(1, 2) for one in hits)
