"""The manual's figures: all are in the manual, they are made again by one command, and they show what is true."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import esper
import numpy as np
import pytest
from fresh_python import python
from numpy import uint8
from picture import assert_shows_something, color_count, missing_opengl, off_screen, read_png, skip_without

from ecsphys import Bullet, RigidBody, Transform, Velocity
from ecsphys.demo.image_files import encode_png

if TYPE_CHECKING:
    from pyglet.window import Window

    from figures.panel import Panel

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"
sys.path.append(str(ROOT))  # the figures are not installed


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with off_screen(1280, 720) as opened:
        yield opened


@pytest.mark.usefixtures("window")
def test_every_figure_is_among_the_pictures_of_the_manual() -> None:
    from figures.catalog import FIGURES

    assert len(FIGURES) > 25
    for name, figure in FIGURES.items():
        path = PICTURES / f"{name}.png"
        assert read_png(path).shape[1::-1] == figure.size, name
        assert path.stat().st_size < 130_000, name


def test_the_command_makes_figures_by_their_names(tmp_path: Path) -> None:
    skip_without(missing_opengl())
    done = python("-m", "figures", "--folder", str(tmp_path), "joint-gear", "sensor-solid", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["joint-gear", "sensor-solid"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["joint-gear.png", "sensor-solid.png"]
    for path in tmp_path.iterdir():
        picture = read_png(path)
        assert_shows_something(picture)
        # Text is written over it in nearly white.
        assert (picture[:60, :, :3].min(axis=2) > 200).sum() > 100


def test_the_command_names_the_figures_if_it_is_asked_for_another(tmp_path: Path) -> None:
    skip_without(missing_opengl())
    done = python("-m", "figures", "--folder", str(tmp_path), "joint-glue", cwd=ROOT)
    assert done.returncode == 2
    assert "there is no figure joint-glue; there are which-one" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("window")
def test_balls_meet_the_blocking_side_of_a_chain_and_pass_from_the_other() -> None:
    from figures.frames import chain_side

    ground, cave, island = (heights(panel) for panel in chain_side())
    # First the ball that is blocked, then the one that passes; the rings reach from −2 to 2.1.
    assert -1.0 < ground[0] < 0.0
    assert ground[1] > 0.0
    assert -1.9 < cave[0] < -1.0
    assert cave[1] < 1.0
    assert island[0] > 2.0
    assert island[1] < -2.2


@pytest.mark.usefixtures("window")
def test_the_same_throw_is_drawn_with_y_up_and_with_y_down() -> None:
    from figures.frames import y_up_down

    up, down = y_up_down()
    (high,), (low,) = heights(up), heights(down)
    assert high == pytest.approx((down.view[3] - low) / 40.0, abs=0.1)
    assert high > 3.0


@pytest.mark.usefixtures("window")
def test_a_bullet_stops_before_the_wall_that_its_neighbour_has_passed() -> None:
    from figures.kinds import which_one

    panels = which_one()
    (panel,) = (panel for panel in panels if any(note.text == "with Bullet" for note in panel.notes))
    panel.live.enter()
    (bullet, _), *_ = esper.get_component(Bullet)
    (plain,) = (entity for entity, _ in esper.get_component(Velocity) if entity != bullet)
    wall = 1.2
    assert esper.component_for_entity(bullet, Transform).x < wall < esper.component_for_entity(plain, Transform).x
    for other in panels:
        other.live.close()


def heights(panel: Panel) -> list[float]:
    """y of the dynamic bodies of a panel, the first one made first; closes its world."""
    panel.live.enter()
    found = [place.y for _, (_, place) in sorted(esper.get_components(RigidBody, Transform), key=lambda row: row[0])]
    panel.live.close()
    return found


def test_a_picture_of_many_colours_keeps_a_rare_one_that_is_unlike_the_rest(tmp_path: Path) -> None:
    columns = np.arange(256, dtype=uint8)
    picture = np.stack(np.broadcast_arrays(columns[None, :], columns[:, None], np.full((256, 256), 90, uint8)), axis=2)
    picture[7, 9] = (10, 20, 255)
    path = tmp_path / "picture.png"
    path.write_bytes(encode_png(picture))
    shown = read_png(path)
    assert shown.shape == picture.shape
    assert np.abs(shown[7, 9].astype(int) - (10, 20, 255)).max() <= 1
    assert color_count(shown) == 256
    assert np.abs(shown.astype(int) - picture).mean() < 6.0
