"""Bodies that are no bullets, and so fast that they would pass through what is solid."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import esper
import numpy as np
import pytest
from numpy import float64, int32
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    FanCollider,
    OBBCollider,
    OneWay,
    Parent,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.engine.ccd import sweep_choice
from ecsphys.engine.ccd.sweep_choice import StepMotions, reckon_starts, swept_box
from ecsphys.engine.geometry.sweep_motion import MOTION_COLUMNS
from ecsphys.engine.shapes.layout import EXTENT, KIND_OBB, POLYGON, SHAPE_COLUMNS
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots
from ecsphys.systems.ccd import sweeps
from ecsphys.types import Hit

DT = 1.0 / 60.0


def thrown_among_resting_walls(poison: float) -> NDArray[float64]:
    """Where balls end that fly among walls which have rested for long; scratch memory holds some number first."""
    esper.switch_world(f"walls {poison}")
    physics = ecsphys.install()
    walls = [
        esper.create_entity(Transform(4.0 * k, 6.0 * row), OBBCollider(0.02, 3.0, angle=0.3), Solid())
        for k in range(12)
        for row in range(8)
    ]
    steps = 30
    for _ in range(steps):
        esper.process(DT)
    random = np.random.default_rng(2)
    balls = [
        esper.create_entity(
            Transform(*random.uniform((1.0, 0.0), (3.0, 40.0)).tolist()),
            Velocity(*random.uniform(-400.0, 400.0, 2).tolist()),
            CircleCollider(0.3),
            RigidBody(restitution=0.9, friction=0.0),
        )
        for _ in range(8)
    ]
    for _ in range(steps):
        physics._state.starts.room()[:] = poison
        esper.process(DT)
    assert len(walls) == 96
    return np.array([(t.x, t.y) for t in (esper.component_for_entity(ball, Transform) for ball in balls)])


def test_what_memory_held_before_makes_no_difference() -> None:
    expected = thrown_among_resting_walls(0.0)
    for poison in (1e6, np.nan):
        np.testing.assert_array_equal(thrown_among_resting_walls(poison), expected)


@pytest.mark.parametrize("speed", [40.0, 150.0, 600.0])
def test_the_hit_of_a_stopped_body_comes_in_that_step_with_its_time_and_speed(speed: float) -> None:
    ecsphys.install()
    esper.create_entity(Transform(10.0, 0.0), OBBCollider(0.02, 5.0), Solid())
    ball = esper.create_entity(Transform(9.3 - speed * DT, 0.0), Velocity(speed, 0.0), CircleCollider(0.3), RigidBody())
    told: list[Hit] = []

    def note(hit: Hit) -> None:
        told.append(hit)

    esper.set_handler("hit_started", note)
    x: list[float] = []
    while not told and len(x) < 10:
        x.append(esper.component_for_entity(ball, Transform).x)
        esper.process(DT)
    (hit,) = told
    # The hit is told in the step in which the surfaces meet.
    assert x[-1] + hit.time * speed * DT == pytest.approx(9.68, abs=0.01)
    assert hit.approach_speed == pytest.approx(speed, rel=1e-9)
    assert 0.0 < hit.time <= 1.0
    assert esper.component_for_entity(ball, Transform).x < 9.69


def throw(*parts: Any, speed: float = 240.0) -> int:
    """A ball in flight towards a thin wall at x = 10, fast enough to cross it within a step."""
    parts = parts or (CircleCollider(0.3), RigidBody())
    return esper.create_entity(Transform(7.0, 0.0), Velocity(speed, 0.0), *parts)


def x_after(entity: int, steps: int = 3) -> float:
    for _ in range(steps):
        esper.process(DT)
    return esper.component_for_entity(entity, Transform).x


def thin_wall(*parts: Any) -> int:
    return esper.create_entity(Transform(10.0, 0.0), OBBCollider(0.02, 5.0), *(parts or (Solid(),)))


COLLIDERS: list[Callable[[], Any]] = [
    lambda: CircleCollider(0.3),
    lambda: AABBCollider(0.3, 0.2),
    lambda: OBBCollider(0.3, 0.2),
    lambda: CapsuleCollider(0.3, 0.15),
    lambda: FanCollider(0.4, 1.0),
    lambda: FanCollider(0.3, 5.0),
    lambda: PolygonCollider([(-0.3, -0.2), (0.3, -0.2), (0.0, 0.3)]),
    lambda: CompoundCollider([OBBCollider(0.3, 0.1), OBBCollider(0.1, 0.3)]),
]

WALLS: list[Callable[[], tuple[Any, ...]]] = [
    lambda: (OBBCollider(0.02, 5.0), Solid()),
    lambda: (AABBCollider(0.02, 5.0), RigidBody(kind="static")),
    lambda: (PolygonCollider([(-0.02, -5.0), (0.02, -5.0), (0.02, 5.0), (-0.02, 5.0)]), RigidBody(kind="kinematic")),
    lambda: (CapsuleCollider(10.0, 0.02, angle=math.pi / 2), Solid()),
    lambda: (ChainCollider([(0.0, -5.0), (0.0, 0.1), (0.0, 5.0)]), Solid()),
    lambda: (CompoundCollider([OBBCollider(0.02, 2.5, 0.0, -2.5), OBBCollider(0.02, 2.5, 0.0, 2.5)]), Solid()),
]


@pytest.mark.parametrize("lock", [False, True], ids=["free", "locked"])
@pytest.mark.parametrize("wall", WALLS)
@pytest.mark.parametrize("collider", COLLIDERS)
def test_no_collider_passes_any_wall(
    collider: Callable[[], Any], wall: Callable[[], tuple[Any, ...]], lock: bool
) -> None:
    random = np.random.default_rng(7)
    for k, speed in enumerate((60.0, 150.0, 333.0, 600.0)):
        esper.switch_world(f"thrown {k}")
        ecsphys.install()
        esper.create_entity(Transform(10.0, 0.0), *wall())
        start = Transform(random.uniform(-5.0, 9.0), random.uniform(-1.0, 1.0), random.uniform(0.0, 6.0))
        spin = 0.0 if lock else random.uniform(-40.0, 40.0)
        body = RigidBody(lock_rotation=lock, restitution=random.uniform(0.0, 1.0))
        ball = esper.create_entity(start, Velocity(speed, 0.0, spin), collider(), body)
        assert x_after(ball, 20) < 10.0
        esper.switch_world("default")
        esper.delete_world(f"thrown {k}")


def test_a_child_stops_its_fast_body() -> None:
    ecsphys.install()
    thin_wall()
    ball = throw()
    esper.create_entity(Transform(), Parent(ball, 0.6, 0.0), CircleCollider(0.3))
    assert x_after(ball) < 9.2


def test_a_bar_that_spins_stops_at_a_peg() -> None:
    ecsphys.install()
    esper.create_entity(Transform(0.0, 1.0), CircleCollider(0.02), Solid())
    bar = esper.create_entity(Transform(), Velocity(0.0, 0.0, 100.0), OBBCollider(2.0, 0.05), RigidBody())
    esper.process(DT)
    assert 1.4 < esper.component_for_entity(bar, Transform).angle < math.pi / 2


def _filtered(physics: Physics) -> None:
    thin_wall(Solid(), CollisionFilter(layers=2, mask=2))


def _sensor(physics: Physics) -> None:
    esper.create_entity(Transform(10.0, 0.0), OBBCollider(0.02, 5.0, sensor=True), Solid())


def _hits_only(physics: Physics) -> None:
    esper.create_entity(Transform(10.0, 0.0), OBBCollider(0.02, 5.0))


def _open_this_way(physics: Physics) -> None:
    thin_wall(Solid(), OneWay(1.0, 0.0))


def _disabled(physics: Physics) -> None:
    thin_wall(Solid(), Disabled())


@pytest.mark.parametrize("wall", [_filtered, _sensor, _hits_only, _open_this_way, _disabled])
def test_a_fast_body_passes_what_lets_it_pass(wall: Callable[[Physics], None]) -> None:
    wall(ecsphys.install())
    ball = throw()
    assert x_after(ball, 3) == pytest.approx(7.0 + 3 * 240.0 * DT)
    assert esper.component_for_entity(ball, Velocity).x == 240.0


def test_a_one_way_wall_stops_what_comes_from_the_other_side() -> None:
    ecsphys.install()
    thin_wall(Solid(), OneWay(-1.0, 0.0))
    assert x_after(throw()) < 10.0


def test_a_pair_that_is_vetoed_is_not_swept() -> None:
    physics = ecsphys.install()
    thin_wall()

    def veto(contacts: Any) -> None:
        contacts.is_vetoed[:] = True

    physics.pre_solve = veto
    # So near the wall that the pair is a contact when the step begins.
    ball = esper.create_entity(Transform(9.675, 0.0), Velocity(240.0, 0.0), CircleCollider(0.3), RigidBody())
    assert x_after(ball, 1) == pytest.approx(9.675 + 240.0 * DT)


def test_what_the_game_puts_elsewhere_is_not_swept() -> None:
    ecsphys.install()
    thin_wall()
    ball = throw()
    esper.process(0.001)
    esper.component_for_entity(ball, Transform).x = 20.0
    assert x_after(ball, 1) == pytest.approx(24.0)


@pytest.mark.parametrize("is_asleep", [False, True], ids=["awake", "asleep"])
@pytest.mark.parametrize("speed", [5.0, 15.0, 59.0, 60.0, 61.0, 120.0, 180.0, 600.0])
def test_a_wall_that_moves_passes_no_body_at_rest(speed: float, is_asleep: bool) -> None:
    physics = ecsphys.install()
    wall = RigidBody(kind="kinematic")
    driver = esper.create_entity(Transform(0.0, 0.0), Velocity(speed, 0.0), OBBCollider(0.02, 5.0), wall)
    balls = [esper.create_entity(Transform(x, x - 9.0), CircleCollider(0.3), RigidBody()) for x in (8.99, 9.0, 9.3, 11)]
    esper.process(0.0)
    if is_asleep:
        physics.bodies.sleep(balls)
    for _ in range(int(15.0 / speed / DT) + 2):
        esper.process(DT)
        x = esper.component_for_entity(driver, Transform).x
        assert all(esper.component_for_entity(ball, Transform).x > x for ball in balls)
    assert all(esper.component_for_entity(ball, Velocity).x > 0.9 * speed for ball in balls)


def test_sweeps_look_at_no_collider_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their rows are not theirs any more: kernels that followed them wrote beyond their arrays."""
    looked_at: list[int] = []

    def spy(which: NDArray[int32], colliders: ColliderSlots, *others: Any) -> None:
        looked_at.extend(colliders.absence[which].tolist())
        reckon_starts(which, colliders, *others)

    monkeypatch.setattr(sweep_choice, "reckon_starts", spy)
    ecsphys.install()
    for _ in range(4):
        bodies = []
        for k in range(2):
            shot = RigidBody(restitution=1, friction=0)
            bodies.append(esper.create_entity(Transform(0, 10 * k), Velocity(100, 0), CircleCollider(0.5), shot))
            bodies.append(esper.create_entity(Transform(8 + k, 10 * k), CircleCollider(0.5), RigidBody()))
        for _ in range(30):
            esper.process(DT)
        for body in bodies:
            esper.delete_entity(body)
    assert looked_at
    assert set(looked_at) == {PRESENT}


