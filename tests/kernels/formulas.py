"""All formulas of the documents, for rows of ten numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from formulas import FORMULAS, places_in

from ecsphys.engine.geometry import predicates
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s
from ecsphys.engine.kernels.compilation import kernel


def _lines() -> Iterator[str]:
    yield "def evaluate(arguments, results):"
    yield "    for k in range(arguments.shape[0]):"
    column = 0
    for number, (formula, count) in enumerate(FORMULAS):
        given = ", ".join(f"arguments[k, {j}]" for j in range(count))
        yield f"        found{number} = {formula.__name__}({given})"
        for place in places_in(formula(*[float(1 + j) for j in range(count)])):
            yield f"        results[k, {column}] = found{number}{place}"
            column += 1


_made: dict[str, Any] = {formula.__name__: formula for formula, _ in FORMULAS}
exec("\n".join(_lines()), _made)
_evaluate: Any = _made["evaluate"]
_evaluate.__module__ = __name__
evaluate = kernel("void(f8[:,::1], f8[:,::1])")(_evaluate)


@kernel
def wind(xs: Float64s, ys: Float64s) -> int:
    """The winding of a polygon."""
    return predicates.convex_winding(xs, ys)


@kernel
def hit_polygon(circle: Float64Rows, xs: Float64s, ys: Float64s, winding: int) -> bool:
    """Whether a circle (1, 3) hits a polygon."""
    return predicates.circle_polygon(circle[0, 0], circle[0, 1], circle[0, 2], xs, ys, winding)
