"""What lies over each scene: no text is hidden, cut off, too small or over another, in small and large pictures."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from picture import off_screen

from ecsphys.demo.hud.measures import free_box, plural, text_scale
from ecsphys.demo.hud.plates import apart
from ecsphys.demo.hud.shown import Shown
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import SCENES, LiveScene, Scene, open_scene
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.drawing.numerals import legible
from ecsphys.demo.scenes.parameter import NamedParameter, Parameter, Reading
from ecsphys.demo.scenes.scene import Box, Caption, Layout

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.hud.hud import Hud

SIZES = ((640, 400), (1280, 720), (2560, 1440))
WITH_HUD = [name for name in SCENES if name != "game"]


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with off_screen(160, 100) as opened:
        yield opened


def labels_of(hud: Hud) -> list[Any]:
    groups = [hud.heading.texts, hud.captions.texts, hud.toolbar.texts, hud.words.texts]
    if hud.panel is not None:
        groups.append(hud.panel.texts)
    return [label for texts in groups for label in texts.labels if label.text and label.visible]


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def faults_of(hud: Hud, size: tuple[int, int]) -> list[str]:
    """What is wrong with the text over a picture, in words."""
    from ecsphys.demo.hud.texts import box_of

    labels = labels_of(hud)
    boxes = [box_of(label) for label in labels]
    found = [f"{label.text!r} is small" for label in labels if label.font_size * 96.0 / 72.0 < 10.99]
    for label, box in zip(labels, boxes, strict=True):
        if box[0] < 0.0 or box[1] < 0.0 or box[2] > size[0] or box[3] > size[1]:
            found.append(f"{label.text!r} is cut off")
    for number, box in enumerate(boxes):
        found += [
            f"{labels[number].text!r} is over {labels[other].text!r}"
            for other in range(number)
            if overlap(box, boxes[other])
        ]
    for switch in hud.toolbar._toolbar.switches:
        (label,) = (label for label in labels if label.text == switch.label)
        box = box_of(label)
        if box[0] < switch.box[0] + 2.0 or box[2] > switch.box[2] - 2.0:
            found.append(f"the switch {label.text!r} is too small")
    return found


@pytest.mark.parametrize("name", WITH_HUD)
def test_no_text_of_a_scene_is_hidden_cut_off_or_small_with_each_slider_at_both_ends(window: Window, name: str) -> None:
    from ecsphys.demo.hud.hud import Hud

    window.switch_to()
    player = Player(window, seed=0, wait=True)
    player.open(name)
    player.step()
    view = player.view
    assert view is not None
    for size in SIZES:
        view.resize(size)
        hud = Hud(player.live, view.toolbar, size, view.panel)
        for end in (0, -1):
            for number, parameter in enumerate(player.live.layout.parameters):
                player.events.send("put", number, parameter.choices[end])
            hud.heading.show_numbers(12.3, 45.6)
            hud.toolbar.update()
            hud.draw_over(Shown(pace=0.1), view.viewport, view.free)
            hud.words.show(False, 1.0, None)
            assert faults_of(hud, size) == [], size
            assert [str(parameter) for parameter in player.live.layout.parameters if "-" in number_of(parameter)] == []
    player.live.close()


def number_of(parameter: Parameter) -> str:
    """What is written of a number; of a name nothing."""
    return "" if isinstance(parameter, NamedParameter) else str(parameter)


@pytest.mark.parametrize("name", WITH_HUD)
def test_no_caption_of_a_scene_names_a_value_that_a_slider_changes(name: str) -> None:
    live = open_scene(name)
    captions = [f"{caption.text} {caption.detail}" for caption in live.layout.captions]
    named = {number for caption in captions for number in re.findall(r"\d+(?:\.\d+)?", caption)}
    values = {f"{parameter.get():g}" for parameter in live.layout.parameters}
    live.close()
    assert named & values <= {"0", "1"}


def test_high_scores_of_all_scenes_are_apart_and_within_the_picture(window: Window) -> None:
    from ecsphys.demo.hud.big_words import BigWords
    from ecsphys.demo.hud.texts import box_of

    window.switch_to()
    for size in SIZES:
        highest = {"distance": "8,888 m", "speed": "188 km/h", "left to fall": "88,888"}
        scores = [Reading(name, partial(str, text)) for name, text in highest.items()]
        words = BigWords(size, 80.0, scores)
        words.show(True, 1.0, 4.2, "A notice")
        plates = words.plates()
        assert len(plates) == 5
        assert not any(overlap(a, b) for a, b in itertools.combinations(plates[2:], 2))
        assert not any(overlap(a, b) for a, b in itertools.combinations(map(box_of, words.texts.labels), 2))
        assert all(plate[0] >= 0.0 and plate[2] <= size[0] for plate in plates)
        assert "Starts again in 5" in [label.text for label in words.texts.labels]


def test_plates_that_overlap_cover_each_pixel_once() -> None:
    plates = [(0, 0, 10, 6), (4, 2, 14, 9), (8, -3, 9, 12), (2, 1, 5, 4), (20, 0, 22, 3)]
    wanted, found = np.zeros((20, 30), int), np.zeros((20, 30), int)
    for left, low, right, high in plates:
        wanted[low + 5 : high + 5, left:right] = 1
    for piece in apart(plates):
        left, low, right, high = (round(edge) for edge in piece)
        found[low + 5 : high + 5, left:right] += 1
    assert found.tolist() == wanted.tolist()
    assert apart([]) == []


def test_a_caption_keeps_to_the_room_a_scene_leaves_it_and_has_both_lines_in_larger_pictures(window: Window) -> None:
    from ecsphys.demo.hud.captions import Captions

    window.switch_to()
    shown = []
    for size in SIZES:
        captions = Captions([Caption(1.0, 15.0, "A caption", "its detail", room=1.2)], size)
        free = free_box(size, True)
        for is_fitted in (True, False):
            captions.place(Camera.fit((0.0, 0.0, 34.0, 16.0), *free), free, is_fitted)
            shown.append([label.visible for label in captions.texts.labels])
    assert shown == [[True, False]] * 2 + [[True, True]] * 4


def test_colors_of_colliders_are_named_beside_the_switches_where_there_is_room_and_on_the_page_of_keys(
    window: Window,
) -> None:
    from ecsphys.demo.hud.help_page import HelpPage
    from ecsphys.demo.hud.hud import Hud
    from ecsphys.demo.hud.legend import words_of

    window.switch_to()
    player = Player(window, seed=0)
    player.open("shapes")
    words = [word for word, _ in words_of(player.live)]
    assert words == ["circle", "AABB", "OBB", "capsule", "fan", "polygon"]
    for size, is_beside in zip(SIZES, (False, True, True), strict=True):
        assert player.view is not None
        player.view.resize(size)
        hud = Hud(player.live, player.view.toolbar, size)
        assert (words[-1] in [label.text for label in labels_of(hud)]) is is_beside
        assert set(words) <= {label.text for label in HelpPage(player.live, size).texts.labels if label.visible}
    player.open("light")
    assert words_of(player.live) == []
    player.live.close()


@pytest.mark.parametrize("name", list(SCENES))
def test_no_key_does_two_things_on_the_page_of_keys(name: str) -> None:
    from ecsphys.demo.hud.help_page import _columns

    live = open_scene(name)
    left, right = _columns(live, has_view=name != "game")
    keys = [key for keys, _ in (*left, *right) if keys != ", ." for key in keys.split(", ") if key]
    live.close()
    assert sorted(keys) == sorted(set(keys))
    assert {"H", "Esc"} <= set(keys)


@pytest.mark.parametrize("name", list(SCENES))
def test_no_line_of_the_list_of_keys_is_cut_off_or_over_another(window: Window, name: str) -> None:
    from ecsphys.demo.hud.help_page import HelpPage
    from ecsphys.demo.hud.texts import box_of

    window.switch_to()
    live = open_scene(name)
    for size in SIZES[:2]:
        boxes = [box_of(label) for label in HelpPage(live, size).texts.labels]
        for number, box in enumerate(boxes):
            assert box[0] >= 0.0
            assert box[1] >= 0.0
            assert box[2] <= size[0]
            assert box[3] <= size[1]
            assert not any(overlap(box, other) for other in boxes[:number])
    live.close()


def hud_with(captions: list[Caption], window: Window) -> tuple[LiveScene, Hud, Any]:
    import ecsphys
    from ecsphys.demo.hud.hud import Hud
    from ecsphys.demo.recorded_scene import SceneEvents
    from ecsphys.demo.stage_view import StageView

    window.switch_to()
    live = LiveScene(
        Scene("test", "Test", "", lambda rng: Layout(ecsphys.install(), (0.0, 0.0, 16.0, 9.0), captions), "")
    )
    view = StageView(SceneEvents(live), [], [], (640, 400))
    return live, Hud(live, view.toolbar, (640, 400)), view


def test_captions_that_would_cover_each_other_move_apart_or_lose_their_second_line(window: Window) -> None:

    captions = [Caption(1.0, 8.0, "The first caption of two", "with a second line"), Caption(1.5, 7.9, "The second")]
    live, hud, view = hud_with(captions, window)
    hud.draw_over(Shown(), view.viewport, view.free)
    assert faults_of(hud, (640, 400)) == []
    assert [label.text for label in hud.captions.texts.labels if label.visible and label.y > 0] != []
    live.close()


def test_a_caption_at_the_border_is_moved_into_the_picture_and_when_zoomed_goes_with_the_world(window: Window) -> None:
    from ecsphys.demo.hud.texts import box_of

    live, hud, view = hud_with([Caption(15.8, 0.1, "A caption at the border")], window)
    (label,) = hud.captions.texts.labels
    hud.draw_over(Shown(), view.viewport, view.free)
    assert box_of(label)[2] <= view.free[2]
    view.zoom(6.0, 40.0, 300.0)
    hud.draw_over(Shown(), view.viewport, view.free)
    assert not label.visible
    view.viewport.fit()
    hud.draw_over(Shown(), view.viewport, view.free)
    assert label.visible
    live.close()


def test_paused_is_said_in_large_letters(window: Window) -> None:

    live, hud, view = hud_with([], window)
    hud.draw_over(Shown(is_paused=True), view.viewport, view.free)
    paused = next(label for label in hud.words.texts.labels if label.text == "PAUSED")
    assert paused.font_size * 96.0 / 72.0 > 0.08 * 400
    assert "Space continues" in [label.text for label in hud.words.texts.labels]
    live.close()


def test_text_is_at_least_eleven_pixels_high_and_grows_with_the_picture() -> None:
    assert [text_scale(size) for size in ((100, 50), (640, 400), (1280, 720), (2560, 1440))] == [0.75, 0.75, 1.0, 2.0]


def test_what_text_leaves_of_a_tiny_picture_is_still_a_box() -> None:
    for size in ((1, 1), (30, 20), (200, 60)):
        left, bottom, right, top = free_box(size, True, 300.0)
        assert left < right
        assert bottom < top
        assert Camera.fit((0.0, 0.0, 1.0, 1.0), left, bottom, right, top).scale > 0.0


def test_one_is_singular() -> None:
    assert [plural(count, "body", "bodies") for count in (0, 1, 2000)] == ["0 bodies", "1 body", "2,000 bodies"]


def test_a_slider_s_knob_and_mark_are_at_its_value_and_default() -> None:
    from ecsphys.demo.hud.toolbar import Slider

    values = [4.0]
    slider = Slider(
        (100.0, 0.0, 200.0, 40.0), Parameter("size", lambda: values[-1], values.append, (1, 2, 4, 8, 16)), 2.0
    )
    assert (slider.part, slider.default_part) == (0.5, 0.25)
    assert [slider.value_at(x) for x in (0.0, 100.0, 149.0, 176.0, 500.0)] == [1, 1, 4, 8, 16]


def test_ids_that_follow_each_other_are_written_as_one() -> None:
    from ecsphys.demo.hud.help_page import runs_of

    assert runs_of(("A1", "A2", "A3", "A5", "B6", "C1a", "C2", "C9", "C10")) == [
        "A1–A3",
        "A5",
        "B6",
        "C1a",
        "C2",
        "C9–C10",
    ]
    assert runs_of(()) == []


def test_digits_are_never_lower_than_eleven_pixels_and_lines_are_wider_in_large_pictures(window: Window) -> None:
    from ecsphys.demo.renderer import view_through

    window.switch_to()
    for size, width in zip(SIZES, (1.0, 1.0, 2.0), strict=True):
        camera = Camera.fit((0.0, 0.0, 34.0, 16.0), 0.0, 0.0, float(size[0]), float(size[1]))
        assert view_through(camera, size).pixel * camera.scale == pytest.approx(width)
    assert [legible(0.42, pixel) for pixel in (0.01, 0.1)] == pytest.approx([0.42, 1.1])
