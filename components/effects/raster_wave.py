"""``RasterWave``: a picture whose rows sway, as seen through water or heat."""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import MixedComponent


@final
class RasterWave(MixedComponent):
    """Each of ``row_count`` rows is shifted by amplitude·sin(2π(t/period − y/wavelength)).

    ``ScrollingSystem.wave_shifts`` has the shifts.

    Parameters
    ----------
    amplitude
        Units.
    period
        Seconds, > 0.
    wavelength
        Units, > 0.
    row_count
        1 to 1,000,000.
    row_height
        Units, > 0; row r, counted from the bottom, is at y = r·``row_height``.
    elapsed
        t in seconds, settable. Chapter B6.

    Examples
    --------
    >>> water = esper.create_entity(RasterWave(amplitude=3, period=2, wavelength=40, row_count=64))
    """

    amplitude: float
    period: float = column(above=0.0)
    wavelength: float = column(above=0.0)
    row_count: int = column(low=1, high=1_000_000)
    row_height: float = column(default=1.0, above=0.0)
    elapsed: float = 0.0