def test_a_fast_body_in_a_turning_drum_is_swept_against_near_parts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[int] = []
    blocked = sweeps.SweepSystem._passes

    def spy(self: sweeps.SweepSystem, pairs: NDArray[int32]) -> NDArray[np.uint8]:
        met.append(len(pairs))
        return blocked(self, pairs)

    monkeypatch.setattr(sweeps.SweepSystem, "_passes", spy)
    ecsphys.install()
    turns = [math.tau * part / 40 for part in range(40)]
    parts = [OBBCollider(0.1, 1.0, 10.0 * math.cos(turn), 10.0 * math.sin(turn), turn) for turn in turns]
    drum = RigidBody(kind="kinematic")
    esper.create_entity(Transform(), Velocity(angular=0.5), CompoundCollider(parts), drum)
    ball = esper.create_entity(Transform(), Velocity(120.0, 7.0), CircleCollider(0.2), RigidBody(restitution=1.0))
    for _ in range(120):
        esper.process(DT)
        place = esper.component_for_entity(ball, Transform)
        assert math.hypot(place.x, place.y) < 10.0
    assert len(met) > 10
    assert max(met) <= 6


@pytest.mark.parametrize("turn", [-3.0, -0.2, 0.0, 0.05, 1.0, 7.0])
def test_the_box_around_a_path_holds_every_place_on_it(turn: float) -> None:
    random = np.random.default_rng(7)
    corners = random.uniform(-3.0, 9.0, (50, 4, 2))
    then, moved = random.uniform(-5.0, 5.0, (3, 50)), random.uniform(-2.0, 2.0, (2, 50))
    now = then + np.vstack((moved, np.full(50, turn)))

    def at(part: float) -> NDArray[float64]:
        x, y, angle = (then + part * (now - then))[:, :, None]
        c, s = np.cos(angle), np.sin(angle)
        turned = (c * corners[..., 0] - s * corners[..., 1], s * corners[..., 0] + c * corners[..., 1])
        return np.stack((x + turned[0], y + turned[1]), axis=2)

    rows = np.zeros((50, SHAPE_COLUMNS))
    rows[:, EXTENT] = np.hypot(corners[..., 0], corners[..., 1]).max(axis=1)
    boxes = np.hstack((at(1.0).min(axis=1), at(1.0).max(axis=1)))
    placed = SimpleNamespace(boxes=boxes, positions=now[:2].T, angles=now[2], forms=np.full(50, POLYGON), shapes=rows)
    colliders = SimpleNamespace(transform_row=np.arange(50), trajectory=np.full(50, -1), kind=np.full(50, KIND_OBB))
    unused: Any = None
    solved = SimpleNamespace(body_of=np.full(50, -1))
    step = StepMotions(cast(Any, colliders), cast(Any, placed), then, now, unused, unused, cast(Any, solved))
    paths = np.empty((50, 4))
    for i in range(50):
        swept_box(i, step, 1.0, np.zeros(MOTION_COLUMNS), paths, i)
    for part in np.linspace(0.0, 1.0, 40).tolist():
        assert (at(part).min(axis=1) >= paths[:, :2] - 1e-12).all()
        assert (at(part).max(axis=1) <= paths[:, 2:] + 1e-12).all()


