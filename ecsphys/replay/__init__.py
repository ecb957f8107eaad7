"""Record a game into a file, step by step, and replay it: the same inputs, and the same bits in every step.

``python -m ecsphys.replay FILE`` replays a file, and names the first step and entity that differ.
"""

from ecsphys.replay.recording import Game, Inputs, Recorder
from ecsphys.replay.replaying import Difference, Recording, replay

__all__ = ["Difference", "Game", "Inputs", "Recorder", "Recording", "replay"]
