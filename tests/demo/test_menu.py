"""The menu: its pages, its cards, and their moving pictures."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy import float64, uint8
from numpy.typing import NDArray
from picture import color_count, off_screen

from ecsphys.demo import card_pictures, image_files
from ecsphys.demo.card_pictures import RATE, moves, open_card, path_of, size_of
from ecsphys.demo.image_files import Film, write_film
from ecsphys.demo.scenes import BODIES, CHAPTERS, SCENES, START

if TYPE_CHECKING:
    from pyglet.window import Window

SIZE = (640, 400)
PAGES = {page: [name for name, scene in SCENES.items() if scene.group == page] for page in (START, BODIES, CHAPTERS)}


class Clock:
    """Time as the test has it; every look at it takes ``step`` seconds."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 100.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture(scope="module")
def opened() -> Iterator[Window]:
    with off_screen(*SIZE) as window:
        yield window


@pytest.fixture
def window(opened: Window) -> Window:
    opened.switch_to()
    return opened


def pixels_of(menu: Any) -> NDArray[np.int64]:
    """What the menu draws, the lowest row first."""
    from ecsphys.demo.display import read_screen

    menu.draw()
    return read_screen(SIZE)[::-1].astype(int)


def inside(picture: NDArray[np.int64], box: tuple[float, float, float, float]) -> NDArray[np.int64]:
    left, bottom, right, top = (round(edge) for edge in box)
    return picture[bottom:top, left:right]


def test_the_first_page_begins_with_what_is_most_fun() -> None:
    assert list(dict.fromkeys(scene.group for scene in SCENES.values())) == [START, BODIES, CHAPTERS]
    wanted = ["yard", "playground", "game", "car", "dominoes", "ragdolls", "breaking", "tumbler"]
    assert PAGES[START] == [name for name in wanted if name in SCENES]
    assert len(PAGES[START]) >= 7


@pytest.mark.parametrize("size", [(640, 400), (1280, 720), (2560, 1440)])
@pytest.mark.parametrize("page", [0, 1, 2])
def test_all_text_of_a_page_can_be_read_and_nothing_overlaps(window: Window, size: tuple[int, int], page: int) -> None:
    from ecsphys.demo.menu import Menu

    menu = Menu(size, list(SCENES).index(list(PAGES.values())[page][0]))
    assert menu.page == page
    check_layout(menu, size)
    for card in range(len(menu.cards)):
        menu.chosen = card
        menu.draw()
        (summary,) = (label for label in menu.labels if label.text == SCENES[menu.scene].summary)
        assert text_box(summary)[2] < size[0], menu.scene
    texts = {label.text for label in menu.labels}
    assert {SCENES[name].title for name in list(PAGES.values())[page]} <= texts  # and none is shortened
    assert min(label.font_size for label in menu.labels) * 96 / 72 >= 11.0


@pytest.mark.parametrize("size", [(960, 540), (1920, 1080), (640, 480), (700, 1200)])
@pytest.mark.parametrize("count", [8, 12, 15, 20])
def test_the_menu_has_room_for_eight_to_twenty_scenes_in_any_window(
    window: Window, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], count: int
) -> None:
    from ecsphys.demo.menu import menu as demo_menu

    scenes = [scene for scene in SCENES.values() if scene.group == CHAPTERS]
    pages = [(count, CHAPTERS), (5, BODIES)]
    shown = [replace(scenes[k % len(scenes)], group=page) for cards, page in pages for k in range(cards)]
    monkeypatch.setattr(demo_menu, "SCENES", {str(k): scene for k, scene in enumerate(shown)})
    menu = demo_menu.Menu(size)
    assert len(menu.cards) == count
    check_layout(menu, size)


