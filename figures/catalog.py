"""All figures by their names, which are those of their files in docs/pictures."""

from __future__ import annotations

from figures import demo_scenes, frames, joints, kinds, probes, scrolling
from figures.picture import Figure

FIGURES: dict[str, Figure] = {
    "which-one": Figure(kinds.TALL, kinds.which_one),
    "sensor-solid": Figure(kinds.WIDE, kinds.sensor_solid),
    "y-up-down": Figure(frames.SIZE, frames.y_up_down),
    "chain-side": Figure(frames.SIZE, frames.chain_side),
    "character-probes": Figure(probes.SIZE, probes.character_probes),
    "scrolling-layers": Figure(scrolling.SIZE, scrolling.scrolling_layers),
    **{f"joint-{name}": Figure(joints.SIZE, make) for name, make in joints.JOINTS.items()},
    **{name: Figure(size, make) for name, (size, make) in demo_scenes.FIGURES.items()},
}
