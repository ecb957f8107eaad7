"""The benchmarks' own code: equal work, honest ratios, and tables that show both; without the peers' packages."""

from __future__ import annotations

import gc
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import esper
import numpy as np
import pytest
from numpy import float64, int32, int64
from numpy.typing import NDArray
from picture import missing_opengl, skip_without

import ecsphys
from ecsphys.demo.scenes import WORKLOADS

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the benchmarks are not installed

from benchmarks import __main__ as command_line  # noqa: E402
from benchmarks.agreement import Agreement, check_agreement  # noqa: E402
from benchmarks.contest import Contest, Entry, Measurement  # noqa: E402
from benchmarks.drawing import measure_drawing  # noqa: E402
from benchmarks.ecsphys_player import EcsphysOnTwoThreads, EcsphysPlayer, EsperAlone  # noqa: E402
from benchmarks.memory import bytes_per_collider, instance_bytes  # noqa: E402
from benchmarks.peers.double_loop import DoubleLoop  # noqa: E402
from benchmarks.peers.outlines import fan_outlines  # noqa: E402
from benchmarks.plain_c.alone import InC, Ours, digest, play  # noqa: E402
from benchmarks.plain_c.library import CircleWorld, build, find_compiler  # noqa: E402
from benchmarks.plain_c.measure import PlainCOutcome, measure_plain_c  # noqa: E402
from benchmarks.player import Player  # noqa: E402
from benchmarks.report import Report  # noqa: E402
from benchmarks.tables import (  # noqa: E402
    agreements_table,
    bodies_table,
    bullets_table,
    drawing_table,
    measurements_table,
    plain_c_table,
    quality_table,
    rays_table,
    table,
    targets_table,
)
from benchmarks.targets import (  # noqa: E402
    BATCH_TARGETS,
    PLAIN_C_TARGETS,
    Outcome,
    Target,
    frame_targets,
    plain_c_outcomes,
)


class Batch(EcsphysPlayer):
    name: ClassVar[str] = "batch"


class Plain(EcsphysPlayer):
    name: ClassVar[str] = "plain"


TARGETS = {wanted.target.what: wanted for wanted in frame_targets(Batch, Plain)}


@pytest.mark.parametrize("name", list(WORKLOADS))
def test_the_grid_finds_what_brute_force_finds(name: str) -> None:
    agreement = check_agreement(WORKLOADS[name], 300)
    assert agreement.agrees
    assert agreement.hits > 0
    assert agreement.starts > 0


class HalfBlind(ecsphys.systems.BroadphaseSystem):
    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64]) -> NDArray[int32]:
        return super().find_pairs(boxes, bodies)[::2]


def test_a_broadphase_that_loses_pairs_is_found_out() -> None:
    assert not check_agreement(WORKLOADS["swarm"], 100, broadphase=HalfBlind).agrees


def test_players_of_one_scene_do_the_same_work() -> None:
    entries = [Entry(WORKLOADS["swarm_circles"], 60, player) for player in (EcsphysPlayer, DoubleLoop)]
    with Contest(entries) as contest:
        for handlers in (False, True):
            ours, theirs = contest.measure(0.05)
            assert (ours.player, theirs.player) == ("ecsphys", "double loop")
            assert (ours.hits, ours.starts, ours.ends) == (theirs.hits, theirs.starts, theirs.ends)
            assert ours.hits > 1.0
            assert ours.frames == theirs.frames >= 7
            assert ours.handlers == theirs.handlers == handlers
            assert min(ours.milliseconds, theirs.milliseconds) > 0.0
            contest.attach_handlers()


@pytest.mark.parametrize("player", [EcsphysPlayer, DoubleLoop])
def test_handlers_are_called_for_every_start_and_end(player: type[EcsphysPlayer] | type[DoubleLoop]) -> None:
    playing = player(WORKLOADS["swarm_circles"].make(np.random.default_rng(0), 60))
    playing.attach_handlers()
    events = 0
    for _ in range(30):
        playing.change()
        esper.process(1.0 / 60.0)
        playing.between()
        events += playing.starts + playing.ends
    assert playing.handled == events > 10


