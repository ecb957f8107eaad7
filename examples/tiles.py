"""A level from the Tiled editor: the property "kind" of its tiles says what they are; a camera follows the hero.

Left and right, or A and D: run. Space: jump. Esc: quit. Open assets/level.tmx in Tiled to change the level.

    pip install pytmx
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
from ecsphys import AABBCollider, CapsuleCollider, Character, CircleCollider, Hit, HitListener, OneWay, Solid, Transform

ASSETS = Path(__file__).parent / "assets"
WIDTH, HEIGHT, TILE = 960, 544, 32
Layer = enum.IntFlag("Layer", "DEFAULT HERO COIN")


class Tiles(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Tiles")
        pyglet.gl.glClearColor(0.53, 0.78, 0.92, 1.0)
        self.label = pyglet.text.Label("", x=50, y=HEIGHT - 34, font_size=16, color=(40, 60, 90, 255))
        self.batch, self.keys, self.coins, self.rise = pyglet.graphics.Batch(), key.KeyStateHandler(), 0, 0.0
        self.push_handlers(self.keys)
        self.physics = ecsphys.install()
        self.load()
        self.camera = ecsphys.Camera(0, 0, WIDTH, HEIGHT, self.columns * TILE, HEIGHT, target=self.hero)
        esper.create_entity(self.camera)
        esper.add_processor(ecsphys.ScrollingSystem(self.physics), ecsphys.SCROLLING_PRIORITY)

    def load(self) -> None:
        level = TiledMap(str(ASSETS / "level.tmx"))
        images = pyglet.image.load(str(ASSETS / "tiles.png")).get_texture()
        self.columns = level.width
        solid = [[0] * level.width for _ in range(level.height)]
        for column, row, (_, (left, _, width, height), _) in level.layers[0].tiles():
            kind = level.get_tile_properties(column, row, 0)["kind"]
            # A tile's Transform is its lower left corner, and so is its picture's. Tiled counts rows from the top.
            line = level.height - 1 - row
            place = Transform(column * TILE, line * TILE)
            solid[line][column] = int(kind == "solid")
            look = Sprite(images.get_region(left, 0, width, height), place.x, place.y, batch=self.batch)
            entity = esper.create_entity(place, look, *self.parts(kind))
            if kind == "hero":
                self.hero, self.place, self.start = entity, place, (place.x, place.y)
        # One outline round all solid tiles: nothing catches between two of them.
        esper.create_entity(Transform(), ecsphys.TileMap(solid, TILE).chain({1}), Solid())

    def parts(self, kind: str) -> tuple[object, ...]:
        if kind == "solid":
            return ()
        if kind == "plank":
            return AABBCollider.from_rect(0, 22, TILE, 10), Solid(), OneWay()
        if kind == "coin":
            meets = ecsphys.collision_filter(Layer.COIN, meets=Layer.HERO)
            return CircleCollider(9, offset_x=16, offset_y=16), HitListener(on_started=self.collect), meets
        return CapsuleCollider.upright(30, 10, 16, 15), Character(), ecsphys.collision_filter(Layer.HERO)

    def collect(self, hit: Hit) -> None:
        esper.delete_entity(hit.entity_a)
        self.coins += 1

    def update(self, dt: float) -> None:
        held = self.keys
        run = 240 * ((held[key.RIGHT] or held[key.D]) - (held[key.LEFT] or held[key.A]))
        self.rise -= 1800 / 60
        move = self.physics.move_character(self.hero, (run / 60, self.rise / 60))
        if move.on_floor:
            self.rise = 720.0 * held[key.SPACE]
        elif move.on_ceiling:
            self.rise = min(self.rise, 0.0)
        if self.place.y < -100:  # down the pit
            self.place.x, self.place.y = self.start
        esper.process(1 / 60)

    def on_draw(self) -> None:
        esper.component_for_entity(self.hero, Sprite).position = self.place.x, self.place.y, 0
        self.clear()
        self.view = Mat4.from_translation(Vec3(WIDTH / 2 - round(self.camera.x), 0, 0))
        self.batch.draw()
        self.view = Mat4()
        self.label.text = f"Coins: {self.coins}"
        self.label.draw()


if __name__ == "__main__":
    game = Tiles()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
