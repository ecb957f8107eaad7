"""Pictures of paths, before and after: past obstacles, and over the seams of tiles."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Polygon, Rectangle
from PIL import Image

from benchmarks.paths import (
    BALL,
    DISC,
    MISSES,
    MOVING_BALL,
    MOVING_VELOCITY,
    REACH,
    SLIDER,
    TILES,
    Obstacle,
    Paths,
    Points,
    Slider,
    box_corners,
    speed_kept,
)

_RED, _BLUE = "#b5483f", "#2b7a8c"
_INK, _SOFT = "#2a3140", "#7a8494"
_SOLID, _EDGE = "#c9d0da", "#8d97a6"
_DPI = 100

_TITLES: dict[Obstacle, str] = {
    "disc": "Past a disc",
    "box": "Past the corners of a box",
    "moving ball": "Past a moving ball",
}

_HALF_VIEW = REACH + 0.85

# In steps, between two drawings of a body that slides.
_FLASH = 15

# What is seen of a track that is hopped over, and of one that is not.
_HIGH, _LOW, _BELOW = 6.1, 1.35, 0.55
_RIGHT = TILES + 4.0


def save_path_plots(before: Paths, after: Paths, folder: Path) -> list[Path]:
    """A picture of near misses and one of seams; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    both = (("Before", before, _RED), ("After", after, _BLUE))
    written = [folder / "near-misses.png", folder / "seams.png"]
    _save_misses(both, written[0])
    _save_seams(both, written[1])
    return written


def _save_misses(both: Sequence[tuple[str, Paths, str]], path: Path) -> None:
    figure, panels = pyplot.subplots(2, 3, figsize=(10.8, 7.4))
    figure.subplots_adjust(left=0.045, right=0.995, bottom=0.005, top=0.945, wspace=0.02, hspace=0.02)
    for row, (when, paths, color) in zip(panels, both, strict=True):
        for panel, obstacle in zip(row, _TITLES, strict=True):
            _frame(panel, (-_HALF_VIEW, _HALF_VIEW), (-_HALF_VIEW, _HALF_VIEW))
            _draw_obstacle(panel, obstacle)
            for miss, points in zip(MISSES, paths.misses, strict=True):
                if miss.obstacle == obstacle:
                    _draw_flight(panel, points, color)
        _name_row(figure, row[0], row[0], when, color)
    for panel, title in zip(panels[0], _TITLES.values(), strict=True):
        panel.set_title(title, fontsize=14, color=_INK, pad=8)
    _write(figure, path)


def _draw_obstacle(panel: Axes, obstacle: Obstacle) -> None:
    match obstacle:
        case "disc":
            _add(panel, Circle((0.0, 0.0), DISC), _SOLID, _EDGE)
        case "box":
            _add(panel, Polygon(box_corners()), _SOLID, _EDGE)
        case "moving ball":
            _add(panel, Circle((0.0, 0.0), MOVING_BALL), _SOLID, _EDGE)
            speed = math.hypot(*MOVING_VELOCITY)
            x, y = (0.45 * part / speed for part in MOVING_VELOCITY)
            arrow = {"arrowstyle": "-|>", "color": _INK, "linewidth": 1.5, "shrinkA": 0, "shrinkB": 0}
            panel.annotate("", (x, y), (-x, -y), arrowprops=arrow, zorder=5)


def _draw_flight(panel: Axes, points: Points, color: str) -> None:
    xs, ys = zip(*points, strict=True)
    panel.plot(xs, ys, color=color, alpha=0.13, linewidth=2.0 * BALL * _points_per_unit(panel), solid_capstyle="round")
    panel.plot(xs, ys, color=color, linewidth=1.4, solid_joinstyle="round")
    _add(panel, Circle(points[0], BALL), "white", color)
    _add(panel, Circle(points[-1], BALL), color, color)


