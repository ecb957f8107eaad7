"""A top-down shooter: layers by a table, swept bullets, hit listeners, particles, foes steered as arrays.

W A S D: walk. Mouse: aim; hold the left button to shoot. Esc: quit.
"""

import enum

import esper
import numpy as np
import pyglet
from pyglet.math import Vec2
from pyglet.window import key, mouse

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Hit, HitListener, OBBCollider, Transform, Velocity
from ecsphys.debug_draw import DebugDraw, Painter, View, blending

WALLS = [(0, 0, 960, 12), (0, 528, 960, 12), (0, 0, 12, 540), (948, 0, 12, 540)]
WALLS += [(x, y, 60, 60) for x in (200, 700) for y in (110, 370)]
Layer = enum.IntFlag("Layer", "WALL PLAYER FOE SHOT")
TABLE = ecsphys.CollisionTable(
    Layer, {Layer.WALL: Layer.PLAYER | Layer.FOE | Layer.SHOT, Layer.FOE: Layer.PLAYER | Layer.FOE | Layer.SHOT}
)
SPARKS = ecsphys.Emitter(vx_spread=130, vy_spread=130, lifetime=0.5, splash=ecsphys.Splash.NORMAL, drag=3)


class Foe(ecsphys.Component):
    life: int = 3


class Shooter(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(960, 540, "Shooter")
        pyglet.gl.glClearColor(0.06, 0.07, 0.10, 1.0)
        self.label = pyglet.text.Label("", x=30, y=500, font_size=14)
        self.keys, self.mouse, self.random = key.KeyStateHandler(), mouse.MouseStateHandler(), np.random.default_rng(1)
        self.push_handlers(self.keys, self.mouse)
        self.steps, self.life, self.kills = 0, 100, 0
        self.physics = ecsphys.install()
        self.physics.bodies.length_unit = 50  # a unit is a pixel
        self.particles = ecsphys.ParticleSystem(self.physics)
        esper.add_processor(self.particles, ecsphys.PARTICLE_PRIORITY)
        self.debug_draw, self.painter = DebugDraw(self.physics, contacts=False, normals=False), Painter()
        for x, y, width, height in WALLS:
            box = AABBCollider.from_rect(0, 0, width, height)
            esper.create_entity(Transform(x, y), box, ecsphys.Solid(), TABLE.filter(Layer.WALL))
        self.place, listener = Transform(480, 270), HitListener(on_started=self.on_touched_by_foe)
        self.player = esper.create_entity(self.place, CircleCollider(14), TABLE.filter(Layer.PLAYER), listener)

    def update(self, dt: float) -> None:
        if self.life == 0:
            return
        self.steps += 1
        held, place = self.keys, Vec2(self.place.x, self.place.y)
        way = Vec2(held[key.D] - held[key.A], held[key.W] - held[key.S]).normalize()
        self.physics.move_and_slide(self.player, way * 4, up=(0, 0))
        if self.steps % 40 == 1:  # a foe comes in at the left or the right
            start = Transform(self.random.choice((40, 920)), self.random.uniform(60, 480))
            body = OBBCollider(13, 13), ecsphys.RigidBody(friction=0), TABLE.filter(Layer.FOE)
            esper.create_entity(start, Velocity(), Foe(), *body)
        if self.mouse[mouse.LEFT] and self.steps % 6 == 0:
            shot = CircleCollider(4), ecsphys.Bullet(), TABLE.filter(Layer.SHOT), HitListener(on_started=self.on_strike)
            speed = (Vec2(self.mouse["x"], self.mouse["y"]) - place).normalize() * 1500
            esper.create_entity(Transform(*place), Velocity(*speed), *shot)
        foes, rows, _ = ecsphys.join(Transform, Foe)  # all foes at once walk towards the player
        x, y = (Transform.column(name, writable=False)[rows] for name in ("x", "y"))
        ways = np.column_stack((place.x - x, place.y - y))
        self.physics.bodies.set_velocity(foes, 90 * ways / np.linalg.norm(ways, axis=1, keepdims=True))
        esper.process(1 / 60)

    def on_strike(self, hit: Hit) -> None:
        """A shot, entity_a, has hit a wall or a foe, entity_b."""
        esper.delete_entity(hit.entity_a)
        self.particles.burst(*hit.points[0], 12, SPARKS)
        if foe := esper.try_component(hit.entity_b, Foe):
            foe.life -= 1
            if foe.life == 0:
                self.kills += 1
                self.particles.burst(*hit.points[0], 200, SPARKS)
                esper.delete_entity(hit.entity_b)

    def on_touched_by_foe(self, hit: Hit) -> None:
        self.life = max(self.life - 10, 0)

    def on_draw(self) -> None:
        self.clear()
        self.debug_draw.draw()
        with blending():
            self.painter.begin(View.of_window(self))
            fading = 1 - self.particles.age / self.particles.lifetime
            self.painter.circles(self.particles.position, 3.0, (1.0, 0.75, 0.3), fading)
            self.painter.end()
        self.label.text = f"Life: {self.life or 'game over'}    Foes beaten: {self.kills}"
        self.label.draw()


if __name__ == "__main__":
    game = Shooter()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
