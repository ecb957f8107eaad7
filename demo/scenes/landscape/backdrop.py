"""Everything behind the world: sky, sea and chains of hills."""

from __future__ import annotations

import numpy as np

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.hills import Hills
from ecsphys.demo.scenes.landscape.mesh import Mesh
from ecsphys.demo.scenes.landscape.plane import Plane
from ecsphys.demo.scenes.landscape.sea import Sea
from ecsphys.demo.scenes.landscape.sky import Sky
from ecsphys.demo.scenes.rigid.tint import blend
from ecsphys.demo.scenes.sketch import Sketch

_SKY_SHARE = 0.02


class Backdrop:
    """Paints all that lies behind the world, also where a picture shows much more of it, or less.

    Parameters
    ----------
    eye
        The height in the world of the middle of the usual picture. The ground is best about 5 units below.
    seed
        Of stars, clouds and ridges.
    """

    def __init__(self, eye: float, seed: int = 0) -> None:
        self.time = 0.0
        """Seconds: with them the stars twinkle, the clouds drift and the sea glitters."""
        self._eye = eye
        self._mesh = Mesh()
        rng = np.random.default_rng(seed)
        self._sky, self._sea = Sky(rng), Sea(rng)
        (far, far_foot), (middle, middle_foot), (near, near_foot) = dusk.HILLS
        middle_foot, near_foot = (blend((foot, dusk.SKY[1][1]), 0.22) for foot in (middle_foot, near_foot))
        phases = rng.uniform(0.0, 100.0, 3).tolist()
        self._islands = Hills(_SKY_SHARE, 0.0, 2.4, -0.35, 0.8, 0.0, far, far_foot, 0.5, phases[0], 0.0)
        self._chains = (
            Hills(0.14, -2.6, 2.7, 0.4, 1.05, 0.3, middle, middle_foot, 0.4, phases[1], 1.7),
            Hills(0.28, -4.2, 2.6, 0.5, 1.3, 0.0, near, near_foot, 0.5, phases[2], 1.6, True, True),
        )

    def paint(self, sketch: Sketch) -> None:
        """Paint the part that the picture shows."""
        view, mesh = sketch.view, self._mesh
        sky = Plane.seen(view, self._eye, _SKY_SHARE)
        self._sky.paint(mesh, sky, self.time)
        self._islands.paint(mesh, Plane.seen(view, self._eye, self._islands.share), sketch.pixel)
        self._sea.paint(mesh, sky, self.time)
        for hills in self._chains:
            hills.paint(mesh, Plane.seen(view, self._eye, hills.share), sketch.pixel)
        mesh.draw(sketch)
