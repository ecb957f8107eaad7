"""Installing, settings, dt, stages and errors: what a game meets before anything collides."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import CircleCollider, LinearTrajectory, Physics, Transform, Velocity
from ecsphys.systems import AnalyticMotionSystem, BroadphaseSystem, EulerMotionSystem, NarrowphaseSystem
from ecsphys.systems.physics import STAGES


def test_a_second_install_in_the_same_world_raises() -> None:
    ecsphys.install()
    with pytest.raises(RuntimeError, match="installed already"):
        ecsphys.install()


def test_install_puts_the_stages_at_their_public_priorities() -> None:
    ecsphys.install()
    priorities = {
        AnalyticMotionSystem: ecsphys.Priority.ANALYTIC_MOTION,
        EulerMotionSystem: ecsphys.Priority.EULER_MOTION,
        ecsphys.systems.HierarchySystem: ecsphys.Priority.HIERARCHY,
        BroadphaseSystem: ecsphys.Priority.BROADPHASE,
        NarrowphaseSystem: ecsphys.Priority.NARROWPHASE,
    }
    for stage, priority in priorities.items():
        processor = esper.get_processor(stage)
        assert processor is not None
        assert processor.priority == priority
    assert (int(ecsphys.Priority.INPUT), int(ecsphys.Priority.HIERARCHY)) == (500, 350)


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ({"gravity": (0, math.nan)}, ValueError),
        ({"gravity": 9.8}, TypeError),
        ({"gravity": ("0", "1")}, TypeError),
        ({"cell_size": 0.0}, ValueError),
        ({"cell_size": -1.0}, ValueError),
        ({"cell_size": math.inf}, ValueError),
        ({"cell_size": "big"}, TypeError),
        ({"motion_substeps": 0}, ValueError),
        ({"motion_substeps": 1.5}, TypeError),
        ({"integrator": "euler"}, ValueError),
    ],
)
def test_bad_settings_are_refused_and_nothing_is_installed(setting: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=next(iter(setting))):
        ecsphys.install(**setting)
    assert esper.get_processor(BroadphaseSystem) is None


@pytest.mark.parametrize(
    ("dt", "error"),
    [(-1e-9, ValueError), (math.nan, ValueError), (math.inf, ValueError), ("1", TypeError), (None, TypeError)],
)
def test_a_bad_dt_is_refused_before_anything_changed(dt: Any, error: type[Exception]) -> None:
    ecsphys.install()
    esper.create_entity(transform := Transform(), Velocity(1, 1), LinearTrajectory(0, 0, 1, 1))
    with pytest.raises(error, match="dt"):
        esper.process(dt)
    assert transform == Transform()


@pytest.mark.parametrize("dt", [1, np.float32(1), Fraction(1), True])
def test_dt_may_be_any_real_number_by_position_or_keyword(dt: Any) -> None:
    ecsphys.install()
    esper.create_entity(transform := Transform(), Velocity(1, 0))
    esper.process(dt)
    esper.process(dt=dt)
    assert transform.x == 2.0


@pytest.mark.parametrize("system", ["AnalyticMotionSystem", "NarrowphaseSystem", "ScrollingSystem"])
def test_other_arguments_than_the_seconds_are_refused_with_a_way_out(system: str) -> None:
    esper.add_processor(getattr(ecsphys.systems, system)(ecsphys.Physics()))
    with pytest.raises(
        TypeError, match=r"also passed 'keys', pause=True to every processor\. Call esper\.process\(dt\)"
    ):
        esper.process(0.1, "keys", pause=True)


def test_a_step_of_zero_detects_without_moving() -> None:
    physics = ecsphys.install(gravity=(0, -9.8))
    esper.create_entity(transform := Transform(1, 2, 3), Velocity(4, 5, 6), ecsphys.Gravity(), CircleCollider(1))
    esper.create_entity(Transform(1, 2), CircleCollider(1))
    esper.process(0)
    assert transform == Transform(1, 2, 3)
    assert len(physics.hits) == 1


def test_a_bad_value_through_a_column_is_caught_before_anything_moved_naming_the_entity() -> None:
    ecsphys.install()
    esper.create_entity(first := Transform(), Velocity(1, 0))
    bad = esper.create_entity(Transform(), CircleCollider(1))
    esper.process(1.0)
    row = ecsphys.join(CircleCollider)[1][0]
    CircleCollider.column("radius")[row] = math.nan
    with pytest.raises(ValueError, match=rf"entity {bad}.*CircleCollider\.radius.*nan"):
        esper.process(1.0)
    assert first.x == 1.0
    CircleCollider.column("radius")[row] = 2.0
    esper.process(1.0)
    assert first.x == 2.0


def test_one_instance_on_two_entities_is_refused_naming_both() -> None:
    ecsphys.install()
    shared = Transform()
    a = esper.create_entity(shared, first := Velocity(1, 0))
    b = esper.create_entity(shared)
    with pytest.raises(ValueError, match=rf"entities ({b} and {a}|{a} and {b}) share one Transform"):
        esper.process(1.0)
    assert shared.x == 0.0
    assert first.x == 1.0
    esper.add_component(b, Transform())
    esper.process(1.0)
    assert shared.x == 1.0


def test_two_trajectories_on_one_entity_are_refused_naming_both() -> None:
    ecsphys.install()
    entity = esper.create_entity(Transform(), LinearTrajectory(0, 0, 1, 1), ecsphys.CircularTrajectory(0, 0, 1, 1))
    with pytest.raises(ValueError, match=rf"entity {entity}.*LinearTrajectory and CircularTrajectory"):
        esper.process(1.0)


def test_an_instance_under_a_type_alias_is_refused_clearly() -> None:
    class Ball(ecsphys.Component):
        radius: float = 1.0

    ecsphys.install()
    entity = esper.create_entity(Transform())
    esper.add_component(entity, Ball(), type_alias=CircleCollider)
    with pytest.raises(TypeError, match=rf"{entity}.*Ball.*CircleCollider"):
        esper.process(1.0)


def test_stages_added_by_hand_work_and_any_may_be_left_out() -> None:
    physics = Physics(gravity=(0, -1))
    esper.add_processor(EulerMotionSystem(physics), priority=ecsphys.Priority.EULER_MOTION)
    esper.create_entity(transform := Transform(), Velocity(1, 0))
    for _ in range(3):
        esper.process(1.0)
    assert transform.x == 3.0
    assert len(physics.hits) == 0
    esper.add_processor(NarrowphaseSystem(physics), priority=ecsphys.Priority.NARROWPHASE)
    esper.create_entity(Transform(4, 0), CircleCollider(1))
    esper.add_component(1, CircleCollider(1))
    esper.process(1.0)
    assert len(physics.hits) == 0
    esper.add_processor(BroadphaseSystem(physics), priority=ecsphys.Priority.BROADPHASE)
    esper.process(0.0)
    assert len(physics.hits) == 1


def test_a_physics_used_in_a_second_world_is_refused() -> None:
    physics = ecsphys.install()
    home = esper.current_world
    esper.process(0.0)
    esper.switch_world(home + " second")
    esper.add_processor(BroadphaseSystem(physics))
    with pytest.raises(RuntimeError, match="belongs to the world"):
        esper.process(0.0)


@pytest.mark.parametrize("pairs", [[(0.5, 1.0)], [0, 1], [(0, 1, 2)], [("a", "b")]])
def test_candidate_pairs_of_a_wrong_form_are_refused_at_once(pairs: Any) -> None:
    physics = ecsphys.install()
    esper.process(0.0)
    with pytest.raises(ValueError, match="candidate_pairs"):
        physics.debug.candidate_pairs = pairs


@pytest.mark.parametrize("pair", [(0, 2), (-1, 0), (1, 2**32), (0, -(2**40))])
def test_candidate_pairs_out_of_range_are_refused_by_the_narrowphase(pair: tuple[int, int]) -> None:
    class Wrong(BroadphaseSystem):
        def find_pairs(self, boxes: Any, bodies: Any) -> Any:
            return np.array([(0, 1), pair])

    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.0)
    esper.remove_processor(BroadphaseSystem)
    esper.add_processor(Wrong(physics), ecsphys.Priority.BROADPHASE)
    with pytest.raises(ValueError, match="candidate_pairs must be indices of the 2 colliders"):
        esper.process(0.0)
    esper.remove_processor(Wrong)
    esper.add_processor(BroadphaseSystem(physics), ecsphys.Priority.BROADPHASE)
    esper.process(0.0)
    assert len(physics.hits) == 1


def test_unattached_instances_and_other_worlds_never_move() -> None:
    ecsphys.install()
    loose, loose_speed = Transform(7, 7), Velocity(1, 1)
    esper.create_entity(inside := Transform(), Velocity(1, 1))
    home = esper.current_world
    esper.switch_world(home + " other")
    esper.create_entity(elsewhere := Transform(), Velocity(1, 1))
    esper.switch_world(home)
    esper.process(1.0)
    assert (inside.x, elsewhere.x, loose.x, loose_speed.x) == (1.0, 0.0, 7.0, 1.0)


def test_only_a_structural_change_gives_the_tables_another_revision() -> None:
    physics = ecsphys.install()
    entity = esper.create_entity(Transform(), Velocity(), CircleCollider(1))
    esper.process(0.1)
    revision = physics._state.tables.revision
    for _ in range(3):
        esper.component_for_entity(entity, Transform).x += 1
        esper.process(0.1)
    assert physics._state.tables.revision == revision
    esper.create_entity(Transform())
    esper.process(0.1)
    assert physics._state.tables.revision == revision + 1


def test_an_unchanged_frame_runs_no_python_per_entity() -> None:
    def calls_of_a_frame(entities: int) -> int:
        esper.switch_world(f"{entities} entities")
        ecsphys.install(gravity=(0, -1))
        for n in range(entities):
            esper.create_entity(Transform(0.9 * n, 0), Velocity(), ecsphys.Gravity(), CircleCollider(0.5))
            esper.create_entity(Transform(), LinearTrajectory(0.9 * n, 5, 0, 1), ecsphys.OBBCollider(0.5, 0.5))
        for _ in range(3):
            esper.process(0.0)
        return calls_while(lambda: esper.process(0.0))

    # Not as many exactly: marks and columns that other tests left behind cost some calls.
    assert calls_of_a_frame(500) - calls_of_a_frame(10) < 245


def test_huge_and_far_colliders_hit_like_any_other() -> None:
    physics = ecsphys.install()
    for x in (1e15, -1e15, 0.0):
        esper.create_entity(Transform(x, 1e14), CircleCollider(1.0))
        esper.create_entity(Transform(x + 1.0, 1e14), CircleCollider(1.0))
    floor = esper.create_entity(Transform(0, 0), ecsphys.AABBCollider(1e18, 1e18))
    esper.process(0.1)
    pairs = set(zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True))
    assert {(1, 2), (3, 4), (5, 6)} <= pairs
    assert all((e, floor) in pairs for e in range(1, 7))


def test_a_stage_of_the_game_after_the_hits_belongs_to_the_step_that_ends() -> None:
    """Else the next step would take itself for the same one, and neither check columns nor place colliders anew."""
    physics = ecsphys.install()
    counts: list[int] = []

    class Late(ecsphys.systems.Stage):
        def run(self, dt: float) -> None:
            counts.append(len(self.physics.debug.colliders.boxes))

    esper.add_processor(Late(physics))
    esper.create_entity(first := Transform(), Velocity(1, 0), CircleCollider(1))
    esper.create_entity(second := Transform(9, 0), CircleCollider(1))
    for _ in range(3):
        second.x = 9.0
        esper.process(0.0)
        assert len(physics.hits) == 0
        second.x = 0.5
        esper.process(0.0)
        assert len(physics.hits) == 1
    row = ecsphys.join(Transform)[1][1]
    Transform.column("x")[row] = math.nan
    with pytest.raises(ValueError, match=r"entity 2: Transform\.x"):
        esper.process(1.0)
    assert first.x == 0.0
    assert counts == [2] * 6


class PlainBroadphase(esper.Processor):
    """All pairs, by a plain processor that is no stage."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics

    def process(self, dt: float) -> None:
        boxes = self.physics.debug.colliders.boxes
        self.physics.debug.candidate_pairs = [(i, j) for j in range(len(boxes)) for i in range(j)]


