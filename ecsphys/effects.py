"""Effects: cameras and scrolling, particles, beams of light. Their systems are in :mod:`ecsphys.systems`."""

from ecsphys.components.effects.light import Beam, Emitter, HomingLaser, LaserSegment, RingBeam, Splash, Steering
from ecsphys.components.effects.scrolling import (
    Camera,
    ParallaxLayer,
    PerspectiveFloor,
    RasterWave,
    TileMap,
    VisibleTiles,
)
from ecsphys.systems.effects.light import LightMesh
from ecsphys.systems.effects.particles import normal_splash, uniform_splash
from ecsphys.systems.effects.scrolling import RowShifts, clip_at_near_plane, project_perspective

__all__ = [
    "Beam",
    "Camera",
    "Emitter",
    "HomingLaser",
    "LaserSegment",
    "LightMesh",
    "ParallaxLayer",
    "PerspectiveFloor",
    "RasterWave",
    "RingBeam",
    "RowShifts",
    "Splash",
    "Steering",
    "TileMap",
    "VisibleTiles",
    "clip_at_near_plane",
    "normal_splash",
    "project_perspective",
    "uniform_splash",
]
