"""Starts and ends of hits: matched one to one, on every path that ends a hit."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, CollisionFilter, Physics, Transform, Velocity
from ecsphys.systems import BroadphaseSystem
from ecsphys.types import Hit


class Recorder:
    """Collects hit events of the current world in order of delivery."""

    def __init__(self) -> None:
        self.events: list[Hit] = []
        for name in ("hit_started", "hit_ongoing", "hit_ended"):
            esper.set_handler(name, self.record)

    def record(self, hit: Hit) -> None:
        self.events.append(hit)

    def take(self) -> list[tuple[Any, ...]]:
        taken = [(hit.phase, hit.entity_a, hit.entity_b, hit.reason) for hit in self.events]
        self.events.clear()
        return taken


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


@pytest.fixture
def recorder(physics: Physics) -> Recorder:
    return Recorder()


@pytest.fixture
def pair(physics: Physics) -> tuple[int, int]:
    """Two circles of radius 1, their centres 1 apart."""
    a = esper.create_entity(Transform(0, 0), CircleCollider(1))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    return a, b


def test_a_hit_starts_goes_on_and_ends_by_separation(recorder: Recorder, pair: tuple[int, int]) -> None:
    a, b = pair
    esper.process(0.0)
    assert recorder.take() == [("started", a, b, None)]
    esper.process(0.0)
    assert recorder.take() == [("ongoing", a, b, None)]
    esper.component_for_entity(b, Transform).x = 2.0
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "separated")]
    esper.process(0.0)
    assert recorder.take() == []


def test_a_hit_carries_classes_normal_depth_points_and_speed(physics: Physics, recorder: Recorder) -> None:
    a = esper.create_entity(Transform(0, 0), Velocity(2, 0), CircleCollider(1))
    b = esper.create_entity(Transform(1.5, 0), Velocity(-1, 0), AABBCollider(1, 1))
    esper.process(0.0)
    hit = recorder.events[0]
    assert (hit.collider_a, hit.collider_b) == (CircleCollider, AABBCollider)
    assert hit.normal == pytest.approx((1, 0))
    assert hit.depth == pytest.approx(0.5)
    assert len(hit.points) == 1
    assert hit.points[0] == pytest.approx((0.75, 0.0))
    assert hit.approach_speed == pytest.approx(3.0)
    assert hit.other(a) == b
    assert hit.other(b) == a
    with pytest.raises(ValueError, match="not in this hit"):
        hit.other(99)


def test_approach_speed_counts_spin_at_the_contact(physics: Physics, recorder: Recorder) -> None:
    """A bar's tip at distance 3 turning at 2 rad/s comes down at 6 units/s."""
    esper.create_entity(Transform(0, 0), Velocity(angular=-2.0), ecsphys.OBBCollider(3, 0.1))
    esper.create_entity(Transform(3, -0.55), CircleCollider(0.5))
    esper.process(0.0)
    assert recorder.events[0].normal == pytest.approx((0, -1), abs=1e-9)
    assert recorder.events[0].approach_speed == pytest.approx(6.0)


def test_an_ended_hit_has_the_values_it_had_last(recorder: Recorder, pair: tuple[int, int]) -> None:
    esper.process(0.0)
    esper.component_for_entity(pair[1], Transform).x = 1.5
    esper.process(0.0)
    recorder.take()
    esper.component_for_entity(pair[1], Transform).x = 9.0
    esper.process(0.0)
    (ended,) = recorder.events
    assert ended.depth == pytest.approx(0.5)
    assert ended.points[0] == pytest.approx((0.75, 0))


@pytest.mark.parametrize("immediate", [False, True])
def test_deleting_an_entity_ends_its_hits_as_despawned(
    recorder: Recorder, pair: tuple[int, int], immediate: bool
) -> None:
    a, b = pair
    esper.process(0.0)
    recorder.take()
    esper.delete_entity(b, immediate=immediate)
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "despawned")]
    esper.process(0.0)
    assert recorder.take() == []


