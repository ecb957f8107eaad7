"""Elementary functions of our own, the same bits on every machine: cos, sin, exp, expm1, log, atan2, hypot, directions;
of numbers, and of whole arrays. Beside them is the check of a game's numbers.

The C libraries of two platforms round these differently, and so do two versions of one; numpy's own functions differ
with the processor. Here they are made of sums,
products, quotients and roots alone, which IEEE 754 defines to the last bit, and of powers of two. The polynomials are
the best ones for their ranges (Remez), with errors below 2^−57 of the result; for cosine and sine from fdlibm.

An angle is brought to r in [−π/4, π/4] by taking off n quarter turns, and both series are summed for r. The quarter
turn is subtracted in two parts (Cody and Waite): the first has 33 bits, so that n times it is exact for the n that are
let through here.
"""

from __future__ import annotations

import math
import reprlib
from typing import Any

import numpy as np
from numpy import float64
from numpy.ma import is_masked
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float64s, kernel, scalar
from ecsphys.engine.math.rounding import two_product, two_sum

# π/2 = the first 33 bits + the rest
QUARTER_TURN = 1.57079632673412561417
QUARTER_TURN_REST = 6.07710050650619224932e-11
PER_QUARTER_TURN = 2.0 / math.pi

# Beyond, n would have more than 20 bits.
LARGEST_ANGLE = 1.0e6

# π/2 as three floats, for larger angles; beyond these, floats are a radian or more apart.
_FIRST_PART, _SECOND_PART, _THIRD_PART = 1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33
_LARGEST_REDUCED = 2.0**52

S1, S2, S3 = -1.66666666666666324348e-1, 8.33333333332248946124e-3, -1.98412698298579493134e-4
S4, S5, S6 = 2.75573137070700676789e-6, -2.50507602534068634195e-8, 1.58969099521155010221e-10
C1, C2, C3 = 4.16666666666666019037e-2, -1.38888888888741095749e-3, 2.48015872894767294178e-5
C4, C5, C6 = -2.75573143513906633035e-7, 2.08757232129817482790e-9, -1.13596475577881948265e-11


@scalar
def _series(r: float, turns: float) -> tuple[float, float]:
    """(cos, sin) of r in [−π/4, π/4] and so many quarter turns."""
    z = r * r
    sine = r + r * z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))))
    cosine = 1.0 - 0.5 * z + z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))))
    quarter = int(turns) & 3
    c = sine if quarter & 1 else cosine
    s = cosine if quarter & 1 else sine
    return -c if (quarter + 1) & 2 else c, -s if quarter & 2 else s


@scalar
def _cos_sin_of_many_turns(angle: float) -> tuple[float, float]:
    """:func:`cos_sin` of a larger angle: the quarter turns are subtracted without rounding (Dekker)."""
    if not abs(angle) <= _LARGEST_REDUCED:
        if not abs(angle) < math.inf:
            return math.nan, math.nan
        # As good as random: of neighbouring numbers, one is many turns away.
        angle %= math.tau
    turns = math.floor(angle * PER_QUARTER_TURN + 0.5)
    first, first_tail = two_product(turns, _FIRST_PART)
    second, second_tail = two_product(turns, _SECOND_PART)
    # Exact: the two are close to each other.
    r = angle - first
    r, tail = two_sum(r, -first_tail)
    r, lost = two_sum(r, -second)
    r += tail + lost - second_tail - turns * _THIRD_PART
    # The number of turns was rounded.
    more = math.floor(r * PER_QUARTER_TURN + 0.5)
    return _series((r - more * QUARTER_TURN) - more * QUARTER_TURN_REST, turns + more)


@scalar
def cos_sin(angle: float) -> tuple[float, float]:
    """(cos, sin) of an angle in radians, within 2^−52 of the true values; four times as fast as one after the other."""
    if not abs(angle) <= LARGEST_ANGLE:
        return _cos_sin_of_many_turns(angle)
    turns = math.floor(angle * PER_QUARTER_TURN + 0.5)
    r = (angle - turns * QUARTER_TURN) - turns * QUARTER_TURN_REST
    return _series(r, turns)


@scalar
def sine_of(angle: float) -> float:
    """The sine of an angle in radians, as :func:`cos_sin` has it."""
    return cos_sin(angle)[1]


