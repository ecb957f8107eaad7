"""Where the world is in a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ecsphys.demo.scenes.scene import Box


@dataclass(frozen=True)
class Camera:
    """Maps the world to a picture: ``scale`` pixels to a unit, the world's (x, y) at a pixel (0 is bottom)."""

    x: float
    y: float
    scale: float
    pixel_x: float
    pixel_y: float

    @classmethod
    def fit(cls, arena: Box, left: float, bottom: float, right: float, top: float) -> Camera:
        """Show the whole arena as large as possible, centred in a rectangle of the picture."""
        min_x, min_y, max_x, max_y = arena
        scale = max(min((right - left) / (max_x - min_x), (top - bottom) / (max_y - min_y)), 1e-6)
        return cls(0.5 * (min_x + max_x), 0.5 * (min_y + max_y), scale, 0.5 * (left + right), 0.5 * (bottom + top))

    def to_pixel(self, x: float, y: float) -> tuple[float, float]:
        return self.pixel_x + self.scale * (x - self.x), self.pixel_y + self.scale * (y - self.y)

    def to_world(self, pixel_x: float, pixel_y: float) -> tuple[float, float]:
        return self.x + (pixel_x - self.pixel_x) / self.scale, self.y + (pixel_y - self.pixel_y) / self.scale

    def panned(self, dx: float, dy: float) -> Camera:
        """The view moved by so many pixels."""
        return replace(self, pixel_x=self.pixel_x + dx, pixel_y=self.pixel_y + dy)
