"""A lamp at the mouse: 1,440 rays in one call, stopped by anything in their way. Find all the gems.

Mouse: move the lamp. Esc: quit.

    python examples/lamp.py
"""

import copy

import esper
import numpy as np
import pyglet
from numpy.typing import NDArray

import ecsphys
from ecsphys import CapsuleCollider, CircleCollider, OBBCollider, PolygonCollider, Transform, Velocity
from ecsphys.debug_draw import DebugDraw, Painter, View, blending

WIDTH = 960
HEIGHT = 540

RAYS = 1440
REACH = 420.0  # pixels
ANGLES = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
DIRECTIONS = np.column_stack((np.cos(ANGLES), np.sin(ANGLES)))  # (RAYS, 2)

# Components are objects: each wall gets a copy of one of these colliders.
WALLS: list[ecsphys.Collider] = [
    OBBCollider(60, 14),
    CapsuleCollider(80, 14),
    PolygonCollider([(-45, -30), (45, -30), (0, 50)]),
]
GEMS = 24
GEM_RADIUS = 6

SLATE = (0.45, 0.50, 0.62)
DIM = (0.25, 0.25, 0.32)
LAMPLIGHT = (1.0, 0.85, 0.55)
GOLD = (1.0, 0.8, 0.3)


class Gem(ecsphys.Component):
    """A component of the game. Its field is a column, so all gems can be changed at once."""

    found: int = 0


class Lamp(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Lamp")
        self.label = pyglet.text.Label("", x=20, y=HEIGHT - 34, font_size=14)
        self.lamp = (400.0, 285.0)
        self.physics = ecsphys.install()

        # DebugDraw draws all colliders. Each kind of collider has a color; the first is for circles (the gems).
        colors = [DIM, SLATE, SLATE, SLATE, SLATE, SLATE]
        self.debug_draw = DebugDraw(self.physics, contacts=False, normals=False, colors=colors)
        self.painter = Painter()

        self.random = np.random.default_rng(5)
        for row in range(3):
            for column in range(5):
                self.add_wall(110 + 185 * column, 90 + 180 * row, copy.copy(WALLS[(5 * row + column) % 3]))
        for x, y in self.random.uniform((20, 20), (WIDTH - 20, HEIGHT - 60), (GEMS, 2)):
            esper.create_entity(Transform(x, y), CircleCollider(GEM_RADIUS), Gem())
        self.update(0.0)

    def add_wall(self, x: float, y: float, collider: ecsphys.Collider) -> None:
        """A wall near (x, y) that turns slowly."""
        x += self.random.uniform(-40, 40)
        y += self.random.uniform(-40, 40)
        turning = Velocity(angular=self.random.uniform(-0.5, 0.5))
        angle = self.random.uniform(0, 6)
        esper.create_entity(Transform(x, y, angle), turning, collider)

    def update(self, dt: float) -> None:
        esper.process(dt)

        # Cast all rays in one call. Each ray needs an origin, so the lamp's position is repeated.
        origins = np.full((RAYS, 2), self.lamp)
        self.light = self.physics.raycast_batch(origins, DIRECTIONS, REACH)

        # light.entity is the entity that stopped each ray, or -1. A gem that stopped a ray is found.
        gems, rows = ecsphys.join(Gem)
        is_lit = np.isin(gems, self.light.entity)
        Gem.column("found")[rows] |= is_lit

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self.lamp = (x, y)

    def found_gems(self) -> NDArray[np.float64]:
        """The positions (n, 2) of all gems that the light has found."""
        _, places, gems = ecsphys.join(Transform, Gem)
        is_found = Gem.column("found", writable=False)[gems] == 1
        x = Transform.column("x", writable=False)[places[is_found]]
        y = Transform.column("y", writable=False)[places[is_found]]
        return np.column_stack((x, y))

    def on_draw(self) -> None:
        origins = np.full((RAYS, 2), self.lamp)
        ends = self.lamp + DIRECTIONS * self.light.distance[:, None]
        found = self.found_gems()

        self.clear()
        # Draw the light first, then the walls, then the glow of the gems.
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.strokes(origins, ends, 4.0, LAMPLIGHT, 0.1)
            self.painter.end()
        self.debug_draw.draw()
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.circles(found, GEM_RADIUS, GOLD)
            self.painter.end()

        self.label.text = f"Gems found: {len(found)} of {GEMS}"
        self.label.draw()


if __name__ == "__main__":
    game = Lamp()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
