"""Prints the seconds from ``import`` to the end of the first frame; run by itself, in a process of its own."""

import time

start = time.perf_counter()

import esper  # noqa: E402

import ecsphys  # noqa: E402
from ecsphys import Transform, Velocity  # noqa: E402

physics = ecsphys.install()
for place, collider in enumerate(
    (
        ecsphys.CircleCollider(0.5),
        ecsphys.AABBCollider(0.5, 0.4),
        ecsphys.OBBCollider(0.5, 0.4),
        ecsphys.CapsuleCollider(0.5, 0.4),
        ecsphys.FanCollider(0.8, 1.0),
        ecsphys.PolygonCollider([(0, 0), (1, 0), (0, 1)]),
    )
):
    esper.create_entity(Transform(0.5 * place), Velocity(1.0, 0.0, 1.0), collider)
esper.process(1.0 / 60.0)
if not len(physics.hits):
    raise SystemExit("the first frame found no hits")
print(time.perf_counter() - start)
