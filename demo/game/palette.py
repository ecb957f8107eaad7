"""The game's colours: dusk behind, aqua for the hero's light, magenta for what hurts. Red, green, blue from 0 to 1."""

from __future__ import annotations

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.rigid.tint import hue

SKY, HILLS = dusk.SKY, dusk.HILLS
SUN, SUN_GLOW, STAR = dusk.SUN, dusk.SUN_GLOW, dusk.STAR
SEA_FAR, SEA_NEAR, GLINT = dusk.SEA_FAR, dusk.SEA_NEAR, dusk.GLINT
EARTH_TOP, EARTH_DEEP = dusk.EARTH_TOP, dusk.EARTH_DEEP
GRASS, GRASS_LIGHT = dusk.GRASS, dusk.GRASS_LIGHT
STONE, STONE_LIGHT = dusk.STONE, dusk.STONE_LIGHT
WOOD, WOOD_DARK, WOOD_LIGHT = dusk.WOOD, dusk.WOOD_DARK, dusk.WOOD_LIGHT
INK, MOTE = dusk.INK, dusk.LAMP

WAVE_TOP, WAVE_DEEP = hue(0x4FC4C0), hue(0x131A44)

CLOAK, CLOAK_DARK = hue(0xF2495C), hue(0xA92A50)
ARMOUR, ARMOUR_DARK = hue(0xF4ECDD), hue(0x9C93B8)
LIGHT = hue(0x9FFCEB)
LIGHT_DEEP = hue(0x2FBFCF)

FOE, FOE_LIGHT = hue(0x2A1238), hue(0x7A2C66)
FOE_SHADE = hue(0x512048)
EYE = hue(0xFFB347)
HARM = hue(0xFF3F86)
HARM_CORE = hue(0xFFE3EE)
STRUCK = hue(0xFFFFFF)

TEXT = hue(0xFFF4DF)
TEXT_SOFT = hue(0xE9B9B4)
HEART = hue(0xFF5468)
HEART_EMPTY = hue(0x4A2A55)