@pytest.mark.parametrize("thick_is_last", [False, True])
@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_a_body_is_as_thin_as_its_thinnest_collider_in_whatever_order_they_are(
    thick_is_last: bool, direction: float
) -> None:
    ecsphys.install()
    esper.create_entity(Transform(), AABBCollider(0.01, 1.0), Solid())
    # Only the thin one meets the wall.
    thin, thick = (CircleCollider(0.05), OBBCollider(1.0, 1.0, offset_y=6.0))
    colliders: tuple[Any, ...] = (thin, thick)
    if not thick_is_last:
        colliders = OBBCollider(0.05, 0.05), CircleCollider(1.0, offset_y=6.0)
    place = Transform(-direction * 3.3, 0.0)
    body = RigidBody(lock_rotation=True, friction=0.0)
    esper.create_entity(place, Velocity(direction * 40.0, 0.0), body, *colliders)
    for _ in range(20):
        esper.process(DT)
        assert direction * place.x < 0.0


def test_bodies_stay_in_a_one_sided_chain_though_their_tips_are_in_its_line() -> None:
    ecsphys.install(gravity=(0.0, 0.0))
    corners = [(-5, -5), (5, -5), (5, 5), (-5, 5)]
    esper.create_entity(Transform(), ChainCollider(corners, closed=True, side="left"), RigidBody("static"))
    random = np.random.default_rng(3)
    for x, y, angle, turn in random.uniform(-3.0, 3.0, (12, 4)).tolist():
        fan = FanCollider(0.3, 1.0)
        esper.create_entity(Transform(x, y, angle), Velocity(0, 0, turn), fan, RigidBody(), CollisionFilter(group=-1))
    for step in range(60):
        for _, velocity in esper.get_component(Velocity) if step % 5 == 0 else ():
            velocity.x, velocity.y = random.uniform(-300.0, 300.0, 2).tolist()
        esper.process(DT)
    places = [place for _, place in esper.get_component(Transform)]
    assert max(max(abs(place.x), abs(place.y)) for place in places) < 5.3