@scalar
def cosine_of(angle: float) -> float:
    """The cosine of an angle in radians, as :func:`cos_sin` has it."""
    return cos_sin(angle)[0]


@scalar
def tangent_of(angle: float) -> float:
    """The tangent of an angle in radians, within two ulps."""
    c, s = cos_sin(angle)
    return s / c


# ln 2 = the first 32 bits, so that its multiples by whole numbers are exact, + the rest
_LN2, _LN2_REST, _PER_LN2 = 0.6931471803691238, 1.9082149292705877e-10, 1.4426950408889634
# Outside e^x is 0, or infinite.
_LEAST_EXPONENT, _MOST_EXPONENT = -746.0, 709.782712893384
# From here down e^x − 1 is −1.
_LEAST_DIFFERENCE = -40.0
_HALF_LN2 = 0.3465735902799726

# (e^r − 1 − r)/r² for |r| <= ln 2/2
_E0, _E1, _E2, _E3 = 0.5, 0.16666666666666685, 0.04166666666666673, 0.008333333333316739
_E4, _E5, _E6, _E7 = 0.00138888888888585, 0.00019841269897060332, 2.48015873736222e-05, 2.755723423547152e-06
_E8, _E9, _E10 = 2.7557233463250615e-07, 2.511224028187128e-08, 2.092691091853656e-09

# (log((1 + s)/(1 − s)) − 2s)/s in s², for |s| <= 0.1716; from fdlibm, with an error below 2^−58.
_L1, _L2, _L3, _L4 = 0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784
_L5, _L6, _L7 = 0.1818357216161805, 0.15313837699209373, 0.14798198605116586
_SQRT_HALF = 0.7071067811865476

# (atan √z − √z)/(z·√z) for √z <= 1/2
_A0, _A1, _A2, _A3 = -0.33333333333332993, 0.1999999999990523, -0.1428571427655526, 0.11111110666373733
_A4, _A5, _A6, _A7 = -0.09090896400261238, 0.07692076168432292, -0.06663832042531972, 0.058584341908466495
_A8, _A9, _A10, _A11 = -0.05122568540492049, 0.041879862629492136, -0.02745733749139255, 0.01013162846829273

_EIGHTH_TURN, _EIGHTH_TURN_REST = 0.7853981633974483, 3.061616997868383e-17
_QUARTER_TURN, _QUARTER_TURN_REST = 1.5707963267948966, 6.123233995736766e-17
_HALF_TURN, _HALF_TURN_REST = 3.141592653589793, 1.2246467991473532e-16

# Where neither squares nor quotients leave the range of floats; outside, all is scaled by 2^600.
_SMALL_SQUARE, _LARGE_SQUARE = 1e-270, 1e300
_SMALL, _LARGE = 1e-280, 1e300
_UP, _DOWN = 2.0**600, 2.0**-600


@scalar
def _exponential_series(r: float) -> float:
    """(e^r − 1 − r)/r² for |r| <= ln 2/2."""
    high = _E5 + r * (_E6 + r * (_E7 + r * (_E8 + r * (_E9 + r * _E10))))
    return _E0 + r * (_E1 + r * (_E2 + r * (_E3 + r * (_E4 + r * high))))


@scalar
def _reduced(x: float) -> tuple[float, float, float]:
    """(n, r, rest): x is n · ln 2 + r + rest, with |r| <= ln 2/2, and the rest far below the last bit of r."""
    doublings = math.floor(x * _PER_LN2 + 0.5)
    high = x - doublings * _LN2
    low = doublings * _LN2_REST
    r = high - low
    return doublings, r, (high - r) - low


@scalar
def exp(x: float) -> float:
    """e^x, within an ulp: inf from 709.79 on, 0 below −746."""
    if not _LEAST_EXPONENT < x <= _MOST_EXPONENT:
        return math.inf if x > 0.0 else 0.0 if x < 0.0 else x
    doublings, r, rest = _reduced(x)
    return math.ldexp(1.0 + (r + (r * r * _exponential_series(r) + rest)), int(doublings))


