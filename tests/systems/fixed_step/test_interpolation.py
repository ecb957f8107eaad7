"""Poses between two fixed steps: by numbers, through every change of what is there, and at no cost unless asked for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calls import calls_while

import ecsphys
from ecsphys import CircleCollider, CircularTrajectory, FixedStep, Physics, Transform, Velocity, join


class Act(esper.Processor):
    """Does something in every step."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def process(self, dt: float) -> None:
        self.act()


def steps_of(hz: float = 10.0) -> FixedStep:
    """Physics in fixed steps whose poses have been asked for."""
    fixed = ecsphys.install(fixed_step=hz).fixed_step
    assert fixed is not None
    fixed.interpolated("x")
    return fixed


def drawn(fixed: FixedStep, transform: Transform) -> tuple[float, float, float]:
    """One transform's pose out of the columns, which must be what ``pose`` says."""
    row = transform._row
    x, y, angle = (float(fixed.interpolated(name)[row]) for name in ("x", "y", "angle"))
    for entity, attached in esper.get_component(Transform):
        if attached is transform:
            assert fixed.pose(entity) == (x, y, angle)
    return x, y, angle


def put(transform: Transform, x: float) -> None:
    """Move by the column, which leaves no mark on the row for the tests that come after."""
    Transform.column("x")[transform._row] = x


def test_a_mover_is_drawn_between_the_last_two_steps() -> None:
    fixed = steps_of(hz=10)
    esper.create_entity(transform := Transform(1, 2, 0.5), Velocity(10, -20, 5))
    esper.process(0.1)
    assert drawn(fixed, transform) == (1.0, 2.0, 0.5)
    esper.process(0.025)
    assert fixed.steps == 0
    assert (transform.x, transform.y, transform.angle) == (2.0, 0.0, 1.0)
    assert drawn(fixed, transform) == pytest.approx((1.25, 1.5, 0.625))
    esper.process(0.05)
    assert drawn(fixed, transform) == pytest.approx((1.75, 0.5, 0.875))
    # Three steps in one frame: between the second and the third of them.
    esper.process(0.275)
    assert fixed.steps == 3
    assert drawn(fixed, transform) == pytest.approx((4.5, -5.0, 2.25))


def test_what_moves_evenly_is_drawn_evenly_whatever_the_frames() -> None:
    fixed = steps_of(hz=10)
    esper.create_entity(transform := Transform(), Velocity(3, 0))
    esper.process(0.1)
    random, time = np.random.default_rng(1), 0.1
    for _ in range(300):
        dt = float(random.uniform(0.0, 0.15))
        esper.process(dt)
        time += dt
        # A step behind.
        assert drawn(fixed, transform)[0] == pytest.approx(3.0 * (time - 0.1), abs=1e-9)


def test_columns_have_the_rows_of_the_transforms_and_cannot_be_written() -> None:
    fixed = steps_of()
    transforms = [Transform(n, -n) for n in range(200)]
    for transform in transforms:
        esper.create_entity(transform, Velocity(1, 1))
    esper.process(0.15)
    _, rows = join(Transform)
    column = fixed.interpolated("x")
    assert column.shape == Transform.column("x", writable=False).shape
    assert column.dtype == np.float64
    np.testing.assert_allclose(column[rows], np.arange(200) + 0.05)
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1.0
    with pytest.raises(ValueError, match="no column 'z'; its columns are: x, y, angle"):
        fixed.interpolated("z")  # type: ignore[arg-type]


def test_nothing_is_kept_until_somebody_asks() -> None:
    fixed = ecsphys.install(fixed_step=10).fixed_step
    assert fixed is not None
    esper.create_entity(transform := Transform(), Velocity(1, 0))
    esper.process(0.15)
    assert fixed._interpolation is None
    # Asked for the first time: where it is, and between two steps from the next one on.
    assert drawn(fixed, transform)[0] == transform.x == pytest.approx(0.1)
    esper.process(0.1)
    assert drawn(fixed, transform)[0] == pytest.approx(0.15)


def test_who_comes_during_a_step_is_drawn_where_he_is_though_a_dead_ones_row_is_his() -> None:
    fixed = steps_of()
    old = esper.create_entity(Transform(-100, -100))
    row = esper.component_for_entity(old, Transform)._row
    born: list[Transform] = []

    def rebirth() -> None:
        if fixed.step_count == 3:
            esper.delete_entity(old, immediate=True)
        if fixed.step_count >= 3:
            born.append(Transform(50 + fixed.step_count, 50))
            esper.create_entity(born[-1], Velocity(1, 0))

    assert fixed.get(ecsphys.systems.BroadphaseSystem) is not None
    fixed.add(Act(rebirth))
    reused = False
    for _ in range(8):
        esper.process(0.1)
        esper.process(0.05)
        esper.process(0.05)
        for transform in born:
            reused |= transform._row == row
            assert drawn(fixed, transform)[0] >= 50.0
        if born:
            assert drawn(fixed, born[-1]) == (born[-1].x, born[-1].y, born[-1].angle)
    assert reused


