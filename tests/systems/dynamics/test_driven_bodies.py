"""Bodies that a velocity or trajectory moves: what the game does besides is told from it."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    BallisticTrajectory,
    CircleCollider,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
    OBBCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0

Move = Callable[[int, Transform], None]


def pose_after(steps: int, drive: str, between: Move) -> list[tuple[float, float, float]]:
    """Where boxes are that something drives into, ``between`` being called before each step."""
    esper.switch_world("driven")
    ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(20.0, 0.5), RigidBody(kind="static"))
    driven = Transform(-3.0, 0.5)
    motion = Velocity(1.0, 0.0) if drive == "velocity" else LinearTrajectory(-3.0, 0.5, 1.0, 0.0)
    esper.create_entity(driven, OBBCollider(0.5, 0.5), RigidBody(kind="kinematic"), motion)
    boxes = [Transform(0.4 * k, 0.6 + 1.1 * k) for k in range(6)]
    for box in boxes:
        esper.create_entity(box, OBBCollider(0.5, 0.5), RigidBody(restitution=0.3))
    for step in range(steps):
        between(step, driven)
        esper.process(DT)
    esper.switch_world("default")
    esper.delete_world("driven")
    return [(box.x, box.y, box.angle) for box in boxes]


def nothing(step: int, driven: Transform) -> None:
    """Do nothing between steps."""


def step_another_world(step: int, driven: Transform) -> None:
    """Step another world often: more is written there than is remembered."""
    esper.switch_world("beside")
    for _ in range(70):
        esper.process(DT)
    esper.switch_world("driven")


@pytest.mark.parametrize("drive", ["velocity", "trajectory"])
def test_a_view_that_is_held_changes_no_bit(drive: str) -> None:
    alone = pose_after(120, drive, nothing)
    views = []
    assert pose_after(120, drive, lambda step, _: views.append(Transform.column("x"))) == alone


@pytest.mark.parametrize("drive", ["velocity", "trajectory"])
def test_another_world_that_steps_often_in_between_changes_no_bit(drive: str) -> None:
    alone = pose_after(120, drive, nothing)
    esper.switch_world("beside")
    ecsphys.install()
    esper.create_entity(Transform(), Velocity(1.0, 0.0), LinearTrajectory(0.0, 0.0, 1.0, 0.0))
    esper.create_entity(Transform(), Velocity(1.0, 0.0))
    assert pose_after(120, drive, step_another_world) == alone
    esper.delete_world("beside")


def test_a_body_that_is_moved_by_a_velocity_and_a_view_hits_as_one_that_is_moved_by_assignment() -> None:
    def assign(step: int, driven: Transform) -> None:
        if step == 30:
            driven.x = -1.2

    views = []

    def write(step: int, driven: Transform) -> None:
        views.append(Transform.column("x"))
        if step == 30:
            views[-1][views[-1] == driven.x] = -1.2

    assigned = pose_after(60, "velocity", assign)
    assert assigned != pose_after(60, "velocity", nothing)
    assert pose_after(60, "velocity", write) == assigned


RIDES: dict[str, Callable[[], object]] = {
    "up": lambda: LinearTrajectory(0.0, 0.0, 0.0, 2.0),
    "down": lambda: LinearTrajectory(0.0, 0.0, 0.5, -2.0),
    "swing up and down": lambda: HarmonicTrajectory(0.0, 0.0, 0.0, 2.0, 1.0),
    "swing to and fro": lambda: HarmonicTrajectory(0.0, 0.0, 2.0, 0.0, 1.0, phase=1.5707963267948966),
    "circle": lambda: CircularTrajectory(0.0, 0.0, 2.0, 1.0),
    "fall": lambda: BallisticTrajectory(0.0, 0.0, 0.0, 2.0, 0.0, -2.0),
    "velocity": lambda: Velocity(0.0, -2.0),
}


@pytest.mark.parametrize("rate", [30, 60, 120])
@pytest.mark.parametrize("is_touched", [False, True], ids=["alone", "beside what the game moves"])
@pytest.mark.parametrize("name", RIDES)
def test_a_body_rides_on_a_platform_without_a_lag(name: str, is_touched: bool, rate: int) -> None:
    """Contacts are those of the last step, or are found anew where the game has moved any body since."""
    ecsphys.install(gravity=(0.0, -10.0))
    platform, crate, other = Transform(), Transform(0.0, 1.0), Transform(100.0, 100.0)
    esper.create_entity(platform, OBBCollider(20.0, 0.5), RigidBody("kinematic", friction=9.0), RIDES[name]())
    esper.create_entity(crate, OBBCollider(0.5, 0.5), RigidBody(friction=9.0))
    esper.create_entity(other, OBBCollider(0.5, 0.5), RigidBody("kinematic"))
    aside, above = [], []
    for step in range(4 * rate):
        if is_touched:
            other.x += 0.01
        esper.process(1.0 / rate)
        if step > rate:
            aside.append(crate.x - platform.x)
            above.append(crate.y - platform.y)
    assert max(aside) - min(aside) < 1e-3
    assert max(above) - min(above) < 1e-3
    assert above[-1] == pytest.approx(1.0, abs=1e-3)


def test_what_a_kinematic_body_takes_along_is_where_it_was_after_contacts_were_found_anew() -> None:
    """Its contacts are found one step back; its transforms are not left there, also those of its children."""
    ecsphys.install(gravity=(0.0, -10.0))
    place, child, other = Transform(), Transform(), Transform(50.0, 0.0)
    parent = esper.create_entity(place, OBBCollider(2.0, 0.5), RigidBody("kinematic"), Velocity(1.0, 0.5, 0.7))
    esper.create_entity(child, ecsphys.Parent(parent, 3.0, 0.0), AABBCollider(0.5, 0.5))
    esper.create_entity(other, OBBCollider(0.5, 0.5), RigidBody("kinematic"))
    esper.create_entity(Transform(0.0, 5.0), OBBCollider(0.5, 0.5), RigidBody())
    for step in range(1, 31):
        other.x += 0.1
        esper.process(DT)
        assert (place.x, place.y, place.angle) == pytest.approx((step * DT, 0.5 * step * DT, 0.7 * step * DT))
        assert (child.x - place.x) ** 2 + (child.y - place.y) ** 2 == pytest.approx(9.0)


@pytest.mark.parametrize("entries", range(60, 130, 3))
def test_a_body_that_leaves_a_sleeper_leaves_it_asleep_whatever_other_worlds_do(entries: int) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    sleeper = esper.create_entity(Transform(), Velocity(), CircleCollider(0.5), RigidBody())
    leaving = Transform(-1.003, 0.0), Velocity(-0.01, 0.0)
    esper.create_entity(*leaving, CircleCollider(0.5), RigidBody(kind="kinematic"))
    esper.process(DT)
    physics.bodies.sleep(sleeper)
    for _ in range(20):
        for _ in range(entries):
            # As a step of another world does.
            Transform._columns.writes.note_step()
        esper.process(DT)
        assert physics.bodies.is_asleep(sleeper)


@pytest.mark.parametrize("has_crate", [False, True])
@pytest.mark.parametrize("tiles", [100, 400])
def test_a_platform_that_the_game_moves_over_tiles_finds_contacts_anew_only_for_what_it_pushes(
    tiles: int, has_crate: bool
) -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    for k in range(tiles):
        esper.create_entity(Transform(k + 0.5, -1.0), AABBCollider(0.5, 0.5), Solid())
    platform = Transform(0.5 * tiles, 0.0)
    # Nearer to the tiles than contacts are looked for.
    esper.create_entity(platform, OBBCollider(0.5 * tiles, 0.49), RigidBody(kind="kinematic"))
    esper.create_entity(Transform(0.5 * tiles, 1.0 if has_crate else 50.0), OBBCollider(0.5, 0.5), RigidBody())
    found = []
    for _ in range(20):
        platform.x += 0.01
        esper.process(DT)
        solver = physics._state.solver
        assert solver is not None
        found.append(solver.found_anew)
    assert found[5:] == [has_crate] * 15
