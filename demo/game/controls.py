"""What the player wants, whoever the player is: keyboard, gamepad or script."""

from __future__ import annotations

ACTIONS = ("jump", "sword", "bolt", "lance", "start")


class Controls:
    """Directions and held actions; ``advance`` tells once a step which of them are new.

    ``x`` and ``y`` are −1 … 1, right and up positive. ``held`` and ``pressed`` hold names of :data:`ACTIONS`.
    """

    def __init__(self) -> None:
        self.x = 0.0
        self.y = 0.0
        self.held: set[str] = set()
        self.pressed: set[str] = set()
        self._tapped: set[str] = set()

    def hold(self, action: str) -> None:
        """Begin to hold an action; it counts as pressed in the next step, even if let go before."""
        if action not in self.held:
            self.held.add(action)
            self._tapped.add(action)

    def release(self, action: str) -> None:
        self.held.discard(action)

    def set_held(self, actions: set[str]) -> None:
        """Hold exactly these."""
        for action in self.held - actions:
            self.release(action)
        for action in actions - self.held:
            self.hold(action)

    def advance(self) -> None:
        """Begin a step: what was tapped since the last one is now pressed."""
        self.pressed = self._tapped
        self._tapped = set()

    def clear(self) -> None:
        """Let everything go."""
        self.x = self.y = 0.0
        self.held.clear()
        self._tapped.clear()