def test_a_transform_that_is_replaced_is_drawn_where_the_new_one_is() -> None:
    fixed = steps_of()
    entity = esper.create_entity(Transform(), Velocity(10, 0))
    esper.process(0.15)
    esper.add_component(entity, Transform(500, 0))
    assert fixed.pose(entity) == (500.0, 0.0, 0.0)

    def replace() -> None:
        esper.add_component(entity, Transform(-500, 0))

    act = Act(replace)
    fixed.add(act)
    esper.process(0.1)
    assert fixed.pose(entity)[0] == -500.0
    fixed.remove(act)
    esper.process(0.1)
    assert fixed.pose(entity)[0] == pytest.approx(-499.5)


def test_what_the_frame_moves_is_drawn_where_it_is_until_the_next_step() -> None:
    fixed = steps_of()
    entity = esper.create_entity(transform := Transform(), Velocity(10, 10))
    esper.process(0.15)
    put(transform, 300.0)
    assert drawn(fixed, transform) == (300.0, 1.0, 0.0)
    esper.process(0.1)
    assert drawn(fixed, transform) == pytest.approx((300.5, 1.5, 0.0))
    esper.create_entity(Transform(), CircleCollider(1))
    Transform.column("y")[transform._row] = -7.0
    assert fixed.pose(entity) == (301.0, -7.0, 0.0)


def test_one_put_elsewhere_within_a_step_streaks_unless_it_is_told() -> None:
    fixed = steps_of()
    one = esper.create_entity(told := Transform(), Velocity(1, 0))
    esper.create_entity(untold := Transform(), Velocity(1, 0))

    def teleport() -> None:
        if fixed.step_count == 2:
            put(told, 100.0)
            put(untold, 100.0)
            fixed.snap(one)

    fixed.add(Act(teleport), 1000)
    esper.process(0.1)
    esper.process(0.15)
    assert drawn(fixed, told)[0] == told.x == pytest.approx(100.1)
    assert drawn(fixed, untold)[0] == pytest.approx(50.1)
    esper.process(0.1)
    assert drawn(fixed, told)[0] == pytest.approx(100.15)
    assert drawn(fixed, untold)[0] == pytest.approx(100.15)


def test_a_step_that_failed_leaves_everybody_drawn_between_where_it_began_and_where_it_ended() -> None:
    fixed = steps_of()
    esper.create_entity(transform := Transform(), Velocity(1, 0))
    esper.process(0.1)

    def fail() -> None:
        raise ArithmeticError

    fixed.add(act := Act(fail))
    with pytest.raises(ArithmeticError):
        esper.process(0.15)
    assert drawn(fixed, transform)[0] == pytest.approx(0.15)
    fixed.remove(act)
    esper.process(0.1)
    assert drawn(fixed, transform)[0] == pytest.approx(0.25)


def test_a_paused_game_stands_still_and_its_single_steps_are_seen() -> None:
    fixed = steps_of()
    esper.create_entity(transform := Transform(), Velocity(1, 0))
    esper.process(0.15)
    esper.process(0.1)
    fixed.paused = True
    for _ in range(3):
        esper.process(0.3)
        assert drawn(fixed, transform)[0] == pytest.approx(0.15)
    fixed.step_once()
    esper.process(0.3)
    assert drawn(fixed, transform)[0] == pytest.approx(0.25)


@pytest.mark.parametrize("at", ["a step", "a teleport", "a time before anybody asked"])
def test_after_a_restore_a_mover_is_drawn_between_the_steps_that_follow(at: str) -> None:
    physics = ecsphys.install(fixed_step=10)
    fixed = physics.fixed_step
    assert fixed is not None
    mover = esper.create_entity(transform := Transform(), Velocity(10, 0))
    state = physics.snapshot()
    fixed.interpolated("x")
    esper.process(0.1)
    if at == "a teleport":
        transform.x = 1.0
        fixed.snap(mover)
    if at != "a time before anybody asked":
        state = physics.snapshot()
    esper.process(0.1)
    for _ in range(2):
        physics.restore(state)
        start = transform.x
        for step in range(3):
            esper.process(0.1)
            assert drawn(fixed, transform)[0] == pytest.approx(start + step)
            assert transform.x == pytest.approx(start + step + 1)


def test_errors_name_who_is_missing() -> None:
    fixed = steps_of()
    bare = esper.create_entity(Velocity())
    for ask in (fixed.pose, fixed.snap):
        with pytest.raises(KeyError, match="entity 99 does not exist"):
            ask(99)
        with pytest.raises(ValueError, match=rf"entity {bare} has no Transform"):
            ask(bare)


