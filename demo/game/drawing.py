"""The game's picture: backdrop, coast, figures, sparks and signs, painted anew each frame from the world."""

from __future__ import annotations

import math

import numpy as np
from pyglet import gl

from ecsphys.debug_draw import DebugDraw, Painter, View
from ecsphys.demo.game import palette
from ecsphys.demo.game.backdrop import Backdrop
from ecsphys.demo.game.bridge_picture import BridgePicture
from ecsphys.demo.game.brush import Brush
from ecsphys.demo.game.debris_picture import DebrisPicture
from ecsphys.demo.game.figures import paint_foes, paint_harms, paint_hero, paint_lasers, paint_strikes
from ecsphys.demo.game.hud import Hud
from ecsphys.demo.game.level import VIEW_BOTTOM, VIEW_HEIGHT, VIEW_WIDTH
from ecsphys.demo.game.scenery import Scenery
from ecsphys.demo.game.session import Session
from ecsphys.demo.game.world import Game
from ecsphys.demo.labels import say_missing
from ecsphys.demo.palette import BACKGROUND

_RINGS = {"strike": (0.9, 0.18), "defeat": (2.6, 0.45), "hurt": (1.8, 0.3), "fizzle": (0.6, 0.15), "break": (0.9, 0.2)}
"""Moments that leave a ring: how wide it grows, in how many seconds."""


class GamePicture:
    """Draws a game into the current OpenGL context."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._brush = Brush()
        self._signs = Brush()
        self._backdrop = Backdrop()
        self._scenery = Scenery()
        self._bridge = BridgePicture()
        self._debris = DebrisPicture()
        self._painter = Painter()
        self._debug = DebugDraw(game.physics, boxes=True)
        self._hud: Hud | None = None
        self._has_text = True
        self._hud_size = (0, 0)
        self._size = (1280, 720)
        self._shown: tuple[object, ...] = ()
        """What the signs in the vertex buffer show."""

    def draw(self, size: tuple[int, int], density: float = 1.0, debug: bool = False, note: str = "") -> None:
        """Draw the game as its last step has left it, as large as a picture of ``size`` pixels shows all of it.

        ``debug`` shows the colliders and hits as well, ``note`` is a line of text in a corner.
        """
        self._game.enter()
        self._size = size
        session, scale = self._game.session, self._scale()
        middle = (0.5 * size[0], 0.5 * size[1])
        gl.glClearColor(*BACKGROUND, 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._clip(middle, scale, density)
        view_x, view_y = session.view_x, VIEW_BOTTOM + 0.5 * VIEW_HEIGHT
        jolt = 0.35 * session.shake**2
        shaken = (view_x + jolt * math.sin(71.0 * session.time), view_y + jolt * math.sin(93.0 * session.time))
        self._brush.begin(shaken, scale, middle)
        self._paint(session)
        self._brush.end(size)
        if debug:
            self._debug_draw(View(*shaken, (2.0 * scale / size[0], 0.0, 0.0, 2.0 * scale / size[1]), 1.0 / scale))
        if self._hud_size != size:
            self._hud, self._hud_size, self._shown = Hud(middle, scale * VIEW_WIDTH / 1280.0), size, ()
        assert self._hud is not None
        shown = self._hud.shown(session)
        if shown == self._shown:
            self._signs.again(size)
        else:
            self._signs.begin((640.0, 360.0), scale * VIEW_WIDTH / 1280.0, middle)
            self._hud.paint(self._signs, session)
            self._signs.end(size)
            self._shown = shown
        if self._has_text:
            try:
                self._hud.draw(session, (view_x, view_y, 1280.0 / VIEW_WIDTH), note)
            except ImportError as error:
                self._has_text = False
                say_missing(error)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """The world's place at a pixel of the picture that was drawn last."""
        scale = self._scale()
        across, up = (x - 0.5 * self._size[0]) / scale, (y - 0.5 * self._size[1]) / scale
        return self._game.session.view_x + across, VIEW_BOTTOM + 0.5 * VIEW_HEIGHT + up

    def _scale(self) -> float:
        """Pixels to a unit of the world."""
        return min(self._size[0] / VIEW_WIDTH, self._size[1] / VIEW_HEIGHT)

    def _debug_draw(self, view: View) -> None:
        self._painter.begin(view)
        self._debug.paint(self._painter)
        self._painter.end()

    @staticmethod
    def _clip(middle: tuple[float, float], scale: float, density: float) -> None:
        width, height = scale * VIEW_WIDTH, scale * VIEW_HEIGHT
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glScissor(
            round(density * (middle[0] - 0.5 * width)),
            round(density * (middle[1] - 0.5 * height)),
            round(density * width),
            round(density * height),
        )

    def _paint(self, session: Session) -> None:
        brush, time = self._brush, session.time
        self._backdrop.paint(brush, session)
        self._scenery.paint(brush, session.view_x, time)
        self._bridge.paint_behind(brush, session.view_x, time)
        self._debris.paint(brush, session.view_x)
        paint_foes(brush, session)
        paint_hero(brush, session)
        self._bridge.paint_before(brush, session.view_x)
        paint_strikes(brush, session)
        paint_harms(brush, session)
        paint_lasers(brush, session)
        _paint_particles(brush, session)
        self._paint_moments(session)
        if session.fight is not None:
            self._paint_walls(session.fight.x)
        self._backdrop.paint_water(brush, session.view_x, time)

    def _paint_walls(self, middle: float) -> None:
        """Light at both ends of the view, where the way is closed."""
        for x in (middle - 0.5 * VIEW_WIDTH, middle + 0.5 * VIEW_WIDTH):
            wall = np.array(((x, 0.0), (x, VIEW_BOTTOM + VIEW_HEIGHT + 1.0)))
            self._brush.line(wall, 2.4, palette.HARM, np.array((0.9, 0.3)), light=True, soft=True)

    def _paint_moments(self, session: Session) -> None:
        for moment in session.moments:
            if moment.name not in _RINGS:
                continue
            reach, seconds = _RINGS[moment.name]
            age = (session.time - moment.time) / seconds
            if age < 1.0:
                color = palette.HARM if moment.name in ("hurt", "break") else palette.LIGHT
                here = np.array([[moment.x, moment.y]])
                self._brush.rings(here, reach * math.sqrt(age), 0.22, color, 0.9 * (1.0 - age))
                self._brush.discs(here, 0.8 * reach * (1.0 - age), palette.SUN, 0.5, edge=0.0, light=True)


# In the order of the kinds in splashes.py.
_PARTICLE_COLORS = np.array(
    (palette.LIGHT, palette.MOTE, palette.EYE, palette.WOOD_LIGHT, palette.TEXT_SOFT, palette.WAVE_TOP, palette.HEART)
)


def _paint_particles(brush: Brush, session: Session) -> None:
    particles = session.particles
    if not len(particles):
        return
    left = 1.0 - particles.age / particles.lifetime
    brush.flecks(particles.position, 0.05 + 0.11 * left, _PARTICLE_COLORS[particles.style], np.sqrt(left))
