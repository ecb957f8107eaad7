"""Four thousand discs in arrays: spawned at once, stirred by the mouse, bounced and heated by the hits of each step.

Mouse: hold a button to draw the swarm together. Esc: quit.
"""

import esper
import numpy as np
import pyglet
from pyglet.window import mouse

import ecsphys
from ecsphys import CircleCollider, Component, Drag, Transform, Velocity, WorldBounds
from ecsphys.debug_draw import Painter, View, blending

WIDTH, HEIGHT, COUNT, RADIUS = 960, 540, 4000, 3.0
COLD, HOT = np.array((0.20, 0.45, 0.85)), np.array((1.0, 0.80, 0.35))


class Heat(Component):
    """What a disc gets from each bounce, and loses with time."""

    value: float = 0.0


class Swarm(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Swarm")
        self.label, self.painter = pyglet.text.Label("", x=20, y=HEIGHT - 34, font_size=14), Painter()
        self.mouse = mouse.MouseStateHandler()
        self.push_handlers(self.mouse)
        self.physics = ecsphys.install()
        esper.add_processor(ecsphys.WorldBoundsSystem(self.physics), ecsphys.BOUNDS_PRIORITY)
        random = np.random.default_rng(1)
        turns = random.uniform(0, 2 * np.pi, COUNT)
        ecsphys.spawn_many(
            COUNT,
            Transform.many(x=random.uniform(0, WIDTH, COUNT), y=random.uniform(0, HEIGHT, COUNT)),
            Velocity.many(x=60 * np.cos(turns), y=60 * np.sin(turns)),
            CircleCollider.many(RADIUS),
            WorldBounds.many(0, 0, WIDTH, HEIGHT, "bounce", margin=RADIUS),
            Drag.many(0.5),
            Heat.many(),
        )

    def update(self, dt: float) -> None:
        esper.process(1 / 60)
        _, places, speeds, heats = ecsphys.join(Transform, Velocity, Heat)
        vx, vy, heat = Velocity.column("x"), Velocity.column("y"), Heat.column("value")
        heat[heats] *= 0.96
        # Two equal discs that bounce swap their speeds along the normal: the very hits of this step, as arrays.
        started = self.physics.started
        swap = started.approach_speed[:, None].clip(min=0) * started.normal
        for entities, sign in (started.entity_a, -1), (started.entity_b, 1):
            rows = Velocity.rows_of(entities)
            np.add.at(vx, rows, sign * swap[:, 0])  # a disc may have several hits
            np.add.at(vy, rows, sign * swap[:, 1])
            np.maximum.at(heat, Heat.rows_of(entities), started.approach_speed.clip(0, 300) / 300)
        if any(self.mouse[button] for button in (mouse.LEFT, mouse.RIGHT)):
            dx = self.mouse["x"] - Transform.column("x", writable=False)[places]
            dy = self.mouse["y"] - Transform.column("y", writable=False)[places]
            pull = 900 / 60 / np.hypot(dx, dy).clip(min=40)
            vx[speeds] += pull * dx
            vy[speeds] += pull * dy

    def on_draw(self) -> None:
        _, places, heats = ecsphys.join(Transform, Heat)
        points = np.column_stack([Transform.column(name, writable=False)[places] for name in ("x", "y")])
        heat = Heat.column("value", writable=False)[heats][:, None]
        self.clear()
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.circles(points, RADIUS, COLD + heat * (HOT - COLD))
            self.painter.boxes(np.array([(12.0, 496.0, 250.0, 532.0)]), (0.0, 0.0, 0.0), fill=0.8)
            self.painter.end()
        self.label.text = f"{COUNT} discs, {len(self.physics.hits)} hits"
        self.label.draw()


if __name__ == "__main__":
    game = Swarm()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
