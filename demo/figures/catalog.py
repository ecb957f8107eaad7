"""All figures by their names, which are those of their files in docs/pictures."""

from __future__ import annotations

from ecsphys.demo.figures import joints, kinds
from ecsphys.demo.figures.picture import Figure

FIGURES: dict[str, Figure] = {
    **{name: Figure(size, make) for name, (size, make) in kinds.FIGURES.items()},
    **{name: Figure(joints.SIZE, make) for name, make in joints.FIGURES.items()},
}
