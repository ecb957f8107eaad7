"""What only machine code can be asked for; ``ECSPHYS_ENGINE=python`` leaves such tests out."""

from __future__ import annotations

import pytest

from ecsphys.engine.kernels.compilation import COMPILES

compiled = pytest.mark.skipif(not COMPILES, reason="of machine code, or of how fast it is")