def test_a_plain_processor_as_broadphase_sees_every_step_as_it_is() -> None:
    physics = Physics()
    esper.add_processor(PlainBroadphase(physics), ecsphys.Priority.BROADPHASE)
    esper.add_processor(NarrowphaseSystem(physics), ecsphys.Priority.NARROWPHASE)
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(mover := Transform(0.5, 0), CircleCollider(1))
    for x, hits in ((0.5, 1), (9.0, 0), (0.5, 1)):
        mover.x = x
        esper.process(0.0)
        assert len(physics.hits) == hits
    assert physics.debug.colliders.boxes.tolist()[1] == pytest.approx([-0.5, -1, 1.5, 1])


@pytest.mark.parametrize("priority", [350, 250])
def test_with_a_plain_broadphase_running_hits_survive_a_creation_within_the_step(priority: int) -> None:
    physics = ecsphys.install()
    esper.remove_processor(BroadphaseSystem)
    esper.add_processor(PlainBroadphase(physics), ecsphys.Priority.BROADPHASE)

    class Spawner(esper.Processor):
        def process(self, dt: float) -> None:
            esper.create_entity(Transform(100, 0), CircleCollider(1))

    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    esper.add_processor(Spawner(), priority=priority)
    esper.process(0.0)
    assert len(physics.hits.started) == 1
    for _ in range(3):
        esper.process(0.0)
        assert len(physics.hits.ended) == 0
        assert (1, 2) in zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True)


