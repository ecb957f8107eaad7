"""The rules that need no world: score, chains, health, lives, and the states of a game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

LIVES = 3
HEALTH = 5
ENERGY = 6.0

_CHAIN_SECONDS = 2.5
_LONGEST_CHAIN = 5
_SAFE_SECONDS = 1.2
_ENERGY_RATE = 1.6


class State(Enum):
    """TITLE → PLAY → WIN or LOSE → PLAY …"""

    TITLE = "title"
    PLAY = "play"
    WIN = "win"
    LOSE = "lose"


@dataclass
class Tally:
    """What the hero has: score, lives, health and energy."""

    score: int = 0
    lives: int = LIVES
    health: int = HEALTH
    energy: float = ENERGY
    chain: int = 0
    safe: float = 0.0
    """Seconds for which nothing can hurt the hero."""
    _chain_left: float = 0.0

    def pass_time(self, dt: float) -> None:
        """Energy comes back, chains and safety run out."""
        self.safe = max(self.safe - dt, 0.0)
        self.energy = min(self.energy + _ENERGY_RATE * dt, ENERGY)
        self._chain_left = max(self._chain_left - dt, 0.0)
        if self._chain_left == 0.0:
            self.chain = 0

    def collect(self, value: int) -> None:
        """Score a find, as it is."""
        self.score += value

    def defeat(self, value: int) -> int:
        """Score a foe, times the length of the chain of foes in quick succession; the points it gave."""
        self.chain = min(self.chain + 1, _LONGEST_CHAIN)
        self._chain_left = _CHAIN_SECONDS
        points = value * self.chain
        self.score += points
        return points

    def hurt(self, damage: int) -> bool:
        """Take damage unless safe; whether that did anything. A life is lost where no health is left."""
        if self.safe > 0.0 or self.health == 0:
            return False
        self.health = max(self.health - damage, 0)
        self.safe = _SAFE_SECONDS
        self.chain = 0
        if self.health == 0:
            self.lives -= 1
        return True

    def fall(self) -> None:
        """Fall out of the world: a life is lost, safe or not."""
        self.safe = 0.0
        self.hurt(self.health)

    @property
    def is_down(self) -> bool:
        """No health is left: the hero lies on the ground."""
        return self.health == 0

    @property
    def is_over(self) -> bool:
        """No life is left."""
        return self.lives == 0

    def rise(self) -> None:
        """Stand up for the next life."""
        self.health = HEALTH
        self.energy = ENERGY
        self.safe = 2.0 * _SAFE_SECONDS

    def heal(self) -> None:
        """A little rest: one health more, as far as there is room."""
        if not self.is_down:
            self.health = min(self.health + 1, HEALTH)

    def spend(self, energy: float) -> bool:
        """Spend energy if there is enough of it."""
        if self.energy < energy:
            return False
        self.energy -= energy
        return True
