"""The demo's colours, in one place: red, green, blue from 0 to 1."""

from __future__ import annotations

from typing import TypeAlias

Color: TypeAlias = tuple[float, float, float]


def _rgb(code: int) -> Color:
    return (code >> 16 & 255) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0


def as_bytes(color: Color, alpha: float = 1.0) -> tuple[int, int, int, int]:
    """The colour in pyglet's own notation for text, four whole numbers from 0 to 255."""
    red, green, blue = (round(255 * part) for part in color)
    return red, green, blue, round(255 * alpha)


BACKGROUND = _rgb(0x0A0E16)
ARENA = _rgb(0x0F1521)
GRID = _rgb(0x8FA8D8)
FRAME = _rgb(0x33415C)
BAR = _rgb(0x0D121C)
CARD = _rgb(0x131B2A)

TEXT = _rgb(0xE6ECF5)
TEXT_SOFT = _rgb(0x93A1B8)
TEXT_FAINT = _rgb(0x66748C)

# One hue for each collider class, in the order of ecsphys.COLLIDER_CLASSES: circle, AABB, OBB, capsule, fan, polygon,
# chain.
COLLIDERS: tuple[Color, ...] = (
    _rgb(0x5CC8FF),
    _rgb(0x8BE28B),
    _rgb(0xFFD166),
    _rgb(0xC39BFF),
    _rgb(0xFF8FB0),
    _rgb(0x4FE0C4),
    _rgb(0xE2C08D),
)

CONTACT = _rgb(0xFF5D5D)
STARTED = _rgb(0xFFF1C9)
GUIDE = _rgb(0x9FB3D9)
DEBUG_BOX = _rgb(0xFFFFFF)
DEBUG_CELL = _rgb(0x7397F0)
ACCENT = _rgb(0x7FD4FF)
LIT = _rgb(0xFFE08A)