@pytest.mark.parametrize("size", [(1, 1), (37, 19), (1, 900), (900, 1), (100, 900), (900, 60)])
def test_every_page_opens_turns_and_is_drawn_in_a_window_too_small_for_it(
    window: Window, size: tuple[int, int]
) -> None:
    from ecsphys.demo.menu import Menu

    menu = Menu(size)
    for _ in range(3):
        menu.hover(size[0] // 2, size[1] // 2)
        menu.draw()
        menu.turn(1)
    menu.resize((1280, 720))
    check_layout(menu, (1280, 720))


def check_layout(menu: Any, size: tuple[int, int]) -> None:
    """Cards are apart and in the window; all text is on one, or above or below them, and no two texts overlap."""
    menu.draw()  # writes what the chosen scene shows
    cards, tabs = np.array(menu.cards), np.array(menu.tabs)
    texts = np.array([text_box(label) for label in menu.labels if label.text])
    assert not overlapping(tabs, cards).any()
    for boxes in (cards, texts, tabs):
        assert (boxes[:, :2] > 0.0).all()
        assert (boxes[:, 2:] < size).all()
        assert not overlapping(boxes, boxes)[np.triu_indices(len(boxes), 1)].any()
    assert (overlapping(texts, tabs).sum(axis=0) == 1).all()
    on_card = overlapping(texts, cards)
    assert (on_card.sum(axis=1) <= 1).all()
    for text, card in zip(*np.nonzero(on_card), strict=True):
        assert (texts[text, :2] >= cards[card, :2]).all()
        assert (texts[text, 2:] <= cards[card, 2:]).all()
    assert (on_card.sum(axis=0) == 1).all()


def text_box(label: Any) -> tuple[float, float, float, float]:
    """A line of text from what hangs below its baseline up to the top of its capitals; font sizes are in points."""
    left = label.x - (label.content_width if label.anchor_x == "right" else 0)
    return left, label.y - 0.3 * label.font_size, left + label.content_width, label.y + label.font_size


def overlapping(a: NDArray[float64], b: NDArray[float64]) -> NDArray[np.bool_]:
    apart = (a[:, None, :2] >= b[None, :, 2:]) | (b[None, :, :2] >= a[:, None, 2:])
    return ~(apart[:, :, 0] | apart[:, :, 1])


def test_every_card_is_reached_with_the_keys(window: Window) -> None:
    from ecsphys.demo.menu import Menu

    menu = Menu(SIZE)
    names = {menu.scene: (0, 0)}
    found = [(0, 0)]
    while found:
        page, card = found.pop()
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if page != menu.page:
                menu.turn(page - menu.page)
            menu.chosen = card
            menu.move(*way)
            if menu.scene not in names:
                names[menu.scene] = (menu.page, menu.chosen)
                found.append(names[menu.scene])
    assert set(names) == set(SCENES)
    menu.turn(-menu.page)
    menu.chosen = len(menu.cards) - 1
    menu.move(0, 1)
    assert menu.chosen == len(menu.cards) - 1


def test_the_card_under_the_mouse_lights_up_grows_and_is_told_of(window: Window) -> None:
    from ecsphys.demo.menu import Menu

    clock = Clock()
    menu = Menu(SIZE, list(SCENES).index(PAGES[BODIES][0]), clock)  # a page that stands still
    plain = pixels_of(menu)
    left, bottom, right, top = menu.cards[2]
    assert menu.hover(0.5 * (left + right), 0.5 * (bottom + top))
    assert menu.scene == PAGES[BODIES][2]
    clock.now += 0.05
    half = pixels_of(menu)
    clock.now += 1.0
    whole = pixels_of(menu)
    card, above = (left, bottom, right, top), (left + 9, top, right - 9, top + 3)
    assert inside(plain, card).mean() < inside(half, card).mean() < inside(whole, card).mean()
    assert inside(whole, above).mean() > inside(plain, above).mean() + 40
    first = menu.cards[0]
    assert inside(whole, first).mean() < inside(plain, first).mean()
    assert SCENES[menu.scene].summary in {label.text for label in menu.labels}
    assert not menu.hover(0.5 * SIZE[0], SIZE[1] - 1)
    assert menu.scene == PAGES[BODIES][2]


def test_all_pictures_of_the_first_page_move_and_those_of_the_others_do_not(window: Window) -> None:
    from ecsphys.demo.menu import Menu

    for page, names in PAGES.items():
        clock = Clock()
        menu = Menu(SIZE, list(SCENES).index(names[0]), clock)
        before = pixels_of(menu)
        for _ in range(30):
            clock.now += 1.0 / 30.0
            menu.draw()
        after = pixels_of(menu)
        for name, box in zip(names, menu.cards, strict=True):
            change = np.abs(inside(after, box) - inside(before, box)).max()
            assert (change > 30) == (page == START), name


def test_films_are_read_in_time_but_no_longer_than_a_frame_can_wait(window: Window) -> None:
    from ecsphys.demo.menu.card_films import CardFilms

    clock = Clock()
    films = CardFilms(PAGES[START], clock)
    count = len(PAGES[START])
    assert films.advance() == 0
    shown = 0
    for _ in range(120):
        clock.now += 1.0 / 60.0
        shown += films.advance()
    assert abs(shown - 2.0 * RATE * count) <= 2 * count
    clock.step = 0.004  # now each look at the clock takes long
    clock.now += 0.1
    assert 1 <= films.advance() <= 3
    clock.step = 0.0
    clock.now += 60.0  # the computer has slept: nothing is made up for
    assert films.advance() == count
    assert films.advance() == 0


def test_the_menu_is_there_within_a_second(window: Window) -> None:
    from ecsphys.demo.menu import Menu

    start = time.perf_counter()
    Menu((1280, 720)).draw()
    window.flip()
    assert time.perf_counter() - start < 1.0


def test_without_pillow_the_cards_are_plain(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    from ecsphys.demo.menu import Menu

    monkeypatch.setattr(card_pictures, "has_pillow", lambda: False)
    menu = Menu(SIZE)
    picture = pixels_of(menu)
    left, bottom, right, top = menu.cards[2]
    assert color_count(inside(picture, (left + 8, bottom + 40, right - 8, top - 8)).astype(np.int32)) == 1
    assert {SCENES[name].title for name in PAGES[START]} <= {label.text for label in menu.labels}


@pytest.mark.parametrize("name", list(SCENES))
def test_every_scene_has_a_picture_for_its_card(name: str) -> None:
    film = open_card(name)
    assert film is not None
    assert film.size == size_of(name)
    assert color_count(film.read()) > 16
    assert (film.count > 3 * RATE) if moves(name) else (film.count == 1)


def test_all_pictures_together_are_small() -> None:
    assert sum(path_of(name).stat().st_size for name in SCENES) < 800_000
    assert {path.stem for path in card_pictures.FOLDER.iterdir()} == set(SCENES)


@pytest.mark.parametrize("name", PAGES[START])
def test_a_film_has_no_seam(name: str) -> None:
    film = open_card(name)
    assert film is not None
    pictures = [picture.astype(int) for picture in film]
    changes = [np.abs(a - b).mean() for a, b in zip(pictures, [*pictures[1:], pictures[0]], strict=True)]
    assert changes[-1] <= max(1.3 * max(changes[:-1]), 0.5)
    assert changes[-1] > 0.0


@pytest.mark.parametrize("suffix", ["webp", "avif"])
def test_a_film_is_read_as_it_was_written_again_and_again(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film.{suffix}"
    colors = np.array([(250, 10, 10), (10, 250, 10), (10, 10, 250)], uint8)
    write_film(path, [np.tile(color, (24, 32, 1)) for color in colors], 10)
    film = Film(path)
    assert (film.count, film.size) == (3, (32, 24))
    for number in range(7):
        assert np.abs(film.read().mean(axis=(0, 1)) - colors[number % 3]).max() < 6
    assert [int(picture.mean(axis=(0, 1)).argmax()) for picture in film] == [0, 1, 2]
    write_film(path, [np.tile(colors[2], (24, 32, 1))], 10)
    assert Film(path).count == 1


def test_without_its_file_or_without_pillow_a_card_has_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert not image_files.has_pillow()
    assert open_card("car") is None
    with pytest.raises(ImportError, match="pip install"):
        image_files.needs_pillow()
    monkeypatch.undo()
    monkeypatch.setattr(card_pictures, "FOLDER", tmp_path)
    assert open_card("car") is None
    # So a Pillow sees a film that it has no decoder for.
    path_of("car").write_bytes(b"no picture")
    assert open_card("car") is None