def test_an_entity_marked_dead_before_the_narrowphase_has_no_hits(recorder: Recorder, pair: tuple[int, int]) -> None:
    """A game's processor kills at a priority between broadphase and narrowphase: no start, or an end in this step."""
    a, b = pair

    class Killer(esper.Processor):
        armed = True

        def process(self, dt: float) -> None:
            if self.armed:
                esper.delete_entity(b)
                self.armed = False

    killer = Killer()
    killer.armed = False
    esper.add_processor(killer, priority=250)
    esper.process(0.0)
    recorder.take()
    killer.armed = True
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "despawned")]
    esper.process(0.0)
    assert recorder.take() == []
    late = esper.create_entity(Transform(0.5, 0), CircleCollider(0.1))
    esper.delete_entity(late)
    esper.process(0.0)
    assert recorder.take() == []


@pytest.mark.parametrize("taken", [CircleCollider, Transform])
def test_taking_a_collider_or_transform_away_ends_hits_as_removed(
    recorder: Recorder, pair: tuple[int, int], taken: type
) -> None:
    a, b = pair
    esper.process(0.0)
    recorder.take()
    esper.remove_component(b, taken)
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "removed")]


@pytest.mark.parametrize(
    "replacement", [lambda: CircleCollider(1), lambda: Transform(1, 0)], ids=["collider", "transform"]
)
def test_a_replacement_ends_the_hit_and_starts_anew_in_the_same_step(
    recorder: Recorder, pair: tuple[int, int], replacement: Callable[[], Any]
) -> None:
    a, b = pair
    esper.process(0.0)
    recorder.take()
    esper.add_component(b, replacement())
    gc.collect()
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "removed"), ("started", a, b, None)]


def test_a_replacement_between_broadphase_and_narrowphase_starts_anew_in_the_same_step(
    recorder: Recorder, pair: tuple[int, int]
) -> None:
    a, b = pair

    class Swapper(esper.Processor):
        def process(self, dt: float) -> None:
            esper.add_component(b, CircleCollider(2))

    esper.process(0.0)
    recorder.take()
    esper.add_processor(Swapper(), priority=250)
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "removed"), ("started", a, b, None)]


def test_a_filter_change_ends_hits_as_filtered_and_back_starts_them(recorder: Recorder, pair: tuple[int, int]) -> None:
    a, b = pair
    esper.process(0.0)
    recorder.take()
    collision_filter = CollisionFilter(mask=0)
    esper.add_component(b, collision_filter)
    esper.process(0.0)
    assert recorder.take() == [("ended", a, b, "filtered")]
    collision_filter.mask = 1
    esper.process(0.0)
    assert recorder.take() == [("started", a, b, None)]


def test_after_clear_database_nothing_of_the_old_hits_is_told_though_ids_are_used_again(
    recorder: Recorder, pair: tuple[int, int]
) -> None:
    esper.process(0.0)
    recorder.take()
    esper.clear_database()
    again = [
        esper.create_entity(Transform(0, 0), CircleCollider(1)),
        esper.create_entity(Transform(1, 0), CircleCollider(1)),
    ]
    assert tuple(again) == pair
    esper.process(0.0)
    assert recorder.take() == [("started", *pair, None)]


def test_the_same_instances_put_back_after_clear_database_start_their_hits_again(
    recorder: Recorder, physics: Physics
) -> None:
    parts = [(Transform(0, 0), CircleCollider(1)), (Transform(1, 0), CircleCollider(1))]
    pair = tuple(esper.create_entity(*p) for p in parts)
    esper.process(0.0)
    recorder.take()
    esper.clear_database()
    assert tuple(esper.create_entity(*p) for p in parts) == pair
    esper.process(0.0)
    assert recorder.take() == [("started", *pair, None)]


