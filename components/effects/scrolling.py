"""Scrolling: cameras, and pictures that move with them."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import MixedComponent


@final
class Camera(MixedComponent):
    """A view into the world that follows an entity; needs a :class:`ScrollingSystem`.

    Parameters
    ----------
    x, y
        The center of the view, in the world.
    view_width, view_height
        The size of the view, world units, > 0.
    world_width, world_height
        The size of the level, >= 0. The view stays inside the level; if the level is smaller than the view, the view
        stays in its middle. 0: no bounds. Chapter B1.
    world_x, world_y
        The lower left corner of the level.
    target
        The entity whose ``Transform`` the camera follows, −1 for none.
    dead_zone_x, dead_zone_y
        How far the target may be from the center before the camera moves, units, >= 0; 0 keeps it in the center.
        Chapters B3, B4.
    speed_x, speed_y
        Speed of a camera without a target, units/s: it moves from edge to edge. Chapter B1.

    Examples
    --------
    >>> player = esper.create_entity(Transform(4, 4))
    >>> camera = esper.create_entity(Camera(0, 0, 320, 180, target=player, dead_zone_x=20))
    """

    x: float
    y: float
    view_width: float = column(above=0.0)
    view_height: float = column(above=0.0)
    world_width: float = column(default=0.0, low=0.0)
    world_height: float = column(default=0.0, low=0.0)
    world_x: float = 0.0
    world_y: float = 0.0
    target: int = -1
    dead_zone_x: float = column(default=0.0, low=0.0)
    dead_zone_y: float = column(default=0.0, low=0.0)
    speed_x: float = 0.0
    speed_y: float = 0.0


@final
class ParallaxLayer(MixedComponent):
    """A picture of ``width`` × ``height`` units that reaches its ends when the camera reaches the ends of its world.

    On an axis on which the level has no bounds, or fits into the view, the picture stays in the middle of the view.

    Parameters
    ----------
    width, height
        The picture's size, world units, > 0.
    camera
        The entity of its ``Camera``, −1 for the world's first.
    screen_x, screen_y
        Position at which its lower left corner is drawn, from the view's lower left corner, units. The
        :class:`ScrollingSystem` writes it. Chapter B2.

    Examples
    --------
    >>> hills = esper.create_entity(ParallaxLayer(width=480, height=180))
    """

    width: float = column(above=0.0)
    height: float = column(above=0.0)
    camera: int = -1
    screen_x: float = 0.0
    screen_y: float = 0.0


@final
class PerspectiveFloor(MixedComponent):
    """A picture with ``row_count`` rows, as wide as the near (bottom) row, with a trapezoid in its middle.

    Each row scrolls as a layer of its own width: near rows move faster than far rows, and all reach their ends
    together. Rows that are narrower than the view stay in its middle. ``ScrollingSystem.floor_shifts`` has the shifts.

    Parameters
    ----------
    far_width, near_width
        Width of the last row and of row 0, at the bottom, units, > 0; the rows between change linearly.
    row_count
        1 to 1,000,000.
    camera
        The entity of its ``Camera``, −1 for the world's first. Chapter B7.

    Examples
    --------
    >>> floor = esper.create_entity(PerspectiveFloor(far_width=400, near_width=900, row_count=60))
    """

    far_width: float = column(above=0.0)
    near_width: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    camera: int = -1


@final
class RasterWave(MixedComponent):
    """Each of ``row_count`` rows is shifted by amplitude·sin(2π(t/period − y/wavelength)).

    ``ScrollingSystem.wave_shifts`` has the shifts.

    Parameters
    ----------
    amplitude
        Units.
    period
        Seconds, > 0.
    wavelength
        Units, > 0.
    row_count
        1 to 1,000,000.
    row_height
        Units, > 0; row r, counted from the bottom, is at y = r·``row_height``.
    elapsed
        t in seconds, settable. Chapter B6.

    Examples
    --------
    >>> water = esper.create_entity(RasterWave(amplitude=3, period=2, wavelength=40, row_count=64))
    """

    amplitude: float
    period: float = column(above=0.0)
    wavelength: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    row_height: float = column(default=1.0, above=0.0)
    elapsed: float = 0.0