def _save_seams(both: Sequence[tuple[str, Paths, str]], path: Path) -> None:
    sliders: tuple[Slider, ...] = ("ball", "box", "capsule")
    tops = {(when, slider): _top(paths.seams[slider]) for when, paths, _ in both for slider in sliders}
    ratios = [top + _BELOW for top in tops.values()]
    ratios.insert(3, 0.5)  # a little room between before and after
    figure, panels = pyplot.subplots(7, 1, figsize=(10.8, 6.5), gridspec_kw={"height_ratios": ratios})
    figure.subplots_adjust(left=0.135, right=0.985, bottom=0.005, top=0.995, hspace=0.1)
    panels[3].axis("off")
    for (when, paths, color), rows in zip(both, (panels[:3], panels[4:]), strict=True):
        for panel, slider in zip(rows, sliders, strict=True):
            _frame(panel, (0.0, _RIGHT), (-_BELOW, tops[when, slider]))
            _draw_slide(panel, slider, paths.seams[slider], color)
        _name_row(figure, rows[0], rows[-1], when, color)
    panels[0].text(_RIGHT, 4.0 * SLIDER, "speed kept", ha="right", va="center", fontsize=13, color=_INK)
    _write(figure, path)


def _top(points: Points) -> float:
    return _HIGH if max(y for _, y in points) > 2.0 * SLIDER else _LOW


def _draw_slide(panel: Axes, slider: Slider, points: Points, color: str) -> None:
    for number in range(TILES):
        _add(panel, Rectangle((number, -1.0), 1.0, 1.0), _SOLID, "white")
    xs, ys = zip(*points, strict=True)
    panel.plot(xs, ys, color=color, linewidth=1.4, zorder=3)
    for number in range(0, len(points), _FLASH):
        last = number + _FLASH >= len(points)
        _add(panel, _body(slider, points[number]), color if last else "white", color)
    x, y = max(points, key=lambda point: point[1])
    if y > 2.0 * SLIDER:
        arrow = {"arrowstyle": "<|-|>", "color": _SOFT, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}
        panel.annotate("", (x, 0.0), (x, y - SLIDER), arrowprops=arrow)
        panel.text(x + 0.5, 0.5 * (y - SLIDER), f"{y - SLIDER:.1f} u", fontsize=12, va="center", color=_SOFT)
    panel.text(-0.6, SLIDER, slider, ha="right", va="center", fontsize=13, color=_INK)
    panel.text(_RIGHT, SLIDER, f"{100.0 * speed_kept(points):.0f}%", ha="right", va="center", fontsize=13, color=color)


def _body(slider: Slider, place: tuple[float, float]) -> Patch:
    x, y = place
    match slider:
        case "ball":
            return Circle(place, SLIDER)
        case "box":
            return Rectangle((x - SLIDER, y - SLIDER), 2.0 * SLIDER, 2.0 * SLIDER)
        case "capsule":
            angles = [math.pi * (k / 24.0 - 0.5) for k in range(25)]
            right = [(SLIDER + SLIDER * math.cos(angle), SLIDER * math.sin(angle)) for angle in angles]
            outline = right + [(-dx, -dy) for dx, dy in right]
            return Polygon([(x + dx, y + dy) for dx, dy in outline])


def _name_row(figure: Figure, top: Axes, bottom: Axes, name: str, color: str) -> None:
    """Write a name at the left of panels that stand above each other."""
    middle = 0.5 * (top.get_position().y1 + bottom.get_position().y0)
    figure.text(0.02, middle, name, rotation=90, ha="center", va="center", fontsize=16, color=color)


def _write(figure: Figure, path: Path) -> None:
    """Save with 256 colors: a third of the bytes."""
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=_DPI)
    pyplot.close(figure)
    with Image.open(drawn) as image:
        image.convert("RGB").quantize(256).save(path, optimize=True)


def _frame(panel: Axes, xs: tuple[float, float], ys: tuple[float, float]) -> None:
    panel.set_xlim(*xs)
    panel.set_ylim(*ys)
    panel.set_aspect("equal")
    panel.axis("off")


def _add(panel: Axes, patch: Patch, fill: str, edge: str) -> None:
    patch.set(facecolor=fill, edgecolor=edge, linewidth=1.4, zorder=4)
    panel.add_patch(patch)


def _points_per_unit(panel: Axes) -> float:
    """Of a line's width, in the panel's units as it is drawn."""
    panel.apply_aspect()
    corners = panel.transData.transform([(0.0, 0.0), (1.0, 0.0)])
    return float(corners[1, 0] - corners[0, 0]) * 72.0 / _DPI
