"""A level from the Tiled editor: the property "kind" of a tile decides its components. A camera follows the hero.

Left and right, or A and D: run. Space: jump. Esc: quit. Open assets/level.tmx in Tiled to change the level.

    pip install pytmx
    python examples/tiles.py
"""

import enum
from pathlib import Path

import esper
import pyglet
from pyglet.math import Mat4, Vec3
from pyglet.sprite import Sprite
from pyglet.window import key
from pytmx import TiledMap

import ecsphys
from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, CollisionFilter, HitListener, Solid, Transform
from ecsphys.effects import Camera, TileMap
from ecsphys.systems import ScrollingSystem
from ecsphys.types import Hit

ASSETS = Path(__file__).parent / "assets"
WIDTH = 960
HEIGHT = 544
TILE = 32  # pixels

RUN_SPEED = 240  # pixels/s
JUMP_SPEED = 720
GRAVITY = 1800  # pixels/s²
STEP = 1 / 60


class Layer(enum.IntFlag):
    DEFAULT = enum.auto()
    HERO = enum.auto()
    COIN = enum.auto()


class Tiles(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Tiles")
        pyglet.gl.glClearColor(0.53, 0.78, 0.92, 1.0)
        self.label = pyglet.text.Label("", x=50, y=HEIGHT - 34, font_size=16, color=(40, 60, 90, 255))
        self.batch = pyglet.graphics.Batch()
        self.keys = key.KeyStateHandler()
        self.push_handlers(self.keys)
        self.coins = 0
        self.rise = 0.0  # vertical speed of the hero

        self.physics = ecsphys.install()
        level = TiledMap(str(ASSETS / "level.tmx"))
        self.load(level)

        # The camera never shows anything outside the level.
        self.camera = Camera(0, 0, WIDTH, HEIGHT, level.width * TILE, HEIGHT, target=self.hero)
        esper.create_entity(self.camera)
        esper.add_processor(ScrollingSystem(self.physics), ecsphys.Priority.SCROLLING)

    def load(self, level: TiledMap) -> None:
        images = pyglet.image.load(str(ASSETS / "tiles.png")).get_texture()
        solid = [[0] * level.width for _ in range(level.height)]  # 1 for solid tiles, the lowest row first
        for column, row, (_, (left, _, width, height), _) in level.layers[0].tiles():
            kind = level.get_tile_properties(column, row, 0)["kind"]
            row_from_below = level.height - 1 - row  # Tiled counts rows from the top
            # The Transform of a tile and the position of its picture are both its lower left corner.
            place = Transform(column * TILE, row_from_below * TILE)
            look = Sprite(images.get_region(left, 0, width, height), place.x, place.y, batch=self.batch)
            entity = esper.create_entity(place, look, *self.components_of(kind))
            if kind == "solid":
                solid[row_from_below][column] = 1
            elif kind == "hero":
                self.hero = entity
                self.place = place
                self.start = (place.x, place.y)

        # Solid tiles have no colliders of their own. One outline runs around all of them, so nothing snags on seams.
        esper.create_entity(Transform(), TileMap(solid, TILE).chain({1}), Solid())

    def components_of(self, kind: str) -> tuple[object, ...]:
        """The components that a kind of tile adds to its entity."""
        if kind == "solid":
            return ()
        if kind == "plank":
            # Only the upper ten pixels of the tile are solid. OneWay lets the hero jump up through them.
            return (AABBCollider.from_rect(0, 22, TILE, 10), Solid(), ecsphys.OneWay())
        if kind == "coin":
            return (
                CircleCollider(9, offset_x=16, offset_y=16),
                CollisionFilter.of(Layer.COIN, meets=Layer.HERO),
                HitListener(on_started=self.collect),
            )
        # The hero. It is narrower than a tile, so it falls into gaps that are one tile wide.
        return (CapsuleCollider.upright(30, 10, 16, 15), ecsphys.Character(), CollisionFilter.of(Layer.HERO))

    def collect(self, hit: Hit) -> None:
        esper.delete_entity(hit.entity_a)  # the coin, which has the listener
        self.coins += 1

    def update(self, dt: float) -> None:
        held = self.keys
        right = held[key.RIGHT] or held[key.D]
        left = held[key.LEFT] or held[key.A]
        self.rise -= GRAVITY * STEP
        displacement = (RUN_SPEED * (right - left) * STEP, self.rise * STEP)
        move = self.physics.move_character(self.hero, displacement)
        if move.on_floor:
            self.rise = JUMP_SPEED if held[key.SPACE] else 0.0
        elif move.on_ceiling:
            self.rise = min(self.rise, 0.0)

        if self.place.y < -100:  # the hero fell into the pit
            self.place.x, self.place.y = self.start
        esper.process(STEP)

    def on_draw(self) -> None:
        esper.component_for_entity(self.hero, Sprite).position = (self.place.x, self.place.y, 0)
        self.clear()
        # Move the world so that the camera's position is in the middle of the window. Whole pixels keep tiles sharp.
        self.view = Mat4.from_translation(Vec3(WIDTH / 2 - round(self.camera.x), 0, 0))
        self.batch.draw()
        # The text stays where it is on the screen.
        self.view = Mat4()
        self.label.text = f"Coins: {self.coins}"
        self.label.draw()


if __name__ == "__main__":
    game = Tiles()
    pyglet.clock.schedule_interval(game.update, STEP)
    pyglet.app.run()
