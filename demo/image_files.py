"""Pictures in files: WebP and AVIF, still and moving, and PNG. Pillow reads and writes them; it is imported late."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy import uint8
from numpy.typing import NDArray

Pixels = NDArray[uint8]
"""(height, width, 3): red, green, blue, the top row first."""

_EFFORTS: dict[str, dict[str, Any]] = {".webp": {"method": 4}, ".avif": {"speed": 5}}
"""How hard films are packed: more takes many times as long for a few percent."""
_QUALITIES = {".webp": (80, 65, 50, 35, 20), ".avif": (55, 45, 40, 35, 30, 25, 20)}
_COLORS = 256


def has_pillow() -> bool:
    """Whether pictures can be read and written here."""
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        return False
    return True


def needs_pillow() -> None:
    """ImportError that says how to get Pillow, if it is missing."""
    if not has_pillow():
        raise ImportError("Pillow is missing; install it with: pip install 'ecsphys[demo]'")


class Film:
    """The pictures of a file, one after another without an end. A still picture is a film of one.

    Only one picture is unpacked at a time. Raises OSError if the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        from PIL import Image

        self._image = Image.open(io.BytesIO(path.read_bytes()))
        self.size = self._image.size
        """Width and height."""
        self.count: int = getattr(self._image, "n_frames", 1)
        self._next = 0

    def read(self) -> Pixels:
        """The next picture; after the last comes the first."""
        self._image.seek(self._next)
        self._next = (self._next + 1) % self.count
        return np.asarray(self._image.convert("RGB"))

    def __iter__(self) -> Iterator[Pixels]:
        """All pictures, once."""
        self._next = 0
        for _ in range(self.count):
            yield self.read()


def write_film(path: Path, pictures: Sequence[Pixels], rate: float, most_bytes: int = 3_000_000) -> None:
    """Write pictures as an endless film, ``rate`` of them a second; a single one as a still picture.

    It is as good as a file of ``most_bytes`` can be. The suffix of ``path`` is ``.webp`` or ``.avif``, which takes a
    third of the bytes for the same film.
    """
    from PIL import Image

    first, *others = [Image.fromarray(picture) for picture in pictures]
    film: dict[str, Any] = (
        {"save_all": True, "append_images": others, "duration": round(1000.0 / rate), "loop": 0} if others else {}
    )
    for quality in _QUALITIES[path.suffix]:
        first.save(path, **{"quality": quality, **_EFFORTS[path.suffix], **film})
        if path.stat().st_size <= most_bytes:
            break


def resized(picture: Pixels, size: tuple[int, int], box: tuple[float, float, float, float]) -> Pixels:
    """The part ``box`` (left, top, right, bottom, in pixels) of a picture, in another size."""
    from PIL import Image

    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BOX, box))


def encode_png(picture: Pixels) -> bytes:
    """A picture as a PNG file in at most 256 colours."""
    from PIL import Image

    image = Image.fromarray(picture)
    colors = image.quantize(_COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    file = io.BytesIO()
    colors.save(file, "PNG", optimize=True)
    return file.getvalue()
