"""The pictures on the menu's cards, AVIF files in ``demo/pictures``, a still or a film for each scene.

``python -m ecsphys.demo.card_pictures`` makes them again in the folder of the sources, or only those of the scenes that
it is given by their names.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ecsphys.demo.image_files import Film, has_pillow, write_film
from ecsphys.demo.scenes import SCENES, START

FOLDER = Path(__file__).parent / "pictures"
RATE = 12
"""Pictures of a film in a second."""
_LARGE, _SMALL = (384, 256), (320, 180)
_MOST_BYTES = 100_000
"""Of one film: all pictures together are in the package."""


def moves(scene: str) -> bool:
    """Whether the picture of a scene is a film: on the first page."""
    return SCENES[scene].group == START


def size_of(scene: str) -> tuple[int, int]:
    """Width and height of a scene's picture; all of one page have the same."""
    return _LARGE if moves(scene) else _SMALL


def path_of(scene: str) -> Path:
    """The file of a scene's picture."""
    return FOLDER / f"{scene}.avif"


def open_card(scene: str) -> Film | None:
    """A scene's picture, moving or still; None without its file, or without a Pillow that can read it."""
    path = path_of(scene)
    try:
        return Film(path) if path.is_file() and has_pillow() else None
    except OSError:
        return None


def main(names: Sequence[str]) -> int:
    """Make the pictures of scenes by their names, or of all."""
    from ecsphys.demo.film import Studio
    from ecsphys.demo.film_scripts import CARDS, Script

    FOLDER.mkdir(exist_ok=True)
    for size in (_LARGE, _SMALL):
        studio = Studio(size)
        for name in [name for name in names or SCENES if size_of(name) == size]:
            script = CARDS.get(name, Script())
            pictures = studio.film(name, script, RATE) if moves(name) else [studio.still(name, script)]
            write_film(path_of(name), pictures, RATE, _MOST_BYTES)
            print(f"{name:<12}{path_of(name).stat().st_size / 1000:7.1f} kB", flush=True)
        studio.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
