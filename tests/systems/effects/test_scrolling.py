"""Cameras, parallax, waves, floors and perspective, by their formulas and through the system (B1–B4, B6–B8)."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calls import calls_while

import ecsphys
from ecsphys import Transform, Velocity
from ecsphys.components.effects.scrolling import Camera, ParallaxLayer, PerspectiveFloor, RasterWave
from ecsphys.systems.effects.scrolling import (
    ScrollingSystem,
    clamp_camera,
    clip_at_near_plane,
    floor_shift,
    floor_widths,
    follow,
    layer_position,
    project_perspective,
    screen_position,
    wave_shift,
)
from ecsphys.systems.stage import Priority


def with_scrolling() -> ScrollingSystem:
    scrolling = ScrollingSystem(ecsphys.install())
    esper.add_processor(scrolling, priority=Priority.SCROLLING)
    return scrolling


# B1: from edge to edge.


@pytest.mark.parametrize(("camera", "expected"), [(-5, 4), (3.9, 4), (4, 4), (10, 10), (16, 16), (16.1, 16), (99, 16)])
def test_the_camera_is_clamped_to_half_a_view_from_the_edges(camera: float, expected: float) -> None:
    assert clamp_camera(camera, 8.0, 20.0) == expected


def test_a_picture_smaller_than_the_view_stands_in_its_middle() -> None:
    assert clamp_camera(np.array([-5.0, 0.0, 9.0]), 8.0, 6.0).tolist() == [3.0, 3.0, 3.0]
    assert screen_position(0.0, 3.0, 8.0) == 1.0  # as much room on the right: 1 + 6 + 1 = 8
    assert clamp_camera(5.0, 8.0, 8.0) == 4.0


def test_a_camera_scrolls_at_its_speed_from_edge_to_edge() -> None:
    with_scrolling()
    camera = Camera(0, 0, 8, 6, world_width=20, world_height=30, speed_x=2, speed_y=-3)
    esper.create_entity(camera)
    esper.process(0.0)
    assert (camera.x, camera.y) == (4.0, 3.0)
    camera.y = 20.0
    for _ in range(4):
        esper.process(0.5)
    assert (camera.x, camera.y) == (8.0, 14.0)
    assert screen_position(0.0, camera.x, 8.0) == -4.0
    esper.process(100.0)
    assert (camera.x, camera.y) == (16.0, 3.0)
    assert screen_position(20.0, camera.x, 8.0) == 8.0  # the picture's right edge is the view's


def test_a_camera_without_bounds_goes_anywhere() -> None:
    with_scrolling()
    camera = Camera(0, 5, 8, 6, world_height=30, speed_x=-2)
    esper.create_entity(camera)
    esper.process(50.0)
    assert (camera.x, camera.y) == (-100.0, 5.0)


def test_the_world_may_begin_anywhere() -> None:
    with_scrolling()
    camera = Camera(0, 0, 8, 6, world_width=20, world_height=4, world_x=-100, world_y=50)
    esper.create_entity(camera)
    esper.process(0.0)
    assert (camera.x, camera.y) == (-84.0, 52.0)


# B2: parallax.


@pytest.mark.parametrize("width", [8.0, 12.0, 20.0, 35.0, 100.0])
def test_all_layers_reach_their_ends_together(width: float) -> None:
    view, world = 8.0, 20.0
    for camera, expected in ((4.0, 0.0), (10.0, (view - width) / 2), (16.0, view - width)):
        first = screen_position(0.0, camera, view)
        assert layer_position(first, view, world, width) == pytest.approx(expected, abs=1e-12)


def test_layer_one_is_the_world_itself() -> None:
    for camera in (4.0, 7.3, 16.0):
        first = screen_position(0.0, camera, 8.0)
        assert layer_position(first, 8.0, 20.0, 20.0) == pytest.approx(float(first), rel=1e-15)


def test_a_world_as_wide_as_the_view_has_its_layers_in_the_middle() -> None:
    widths = np.array([8.0, 12.0, 5.0])
    assert layer_position(0.0, 8.0, 8.0, widths).tolist() == [0.0, -2.0, 1.5]


def test_layers_follow_their_cameras() -> None:
    with_scrolling()
    first = esper.create_entity(Camera(10, 5, 8, 6, world_width=20, world_height=10))
    second = esper.create_entity(Camera(16, 7, 8, 6, world_width=20, world_height=10))
    near, far, other, lost = (
        ParallaxLayer(32, 6),
        ParallaxLayer(14, 18, camera=first),
        ParallaxLayer(14, 8, camera=second),
        ParallaxLayer(14, 8, camera=999, screen_x=77),
    )
    for layer in (near, far, other, lost):
        esper.create_entity(layer)
    esper.process(0.0)
    assert (near.screen_x, near.screen_y) == (-6 * 24 / 12, 0.0)
    assert (far.screen_x, far.screen_y) == (-6 * 6 / 12, -2 * 12 / 4)
    assert (other.screen_x, other.screen_y) == (8 - 14, 6 - 8)
    assert lost.screen_x == 77


def test_a_layer_of_an_endless_world_stands_in_the_middle() -> None:
    with_scrolling()
    esper.create_entity(Camera(1000, -1000, 8, 6))
    esper.create_entity(layer := ParallaxLayer(10, 5))
    esper.process(0.0)
    assert (layer.screen_x, layer.screen_y) == (-1.0, 0.5)


# B3 and B4: following.


def test_a_camera_follows_and_the_character_can_reach_the_screens_edge() -> None:
    scrolling = with_scrolling()
    place = Transform(10, 5)
    character = esper.create_entity(place, Velocity(4, 0))
    camera = Camera(0, 0, 8, 6, world_width=20, world_height=10, target=character)
    esper.create_entity(camera)
    screen = []
    for _ in range(5):
        esper.process(0.5)
        screen.append(float(scrolling.to_screen((place.x, place.y))[0]))
    # The character is in the middle until the camera stops at 16, then walks to the right edge.
    assert screen == [4.0, 4.0, 4.0, 6.0, 8.0]
    assert (camera.x, camera.y) == (16.0, 5.0)


def test_the_camera_sees_where_hits_and_the_game_have_left_the_character() -> None:
    with_scrolling()
    place = Transform(10, 5)
    character = esper.create_entity(place, Velocity(4, 0))
    esper.create_entity(camera := Camera(0, 0, 8, 6, target=character))

    class Wall(esper.Processor):
        def process(self, dt: float) -> None:
            place.x = min(place.x, 11.0)

    esper.add_processor(Wall())
    for _ in range(3):
        esper.process(0.5)
        assert camera.x == place.x
    assert camera.x == 11.0


@pytest.mark.parametrize(("target", "expected"), [(10, 10), (11.5, 10), (12, 10), (13, 11), (8, 10), (5, 7)])
def test_within_the_dead_zone_the_camera_rests(target: float, expected: float) -> None:
    assert follow(10.0, target, 2.0) == expected


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0, 1e3))
def test_following_moves_no_farther_than_the_dead_zone_asks(camera: float, target: float, zone: float) -> None:
    moved = float(follow(camera, target, zone))
    assert abs(target - moved) <= zone + 1e-9
    assert moved == camera or abs(target - moved) == pytest.approx(zone, abs=1e-9)


def test_the_dead_zone_on_both_axes() -> None:
    with_scrolling()
    place = Transform(10, 10)
    character = esper.create_entity(place)
    esper.create_entity(camera := Camera(10, 10, 8, 6, target=character, dead_zone_x=2, dead_zone_y=1))
    for x, y, expected in ((12, 9, (10, 10)), (13, 8, (11, 9)), (9.5, 8.5, (11, 9)), (8, 11, (10, 10))):
        place.x, place.y = x, y
        esper.process(0.0)
        assert (camera.x, camera.y) == expected


def test_a_camera_whose_target_is_gone_stays_and_moves_at_its_speed() -> None:
    with_scrolling()
    character = esper.create_entity(Transform(10, 10))
    esper.create_entity(camera := Camera(0, 0, 8, 6, target=character, speed_x=1))
    esper.process(1.0)
    assert camera.x == 10.0
    esper.delete_entity(character, immediate=True)
    esper.process(1.0)
    assert camera.x == 11.0


def test_screen_and_world_are_each_others_way_back() -> None:
    scrolling = with_scrolling()
    esper.create_entity(Camera(10, 20, 8, 6))
    other = esper.create_entity(Camera(0, 0, 2, 2))
    assert scrolling.to_screen((10, 20)).tolist() == [4.0, 3.0]
    assert scrolling.to_screen([(6, 17), (14, 23)]).tolist() == [[0.0, 0.0], [8.0, 6.0]]
    assert scrolling.to_world([(4, 3)]).tolist() == [[10.0, 20.0]]
    assert scrolling.to_screen((0, 0), camera=other).tolist() == [1.0, 1.0]
    with pytest.raises(KeyError):
        scrolling.to_screen((0, 0), camera=999)


# B6: raster wave.


def test_a_wave_shifts_its_rows_by_the_formula() -> None:
    rows = np.arange(50)
    shifts = wave_shift(3.0, 2.0, 20.0, 0.7, rows)
    assert shifts == pytest.approx(3 * np.sin(2 * np.pi * (0.7 / 2 - rows / 20)))
    assert wave_shift(3.0, 2.0, 20.0, 0.5, 0.0) == pytest.approx(3.0)
    assert wave_shift(3.0, 2.0, 20.0, 0.0, 5.0) == pytest.approx(-3.0)


def test_a_wave_repeats_after_its_period_and_wavelength_and_travels_up() -> None:
    y = np.linspace(0, 40, 81)
    now = wave_shift(3.0, 2.0, 20.0, 0.3, y)
    assert wave_shift(3.0, 2.0, 20.0, 0.3 + 2.0 * 10**6, y) == pytest.approx(now, abs=1e-8)
    assert wave_shift(3.0, 2.0, 20.0, 0.3, y + 20) == pytest.approx(now, abs=1e-12)
    assert wave_shift(3.0, 2.0, 20.0, 0.3 + 0.5, y + 5) == pytest.approx(now, abs=1e-12)


def test_waves_of_all_entities_are_in_one_array() -> None:
    scrolling = with_scrolling()
    assert len(scrolling.wave_shifts.entities) == 0
    lake = esper.create_entity(wave := RasterWave(3, 2, 20, row_count=4, row_height=5))
    heat = esper.create_entity(RasterWave(1, 1, 8, row_count=2, elapsed=0.25))
    esper.process(0.5)
    shifts = scrolling.wave_shifts
    assert shifts.entities.tolist() == [lake, heat]
    assert shifts.starts.tolist() == [0, 4, 6]
    assert shifts.of(lake) == pytest.approx([3, 0, -3, 0], abs=1e-12)
    assert shifts.of(heat) == pytest.approx([-1, -math.sqrt(0.5)])
    assert shifts.values.tolist() == [*shifts.of(lake), *shifts.of(heat)]
    assert wave.elapsed == 0.5
    with pytest.raises(KeyError):
        shifts.of(999)
    esper.delete_entity(lake, immediate=True)
    esper.process(0.5)
    assert scrolling.wave_shifts.entities.tolist() == [heat]


# B7: the floor with depth.


def test_floor_rows_grow_linearly_from_far_to_near() -> None:
    assert floor_widths(40.0, 10.0, np.arange(4), 4).tolist() == [40.0, 30.0, 20.0, 10.0]
    assert floor_widths(40.0, 10.0, np.arange(1), 1).tolist() == [40.0]


@pytest.mark.parametrize("base", [0.0, -7.0, -16.0, -32.0])
def test_a_floors_rows_are_shifted_by_the_formula(base: float) -> None:
    view, near = 8.0, 40.0
    widths = np.array([40.0, 30.0, 20.0, 8.0])
    left = (near - widths) / 2
    shifts = floor_shift(base, view, near, widths)
    assert shifts == pytest.approx(base * (widths - view) / (near - view) - left)
    begin = shifts + left
    assert (begin <= 1e-12).all()
    assert (begin + widths >= view - 1e-12).all()
    if base == 0.0:
        assert begin == pytest.approx(np.zeros(4), abs=1e-12)
    if base == view - near:
        assert begin + widths == pytest.approx(np.full(4, view))
    if base == (view - near) / 2:
        assert shifts == pytest.approx(np.full(4, base))  # seen straight on, the picture is whole


def test_rows_narrower_than_the_view_and_floors_as_wide_stand_in_the_middle() -> None:
    assert floor_shift(-16.0, 8.0, 40.0, 6.0) == 1.0 - 17.0
    assert floor_shift(0.0, 8.0, 8.0, np.array([8.0, 6.0])).tolist() == [0.0, 0.0]
    assert floor_shift(0.0, 8.0, 8.0, 10.0) == -1.0 + 1.0


def test_the_floors_bottom_row_scrolls_as_a_layer() -> None:
    scrolling = with_scrolling()
    camera = Camera(4, 3, 8, 6, world_width=20)
    esper.create_entity(camera)
    floor = esper.create_entity(PerspectiveFloor(far_width=8, near_width=40, row_count=5))
    esper.create_entity(PerspectiveFloor(far_width=8, near_width=40, row_count=2, camera=999))
    esper.create_entity(layer := ParallaxLayer(40, 6))
    widths = np.array([40.0, 32.0, 24.0, 16.0, 8.0])
    for x in (4.0, 9.0, 10.0, 16.0):
        camera.x = x
        esper.process(0.0)
        assert scrolling.floor_shifts.entities.tolist() == [floor]
        shifts = scrolling.floor_shifts.of(floor)
        assert shifts[0] == pytest.approx(layer.screen_x)
        begin = (4.0 - x) * (widths - 8) / 12
        assert shifts + (40 - widths) / 2 == pytest.approx(begin)


# B8: perspective.


def test_perspective_divides_by_depth_and_is_exact_on_the_screens_plane() -> None:
    screen, scale, visible = project_perspective([(3, 4, 7), (3, 4, 14), (3, 4, 3.5), (-3, -4, 28)], 7.0, 1.0)
    assert screen.tolist() == [[3, 4], [1.5, 2], [6, 8], [-0.75, -1]]
    assert scale.tolist() == [1.0, 0.5, 2.0, 0.25]
    assert visible.all()
    third = project_perspective([(1.1, 0.7, 0.3)], 0.3, 0.1)
    assert third[0].tolist() == [[1.1, 0.7]]
    assert third[1].tolist() == [1.0]


def test_nothing_nearer_than_the_near_plane_is_seen() -> None:
    screen, scale, visible = project_perspective([(1, 1, 2), (1, 1, 1.999), (1, 1, 0), (1, 1, -5)], 4.0, 2.0)
    assert visible.tolist() == [True, False, False, False]
    assert np.isnan(screen[1:]).all()
    assert np.isnan(scale[1:]).all()
    assert screen[0].tolist() == [2.0, 2.0]


def test_the_frustum_cut_by_a_floor_is_a_trapezoid_and_a_floor_is_seen_as_one() -> None:
    h, half_view, height = 4.0, 8.0, -3.0
    # In the world: where the floor Y = −3 meets the rays through the screen's sides.
    seen = [(side * half_view * z / h, height, z) for z in (4.0, 12.0) for side in (-1, 1)]
    assert seen[1][0] - seen[0][0] == 16.0
    assert seen[3][0] - seen[2][0] == 48.0
    screen, _, _ = project_perspective(seen, h, 1.0)
    assert screen[:, 0].tolist() == [-8.0, 8.0, -8.0, 8.0]
    # On the screen: a rectangle of the floor has its far edge parallel to the near one, higher and shorter.
    corners = [(-6, height, 4), (6, height, 4), (6, height, 12), (-6, height, 12)]
    screen, _, _ = project_perspective(corners, h, 1.0)
    assert screen.tolist() == [[-6, -3], [6, -3], [2, -1], [-2, -1]]


def test_a_floor_under_the_viewer_is_clipped_at_the_near_plane() -> None:
    floor = [(-6, -3, -2), (6, -3, -2), (6, -3, 6), (-6, -3, 6)]
    clipped = clip_at_near_plane(floor, 2.0)
    assert clipped.tolist() == [[6, -3, 2], [6, -3, 6], [-6, -3, 6], [-6, -3, 2]]
    assert project_perspective(clipped, 4.0, 2.0)[2].all()
    assert clip_at_near_plane(floor, 7.0).shape == (0, 3)
    assert clip_at_near_plane(clipped, 2.0).tolist() == clipped.tolist()
    tip = clip_at_near_plane([(0, 0, 0), (2, 0, 2), (0, 2, 2)], 1.0)
    assert tip.tolist() == [[1, 0, 1], [2, 0, 2], [0, 2, 2], [0, 1, 1]]


@pytest.mark.parametrize(("distance", "near"), [(0, 1), (-1, 1), (1, 0), (1, -1), (math.nan, 1), (math.inf, 1)])
def test_bad_planes_are_refused(distance: float, near: float) -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        project_perspective([(0, 0, 1)], distance, near)
    with pytest.raises(ValueError, match="shape"):
        project_perspective([(0, 1)], 1, 1)


def test_bad_values_are_refused_at_construction_and_by_the_step() -> None:
    for make in (
        lambda: Camera(0, 0, 0, 6),
        lambda: Camera(0, 0, 8, 6, dead_zone_x=-1),
        lambda: ParallaxLayer(0, 1),
        lambda: RasterWave(1, 0, 1, row_count=1),
        lambda: RasterWave(1, 1, 1, row_count=0),
        lambda: PerspectiveFloor(1, -1, 1),
    ):
        with pytest.raises(ValueError, match="must be"):
            make()
    with_scrolling()
    entity = esper.create_entity(camera := Camera(0, 0, 8, 6, speed_x=1))
    esper.create_entity(layer := ParallaxLayer(1, 1))
    ParallaxLayer.column("width")[ecsphys.join(ParallaxLayer)[1]] = -1.0
    with pytest.raises(ValueError, match=f"entity {entity + 1}: ParallaxLayer.width must be greater than 0"):
        esper.process(1.0)
    assert (camera.x, layer.screen_x) == (0.0, 0.0)


@pytest.mark.parametrize("dt", [-0.1, math.nan, math.inf])
def test_a_bad_dt_is_refused_also_where_scrolling_stands_alone(dt: float) -> None:
    scrolling = with_scrolling()
    esper.create_entity(camera := Camera(1, 1, 8, 6, speed_x=1))
    with pytest.raises(ValueError, match=r"^dt must be "):
        scrolling.process(dt)
    assert camera.x == 1.0


def test_scrolling_after_the_game_has_made_entities_does_not_index_the_world_again() -> None:
    scrolling = with_scrolling()
    esper.create_entity(Camera(1, 1, 8, 6))

    class Spawner(esper.Processor):
        def process(self, dt: float) -> None:
            esper.create_entity(Transform())

    esper.add_processor(Spawner())
    revisions = []
    state = scrolling.physics._state
    begin = state.enter

    def entering(stage: ecsphys.systems.Stage, dt: float) -> float:
        seconds = begin(stage, dt)
        revisions.append(state.tables.revision)
        return seconds

    state.enter = entering  # type: ignore[method-assign]
    for _ in range(3):
        esper.process(0.1)
    assert len(set(revisions)) == 3


@pytest.mark.parametrize("rows", [-3, 0, 2_000_000])
def test_a_bad_number_of_rows_through_a_column_is_refused_naming_the_entity(rows: int) -> None:
    physics = ecsphys.install()
    esper.add_processor(ScrollingSystem(physics), priority=Priority.SCROLLING)
    wave = RasterWave(1.0, 1.0, 4.0, row_count=8)
    entity = esper.create_entity(wave)
    RasterWave.column("row_count")[wave._row] = rows
    with pytest.raises(ValueError, match=rf"entity {entity}: RasterWave\.row_count"):
        esper.process(0.5)
    assert wave.elapsed == 0.0


def test_a_camera_that_its_speed_carries_beyond_all_numbers_is_refused_in_each_step() -> None:
    physics = ecsphys.install()
    esper.add_processor(ScrollingSystem(physics), ecsphys.Priority.SCROLLING)
    esper.create_entity(Camera(1.7e308, 0, 40, 20, speed_x=1.7e308))
    for _ in range(4):
        with np.errstate(over="ignore"), pytest.raises(ValueError, match=r"Camera\.x must be finite, got inf"):
            esper.process(1.0)


# A still view.


class View:
    """A camera on a target, a camera at a speed as far as it goes, and a layer."""

    def __init__(self, interpolated: bool = False) -> None:
        self.physics = ecsphys.install(fixed_step=60) if interpolated else ecsphys.install()
        self.scrolling = ScrollingSystem(self.physics, interpolated)
        esper.add_processor(self.scrolling, priority=Priority.SCROLLING)
        self.player = Transform(30, 20)
        player = esper.create_entity(self.player)
        self.camera = Camera(0, 0, 8, 6, world_width=80, world_height=60, target=player, dead_zone_x=1)
        self.layer = ParallaxLayer(40, 30)
        self.entity = esper.create_entity(self.camera)
        self.other = Camera(0, 0, 8, 6, world_width=20, speed_x=-2)
        esper.create_entity(self.other)
        esper.create_entity(self.layer)
        self.column = Camera.column("view_width")
        for _ in range(10):
            esper.process(0.1)

    def numbers(self) -> list[float]:
        cameras = [number for one in (self.camera, self.other) for number in (one.x, one.y, one.view_width)]
        return [*cameras, self.layer.screen_x, self.layer.screen_y]


def change_nothing(view: View) -> None:
    pass


def move_the_target(view: View) -> None:
    view.player.x += 7


def zoom_through_a_held_column(view: View) -> None:
    view.column[view.camera._row] = 16


def move_the_camera(view: View) -> None:
    view.camera.y = 3


def turn_around(view: View) -> None:
    view.other.speed_x = 1


def write_the_layer(view: View) -> None:
    view.layer.screen_x = 5


def follow_nothing(view: View) -> None:
    view.camera.target = -1
    view.camera.speed_x = -1


def follow_another(view: View) -> None:
    esper.add_component(view.camera.target, Transform(50, 30))


def delete_the_target(view: View) -> None:
    view.camera.speed_y = 2
    esper.delete_entity(view.camera.target, immediate=True)


def delete_the_camera(view: View) -> None:
    esper.delete_entity(view.entity, immediate=True)


def restore_a_snapshot(view: View) -> None:
    taken = view.physics.snapshot()
    view.camera.dead_zone_x, view.player.x = 0, 44
    esper.process(0.1)
    view.physics.restore(taken)
    view.player.x = 10


VIEW_CHANGES = [
    change_nothing,
    move_the_target,
    zoom_through_a_held_column,
    move_the_camera,
    turn_around,
    write_the_layer,
    follow_nothing,
    follow_another,
    delete_the_target,
    delete_the_camera,
    restore_a_snapshot,
]


@pytest.mark.parametrize("interpolated", [False, True])
@pytest.mark.parametrize("change", VIEW_CHANGES)
def test_a_still_view_follows_each_change(
    change: Callable[[View], None], interpolated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def history() -> list[list[float]]:
        esper.clear_database()
        for processor in list(esper._processors):
            esper.remove_processor(type(processor))
        view = View(interpolated)
        found = [view.numbers()]
        change(view)
        for seconds in (0.1, 0.1, 0.2, 0.0):
            esper.process(seconds)
            found.append(view.numbers())
        return found

    quick = history()
    if change in (move_the_target, zoom_through_a_held_column, turn_around, follow_nothing, follow_another):
        assert quick[0] != quick[1]
    monkeypatch.setattr(ScrollingSystem, "_is_still", lambda view, dt: False)
    assert quick == history()


def test_a_still_view_costs_next_to_nothing() -> None:
    view = View()
    frame = calls_while(lambda: view.scrolling.process(0.1))
    view.player.x += 7
    assert calls_while(lambda: view.scrolling.process(0.1)) > 10 * frame