@scalar
def expm1(x: float) -> float:
    """e^x − 1, within two ulps, also where x is small."""
    if abs(x) <= _HALF_LN2:
        return x + x * x * _exponential_series(x)
    if not _LEAST_DIFFERENCE < x <= _MOST_EXPONENT:
        return math.inf if x > 0.0 else -1.0 if x < 0.0 else x
    doublings, r, rest = _reduced(x)
    change = r + (r * r * _exponential_series(r) + rest)
    if doublings > 64.0:
        return math.ldexp(1.0 + change, int(doublings))
    power = math.ldexp(1.0, int(doublings))
    return power * change + (power - 1.0)


@scalar
def log(x: float) -> float:
    """The natural logarithm, within an ulp: −inf of 0, NaN of numbers below 0.

    x = 2^k·(1 + f) with 1 + f in [√½, √2), and log(1 + f) = f − s·(f − r) for s = f/(2 + f), where r is a series in s².
    """
    if not 0.0 < x < math.inf:
        return x if x > 0.0 or x != x else -math.inf if x == 0.0 else math.nan
    mantissa, exponent = math.frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    f = mantissa - 1.0
    doublings = float(exponent)
    s = f / (2.0 + f)
    z = s * s
    series = z * (_L1 + z * (_L2 + z * (_L3 + z * (_L4 + z * (_L5 + z * (_L6 + z * _L7))))))
    half_square = 0.5 * f * f
    return doublings * _LN2 - ((half_square - (s * (half_square + series) + doublings * _LN2_REST)) - f)


@scalar
def atan2(y: float, x: float) -> float:
    """The angle of (x, y), −π to π, within two ulps; 0 or ±π of (±0, 0) as ``math.atan2``."""
    across, along = abs(y), abs(x)
    small, big = min(across, along), max(across, along)
    if x != x or y != y:
        return x + y
    if big == math.inf:
        small = 1.0 if small == math.inf else 0.0
        big = 1.0
    elif big > _LARGE:
        small, big = small * _DOWN, big * _DOWN
    elif big == 0.0:
        big = 1.0
    elif big < _SMALL:
        small, big = small * _UP, big * _UP
    is_steep = small > 0.5 * big
    q = (small - big) / (small + big) if is_steep else small / big
    z = q * q
    series = _A6 + z * (_A7 + z * (_A8 + z * (_A9 + z * (_A10 + z * _A11))))
    series = _A0 + z * (_A1 + z * (_A2 + z * (_A3 + z * (_A4 + z * (_A5 + z * series)))))
    angle = q + q * z * series
    if is_steep:
        angle = _EIGHTH_TURN + (angle + _EIGHTH_TURN_REST)
    if across > along:
        angle = _QUARTER_TURN - (angle - _QUARTER_TURN_REST)
    if math.copysign(1.0, x) < 0.0:
        angle = _HALF_TURN - (angle - _HALF_TURN_REST)
    return math.copysign(angle, y)


@scalar
def _scaled_hypot(x: float, y: float) -> float:
    if abs(x) == math.inf or abs(y) == math.inf:
        return math.inf
    is_large = max(abs(x), abs(y)) > 1.0
    x, y = (x * _DOWN, y * _DOWN) if is_large else (x * _UP, y * _UP)
    length = math.sqrt(x * x + y * y)
    return length * _UP if is_large else length * _DOWN


@scalar
def hypot(x: float, y: float) -> float:
    """√(x² + y²), within an ulp, of numbers of any size; never below the larger of |x| and |y|."""
    squared = x * x + y * y
    if _SMALL_SQUARE < squared < _LARGE_SQUARE:
        return math.sqrt(squared)
    return _scaled_hypot(x, y)


# Outside of this range squares lose bits to the smallest floats, vanish or overflow: the vector is scaled first, by a
# power of two, which rounds nothing.
SMALL_SQUARE = 1e-280
LARGE_SQUARE = 1e280
_SCALE = 2.0**600


@scalar
def unit_vector(x: float, y: float) -> tuple[float, float, float]:
    """(x / length, y / length, length); (0, 0, 0) for the zero vector."""
    squared = x * x + y * y
    if SMALL_SQUARE < squared < LARGE_SQUARE:
        length = math.sqrt(squared)
        return x / length, y / length, length
    if x == 0.0 and y == 0.0:
        return 0.0, 0.0, 0.0
    scale = _SCALE if squared < 1.0 else 1.0 / _SCALE
    x *= scale
    y *= scale
    length = math.sqrt(x * x + y * y)
    return x / length, y / length, length / scale


