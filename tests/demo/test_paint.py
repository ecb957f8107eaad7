"""The game's paint: triangles made many at a time are those of each figure alone, in the order of the calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray
from picture import off_screen

from ecsphys import Lifetime, Transform
from ecsphys.demo.game import open_game
from ecsphys.demo.game.copies import paint_copies
from ecsphys.demo.game.debris import FADE_SECONDS, scatter
from ecsphys.demo.game.debris_picture import DebrisPicture
from ecsphys.demo.game.paint import Block, Paint, moved, turned
from ecsphys.demo.game.parts import WARDEN, Debris
from ecsphys.demo.game.scenery import Scenery
from ecsphys.demo.scenes.board import Board

if TYPE_CHECKING:
    from pyglet.window import Window

PIXEL = 0.03
RED, BLUE = (0.9, 0.2, 0.1), (0.1, 0.2, 0.9)

Figure = Callable[[Paint], None]


def points(rng: np.random.Generator, count: int) -> NDArray[float64]:
    return rng.uniform(-5.0, 5.0, (count, 2))


def some_figures(rng: np.random.Generator) -> list[Figure]:
    """Every kind, several times, with one number or one a point where both may be."""
    figures: list[Figure] = []
    for count in (3, 4, 4, 5, 3):
        a, b, alphas = points(rng, count), points(rng, count), rng.uniform(0.0, 1.0, count)
        x, y, angle = rng.uniform(-2.0, 2.0, 3).tolist()
        figures += [
            partial(Paint.polygon, corners=a, color=RED, alpha=0.5),
            partial(Paint.polygon, corners=a, color=RED, alpha=0.8, deep=BLUE),
            partial(Paint.box, x=x, y=y, half=(1.0, 0.5), angle=angle, color=BLUE, alpha=0.7),
            partial(Paint.line, points=a, width=0.2, color=RED, alpha=alphas),
            partial(Paint.line, points=a, width=alphas, color=BLUE, alpha=0.4, light=True, soft=True),
            partial(Paint.strip, first=a, second=b, color=RED, other=BLUE, alpha=alphas, fade=0.1),
            partial(Paint.strip, first=a, second=b, color=BLUE, other=RED),
            partial(Paint.discs, centers=a, radius=0.5, color=RED),
            partial(Paint.discs, centers=a, radius=alphas, color=BLUE, alpha=alphas, edge=0.0, light=True),
            partial(Paint.rings, centers=a, radius=0.7, width=0.1, color=BLUE),
            partial(Paint.dashes, starts=a, ends=b, width=0.1, color=RED),
            partial(Paint.flecks, centers=a, radius=0.1, colors=np.abs(np.column_stack((a, a[:, 0])))),
        ]
    many = points(rng, 40)
    figures.append(partial(Paint.discs, centers=many, radius=0.1, color=RED, alpha=np.linspace(0.0, 1.0, 40)))
    return figures


def painted(*figures: Figure, pixel: float = PIXEL) -> Block:
    paint = Paint(8)
    paint.start(pixel)
    for figure in figures:
        figure(paint)
    return paint.block()


def test_figures_painted_together_are_those_painted_alone_in_the_same_order() -> None:
    rng = np.random.default_rng(5)
    figures = some_figures(rng)
    order = rng.permutation(len(figures))
    together = painted(*(figures[number] for number in order))
    alone = [painted(figures[number]) for number in order]
    np.testing.assert_array_equal(together.points, np.concatenate([block.points for block in alone]))
    np.testing.assert_array_equal(together.tints, np.concatenate([block.tints for block in alone]))


def test_paint_starts_anew_and_stamps_what_was_kept() -> None:
    figures = some_figures(np.random.default_rng(6))
    paint = Paint()
    for _ in range(2):
        paint.start(PIXEL)
        for figure in figures:
            figure(paint)
        kept = paint.block()
    again = painted(*figures, lambda paint: paint.stamp(kept), lambda paint: paint.stamp(kept))
    np.testing.assert_array_equal(again.points, np.tile(kept.points, (3, 1)))
    np.testing.assert_array_equal(again.tints, np.tile(kept.tints, (3, 1)))
    assert len(painted().points) == 0


def test_copies_are_the_figure_turned_moved_and_faded() -> None:
    figure = painted(*some_figures(np.random.default_rng(7)))
    x, y, angle, alpha = np.random.default_rng(8).uniform(0.1, 1.0, (4, 3))
    copies = painted(lambda paint: paint_copies(paint, figure, x, y, angle, alpha))
    for number, (points, tints) in enumerate(zip(np.split(copies.points, 3), np.split(copies.tints, 3), strict=True)):
        np.testing.assert_allclose(points, moved(turned(figure.points, angle[number]), x[number], y[number]))
        np.testing.assert_allclose(tints, figure.tints * alpha[number], rtol=1e-6)


def test_each_piece_is_painted_where_it_is_and_fades_before_it_goes() -> None:
    game = open_game()
    game.begin()
    scatter(WARDEN, Transform(8.0, 4.0), (0.0, 0.0), (8.0, 4.0), np.random.default_rng(1))
    esper.process(0.0)
    picture = DebrisPicture()

    def look(view_x: float) -> Block:
        return painted(lambda paint: picture.paint(paint, view_x))

    new = look(16.0)
    for _, (_, place) in esper.get_components(Debris, Transform):
        assert np.hypot(*(new.points - (place.x, place.y)).T).min() < 0.3
    assert len(look(60.0).points) == 0
    for _, (_, lifetime) in esper.get_components(Debris, Lifetime):
        lifetime.seconds = 0.5 * FADE_SECONDS
    np.testing.assert_allclose(look(16.0).tints, 0.5 * new.tints, rtol=1e-5)
    game.close()


def area(block: Block, least_alpha: float) -> float:
    """Of the triangles whose corners all cover at least so much."""
    a, b, c = block.points.reshape(-1, 3, 2).transpose(1, 0, 2)
    twice = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    return 0.5 * float(twice[block.tints[:, 3].reshape(-1, 3).min(axis=1) >= least_alpha].sum())


def test_what_is_painted_is_as_large_as_asked_for_within_its_soft_edge() -> None:
    boxes = painted(lambda paint: paint.box(1.0, 2.0, (1.5, 0.5), 0.3, RED))
    assert area(boxes, 1.0) == pytest.approx(3.0)
    assert area(boxes, 0.0) == pytest.approx(3.0 + 2.0 * 4.0 * 0.9 * PIXEL * 0.5, rel=0.05)
    disc = painted(lambda paint: paint.discs(np.zeros((1, 2)), 2.0, RED))
    assert area(disc, 1.0) == pytest.approx(np.pi * 4.0, rel=0.01)
    line = painted(lambda paint: paint.line(np.array(((0.0, 0.0), (3.0, 4.0))), 0.2, RED))
    assert area(line, 1.0) == pytest.approx(1.0)


def test_colours_are_premultiplied_and_light_covers_nothing() -> None:
    covering = painted(lambda paint: paint.strip(np.eye(2), np.zeros((2, 2)), RED, RED, 0.5))
    np.testing.assert_allclose(covering.tints, np.tile((0.45, 0.1, 0.05, 0.5), (6, 1)), rtol=1e-6)
    light = painted(lambda paint: paint.discs(np.zeros((1, 2)), 1.0, RED, 0.5, edge=0.0, light=True))
    assert not light.tints[:, 3].any()
    shaded = painted(lambda paint: paint.polygon(np.array(((0.0, 0.0), (1.0, 0.0), (0.5, 1.0))), RED, 1.0, BLUE))
    below, above = shaded.points[:, 1] == 0.0, shaded.points[:, 1] == 1.0
    np.testing.assert_allclose(shaded.tints[below][0], (*BLUE, 1.0), rtol=1e-6)
    np.testing.assert_allclose(shaded.tints[above][0], (*RED, 1.0), rtol=1e-6)


def scenery(keeper: Scenery, pixel: float) -> Block:
    return painted(lambda paint: keeper.paint(paint, 40.0, 1.0), pixel=pixel)


def test_scenery_that_is_kept_is_that_made_anew_at_any_size_of_the_picture() -> None:
    open_game()
    keeper = Scenery()
    for pixel in (0.025, 0.025, 0.05, 0.025):
        kept, new = scenery(keeper, pixel), scenery(Scenery(), pixel)
        np.testing.assert_array_equal(kept.points, new.points)
        np.testing.assert_array_equal(kept.tints, new.tints)
    assert len(kept.points) > 1000


class Recorder:
    """A sketch that keeps what it is given."""

    pixel = 0.5
    view = (0.0, 0.0, 20.0, 20.0)

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def strokes(self, *arguments: Any) -> None:
        self.calls.append(("strokes", arguments))

    def circles(self, *arguments: Any) -> None:
        self.calls.append(("circles", arguments))

    def boxes(self, *arguments: Any) -> None:
        self.calls.append(("boxes", arguments))

    def triangles(self, *arguments: Any) -> None:
        self.calls.append(("triangles", arguments))


def test_a_board_draws_lines_of_all_looks_in_one_call_each_with_its_own() -> None:
    board, sketch = Board(), Recorder()
    board.move_to(10.0, 0.0)
    board.line((0.0, 0.0), (1.0, 2.0), RED, 3.0, 0.5)
    board.line((0.0, 1.0), (1.0, 3.0), BLUE, 1.0)
    board.line((5.0, 5.0), (6.0, 6.0), RED, 3.0, 0.5)
    board.dot((1.0, 1.0), RED, 4.0)
    board.circle((2.0, 2.0), 0.7, color=BLUE)
    board.draw(sketch)
    (_, (starts, ends, widths, colors, alphas)), *circles = sketch.calls
    np.testing.assert_array_equal(starts, [(10.0, 0.0), (15.0, 5.0), (10.0, 1.0)])
    np.testing.assert_array_equal(ends, [(11.0, 2.0), (16.0, 6.0), (11.0, 3.0)])
    np.testing.assert_array_equal(widths, [3.0, 3.0, 1.0])
    np.testing.assert_array_equal(colors, [RED, RED, BLUE])
    np.testing.assert_array_equal(alphas, [0.5, 0.5, 1.0])
    (_, (centers, radii, _, alphas, line)), (_, rim) = circles
    np.testing.assert_array_equal(centers, [(11.0, 1.0), (12.0, 2.0)])
    np.testing.assert_array_equal(radii, [2.0, 0.7])
    np.testing.assert_array_equal(alphas, [1.0, 0.13])
    assert (line, rim[4]) == (0.0, 1.8)
    board.draw(sketch)
    assert len(sketch.calls) == 3, "it has forgotten what it has drawn"


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with off_screen(16, 16) as opened:
        yield opened


@pytest.mark.usefixtures("window")
def test_signs_are_painted_anew_whenever_what_they_show_has_changed() -> None:
    from ecsphys.demo.game.hud import Hud

    game = open_game()
    session, seen = game.session, []

    def look() -> tuple[tuple[object, ...], bytes]:
        block = painted(lambda paint: hud.paint(paint, session), pixel=1.0)
        return hud.shown(session), block.points.tobytes() + block.tints.tobytes()

    hud = Hud((640.0, 360.0), 1.0)
    seen.append(look())
    game.begin()
    for change in ({}, {"energy": 1.0}, {"health": 3}, {"lives": 1}, {"health": 1}, {"health": 0}):
        for name, value in change.items():
            setattr(session.tally, name, value)
        seen += [look(), look()]
    session.tally.health = 1
    for session.time in (1.0, 1.1):
        seen.append(look())
    assert len({shown for shown, _ in seen}) == len({picture for _, picture in seen}) == len(set(seen)) > 6
