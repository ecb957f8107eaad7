"""A lamp at the mouse: 1,440 rays in one call, stopped by whatever stands in the way. Find all the gems.

Mouse: move the lamp. Esc: quit.
"""

import copy

import esper
import numpy as np
import pyglet

import ecsphys
from ecsphys import CapsuleCollider, CircleCollider, OBBCollider, PolygonCollider, Transform, Velocity
from ecsphys.debug_draw import DebugDraw, Painter, View, blending

WIDTH, HEIGHT, RAYS, REACH = 960, 540, 1440, 420.0
TURNS = np.linspace(0, 2 * np.pi, RAYS, endpoint=False)
DIRECTIONS = np.column_stack((np.cos(TURNS), np.sin(TURNS)))
WALLS = [OBBCollider(60, 14), CapsuleCollider(80, 14), PolygonCollider([(-45, -30), (45, -30), (0, 50)])]
SLATE, DIM = (0.45, 0.50, 0.62), (0.25, 0.25, 0.32)


class Gem(ecsphys.Component):
    found: int = 0


class Lamp(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Lamp")
        self.label = pyglet.text.Label("", x=20, y=HEIGHT - 34, font_size=14)
        self.lamp = (400.0, 285.0)
        self.physics = ecsphys.install()
        colors = [DIM, *[SLATE] * 5]  # circles, which are the gems, and all others
        self.debug_draw = DebugDraw(self.physics, contacts=False, normals=False, colors=colors)
        self.painter = Painter()
        random = np.random.default_rng(5)
        for n in range(15):
            x, y = 110 + 185 * (n % 5) + random.uniform(-40, 40), 90 + 180 * (n // 5) + random.uniform(-40, 40)
            turning = Velocity(angular=random.uniform(-0.5, 0.5))
            esper.create_entity(Transform(x, y, random.uniform(0, 6)), turning, copy.copy(WALLS[n % 3]))
        for x, y in random.uniform((20, 20), (WIDTH - 20, HEIGHT - 60), (24, 2)):
            esper.create_entity(Transform(x, y), CircleCollider(6), Gem())
        self.update(0.0)

    def update(self, dt: float) -> None:
        esper.process(dt)
        self.light = self.physics.raycast_batch(np.full((RAYS, 2), self.lamp), DIRECTIONS, REACH)
        gems, rows = ecsphys.join(Gem)
        Gem.column("found")[rows] |= np.isin(gems, self.light.entity)  # -1, where a ray hits nothing, is no gem

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        self.lamp = (x, y)

    def on_draw(self) -> None:
        ends = self.lamp + DIRECTIONS * self.light.distance[:, None]
        _, rows, gems = ecsphys.join(Transform, Gem)
        rows = rows[Gem.column("found", writable=False)[gems] == 1]
        found = np.column_stack([Transform.column(axis, writable=False)[rows] for axis in ("x", "y")])
        self.clear()
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.strokes(np.full((RAYS, 2), self.lamp), ends, 4.0, (1.0, 0.85, 0.55), 0.1)
            self.painter.end()
        self.debug_draw.draw()
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.circles(found, 6.0, (1.0, 0.8, 0.3))
            self.painter.end()
        self.label.text = f"Gems found: {len(found)} of {len(gems)}"
        self.label.draw()


if __name__ == "__main__":
    game = Lamp()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