def test_a_contest_leaves_no_world_behind_and_collects_garbage_again() -> None:
    worlds = set(esper.list_worlds())
    with Contest([Entry(WORKLOADS["churn"], 20, EsperAlone)]) as contest:
        assert not gc.isenabled()
        (alone,) = contest.measure(0.01)
    assert alone.pairs is None
    assert gc.isenabled()
    assert set(esper.list_worlds()) == worlds
    with pytest.raises(ValueError, match="circles only"), Contest([Entry(WORKLOADS["swarm"], 20, DoubleLoop)]):
        pass
    assert gc.isenabled()


def test_without_physics_the_churn_is_the_same_churn() -> None:
    counts = []
    players: tuple[type[Player], ...] = (EcsphysPlayer, EsperAlone)
    for number, player in enumerate(players):
        esper.switch_world(f"churn {number}")
        playing = player(WORKLOADS["churn"].make(np.random.default_rng(0), 200))
        for _ in range(10):
            playing.change()
            esper.process(1.0 / 60.0)
            playing.between()
        entities, rows = ecsphys.join(ecsphys.Transform)
        counts.append((entities.tolist(), len(rows)))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(("count", "at_least", "aim"), BATCH_TARGETS)
def test_circles_are_compared_with_the_batch_frame(count: int, at_least: float, aim: float) -> None:
    wanted = TARGETS[f"swarm_circles / pymunk batch, {count // 1000}k"]
    assert (wanted.target.at_least, wanted.target.aim) == (at_least, aim)
    assert [(entry.recipe.name, entry.count, entry.player.name) for entry in wanted.entries] == [
        ("swarm_circles", count, "ecsphys"),
        ("swarm_circles", count, "batch"),
    ]
    assert wanted.form([3.0, 12.0]) == 0.25


def test_the_plain_peer_has_callbacks() -> None:
    wanted = TARGETS["swarm / pymunk plain with callbacks, 10k"]
    assert [(entry.player.name, entry.handlers) for entry in wanted.entries] == [("ecsphys", False), ("plain", True)]


def test_growth_is_a_ratio_of_costs_per_collider() -> None:
    wanted = TARGETS["per collider at 100k / at 10k, swarm"]
    assert [entry.count for entry in wanted.entries] == [100_000, 10_000]
    assert wanted.form([30.0, 2.0]) == pytest.approx(1.5)


def test_of_churn_what_esper_needs_alone_is_taken_off() -> None:
    wanted = TARGETS["(churn − esper alone) / swarm, 10k"]
    names = [(entry.recipe.name, entry.player.name) for entry in wanted.entries]
    assert names == [("churn", "ecsphys"), ("churn", "esper alone"), ("swarm", "ecsphys")]
    assert wanted.form([10.0, 4.0, 3.0]) == 2.0


@pytest.mark.parametrize(
    ("what", "scenes", "counts"),
    [
        ("giants / swarm, 10k", ("giants", "swarm"), (10_000, 10_000)),
        ("tiles (50k, 500 movers) / 500 movers alone", ("tiles", "movers_alone"), (50_000, 50_000)),
        ("rest / swarm, 10k", ("rest", "swarm"), (10_000, 10_000)),
    ],
)
def test_the_other_ratios_are_of_two_frames_of_ours(what: str, scenes: tuple[str], counts: tuple[int]) -> None:
    wanted = TARGETS[what]
    assert tuple(entry.recipe.name for entry in wanted.entries) == scenes
    assert tuple(entry.count for entry in wanted.entries) == counts
    assert {entry.player for entry in wanted.entries} == {EcsphysPlayer}
    assert wanted.form([6.0, 4.0]) == 1.5


def test_two_threads_are_compared_with_one() -> None:
    wanted = TARGETS["swarm on 2 threads / on 1, 50k"]
    assert [entry.player for entry in wanted.entries] == [EcsphysOnTwoThreads, EcsphysPlayer]
    assert [entry.count for entry in wanted.entries] == [50_000, 50_000]
    assert (EcsphysOnTwoThreads.threads, EcsphysPlayer.threads) == (2, 1)
    assert wanted.form([5.0, 8.0]) == 0.625


