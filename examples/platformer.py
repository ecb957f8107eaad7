"""A platformer on one screen: run, jump, ride a platform, jump up through planks, walk up a hill, collect coins.

Left and right: run. Space: jump. Down: drop through a plank. Esc: quit.
"""

import enum

import esper
import pyglet
from pyglet import shapes
from pyglet.window import key

import ecsphys
from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, Hit, HitListener, OneWay, Solid, Transform

EARTH, WOOD, LIFT = (94, 128, 76), (150, 108, 74), (202, 116, 62)
GROUND = [(0, 0, 960, 60), (0, 60, 40, 480), (920, 60, 40, 480), (420, 60, 90, 70), (740, 60, 180, 90)]
PLANKS = [(110, 180, 150, 12), (290, 280, 130, 12), (110, 380, 110, 12)]
HILL = [(600, 60), (740, 60), (740, 150)]
COINS = [(140, 215), (185, 215), (230, 215), (140, 415), (190, 415), (330, 315), (380, 315), (830, 190), (880, 190)]
Layer = enum.IntFlag("Layer", "DEFAULT HERO COIN")


class Platformer(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(960, 540, "Platformer")
        pyglet.gl.glClearColor(0.53, 0.78, 0.92, 1.0)
        self.batch, self.keys, self.coins = pyglet.graphics.Batch(), key.KeyStateHandler(), 0
        self.push_handlers(self.keys)
        self.label = pyglet.text.Label("", 60, 500, font_size=16, color=(40, 60, 90, 255), batch=self.batch)
        self.physics = ecsphys.install(fixed_step=60)
        for rectangle in GROUND:
            self.add(*rectangle, EARTH, Solid())
        for rectangle in PLANKS:
            self.add(*rectangle, WOOD, Solid(), OneWay())
        ride = ecsphys.PathTrajectory([(520, 180), (520, 400), (760, 400), (760, 250)], speed=90)
        self.add(520, 180, 110, 16, LIFT, Solid(), ride)
        esper.create_entity(Transform(), ecsphys.PolygonCollider(HILL), Solid())
        self.hill = shapes.Polygon(*HILL, color=EARTH, batch=self.batch)
        for x, y in COINS:
            coin = shapes.Circle(x, y, 10, color=(255, 209, 64), batch=self.batch)
            meets = ecsphys.collision_filter(Layer.COIN, meets=Layer.HERO)
            esper.create_entity(Transform(x, y), CircleCollider(10), meets, HitListener(on_started=self.collect), coin)
        look = shapes.Rectangle(0, 0, 28, 48, (192, 57, 70), batch=self.batch)
        look.anchor_position = 14, 24
        parts = ecsphys.Character(step_height=14, snap_distance=14), ecsphys.collision_filter(Layer.HERO)
        self.hero = esper.create_entity(Transform(80, 90), CapsuleCollider.upright(48, 14), *parts, look)
        # In the step: after platforms have moved, before hits are found.
        self.physics.fixed_step.add(Running(self), ecsphys.BROADPHASE_PRIORITY + 25)

    def add(self, x: float, y: float, width: float, height: float, color: tuple[int, int, int], *more: object) -> None:
        look = shapes.Rectangle(x, y, width, height, color, batch=self.batch)
        esper.create_entity(Transform(x, y), AABBCollider.from_rect(0, 0, width, height), look, *more)

    def collect(self, hit: Hit) -> None:
        esper.delete_entity(hit.entity_a)
        self.coins += 1

    def on_draw(self) -> None:
        for entity, look in esper.get_component(shapes.Rectangle):
            look.position = self.physics.fixed_step.pose(entity)[:2]  # between the last two steps
        self.label.text = f"Coins: {self.coins} of {len(COINS)}"
        self.clear()
        self.batch.draw()


class Running(esper.Processor):
    """Moves the hero: gravity, a jump that is forgiven shortly after an edge, and the platform's speed in the jump."""

    def __init__(self, game: Platformer) -> None:
        self.game, self.rise, self.drift, self.grace = game, 0.0, 0.0, 0.0

    def process(self, dt: float) -> None:
        game, held = self.game, self.game.keys
        run = 280 * (held[key.RIGHT] - held[key.LEFT]) + self.drift
        self.rise -= 1900 * dt
        move = game.physics.move_character(game.hero, (run * dt, self.rise * dt), drop=held[key.DOWN])
        self.grace = 0.1 if move.on_floor else self.grace - dt
        if move.on_floor:
            self.rise = self.drift = 0.0
        elif move.on_ceiling:
            self.rise = min(self.rise, 0.0)
        if held[key.SPACE] and self.grace > 0:
            self.rise, self.drift, self.grace = 760.0, move.floor_velocity[0], 0.0


if __name__ == "__main__":
    game = Platformer()
    pyglet.clock.schedule_interval(esper.process, 1 / 60)
    pyglet.app.run()
