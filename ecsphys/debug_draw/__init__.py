"""Debug drawing for a game's own pyglet window: one call draws a world.

Besides the demo, only this package needs pyglet. :class:`DebugDraw` is all that a game needs. :class:`Painter` draws
thousands of strokes, circles and boxes from arrays in the same style.
"""

from ecsphys.debug_draw.drawer import DebugDraw, Painter, View, blending

__all__ = ["DebugDraw", "Painter", "View", "blending"]
