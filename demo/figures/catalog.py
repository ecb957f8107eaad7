"""All figures by their names, which are those of their files in docs/pictures."""

from __future__ import annotations

from ecsphys.demo.figures import demo_scenes, joints, kinds, moves
from ecsphys.demo.figures.picture import Figure

FIGURES: dict[str, Figure] = {
    **{name: Figure(size, make) for name, (size, make) in kinds.FIGURES.items()},
    **{name: Figure(size, make) for name, (size, make) in moves.FIGURES.items()},
    **{name: Figure(joints.SIZE, make) for name, make in joints.FIGURES.items()},
    **{name: Figure(size, make) for name, (size, make) in demo_scenes.FIGURES.items()},
}