def test_one_marked_dead_is_still_drawn_as_it_still_is_in_queries() -> None:
    fixed = steps_of()
    entity = esper.create_entity(Transform(), Velocity(1, 0))
    esper.process(0.15)
    esper.delete_entity(entity)
    assert fixed.pose(entity)[0] == pytest.approx(0.05)


def test_physics_made_by_hand_are_drawn_as_well_and_other_worlds_are_left_alone() -> None:
    esper.create_entity(elsewhere := Transform(9, 9), Velocity(1, 1))
    esper.switch_world(esper.current_world + " by hand")
    physics = Physics()
    fixed = FixedStep([(ecsphys.systems.AnalyticMotionSystem(physics), 400)], hz=4)
    esper.add_processor(fixed)
    esper.create_entity(transform := Transform(), CircularTrajectory(0, 0, 2, np.pi))
    fixed.interpolated("x")
    esper.process(0.25)
    esper.process(0.375)
    x, y = 2.0 * np.cos(np.pi * 0.25), 2.0 * np.sin(np.pi * 0.25)
    assert drawn(fixed, transform)[:2] == pytest.approx((0.5 * x, 0.5 * (y + 2.0)))
    assert fixed.interpolated("x")[elsewhere._row] == 9.0


@pytest.mark.parametrize("interpolated", [True, False])
def test_a_camera_follows_its_target_where_it_is_drawn_if_it_is_told_to(interpolated: bool) -> None:
    physics = ecsphys.install(fixed_step=10)
    scrolling = ecsphys.systems.ScrollingSystem(physics, interpolated)
    esper.add_processor(scrolling, ecsphys.Priority.SCROLLING)
    hero = esper.create_entity(transform := Transform(), Velocity(10, 0))
    esper.create_entity(camera := ecsphys.effects.Camera(0, 0, 16, 10, target=hero))
    esper.process(0.0)  # from now on poses are kept
    esper.process(0.1)
    for frames in range(1, 20):
        esper.process(0.025)
        assert camera.x == pytest.approx(0.25 * frames if interpolated else transform.x)
        on_screen = float(scrolling.to_screen(physics.fixed_step.pose(hero)[:2])[0])
        if interpolated:
            assert on_screen == pytest.approx(8.0)


def test_an_unchanged_frame_runs_no_python_per_entity() -> None:
    def calls_of_a_frame(entities: int) -> int:
        esper.switch_world(f"{entities} drawn")
        fixed = steps_of()
        for n in range(entities):
            esper.create_entity(Transform(n, 0), Velocity(1, 0))
        for _ in range(3):
            esper.process(0.15)
            fixed.interpolated("x")

        def frame() -> None:
            esper.process(0.1)
            for name in ("x", "y", "angle"):
                fixed.interpolated(name)

        return calls_while(frame)

    # Not as many exactly: marks and columns that other tests left behind cost some calls.
    assert calls_of_a_frame(500) - calls_of_a_frame(10) < 245


ACTIONS = st.lists(
    st.sampled_from(["create", "delete", "kill", "replace", "move", "clear", "frame", "step"]), max_size=40
)


@given(within=ACTIONS, between=ACTIONS, seed=st.integers(0, 99))
def test_nobody_is_ever_drawn_off_the_way_he_went(within: list[str], between: list[str], seed: int) -> None:
    """Each stays within two units of a post of its own, far from all others: so must its picture."""
    esper.switch_world(f"drawn {len(esper.list_worlds())}")
    fixed = steps_of()
    random = np.random.default_rng(seed)
    posts: dict[int, float] = {}
    numbers = count(1)

    def new_transform(entity: int) -> Transform:
        # Rows of the dead are used again, by posts that are far from theirs.
        posts[entity] = 1000.0 * next(numbers)
        return Transform(posts[entity] + float(random.uniform(-2.0, 2.0)))

    def act(what: str) -> None:
        if what == "create":
            entity = esper.create_entity()
            esper.add_component(entity, new_transform(entity))
        if what == "clear":
            esper.clear_database()
            posts.clear()
        living = [entity for entity in posts if esper.entity_exists(entity)]
        if not living:
            return
        entity = int(random.choice(living))
        if what in ("delete", "kill"):
            esper.delete_entity(entity, immediate=what == "delete")
        elif what == "replace":
            esper.add_component(entity, Transform(posts[entity]))
        elif what == "move":
            put(esper.component_for_entity(entity, Transform), posts[entity] + float(random.uniform(-2.0, 2.0)))

    todo = iter(within)

    def act_twice() -> None:
        act(next(todo, ""))
        act(next(todo, ""))

    fixed.add(Act(act_twice))
    for what in between:
        if what in ("frame", "step"):
            esper.process(0.03 if what == "frame" else 0.1)
        else:
            act(what)
        column = fixed.interpolated("x")
        for entity, transform in esper.get_component(Transform):
            assert abs(column[transform._row] - posts[entity]) <= 2.0
            assert fixed.pose(entity)[0] == column[transform._row]