def test_a_broadphase_taken_away_leaves_nothing_to_test() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    esper.process(0.0)
    assert len(physics.hits) == 1
    esper.remove_processor(BroadphaseSystem)
    for _ in range(2):
        esper.create_entity(Transform(0.5, 0), CircleCollider(1))
        esper.process(0.0)
        assert len(physics.hits) == 0


def test_moving_after_the_boxes_were_read_but_before_the_broadphase_is_seen() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(mover := Transform(9, 0), CircleCollider(1))

    class Reader(esper.Processor):
        def process(self, dt: float) -> None:
            assert len(physics.debug.colliders.boxes) == 2

    class Mover(esper.Processor):
        def process(self, dt: float) -> None:
            mover.x = 0.5

    esper.add_processor(Reader(), priority=350)
    esper.add_processor(Mover(), priority=340)
    esper.process(0.0)
    assert len(physics.hits) == 1


def test_new_vertices_between_broadphase_and_narrowphase_are_never_read_from_a_strangers_run() -> None:
    physics = ecsphys.install()
    square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    shape = ecsphys.PolygonCollider(square)
    esper.create_entity(Transform(), shape)
    esper.create_entity(Transform(1.5, 0), CircleCollider(1))
    kept: list[ecsphys.PolygonCollider] = []

    class Reshape(esper.Processor):
        def process(self, dt: float) -> None:
            shape.vertices = [(-1, -1), (1, -1), (1.2, 0), (1, 1), (-1, 1)]
            kept.append(ecsphys.PolygonCollider([(x - 50, y) for x, y in square]))

    esper.add_processor(Reshape(), priority=250)
    esper.process(0.0)
    assert physics.hits.depth.tolist() == pytest.approx([0.7])


