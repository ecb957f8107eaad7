"""The first window of the quickstart: click, and a ball falls, rolls and bounces. Esc: quit.

python examples/first_window.py
"""

import esper
import pyglet

import ecsphys
from ecsphys import CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

window = pyglet.window.Window(800, 600, "Click to drop a ball")
batch = pyglet.graphics.Batch()

physics = ecsphys.install(gravity=(0, -900))  # one unit is a pixel, so this is 900 pixels/s²
physics.settings.length_unit = 50  # the usual size of a body, in pixels


def add_wall(x: float, y: float, width: float, height: float) -> None:
    """Solid and no RigidBody: a wall that never moves. (x, y) is its middle."""
    picture = pyglet.shapes.Rectangle(x - width / 2, y - height / 2, width, height, (90, 100, 130), batch=batch)
    esper.create_entity(Transform(x, y), OBBCollider(width / 2, height / 2), Solid(), picture)


def add_ball(x: float, y: float) -> None:
    """A RigidBody falls, pushes and bounces. It starts with 200 pixels/s to the right."""
    picture = pyglet.shapes.Circle(x, y, 25, color=(255, 202, 88), batch=batch)
    esper.create_entity(Transform(x, y), Velocity(200, 0), CircleCollider(25), RigidBody(restitution=0.8), picture)


add_wall(400, 20, 800, 40)  # the ground
add_wall(-20, 300, 40, 600)  # left of the window
add_wall(820, 300, 40, 600)  # right of the window
add_ball(150, 500)


@window.event
def on_mouse_press(x: int, y: int, button: int, modifiers: int) -> None:
    add_ball(x, y)


@window.event
def on_draw() -> None:
    for _, (place, picture) in esper.get_components(Transform, pyglet.shapes.Circle):
        picture.position = place.x, place.y  # draw each ball where the physics has put it
    window.clear()
    batch.draw()


def update(dt: float) -> None:
    esper.process(1 / 60)


pyglet.clock.schedule_interval(update, 1 / 60)
if __name__ == "__main__":
    pyglet.app.run()