def test_the_floor_is_a_time() -> None:
    wanted = TARGETS["frame at 200 entities"]
    assert [entry.count for entry in wanted.entries] == [200]
    assert wanted.form([0.05]) == 0.05
    assert wanted.target.unit == "ms"


@pytest.mark.parametrize(
    ("measured", "met"), [(0.9, "aim"), (1.0, "aim"), (1.1, "at least"), (2.0, "at least"), (2.1, "no")]
)
def test_a_target_is_met_up_to_its_numbers(measured: float, met: str) -> None:
    assert Outcome(Target("time", 2.0, 1.0), measured).met == met


def test_columns_are_as_wide_as_their_cells() -> None:
    assert table(("name", "n"), [("a", "10,000"), ("longer", "1")]).splitlines() == [
        "| name   |      n |",
        "|--------|-------:|",
        "| a      | 10,000 |",
        "| longer |      1 |",
    ]


def made_up_report() -> Report:
    return Report(
        [
            Measurement("swarm", 1000, "ecsphys", False, 0.12345, 200, 340.4, 247.6, 6.44, 6.26),
            Measurement("swarm", 1000, "pymunk plain", True, 1.7, 200, None, 273.0, 7.5, 7.4),
        ],
        [Agreement("swarm", 1000, 5, 1238, 32, 31, True), Agreement("crowd", 1000, 5, 5000, 99, 98, False)],
        [
            Outcome(Target("swarm / plain", 0.2, 0.1), 0.0726, (0.12345, 1.7)),
            Outcome(Target("cold start", 20.0, 10.0, "s"), 21.56),
        ],
    )


def test_the_tables_show_times_and_the_work_done_in_them() -> None:
    report = made_up_report()
    first, second = measurements_table(report.measurements).splitlines()[2:]
    assert [cell.strip() for cell in first.strip("|").split("|")] == [
        *("swarm", "1,000", "ecsphys", "0.123", "200", "340", "248", "6.4", "6.3")
    ]
    assert "pymunk plain + handlers" in second
    assert second.split("|")[6].strip() == "", "a peer's candidate pairs are not known"
    met, missed = targets_table(report.outcomes).splitlines()[2:]
    assert [cell.strip() for cell in met.strip("|").split("|")] == [
        *("swarm / plain", "0.2", "0.1", "0.0726", "aim", "0.123 / 1.700")
    ]
    assert [cell.strip() for cell in missed.strip("|").split("|")] == ["cold start", "20 s", "10 s", "21.6 s", "no", ""]
    same, different = agreements_table(report.agreements).splitlines()[2:]
    assert "yes" in same
    assert "NO" in different


