"""The demo's scenes as the manual shows them: the whole arena with its captions, without numbers and help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ecsphys.demo import palette
from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.hud.hud import Hud
from ecsphys.demo.hud.shown import Shown
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.renderer import Renderer
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.scene import STEP
from ecsphys.demo.stage_view import StageView
from figures.panel import Note, Panel

SMALL, LARGE = (960, 452), (1280, 602)
"""The shape of the scenes' arenas, 34 × 16 units; where captions are close, the picture is larger."""
_STEPS = {"control": 330, "pyramid": 440, "breaking": 350, "cards": 540, "sorting": 900}
_USUAL_STEPS = 150
_SIZES = dict.fromkeys(("shapes", "breaking", "cards", "control", "hills", "pyramid", "sorting"), SMALL)
_SIZES |= dict.fromkeys(("bullets", "collision", "light", "motion", "platformer", "queries", "steps"), LARGE)
_TEXT, _DETAIL = 15.0, 13.5
_WITHOUT_CAPTIONS = ("shapes",)
"""Shapes fly over the captions of these scenes, which the demo puts on plates."""


def _scene(name: str, layers: DebugLayers | None = None) -> list[Panel]:
    live = open_scene(name, autoplay=True)
    left, bottom, right, _ = live.layout.arena
    panel = Panel(live, (0, 0, *_SIZES[name]), (left, bottom), right - left)
    panel.layers = layers
    panel.play(_STEPS.get(name, _USUAL_STEPS) * STEP)
    for caption in () if name in _WITHOUT_CAPTIONS else live.layout.captions:
        x, y = panel.scale * (caption.x - left), panel.scale * (caption.y - bottom) - _TEXT
        panel.notes.append(Note(caption.text, x, y, palette.TEXT, _TEXT, "left", False))
        panel.notes.append(Note(caption.detail, x, y - 1.25 * _TEXT, palette.TEXT_SOFT, _DETAIL, "left", False))
    return [panel]


def _draw_with_hud(events: SceneEvents, highlights: Highlights, size: tuple[int, int]) -> None:
    """Draw a scene with sliders and panel, as the demo itself does."""
    live = events.live
    view = StageView(events, [parameter.get() for parameter in live.layout.parameters], [], size)
    Renderer().draw(live, highlights, view.viewport.camera, size)
    Hud(live, view.toolbar, size, view.panel).draw_over(Shown(), view.viewport, view.free)


def _playground() -> list[Panel]:
    """Rain on pegs beside the panel of switches."""
    live = open_scene("playground")
    events = SceneEvents(live)
    events.send("press", "F3")
    panel = Panel(live, (0, 0, 1280, 720), (0.0, 0.0), 1280.0)
    panel.draw = partial(_draw_with_hud, events, panel.highlights)
    panel.play(300 * STEP)
    return [panel]


FIGURES: dict[str, tuple[tuple[int, int], Callable[[], list[Panel]]]] = {
    **{name: (size, partial(_scene, name)) for name, size in _SIZES.items()},
    "debug": (SMALL, partial(_scene, "shapes", DebugLayers(boxes=True, grid=True, contacts=True, normals=True))),
    "playground": ((1280, 720), _playground),
}