def test_the_first_reason_that_applies_is_given(recorder: Recorder, pair: tuple[int, int]) -> None:
    """Removed, filtered and apart at once is "removed"; and deleted besides, "despawned"."""
    a, b = pair
    c = esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    esper.process(0.0)
    recorder.take()
    for entity in (b, c):
        esper.add_component(entity, CollisionFilter(mask=0))
        esper.component_for_entity(entity, Transform).x = 100 * entity
        esper.remove_component(entity, CircleCollider)
    esper.delete_entity(c)
    esper.process(0.0)
    assert recorder.take() == [
        ("ended", a, b, "removed"),
        ("ended", a, c, "despawned"),
        ("ended", b, c, "despawned"),
    ]


CHANGES: dict[str, Callable[[int], object]] = {
    "despawned": lambda entity: esper.delete_entity(entity, immediate=True),
    "removed": lambda entity: esper.remove_component(entity, CircleCollider),
    "disabled": lambda entity: esper.add_component(entity, ecsphys.Disabled()),
    "filtered": lambda entity: esper.add_component(entity, CollisionFilter(mask=2)),
    "separated": lambda entity: setattr(esper.component_for_entity(entity, Transform), "y", 9.0),
}


@pytest.mark.parametrize("of_b", CHANGES)
@pytest.mark.parametrize("of_a", CHANGES)
def test_of_two_reasons_the_first_one_counts_whichever_side_it_is_of(
    recorder: Recorder, pair: tuple[int, int], of_a: str, of_b: str
) -> None:
    esper.process(0.0)
    recorder.take()
    CHANGES[of_a](pair[0])
    CHANGES[of_b](pair[1])
    if of_a == of_b == "separated":
        esper.component_for_entity(pair[1], Transform).y = -9.0
    esper.process(0.0)
    reasons = list(CHANGES)
    assert recorder.take() == [("ended", *pair, min(of_a, of_b, key=reasons.index))]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("is_new", [False, True])
def test_either_entity_of_a_pair_that_is_marked_dead_within_the_step_hits_nothing(
    physics: Physics, recorder: Recorder, pair: tuple[int, int], side: int, is_new: bool
) -> None:
    if not is_new:
        esper.process(0.0)
    recorder.take()

    class Killer(esper.Processor):
        def process(self, dt: float) -> None:
            esper.delete_entity(pair[side])

    esper.add_processor(Killer(), priority=ecsphys.Priority.BROADPHASE - 1)
    esper.process(0.0)
    assert recorder.take() == ([] if is_new else [("ended", *pair, "despawned")])
    assert len(physics.hits) == 0


def test_colliders_of_one_entity_never_hit_each_other_but_each_hits_others(
    physics: Physics, recorder: Recorder
) -> None:
    a = esper.create_entity(Transform(0, 0), AABBCollider(1, 1), CircleCollider(1))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1), AABBCollider(1, 1))
    esper.process(0.0)
    classes = [(hit.entity_a, hit.entity_b, hit.collider_a, hit.collider_b) for hit in recorder.events]
    assert classes == [
        (a, b, CircleCollider, CircleCollider),
        (a, b, CircleCollider, AABBCollider),
        (a, b, AABBCollider, CircleCollider),
        (a, b, AABBCollider, AABBCollider),
    ]


def test_ends_come_before_starts_and_both_in_order_of_entities(physics: Physics, recorder: Recorder) -> None:
    row = [esper.create_entity(Transform(0.0, 10.0 * k), CircleCollider(1)) for k in range(6)]
    walker = esper.create_entity(Transform(0.5, 0.0), CircleCollider(30))
    esper.process(0.0)
    assert recorder.take() == [("started", e, walker, None) for e in row[:4]]
    esper.component_for_entity(walker, Transform).y = 60.0
    esper.process(0.0)
    assert recorder.take() == [
        *[("ended", e, walker, "separated") for e in row[:3]],
        *[("started", e, walker, None) for e in row[4:]],
        ("ongoing", row[3], walker, None),
    ]