def real_array(name: str, value: Any, shape: str) -> NDArray[float64]:
    """An array-like of integers or floats as contiguous float64, in its own shape.

    ``shape`` says in the message which one is wanted. TypeError for anything else, complex numbers and bools too. What
    is too large for float64 is infinite.
    """
    if type(value) is np.ndarray and value.dtype == float64:
        return np.asarray(value, order="C")
    if type(value) is float:
        return np.array(value)
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.zeros(1, object)
    if (array.dtype.kind not in "iuf" and array.size) or is_masked(value):
        raise TypeError(f"{name} must be real numbers of shape {shape}, got {reprlib.repr(value)}")
    with np.errstate(over="ignore"):
        return np.asarray(array, float64, order="C")


def real_number(name: str, value: Any) -> float:
    """One number; TypeError for anything else."""
    array = real_array(name, value, "(), one number")
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {reprlib.repr(value)}")
    return float(array)


Reals = NDArray[float64]

# Where squares neither overflow nor vanish.
_SMALL_LENGTH, _LARGE_LENGTH = 1e-140, 1e150
_UP, _DOWN = 2.0**600, 2.0**-600


@kernel
def turn_all(angles: Float64s, cosines: Float64s, sines: Float64s) -> None:
    """The cosine and the sine of each angle (n,)."""
    for k in range(angles.shape[0]):
        cosines[k], sines[k] = cos_sin(angles[k])


@kernel
def aim_all(y: Float64s, x: Float64s, angles: Float64s) -> None:
    """The angle of each vector (n,)."""
    for k in range(y.shape[0]):
        angles[k] = atan2(y[k], x[k])


_EXP, _EXPM1, _LOG = range(3)


@kernel
def apply_to_all(function: int, numbers: Float64s, results: Float64s) -> None:
    """e^x, e^x − 1 or the natural logarithm of each number (n,)."""
    for k in range(numbers.shape[0]):
        if function == _EXP:
            results[k] = exp(numbers[k])
        elif function == _EXPM1:
            results[k] = expm1(numbers[k])
        else:
            results[k] = log(numbers[k])


def exp_of(numbers: NDArray[Any]) -> Reals:
    """e^x of numbers in an array of any shape."""
    return _of_each(_EXP, numbers)


def expm1_of(numbers: NDArray[Any]) -> Reals:
    """e^x − 1 of numbers in an array of any shape."""
    return _of_each(_EXPM1, numbers)


def log_of(numbers: NDArray[Any]) -> Reals:
    """The natural logarithms of numbers in an array of any shape."""
    return _of_each(_LOG, numbers)


def _of_each(function: int, numbers: NDArray[Any]) -> Reals:
    flat = np.ascontiguousarray(numbers, float64).reshape(-1)
    results = np.empty_like(flat)
    apply_to_all(function, flat, results)
    return results.reshape(np.shape(numbers))


def cos_sin_of(angles: NDArray[Any]) -> tuple[Reals, Reals]:
    """The cosines and the sines of angles in radians, in an array of any shape."""
    flat = np.ascontiguousarray(angles, float64).reshape(-1)
    cosines, sines = np.empty_like(flat), np.empty_like(flat)
    turn_all(flat, cosines, sines)
    return cosines.reshape(np.shape(angles)), sines.reshape(np.shape(angles))


def lengths_of(x: NDArray[Any], y: NDArray[Any]) -> Reals:
    """√(x² + y²) of numbers of any size, element by element."""
    largest = np.maximum(np.abs(x), np.abs(y))
    scale = np.where(largest > _LARGE_LENGTH, _DOWN, np.where(largest < _SMALL_LENGTH, _UP, 1.0))
    x, y = x * scale, y * scale
    lengths: Reals = np.sqrt(x * x + y * y) / scale
    return lengths


def angles_of(vectors: NDArray[Any]) -> Reals:
    """The angles (n,) of vectors (n, 2)."""
    x, y = np.ascontiguousarray(np.asarray(vectors, float64).T)
    angles: Reals = np.empty_like(x)
    aim_all(y, x, angles)
    return angles