def _room_of_boxes() -> None:
    for x, y, half_x, half_y in ((-5.05, 0, 0.05, 6), (5.05, 0, 0.05, 6), (0, -5.05, 6, 0.05), (0, 5.05, 6, 0.05)):
        esper.create_entity(Transform(x, y), AABBCollider(half_x, half_y), RigidBody("static"))


def _room_of_a_chain() -> None:
    corners = [(-5, -5), (5, -5), (5, 5), (-5, 5)]
    esper.create_entity(Transform(), ChainCollider(corners, closed=True, side="both"), RigidBody("static"))


@pytest.mark.parametrize("room", [_room_of_boxes, _room_of_a_chain])
@pytest.mark.parametrize("speed", [30.0, 60.0, 300.0])
@pytest.mark.parametrize("shape", ["fan", "polygon", "offset box", "children"])
def test_spinning_bodies_with_a_center_of_mass_far_from_their_position_do_not_sink_through_walls(
    shape: str, speed: float, room: Callable[[], None]
) -> None:
    chance = np.random.default_rng(5)
    u = chance.uniform
    colliders: dict[str, Callable[[], Any]] = {
        "fan": lambda: FanCollider(u(0.1, 0.4), u(0.4, 2.5), u(-3, 3)),
        "polygon": lambda: PolygonCollider([(0, 0), (0.3, -0.1), (0.3, 0.1)]),
        "offset box": lambda: OBBCollider(0.1, 0.05, offset_x=0.4),
        "children": lambda: CompoundCollider([CircleCollider(0.1, offset_x=0.5), OBBCollider(0.1, 0.1, offset_x=0.3)]),
    }
    ecsphys.install(gravity=(0.0, 0.0))
    room()
    bodies = []
    for _ in range(60):
        at, velocity = Transform(u(-3, 3), u(-3, 3)), Velocity(0, 0, u(-9, 9))
        body = RigidBody(restitution=u(0, 1))
        esper.create_entity(at, velocity, colliders[shape](), body, CollisionFilter(group=-1))
        bodies.append((at, velocity))
    for _ in range(100):
        for _, velocity in bodies:
            if u() < 0.05:
                velocity.x, velocity.y = u(-speed, speed), u(-speed, speed)
        esper.process(DT)
        assert max(max(abs(at.x), abs(at.y)) for at, _ in bodies) < 5.6


@pytest.mark.parametrize(("height", "stops"), [(0.0, True), (0.9, False), (-0.9, False)])
def test_bodies_are_swept_about_their_centers_of_mass(height: float, stops: bool) -> None:
    ecsphys.install()
    esper.create_entity(Transform(0.5, height), OBBCollider(0.02, 0.3), RigidBody("static"))
    place = Transform(-1.0, 0.0)
    # Half a turn in the step, in which the center goes straight from 0 to 1, and its position from −1 to 2.
    body = Velocity(1.0 / DT, 0.0, math.pi / DT)
    esper.create_entity(place, body, CircleCollider(0.1, offset_x=1.0), RigidBody())
    esper.process(DT)
    center = place.x + math.cos(place.angle), place.y + math.sin(place.angle)
    assert center == pytest.approx((0.38 if stops else 1.0, 0.0), abs=0.01)
