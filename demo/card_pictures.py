"""The pictures on the menu's cards: PNG files in ``demo/pictures``, one for each scene.

``python -m ecsphys.demo.card_pictures`` makes them anew, in the folder of the sources, or only those of the scenes that
it is given by their names.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy import uint8
from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "pictures"
WIDTH, HEIGHT = 288, 162
_FINER = 2
"""How many pixels are drawn, along a side, for one that is kept."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LIFT = 0.8
"""Dark scenes are brighter on a card: the exponent of their colours, from 0 to 1."""
_USUAL_STEPS = 150
_STEPS = {"game": 1500, "pyramid": 405, "cards": 540, "breaking": 640, "ragdolls": 700, "sorting": 900, "bridge": 260}
_STEPS |= {"dominoes": 420, "stress": 30, "materials": 110, "tumbler": 400, "playground": 170, "car": 330, "cradle": 75}


def steps_before(scene: str) -> int:
    """After how many steps a scene is shown."""
    return _STEPS.get(scene, _USUAL_STEPS)


def read_picture(scene: str) -> NDArray[uint8] | None:
    """A scene's picture (HEIGHT, WIDTH, 3), red, green, blue from the top; None where there is none.

    It reads what :func:`write_picture` has written, and no other PNG file.
    """
    path = FOLDER / f"{scene}.png"
    if not path.is_file():
        return None
    data, chunks, place = path.read_bytes(), {}, len(_SIGNATURE)
    while place < len(data):
        length, kind = struct.unpack_from(">I4s", data, place)
        chunks[kind] = data[place + 8 : place + 8 + length]
        place += length + 12
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    palette = np.frombuffer(chunks[b"PLTE"], uint8).reshape(-1, 3)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), uint8).reshape(height, 1 + width)
    picture: NDArray[uint8] = palette[rows[:, 1:]]
    return picture


def write_picture(scene: str, picture: NDArray[uint8]) -> None:
    """Keep a picture (h, w, 3) as that of a scene's card."""
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{scene}.png").write_bytes(encode(picture))


def encode(picture: NDArray[uint8]) -> bytes:
    """A picture (h, w, 3) as a PNG file in at most 256 colours, each the mean of a cell of 15 bits."""
    height, width, _ = picture.shape
    pixels = picture.reshape(-1, 3)
    coarse = (pixels >> 3).astype(np.int64) @ (1024, 32, 1)
    _, cells, counts = np.unique(coarse, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(cells, pixels[:, part]) for part in range(3)], axis=1) / counts[:, None]
    # Next comes whatever is most of all wrong in the colours so far: what is frequent, and what is unlike the rest.
    error = np.full(len(means), np.inf)
    nearest = np.zeros(len(means), uint8)
    chosen: list[int] = []
    while len(chosen) < min(256, len(means)):
        chosen.append(int((error * counts).argmax() if chosen else counts.argmax()))
        distance = ((means - means[chosen[-1]]) ** 2).sum(axis=1)
        nearest[distance < error] = len(chosen) - 1
        error = np.minimum(error, distance)
    palette = np.round(means[chosen])
    indices = nearest[cells].reshape(height, width)
    rows = np.hstack((np.zeros((height, 1), uint8), indices)).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    data = _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"PLTE", palette.astype(uint8).tobytes())
    return data + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def main(names: Sequence[str]) -> int:
    """Make the pictures of scenes by their names, or of all."""
    from ecsphys.demo.display import open_picture
    from ecsphys.demo.scenes import SCENES

    size = (_FINER * WIDTH, _FINER * HEIGHT)
    window = open_picture(True, *size)
    for name in names or SCENES:
        write_picture(name, _paint(name, size))
        print(name, flush=True)
    window.close()
    return 0


def _paint(name: str, size: tuple[int, int]) -> NDArray[uint8]:
    """A scene after some steps, without text, its pixels the mean of those drawn."""
    import pyglet

    from ecsphys.demo.highlights import Highlights
    from ecsphys.demo.renderer import Renderer
    from ecsphys.demo.scenes import GAME, open_scene
    from ecsphys.demo.scenes.camera import Camera
    from ecsphys.demo.scenes.scene import STEP

    live = open_scene(name, autoplay=True)
    highlights = Highlights(by_impact=live.layout.look is not None)
    for _ in range(steps_before(name)):
        live.step()
        highlights.observe(live.physics, STEP)
    picture = live.open_picture() if name == GAME else None
    if picture is not None:
        picture.draw(size)
    else:
        Renderer().draw(live, highlights, Camera.fit(live.layout.arena, 0, 0, *size), size, density=1.0)
    live.close()
    screen: Any = pyglet.image.get_buffer_manager().get_color_buffer()
    pixels = np.frombuffer(screen.get_image_data().get_data("RGB", 3 * size[0]), uint8).reshape(size[1], size[0], 3)[
        ::-1
    ]
    mean: NDArray[np.float64] = pixels.reshape(HEIGHT, _FINER, WIDTH, _FINER, 3).mean(axis=(1, 3))
    return np.round(255.0 * (mean / 255.0) ** (1.0 if name == GAME else _LIFT)).astype(uint8)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
