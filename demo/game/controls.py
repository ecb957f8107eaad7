"""What the player wants, by keyboard, gamepad or script."""

from __future__ import annotations

ACTIONS = ("jump", "sword", "bolt", "bolt up", "bolt at", "lance", "start")

KEYS = {
    "SPACE": "jump",
    "W": "jump",
    "UP": "jump",
    "J": "sword",
    "X": "sword",
    "K": "bolt",
    "C": "bolt",
    "I": "bolt up",
    "F": "bolt up",
    "L": "lance",
    "V": "lance",
    "ENTER": "start",
    "RETURN": "start",
    "NUM_ENTER": "start",
    "PAD_A": "jump",
    "PAD_X": "sword",
    "PAD_B": "bolt",
    "PAD_Y": "lance",
    "PAD_RIGHTSHOULDER": "lance",
    "PAD_START": "start",
}
"""Keys and buttons by their names in pyglet, those of a gamepad after ``PAD_``."""

HELP = (
    ("A D, ← →", "run, and push crates"),
    ("W, ↑, Space", "jump; hold it to jump higher"),
    ("J, X", "swing the sword"),
    ("K, C", "throw a bolt; with S or ↓ down"),
    ("I, F", "throw a bolt up, with A D aslant"),
    ("L, V", "dash with the lance"),
    ("Left button", "throw bolts at the mouse"),
    ("Enter", "begin"),
)
"""The effects of the keys and the mouse, in words."""

DIRECTIONS = {
    "A": (-1, 0),
    "D": (1, 0),
    "S": (0, -1),
    "LEFT": (-1, 0),
    "RIGHT": (1, 0),
    "DOWN": (0, -1),
    "PAD_LEFT": (-1, 0),
    "PAD_RIGHT": (1, 0),
    "PAD_UP": (0, 1),
    "PAD_DOWN": (0, -1),
}


class Controls:
    """Directions and held actions; ``advance`` tells once a step which of them are new.

    ``x`` and ``y`` are −1 … 1, right and up positive. ``held`` and ``pressed`` hold names of :data:`ACTIONS`.
    ``target`` is the place of the world that "bolt at" aims at.
    """

    def __init__(self) -> None:
        self.x = 0.0
        self.y = 0.0
        self.target = (0.0, 0.0)
        self.held: set[str] = set()
        self.pressed: set[str] = set()
        self._tapped: set[str] = set()
        self._keys: set[str] = set()

    def hold(self, action: str) -> None:
        """Begin to hold an action; it counts as pressed in the next step, even if let go before."""
        if action not in self.held:
            self.held.add(action)
            self._tapped.add(action)

    def release(self, action: str) -> None:
        self.held.discard(action)

    def press_key(self, name: str) -> bool:
        """A key goes down; whether it means anything here."""
        if name in KEYS:
            self._keys.add(name)
            self.hold(KEYS[name])
        elif name in DIRECTIONS:
            self._keys.add(name)
            self._steer()
        else:
            return False
        return True

    def release_key(self, name: str) -> None:
        """A key goes up; its action goes on while another key holds it."""
        self._keys.discard(name)
        if name in KEYS and not any(KEYS.get(key) == KEYS[name] for key in self._keys):
            self.release(KEYS[name])
        elif name in DIRECTIONS:
            self._steer()

    def _steer(self) -> None:
        ways = [DIRECTIONS[key] for key in self._keys if key in DIRECTIONS]
        self.x = float(((1, 0) in ways) - ((-1, 0) in ways))
        self.y = float(((0, 1) in ways) - ((0, -1) in ways))

    def advance(self) -> None:
        """Begin a step: what was tapped since the last one is now pressed."""
        self.pressed = self._tapped
        self._tapped = set()

    def clear(self) -> None:
        """Let everything go."""
        self.x = self.y = 0.0
        self.held.clear()
        self._keys.clear()
        self._tapped.clear()