def test_the_arrays_hold_what_the_events_say(physics: Physics, pair: tuple[int, int]) -> None:
    a, b = pair
    c = esper.create_entity(Transform(0.5, 0.0), AABBCollider(1, 1))
    esper.process(0.0)
    assert physics.hits.started.entity_a.tolist() == [a, a, b]
    assert physics.hits.started.entity_b.tolist() == [b, c, c]
    assert physics.hits.collider_b.tolist() == [0, 1, 1]
    assert [ecsphys.COLLIDER_CLASSES[k] for k in physics.hits.collider_a] == [CircleCollider] * 3
    assert physics.hits.normal.shape == (3, 2)
    assert physics.hits.points.shape == (3, 2, 2)
    assert len(physics.hits.ended) == 0
    assert [(h.entity_a, h.entity_b, h.phase) for h in physics.hits.of(c)] == [(a, c, "started"), (b, c, "started")]
    esper.delete_entity(a)
    esper.process(0.0)
    assert physics.hits.ended.reason.tolist() == ["despawned", "despawned"]
    assert physics.hits.ended.entity_b.tolist() == [b, c]
    assert len(physics.hits.started) == 0
    assert [h.phase for h in physics.hits.of(b)] == ["ongoing"]


def test_each_world_keeps_its_own_hits(recorder: Recorder, pair: tuple[int, int]) -> None:
    home = esper.current_world
    esper.process(0.0)
    assert len(recorder.take()) == 1
    esper.switch_world("other")
    other = ecsphys.install()
    assert other is not None
    second = Recorder()
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0.0)
    assert second.take() == [("started", 1, 2, None)]
    esper.switch_world(home)
    esper.process(0.0)
    assert recorder.take() == [("ongoing", *pair, None)]
    esper.delete_world("other")
    esper.switch_world("other")
    fresh = ecsphys.install()
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.process(0.0)
    assert second.take() == []
    assert len(fresh.hits) == 0


def test_a_world_without_a_broadphase_tests_the_pairs_it_is_given(pair: tuple[int, int], physics: Physics) -> None:
    esper.remove_processor(BroadphaseSystem)

    class AllPairs(esper.Processor):
        def process(self, dt: float) -> None:
            count = len(physics.debug.colliders.boxes)
            pairs = [(i, j) for i in range(count) for j in range(count)]
            physics.debug.candidate_pairs = pairs

    esper.add_processor(AllPairs(), priority=ecsphys.Priority.BROADPHASE)
    esper.process(0.0)
    assert physics.hits.entity_a.tolist() == [pair[0]]
    assert physics.hits.entity_b.tolist() == [pair[1]]


@pytest.mark.parametrize("how", ["deleted", "marked", "disabled"])
@pytest.mark.parametrize("which", [0, 1])
def test_hits_of_an_entity_that_is_gone_or_disabled_since_the_step_are_none(
    physics: Physics, pair: tuple[int, int], how: str, which: int
) -> None:
    esper.process(0.0)
    assert physics.hits.has(*pair)
    if how == "disabled":
        esper.add_component(pair[which], ecsphys.Disabled())
    else:
        esper.delete_entity(pair[which], immediate=how == "deleted")
    assert not physics.hits.has(*pair)
    assert physics.hits.of(pair[0]) == physics.hits.of(pair[1]) == []


def test_a_new_entity_with_the_number_of_an_old_one_has_none_of_its_hits(
    physics: Physics, pair: tuple[int, int]
) -> None:
    esper.process(0.0)
    esper.clear_database()
    again = [esper.create_entity(Transform(), CircleCollider(1)) for _ in range(2)]
    assert again == list(pair)
    assert not physics.hits.has(*pair)
    assert physics.hits.of(pair[0]) == []
    esper.process(0.0)
    assert physics.hits.has(*pair)


def test_what_is_no_entity_hits_nothing_and_what_is_no_number_is_refused(physics: Physics) -> None:
    for number in (-1, 0, 10**400, -(10**400)):
        assert physics.hits.of(number) == []
        assert not physics.hits.has(number, 1)
    with pytest.raises(TypeError, match="entity must be a whole number, got 'a'"):
        physics.hits.of("a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"b must be a whole number, got 1\.5"):
        physics.hits.has(1, 1.5)  # type: ignore[arg-type]
