"""A platformer on one screen: run, jump, ride a platform, jump up through planks, walk up a hill, collect coins.

Left and right: run. Space: jump. Down: drop through a plank. Esc: quit.
"""

import enum

import esper
import pyglet
from pyglet import shapes
from pyglet.window import key

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    CollisionFilter,
    HitListener,
    OneWay,
    Solid,
    Transform,
)
from ecsphys.types import Hit

EARTH = (94, 128, 76)
WOOD = (150, 108, 74)
RUST = (202, 116, 62)
RED = (192, 57, 70)
GOLD = (255, 209, 64)

# Left, bottom, width, height, in pixels.
GROUND = [(0, 0, 960, 60), (0, 60, 40, 480), (920, 60, 40, 480), (420, 60, 90, 70), (740, 60, 180, 90)]
PLANKS = [(110, 180, 150, 12), (290, 280, 130, 12), (110, 380, 110, 12)]
HILL = [(600, 60), (740, 60), (740, 150)]
COINS = [(140, 215), (185, 215), (230, 215), (140, 415), (190, 415), (330, 315), (380, 315), (830, 190), (880, 190)]

RUN_SPEED = 280  # pixels/s
JUMP_SPEED = 760
GRAVITY = 1900  # pixels/s²
GRACE = 0.1  # seconds in which you can still jump after the hero has left an edge ("coyote time")


class Layer(enum.IntFlag):
    DEFAULT = enum.auto()
    HERO = enum.auto()
    COIN = enum.auto()


class Platformer(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(960, 540, "Platformer")
        pyglet.gl.glClearColor(0.53, 0.78, 0.92, 1.0)
        self.batch = pyglet.graphics.Batch()
        self.keys = key.KeyStateHandler()
        self.push_handlers(self.keys)
        self.label = pyglet.text.Label("", 60, 500, font_size=16, color=(40, 60, 90, 255), batch=self.batch)
        self.coins = 0
        # Fixed steps: the hero jumps equally high at every frame rate.
        self.physics = ecsphys.install(fixed_step=60)
        self.build_level()
        self.hero = self.add_hero(80, 90)

        # The hero moves in each step, after the platforms have moved, and before hits (with coins) are found.
        self.physics.fixed_step.add(Running(self), ecsphys.Priority.BROADPHASE + 25)

    def build_level(self) -> None:
        for rectangle in GROUND:
            self.add_block(*rectangle, EARTH, Solid())
        for rectangle in PLANKS:
            self.add_block(*rectangle, WOOD, Solid(), OneWay())
        ride = ecsphys.PathTrajectory([(520, 180), (520, 400), (760, 400), (760, 250)], speed=90)
        self.add_block(520, 180, 110, 16, RUST, Solid(), ride)

        esper.create_entity(Transform(), ecsphys.PolygonCollider(HILL), Solid())
        self.hill = shapes.Polygon(*HILL, color=EARTH, batch=self.batch)

        for x, y in COINS:
            look = shapes.Circle(x, y, 10, color=GOLD, batch=self.batch)
            # Coins have hits with the hero only. They are not Solid, so they block nothing.
            meets = CollisionFilter.of(Layer.COIN, meets=Layer.HERO)
            esper.create_entity(Transform(x, y), CircleCollider(10), meets, HitListener(on_started=self.collect), look)

    def add_block(
        self, x: float, y: float, width: float, height: float, color: tuple[int, int, int], *more: object
    ) -> None:
        """A rectangle with its lower left corner at (x, y), and more components."""
        look = shapes.Rectangle(x, y, width, height, color, batch=self.batch)
        esper.create_entity(Transform(x, y), AABBCollider.from_rect(0, 0, width, height), look, *more)

    def add_hero(self, x: float, y: float) -> int:
        look = shapes.Rectangle(0, 0, 28, 48, RED, batch=self.batch)
        look.anchor_position = 14, 24
        return esper.create_entity(
            Transform(x, y),
            CapsuleCollider.upright(48, 14),
            ecsphys.Character(step_height=14, snap_distance=14),
            CollisionFilter.of(Layer.HERO),
            look,
        )

    def collect(self, hit: Hit) -> None:
        esper.delete_entity(hit.entity_a)  # the coin, which has the listener
        self.coins += 1

    def on_draw(self) -> None:
        for entity, look in esper.get_component(shapes.Rectangle):
            x, y, _ = self.physics.fixed_step.pose(entity)  # between the last two steps, so nothing jitters
            look.position = (x, y)
        self.label.text = f"Coins: {self.coins} of {len(COINS)}"
        self.clear()
        self.batch.draw()


class Running(esper.Processor):
    """Moves the hero in each step."""

    def __init__(self, game: Platformer) -> None:
        self.game = game
        self.rise = 0.0  # vertical speed
        self.drift = 0.0  # horizontal speed of the platform that the hero jumped from
        self.grace = 0.0  # seconds in which you can still jump

    def process(self, dt: float) -> None:
        held = self.game.keys
        run = RUN_SPEED * (held[key.RIGHT] - held[key.LEFT]) + self.drift
        self.rise -= GRAVITY * dt

        # The hero stops at walls, slides along slopes and rides on platforms. Pass a displacement, not a speed.
        displacement = (run * dt, self.rise * dt)
        move = self.game.physics.move_character(self.game.hero, displacement, drop=held[key.DOWN])

        self.grace -= dt
        if move.on_floor:
            self.grace = GRACE
            self.rise = 0.0
            self.drift = 0.0
        elif move.on_ceiling:
            self.rise = min(self.rise, 0.0)

        if held[key.SPACE] and self.grace > 0:
            self.grace = 0.0
            self.rise = JUMP_SPEED
            self.drift = move.floor_velocity[0]


if __name__ == "__main__":
    game = Platformer()
    pyglet.clock.schedule_interval(esper.process, 1 / 60)
    pyglet.app.run()
