"""Plain values and arrays as bytes, and back: versioned, checked, little-endian on every machine, without pickle.

The bytes are a mark, the number of the format, the length of a head, the head in JSON, the arrays one after the other,
and a checksum of all that.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from struct import Struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MARK: Final = b"ecsphys\0"
FORMAT: Final = 4

_LENGTHS: Final = Struct("<8sIQ")
_CHECKSUM: Final = 16
_DTYPES: Final = frozenset({"<f8", "<i8", "<i4", "<u4", "|u1", "|b1", "<u8"})

_ARRAY, _TUPLE, _DICT, _FRACTION = "array", "tuple", "dict", "fraction"


def encode(value: Any) -> bytes:
    """A value of None, bools, numbers, str, lists, tuples, dicts, fractions and arrays of these as bytes.

    Raises TypeError, naming the value, for other types.
    """
    arrays: list[NDArray[Any]] = []
    tree = _to_json(value, arrays)
    shapes = [(array.dtype.str, list(array.shape)) for array in arrays]
    head = json.dumps({"value": tree, "arrays": shapes}, separators=(",", ":")).encode()
    parts = [_LENGTHS.pack(MARK, FORMAT, len(head)), head, *(array.tobytes() for array in arrays)]
    content = b"".join(parts)
    return content + _sum_of(content)


def decode(data: Any, oldest: int = FORMAT) -> tuple[Any, int]:
    """The value from bytes of :func:`encode`, and the number of their format, which is ``oldest`` at least.

    Raises TypeError unless ``data`` are bytes, and ValueError if they are not a snapshot, have another format, or are
    truncated or damaged.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"data must be the bytes of a snapshot, got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MARK):
        raise ValueError("data must be the bytes of an ecsphys snapshot")
    if len(data) < _LENGTHS.size + _CHECKSUM:
        raise ValueError(f"the snapshot is truncated: it has only {len(data)} bytes")
    _, number, head_length = _LENGTHS.unpack_from(data)
    if not oldest <= number <= FORMAT:
        raise ValueError(f"the snapshot has the format {number}; this version of ecsphys reads formats {oldest} to {FORMAT}")
    content = data[:-_CHECKSUM]
    if _sum_of(content) != data[-_CHECKSUM:]:
        raise ValueError("the snapshot is damaged or truncated: its checksum does not match")
    try:
        head = json.loads(content[_LENGTHS.size : _LENGTHS.size + head_length])
        place = _LENGTHS.size + head_length
        arrays: list[NDArray[Any]] = []
        for dtype, shape in head["arrays"]:
            array, place = _read(content, place, dtype, shape)
            arrays.append(array)
        if place != len(content):
            raise ValueError("there are bytes after its end")
        return _from_json(head["value"], arrays), number
    except (ValueError, KeyError, TypeError, IndexError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"the snapshot is malformed: {error}") from None


def _sum_of(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM).digest()


def _read(content: bytes, place: int, dtype: str, shape: list[int]) -> tuple[NDArray[Any], int]:
    if dtype not in _DTYPES:
        raise ValueError(f"an array has the type {dtype!r}")
    count = int(np.prod(shape, dtype=object)) if all(type(n) is int and n >= 0 for n in shape) else -1
    size = count * np.dtype(dtype).itemsize
    if count < 0 or place + size > len(content):
        raise ValueError(f"an array has the shape {shape}")
    array = np.frombuffer(content, dtype, count, place).reshape(shape)
    return array.astype(array.dtype.newbyteorder("=")), place + size


def _to_json(value: Any, arrays: list[NDArray[Any]]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        arrays.append(np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<"))))
        if arrays[-1].dtype.str not in _DTYPES:
            raise TypeError(f"a snapshot cannot be written with an array of {value.dtype}")
        return {_ARRAY: len(arrays) - 1}
    if isinstance(value, list):
        return [_to_json(one, arrays) for one in value]
    if isinstance(value, tuple):
        return {_TUPLE: [_to_json(one, arrays) for one in value]}
    if isinstance(value, dict):
        return {_DICT: [[_to_json(key, arrays), _to_json(one, arrays)] for key, one in value.items()]}
    if isinstance(value, Fraction):
        return {_FRACTION: [value.numerator, value.denominator]}
    raise TypeError(f"a snapshot cannot be written with {value!r:.80}: only plain values and arrays can")


def _from_json(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    if isinstance(tree, list):
        return [_from_json(one, arrays) for one in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, content),) = tree.items()
    if kind == _ARRAY:
        return arrays[content]
    if kind == _FRACTION:
        numerator, denominator = content
        if type(numerator) is not int or type(denominator) is not int:
            raise ValueError(f"a number is written as {content!r:.80}")
        return Fraction(numerator, denominator)
    if kind == _TUPLE:
        return tuple(_from_json(one, arrays) for one in content)
    if kind == _DICT:
        return {_from_json(key, arrays): _from_json(one, arrays) for key, one in content}
    raise ValueError(f"a value has the unknown kind {kind!r}")
