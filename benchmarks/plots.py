"""Pictures of the results: time over number of entities, both logarithmic, one line for each system."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes

from benchmarks.contest import Measurement

_COLUMNS = 4
_FRAME_60 = 1000.0 / 60.0


def save_plots(measurements: Sequence[Measurement], folder: Path) -> list[Path]:
    """One picture of the arrays, one with handlers, each with a panel for every scene; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for handlers, name, title in (
        (False, "benchmarks.png", "A frame, hits as arrays"),
        (True, "benchmarks-handlers.png", "A frame, with a handler each for started and ended hits"),
    ):
        chosen = [found for found in measurements if found.handlers == handlers]
        if chosen:
            path = folder / name
            _save(chosen, title, path)
            written.append(path)
    return written


def _save(measurements: Sequence[Measurement], title: str, path: Path) -> None:
    scenes = list(dict.fromkeys(found.workload for found in measurements))
    systems = list(dict.fromkeys(found.player for found in measurements))
    colours = {system: f"C{number}" for number, system in enumerate(systems)}
    rows = -(-len(scenes) // _COLUMNS)
    columns = min(len(scenes), _COLUMNS)
    figure, panels = pyplot.subplots(
        rows, columns, figsize=(3.6 * columns, 3.2 * rows + 0.8), squeeze=False, sharex=True, sharey=True
    )
    for panel in panels.flat[len(scenes) :]:
        panel.set_visible(False)
    for panel, scene in zip(panels.flat, scenes, strict=False):
        _draw(panel, scene, [found for found in measurements if found.workload == scene], colours)
    handles = {
        line.get_label(): line for panel in panels.flat for line in panel.get_lines() if line.get_marker() == "o"
    }
    figure.suptitle(title)
    figure.legend(list(handles.values()), [str(label) for label in handles], loc="lower center", ncols=len(handles))
    figure.tight_layout(rect=(0.0, 0.06, 1.0, 1.0))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def _draw(panel: Axes, scene: str, measurements: Sequence[Measurement], colours: dict[str, str]) -> None:
    panel.axhline(_FRAME_60, color="grey", linewidth=0.8, linestyle="--")
    for system, colour in colours.items():
        points = sorted((found.count, found.milliseconds) for found in measurements if found.player == system)
        if points:
            counts, times = zip(*points, strict=True)
            panel.loglog(counts, times, color=colour, marker="o", markersize=4, label=system)
    panel.set_title(scene)
    panel.set_xlabel("entities")
    panel.set_ylabel("ms")
    panel.grid(visible=True, which="major", alpha=0.3)
