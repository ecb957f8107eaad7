"""What only compiled kernels can be asked for; NUMBA_DISABLE_JIT leaves such tests out."""

from __future__ import annotations

import pytest

from ecsphys.engine.kernels.compilation import COMPILES

compiled = pytest.mark.skipif(not COMPILES, reason="of machine code, or of how fast it is")
