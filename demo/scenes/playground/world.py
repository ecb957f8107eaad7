"""The playground's world: physics, a sandbox, the hand, and the panel, joined into a scene."""

from __future__ import annotations

from functools import partial

import esper
import numpy as np

import ecsphys
from ecsphys.demo.scenes.boundaries import BEFORE_MOTION
from ecsphys.demo.scenes.parameter import Reading
from ecsphys.demo.scenes.playground.hand import Hand
from ecsphys.demo.scenes.playground.presets import PRESETS, Preset
from ecsphys.demo.scenes.playground.sandbox import MIXED, Sandbox, parameters_of
from ecsphys.demo.scenes.playground.stage_times import StageTimes
from ecsphys.demo.scenes.playground.switches import build_panel
from ecsphys.demo.scenes.rigid.tint import Tints
from ecsphys.demo.scenes.scene import Key, Layout

_HELP = (
    ("1 … 9", "shape of new bodies; 9: any"),
    ("F1 … F4", "pile, drum, rain, empty room"),
)


def build(rng: np.random.Generator, preset: Preset = "pile", count: int = 1000) -> Layout:
    """A preset with so many bodies, in the current world, and all that the player can do to it."""
    physics = ecsphys.install(gravity=(0.0, -10.0))
    layout = Layout(physics, (0.0, 0.0, 1.0, 1.0), show_contacts=False, look=Tints(), has_bodies=True)
    sandbox = Sandbox(layout, rng, preset, count)
    hand, times = Hand(sandbox), StageTimes(physics)
    for processor in (sandbox, hand, times):
        esper.add_processor(processor, priority=BEFORE_MOTION)
    sandbox.begin(preset)
    layout.pointer, layout.paint_above, layout.notice = hand, hand.paint, hand.notice
    layout.parameters = parameters_of(sandbox)
    layout.panel = build_panel(sandbox, hand, times)
    layout.keys, layout.help = _keys_of(sandbox, hand), _HELP
    layout.readings = [
        Reading("bodies", lambda: f"{len(sandbox.bodies()[0]):,}"),
        Reading("at rest", lambda: f"{np.count_nonzero(sandbox.bodies.at_rest()):,}"),
        Reading("hits of bodies", lambda: f"{sandbox.hits():,}"),
    ]
    return layout


def _keys_of(sandbox: Sandbox, hand: Hand) -> list[Key]:
    keys = [
        Key("S", "left button spawns bodies", partial(hand.take, "spawn")),
        Key("D", "left button draws outlines", partial(hand.take, "draw")),
        Key("X", "take all bodies away", sandbox.clear),
        Key("R", "begin again, bodies as chosen", sandbox.begin_again),
    ]
    keys += [Key(f"F{number}", "", partial(sandbox.begin, preset)) for number, preset in enumerate(PRESETS, 1)]
    for shape in range(MIXED + 1):
        keys += [Key(f"{pad}{shape + 1}", "", partial(sandbox.choose_shape, shape)) for pad in ("_", "NUM_")]
    return keys
