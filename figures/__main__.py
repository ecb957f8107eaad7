"""The command: ``python -m figures [--folder FOLDER] [NAME ...]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ecsphys.demo.display import NoOpenGLError, open_picture
from ecsphys.demo.image_files import encode_png

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the figures by their names, or all; 1 where nothing can be drawn."""
    parser = argparse.ArgumentParser("python -m figures", description="Make the figures of the manual.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a figure, without .png; default: all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the PNG files go; default: docs/pictures")
    parser.add_argument("--list", action="store_true", help="print the names, make nothing")
    options = parser.parse_args(arguments)
    try:
        window = open_picture(True, 1280, 720)
    except NoOpenGLError as error:
        print(f"no figures: {error}", file=sys.stderr)
        return 1
    # pyglet decides between a screen and none when it is imported, which these modules do.
    from figures.catalog import FIGURES
    from figures.picture import paint

    if unknown := set(options.names) - set(FIGURES):
        parser.error(f"there is no figure {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    for name in [] if options.list else options.names or FIGURES:
        (options.folder / f"{name}.png").write_bytes(encode_png(paint(FIGURES[name], window)))
        print(name, flush=True)
    if options.list:
        print(*FIGURES, sep="\n")
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