def test_the_json_file_has_everything_and_the_machine(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    made_up_report().write(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["targets"][0]["target"]["what"] == "swarm / plain"
    assert [target["met"] for target in content["targets"]] == ["aim", "no"]
    assert content["measurements"][0]["milliseconds"] == 0.12345
    assert content["agreements"][1]["agrees"] is False
    assert content["packages"]["numpy"] == np.__version__
    assert content["machine"]["cores"] >= content["machine"]["threads"] >= 1


@pytest.mark.parametrize("spread", [0.5, 1.0, math.pi, 3.5, 2.0 * math.pi - 0.5])
def test_the_outlines_of_a_fan_are_convex_and_cover_nearly_all_of_it(spread: float) -> None:
    area = 0.0
    for outline in fan_outlines(2.0, spread):
        assert 3 <= len(outline) <= 8
        ecsphys.PolygonCollider(outline)  # refuses what is not strictly convex
        x, y = np.array(outline).T
        area += 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    assert 0.95 < area / (0.5 * 2.0 * 2.0 * spread) < 1.0


def test_a_game_without_a_window_gets_to_its_first_frame() -> None:
    script = ROOT / "benchmarks" / "first_frame.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) > 0.0


def test_memory_is_counted_for_each_collider() -> None:
    # At least what the slot and the placed shape of one collider need.
    assert 100.0 < bytes_per_collider(400) < 100_000.0


def test_component_instances_are_small() -> None:
    assert instance_bytes() <= 64


def test_without_its_extra_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "NEEDED", ("numpy", "no_such_package"))
    assert command_line.run() == 2
    assert capsys.readouterr().err == "python -m benchmarks needs no_such_package: pip install -e '.[bench]'\n"


def test_rays_agree_with_pymunk_and_with_every_collider() -> None:
    pytest.importorskip("pymunk")
    from benchmarks.rays import measure_rays

    found = measure_rays(colliders=300, rays=200)
    assert found.disagreeing == 0
    assert found.compared > 60
    assert 0 < found.met <= 200
    assert found.ratio > 0.0
    assert "swarm" in rays_table(found)


def test_none_that_stops_gets_out_of_the_room_and_many_others_do() -> None:
    from benchmarks.bullets import measure_bullets

    without, on, stopped = measure_bullets(obstacles=300, bullets=60)
    assert without.escaped == on.escaped > 10
    assert stopped.escaped == 0
    assert 0.0 <= without.sweeps < without.step
    assert 0.0 < on.sweeps < on.step
    assert "Bullet(stop=False)" in bullets_table([without, on, stopped])


@pytest.fixture(scope="module")
def c_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("this machine has no C compiler")
    return build(compiler, tmp_path_factory.mktemp("plain_c"))


def test_plain_c_finds_the_hits_starts_and_ends_that_we_find(c_library: Path) -> None:
    ours, plain_c = Ours(400), InC(c_library, 400)
    changed = 0
    for _ in range(60):
        play(ours, 1)
        play(plain_c, 1)
        for mine, theirs in zip(ours.pairs(), plain_c.pairs(), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        hits, starts, ends = ours.pairs()
        changed += len(starts) + len(ends)
        assert digest(ours.pairs()) == digest(plain_c.pairs()) != digest((hits, ends, starts))
    assert changed > 100


def test_plain_c_plays_nothing_but_moving_circles(c_library: Path) -> None:
    with pytest.raises(ValueError, match="moving circles only"):
        CircleWorld(c_library, WORKLOADS["swarm"].make(np.random.default_rng(0), 10))


def test_processes_that_play_alone_take_turns_and_agree(c_library: Path) -> None:
    outcomes = measure_plain_c((50,), 0.01)
    assert outcomes is not None
    assert [one.agrees for one in outcomes] == [True]
    assert outcomes[0].ratio > 0.0
    assert "yes" in plain_c_table(outcomes)


def test_without_a_c_compiler_the_rows_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    assert measure_plain_c((1_000,), 0.01) is None
    rows = targets_table(plain_c_outcomes(None)).splitlines()[2:]
    assert len(rows) == 3
    assert all("no C compiler" in row and "not measured" in row for row in rows)


def test_a_compiler_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"false cannot compile circles\.c"):
        build(shutil.which("false") or "false", tmp_path)


def test_circles_beside_plain_c_may_take_less_the_more_there_are() -> None:
    found = [PlainCOutcome(count, 5.0, 2.0, 10, 3, True) for count in PLAIN_C_TARGETS]
    assert [outcome.met for outcome in plain_c_outcomes(found)] == ["at least", "at least", "no"]


def test_frames_of_the_demo_are_timed_without_being_painted() -> None:
    skip_without(missing_opengl())
    (found,) = measure_drawing(("motion",), frames=5)
    assert (found.scene, found.frames) == ("motion", 5)
    assert 0.0 < found.step < found.frame
    assert 0.0 < found.drawing < found.frame
    assert "motion" in drawing_table([found])


def test_the_scenes_of_rigid_bodies_play_in_all_three_engines() -> None:
    for peer in ("pyb2d3", "pymunk"):
        pytest.importorskip(peer, reason="needs the bench extra")
    from benchmarks.bodies import BodyScene, measure_bodies
    from benchmarks.rigid.things import Box, Disc, RigidWorld, Thing, floor, pyramid

    drum = Thing(-8.0, 5.0, (Box(0.1, 2.0), Box(2.0, 0.1)), velocity=(0.0, 0.0, 0.5))
    falling = [*pyramid(3), Thing(5.0, 1.0, (Disc(0.5),))]
    scene = BodyScene("small", RigidWorld(falling, [floor()], [drum]), (1.0, 1.0), (1.0, 1.0))
    (outcome,) = measure_bodies([scene], warm_up=30, count=3)
    assert outcome.bodies == 7
    # Each box rests on one or two, or on the floor; the disc on the floor.
    assert outcome.hits == 3 + 4 + 2 + 1
    assert min(outcome.ours, outcome.box2d, outcome.pymunk) > 0.0
    assert "small" in bodies_table([outcome])


def test_how_well_bodies_are_solved_is_told_of_all_three_engines() -> None:
    for peer in ("pyb2d3", "pymunk"):
        pytest.importorskip(peer, reason="needs the bench extra")
    from benchmarks.quality import QUESTIONS, ask
    from benchmarks.rigid.box2d_world import Box2DWorld
    from benchmarks.rigid.ecsphys_world import EcsphysWorld
    from benchmarks.rigid.pymunk_world import PymunkWorld

    chosen = [question for question in QUESTIONS if question.name.startswith(("free fall", "slope", "linear", "two"))]
    answers = ask(chosen, (EcsphysWorld, Box2DWorld, PymunkWorld), share=0.05)
    assert len(answers) == 5
    assert all(answer.good[0] for answer in answers), answers
    # The peers step through a fall: that they miss is what the table shows.
    assert answers[0].good == (True, False, False)
    shown = quality_table(answers, ["ecsphys", "Box2D", "pymunk"])
    assert "(4.2e-02)" in shown


def test_the_paths_past_obstacles_and_over_seams_become_two_pictures(tmp_path: Path) -> None:
    for needed in ("pyb2d3", "pymunk", "matplotlib", "rich"):
        pytest.importorskip(needed, reason="needs the bench extra")
    from PIL import Image

    from benchmarks.command import main
    from benchmarks.paths import BEFORE, MISSES, Paths

    played = tmp_path / "paths.json"
    assert main(["--paths", str(tmp_path / "pictures"), "--json", str(played)]) == 0
    pictures = sorted((tmp_path / "pictures").iterdir())
    assert [picture.name for picture in pictures] == ["near-misses.png", "seams.png"]
    for picture in pictures:
        with Image.open(picture) as image:
            assert image.width == 1080
            assert len(image.convert("RGB").getcolors(1_000_000) or ()) > 50
    before, after = Paths.read(BEFORE), Paths.read(played)
    # The file of the old code is of the same scenes.
    assert [(len(points), points[0]) for points in after.misses] == [
        (len(points), points[0]) for points in before.misses
    ]
    assert list(after.seams) == list(before.seams) == ["ball", "box", "capsule"]
    for miss, points in zip(MISSES, after.misses, strict=True):
        steps = np.diff(points, axis=0)
        angle = math.radians(miss.direction)
        course = np.array((math.cos(angle), math.sin(angle))) * miss.speed / 60.0
        np.testing.assert_allclose(steps, np.broadcast_to(course, steps.shape), atol=0.0011)


def test_every_small_world_and_every_change_is_played_and_shown() -> None:
    pytest.importorskip("pymunk", reason="needs the bench extra")
    from benchmarks.steps.changes import CHANGES, measure_changes
    from benchmarks.steps.small_worlds import SMALL_WORLDS, measure_small_worlds
    from benchmarks.tables import changes_table, small_worlds_table

    worlds = measure_small_worlds(rounds=1, calls=2, warm_up=5)
    assert [found.name for found in worlds] == [scene.name for scene in SMALL_WORLDS]
    assert all(found.ours > 0.0 and found.pymunk > 0.0 for found in worlds)
    assert "geometric mean" in small_worlds_table(worlds)
    changes = measure_changes([100], rounds=1, calls=2, warm_up=5)
    assert [found.change for found in changes] == list(CHANGES)
    assert all(found.idle > 0.0 for found in changes)
    assert "100" in changes_table(changes)
