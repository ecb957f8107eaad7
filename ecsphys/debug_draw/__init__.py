"""Debug drawing for a game's own pyglet window: one call draws a world.

This package is the only part of ecsphys, but for the demo, that needs pyglet. :class:`DebugDraw` is all that a game
needs; :class:`Painter` draws more in the same way, thousands of strokes, circles and boxes from arrays.
"""

from ecsphys.debug_draw.drawer import DebugDraw, blending
from ecsphys.debug_draw.painter import Painter
from ecsphys.debug_draw.view import View

__all__ = ["DebugDraw", "Painter", "View", "blending"]
