"""No file is imported in play."""

from __future__ import annotations

import json

from fresh_python import python

# What a game does for the first time, in order.
PLAY = """
import json, sys
import esper, ecsphys
from ecsphys import *

told = {}

def first(name, work):
    modules = set(sys.modules)
    made = work()
    told[name] = sorted(set(sys.modules) - modules - set(sys.builtin_module_names))
    return made

def on_hit(hit):
    hit.depth, hit.normal, hit.points

def step():
    esper.process(1 / 60)

physics = first("install", lambda: ecsphys.install(gravity=(0, -10)))
esper.create_entity(Transform(0, -0.5), AABBCollider(50, 0.5), Solid())
ball = esper.create_entity(Transform(0, 5), Velocity(), Gravity(), CircleCollider(0.5), HitListener(on_started=on_hit))
esper.create_entity(Transform(0.5, 5), CompoundCollider([CircleCollider(0.5)]))
esper.create_entity(Transform(9, 5), PolygonCollider([(0, 0), (1, 0), (0, 1)]), LinearTrajectory(0, 5, 1, 0))
esper.create_entity(Transform(), Parent(ball), FanCollider(1, 1))
esper.set_handler("hit_started", on_hit)
first("step", step)
first("hits", lambda: (physics.hits.depth, physics.hits.started.entity_a, physics.hits.of(ball)))
first("point", lambda: physics.query_point((0, 5)))
first("box", lambda: physics.query_aabb((0, 5), (1, 6)))
first("shape", lambda: physics.query_shape(CircleCollider(1), Transform(0, 5)))
first("nearest", lambda: physics.nearest((0, 5)))
first("ray", lambda: (physics.raycast((0, 9), (0, -1), 20), physics.raycast_batch([(0, 9)], [(0, -1)], 20)))
first("cast", lambda: physics.shapecast(CircleCollider(1), Transform(0, 9), (0, -20)))
first("slide", lambda: physics.move_and_slide(ball, (0.1, -0.1)))
hero = first("new character", lambda: esper.create_entity(Transform(-20, 1), AABBCollider(0.5, 0.5), Character()))
first("walk", lambda: physics.move_character(hero, (0.1, -1)))
many = first("many", lambda: spawn_many(10, Transform.many(), Velocity.many(), CircleCollider.many(0.1)))
first("step of many", step)
first("columns", lambda: (Transform.column("x")[Transform.rows_of(many)], join(Transform, Velocity)))
first("new bullet", lambda: esper.create_entity(Transform(40, 5), Velocity(900, 0), CircleCollider(0.1), Bullet()))
first("step of a bullet", step)
box = first("new body", lambda: esper.create_entity(Transform(20, 0.4), OBBCollider(0.5, 0.5), RigidBody()))
first("step of a body", step)
first("push", lambda: physics.bodies.apply_impulse(box, (1, 0)))
esper.create_entity(Transform(20, 2), AABBCollider(0.5, 0.5), Solid(), OneWay())
first("step with a one-way", step)
first("new chain", lambda: esper.create_entity(Transform(20, 0.2), ChainCollider([(-5, 0), (5, 0)]), Solid()))
first("step of a chain", step)
first("new joint", lambda: esper.create_entity(RevoluteJoint(-1, box)))
first("step of a joint", step)
esper.delete_entity(ball)
first("step with an end", step)
print(json.dumps(told))
"""


def test_no_first_call_imports_anything() -> None:
    done = python("-c", PLAY)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {name: what for name, what in told.items() if what} == {}
