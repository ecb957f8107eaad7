"""``Disabled``: takes an entity out of the way without deleting it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ecsphys.components.store.final import FinalBase


@final
@dataclass(frozen=True, slots=True)
class Disabled(FinalBase):
    """Takes an entity out of all detection for as long as it has this component.

    Its colliders hit nothing, block nothing and answer no query; hits that it had end with the reason "disabled". It
    moves on as before, and what it carries by a ``Parent`` is not disabled by that. When the component is removed, its
    hits start anew.
    """
