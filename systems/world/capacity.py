"""How large a kept buffer is made; see :mod:`ecsphys.engine.capacity`."""

from __future__ import annotations

from ecsphys.engine.capacity import Capacity, grown

__all__ = ["Capacity", "grown"]
