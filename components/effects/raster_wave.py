"""``RasterWave``: a picture whose rows sway, as seen through water or heat."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class RasterWave(Component):
    """Each of ``row_count`` rows is shifted by amplitude·sin(2π(t/period − y/wavelength)).

    ``amplitude``: units. ``period``: seconds, > 0. ``wavelength``: units, > 0. Row r, counted from the bottom, is at
    y = r·``row_height``. ``elapsed``: t in seconds, settable. The shifts are in the ``wave_shifts`` of the
    ``ScrollingSystem``. Row B6.
    """

    amplitude: float
    period: float = column(above=0.0)
    wavelength: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    row_height: float = column(default=1.0, above=0.0)
    elapsed: float = 0.0
