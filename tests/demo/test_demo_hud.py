"""What lies over each scene: no text is hidden, cut off, too small or over another, in small and large pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from picture import off_screen

from ecsphys.demo.hud.measures import free_box, plural, text_scale
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import SCENES, LiveScene, Scene
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.parameter import Parameter
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
    return found


@pytest.mark.parametrize("name", WITH_HUD)
def test_no_text_of_a_scene_is_hidden_cut_off_or_small_with_each_slider_at_both_ends(window: Window, name: str) -> None:
    from ecsphys.demo.hud.hud import Hud, Shown

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
    player.live.close()


@pytest.mark.parametrize("name", list(SCENES))
def test_no_line_of_the_list_of_keys_is_cut_off_or_over_another(window: Window, name: str) -> None:
    from ecsphys.demo.hud.help_page import HelpPage
    from ecsphys.demo.hud.texts import box_of
    from ecsphys.demo.scenes import open_scene

    window.switch_to()
    live = open_scene(name)
    for size in SIZES[:2]:
        boxes = [box_of(label) for label in HelpPage(live, size).texts.labels]
        for number, box in enumerate(boxes):
            assert box[0] >= 0.0
            assert box[1] >= 0.0
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
    from ecsphys.demo.hud.hud import Shown

    captions = [Caption(1.0, 8.0, "The first caption of two", "with a second line"), Caption(1.5, 7.9, "The second")]
    live, hud, view = hud_with(captions, window)
    hud.draw_over(Shown(), view.viewport, view.free)
    assert faults_of(hud, (640, 400)) == []
    assert [label.text for label in hud.captions.texts.labels if label.visible and label.y > 0] != []
    live.close()


def test_a_caption_at_the_border_is_moved_into_the_picture_and_when_zoomed_goes_with_the_world(window: Window) -> None:
    from ecsphys.demo.hud.hud import Shown
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
    from ecsphys.demo.hud.hud import Shown

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
