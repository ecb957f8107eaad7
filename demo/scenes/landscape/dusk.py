"""The colours of dusk, which the landscape and the game share. Red, green, blue from 0 to 1."""

from __future__ import annotations

from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Color

SKY: tuple[tuple[float, Color], ...] = (
    (0.0, hue(0xFFC27A)),
    (0.14, hue(0xFF8E6B)),
    (0.34, hue(0xB5527A)),
    (0.62, hue(0x553076)),
    (1.0, hue(0x1D1546)),
)
"""From the horizon, 0, to the top, 1."""

SUN = hue(0xFFF0C9)
SUN_GLOW = hue(0xFF9A5C)
STAR = hue(0xFFE9D6)

HILLS: tuple[tuple[Color, Color], ...] = (
    (hue(0x8E4A80), hue(0xD0716F)),
    (hue(0x5B326F), hue(0x96507A)),
    (hue(0x3A2159), hue(0x5F3568)),
)
"""Top and foot of each chain of hills, the farthest first."""

SEA_FAR, SEA_NEAR = hue(0xC66A74), hue(0x2A2257)
GLINT = hue(0xFFCF94)

EARTH_TOP, EARTH_DEEP = hue(0x2B1B4A), hue(0x150D2B)
GRASS, GRASS_LIGHT = hue(0x3E8F83), hue(0x8FE3B8)
STONE, STONE_LIGHT = hue(0x4A3868), hue(0xB98AA8)
WOOD, WOOD_DARK, WOOD_LIGHT = hue(0xA8643F), hue(0x6B3A33), hue(0xE7A062)
INK = hue(0x160E2B)
LAMP = hue(0xFFE28A)
