"""A figure of a step: what ecsphys and a peer need, and what is to be reached."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StepFigure:
    """One line of the table. ``most`` bounds ``ours``, ``most_ratio`` the ratio; None where nothing is to be reached.

    ``peer`` is None where no other library does the same.
    """

    what: str
    ours: float
    peer: float | None = None
    most: float | None = None
    most_ratio: float | None = None
    unit: str = "µs"

    @property
    def ratio(self) -> float | None:
        """Ours by the peer's; None if the difference of two times of the peer is not above 0."""
        return self.ours / self.peer if self.peer is not None and self.peer > 0.0 else None

    @property
    def target(self) -> str:
        """What is to be reached, in words."""
        parts = [] if self.most is None else [f"{self.most:.4g} {self.unit}".rstrip()]
        if self.most_ratio is not None:
            parts.append(f"ratio {self.most_ratio:g}")
        return ", ".join(parts)

    @property
    def met(self) -> str:
        """Whether all that is to be reached is reached; empty where nothing is."""
        if self.most is None and self.most_ratio is None:
            return ""
        fits = self.most is None or self.ours <= self.most
        ratio = self.ratio
        if self.most_ratio is not None:
            fits = fits and ratio is not None and ratio <= self.most_ratio
        return "yes" if fits else "no"
