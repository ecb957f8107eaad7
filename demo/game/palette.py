"""The game's colours: dusk behind, aqua for the hero's light, magenta for what hurts. Red, green, blue from 0 to 1."""

from __future__ import annotations

from ecsphys.demo.palette import Color


def _rgb(code: int) -> Color:
    return (code >> 16 & 255) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0


SKY: tuple[tuple[float, Color], ...] = (
    (0.0, _rgb(0xFFC27A)),
    (0.14, _rgb(0xFF8E6B)),
    (0.34, _rgb(0xB5527A)),
    (0.62, _rgb(0x553076)),
    (1.0, _rgb(0x1D1546)),
)
"""From the horizon, 0, to the top, 1."""

SUN = _rgb(0xFFF0C9)
SUN_GLOW = _rgb(0xFF9A5C)
STAR = _rgb(0xFFE9D6)

HILLS: tuple[tuple[Color, Color], ...] = (
    (_rgb(0x8E4A80), _rgb(0xD0716F)),
    (_rgb(0x5B326F), _rgb(0x96507A)),
    (_rgb(0x3A2159), _rgb(0x5F3568)),
)
"""Top and foot of each chain of hills, the farthest first."""

SEA_FAR, SEA_NEAR = _rgb(0xC66A74), _rgb(0x2A2257)
GLINT = _rgb(0xFFCF94)
WAVE_TOP, WAVE_DEEP = _rgb(0x4FC4C0), _rgb(0x131A44)

EARTH_TOP, EARTH_DEEP = _rgb(0x2B1B4A), _rgb(0x150D2B)
GRASS, GRASS_LIGHT = _rgb(0x3E8F83), _rgb(0x8FE3B8)
STONE, STONE_LIGHT = _rgb(0x4A3868), _rgb(0xB98AA8)
WOOD, WOOD_DARK, WOOD_LIGHT = _rgb(0xA8643F), _rgb(0x6B3A33), _rgb(0xE7A062)

CLOAK, CLOAK_DARK = _rgb(0xF2495C), _rgb(0xA92A50)
ARMOUR, ARMOUR_DARK = _rgb(0xF4ECDD), _rgb(0x9C93B8)
INK = _rgb(0x160E2B)
LIGHT = _rgb(0x9FFCEB)
LIGHT_DEEP = _rgb(0x2FBFCF)
MOTE = _rgb(0xFFE28A)

FOE, FOE_LIGHT = _rgb(0x2A1238), _rgb(0x7A2C66)
FOE_SHADE = _rgb(0x512048)
EYE = _rgb(0xFFB347)
HARM = _rgb(0xFF3F86)
HARM_CORE = _rgb(0xFFE3EE)
STRUCK = _rgb(0xFFFFFF)

TEXT = _rgb(0xFFF4DF)
TEXT_SOFT = _rgb(0xE9B9B4)
HEART = _rgb(0xFF5468)
HEART_EMPTY = _rgb(0x4A2A55)