def test_the_arrays_can_be_read_before_the_first_step() -> None:
    physics = ecsphys.install()
    colliders = physics.debug.colliders
    assert len(colliders) == len(colliders.boxes) == len(physics.debug.candidate_pairs) == len(physics.hits) == 0
    esper.create_entity(Transform(), CircleCollider(1))
    assert colliders.entity.tolist() == [1]
    assert colliders.boxes.shape == (1, 4)


def test_numbers_too_large_for_a_float_are_value_errors() -> None:
    with pytest.raises(ValueError, match="gravity"):
        ecsphys.install(gravity=(10**400, 0))
    physics = ecsphys.install(gravity=np.array([0.0, -1.0]))
    with pytest.raises(ValueError, match="dt"):
        esper.process(10**400)
    with pytest.raises(ValueError, match="substeps"):
        physics.settings.motion_substeps = 2**70


def test_install_notices_a_world_whose_stages_are_derived() -> None:
    class Sweep(BroadphaseSystem):
        pass

    esper.add_processor(Sweep(Physics()))
    with pytest.raises(RuntimeError, match="Sweep"):
        ecsphys.install()


def test_each_of_two_physics_of_a_world_sees_every_change() -> None:
    first, second = ecsphys.install(), Physics()
    for stage, priority in STAGES:
        if stage not in (AnalyticMotionSystem, EulerMotionSystem):
            esper.add_processor(stage(second), priority)
    rng = np.random.default_rng(5)
    balls = [Transform(*rng.uniform(-4.0, 4.0, 2)) for _ in range(40)]
    entities = [esper.create_entity(ball, CircleCollider(0.5)) for ball in balls]
    for frame in range(30):
        ball = balls[int(rng.integers(len(balls)))]
        ball.x, ball.y = rng.uniform(-4.0, 4.0, 2)
        if frame % 5 == 0:
            esper.delete_entity(entities.pop(), immediate=True)
            balls.pop()
        if frame % 7 == 0:
            esper.component_for_entity(entities[0], CircleCollider).radius += 0.1
        esper.process(0.0)
        for physics in (first, second):
            pairs = list(zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True))
            places = [(e, esper.component_for_entity(e, Transform)) for e in sorted(entities)]
            assert pairs == [
                (a, b)
                for i, (a, one) in enumerate(places)
                for b, other in places[i + 1 :]
                if math.dist((one.x, one.y), (other.x, other.y))
                < sum(esper.component_for_entity(e, CircleCollider).radius for e in (a, b))
            ]
        assert (first.hits.started.entity_a == second.hits.started.entity_a).all()
        assert (first.hits.ended.entity_b == second.hits.ended.entity_b).all()


def test_after_the_stages_of_a_physics_are_removed_its_world_takes_another() -> None:
    ecsphys.install()
    esper.process(0.0)
    for stage in list(esper._processors):
        esper.remove_processor(type(stage))
    second = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.0)
    assert len(second.hits) == 1
