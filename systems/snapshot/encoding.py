"""Plain values and arrays as bytes, and back: versioned, checked, little-endian on every machine, without pickle.

The bytes are a mark, the number of the format, the length of a head, the head in JSON, the arrays one after the other,
and a checksum of all that.
"""

from __future__ import annotations

import hashlib
import json
import math
from fractions import Fraction
from struct import Struct
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MARK: Final = b"ecsphys\0"
FORMAT: Final = 4
# Who reads other formats.
_READERS: Final = dict.fromkeys((1, 2, 3), "ecsphys 0.1.0 of November 2026 reads it")

_HEAD: Final = Struct("<8sIQ")
_CHECKSUM: Final = 16
_DTYPES: Final = frozenset({"<f8", "<i8", "<i4", "<u4", "|u1", "|b1", "<u8"})


def encode(value: Any) -> bytes:
    """A value of None, bools, numbers, str, lists, tuples, dicts, fractions and arrays of these as bytes.

    Raises TypeError, naming the value, for other types.
    """
    arrays: list[NDArray[Any]] = []
    tree = _to_json(value, arrays)
    shapes = [(array.dtype.str, list(array.shape)) for array in arrays]
    head = json.dumps({"value": tree, "arrays": shapes}, separators=(",", ":")).encode()
    content = b"".join([_HEAD.pack(MARK, FORMAT, len(head)), head, *(array.tobytes() for array in arrays)])
    return content + hashlib.blake2b(content, digest_size=_CHECKSUM).digest()


def decode(data: Any) -> Any:
    """The value from bytes of :func:`encode`.

    Raises TypeError unless ``data`` are bytes, and ValueError if they are not a snapshot, have another format, or are
    truncated or damaged.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"data must be the bytes of a snapshot, got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MARK):
        raise ValueError("data must be the bytes of an ecsphys snapshot")
    if len(data) < _HEAD.size + _CHECKSUM:
        raise ValueError(f"the snapshot is truncated: it has only {len(data)} bytes")
    _, number, head_length = _HEAD.unpack_from(data)
    if number != FORMAT:
        reader = _READERS.get(number, "use the version that saved it")
        raise ValueError(f"the snapshot has the format {number}; this version reads format {FORMAT}: {reader}")
    content = data[:-_CHECKSUM]
    if hashlib.blake2b(content, digest_size=_CHECKSUM).digest() != data[-_CHECKSUM:]:
        raise ValueError("the snapshot is damaged or truncated: its checksum does not match")
    try:
        place = _HEAD.size + head_length
        head = json.loads(content[_HEAD.size : place])
        arrays: list[NDArray[Any]] = []
        for dtype, shape in head["arrays"]:
            if dtype not in _DTYPES or not all(type(length) is int and length >= 0 for length in shape):
                raise ValueError(f"an array has the type {dtype!r} and the shape {shape}")
            array = np.frombuffer(content, dtype, math.prod(shape), place).reshape(shape)
            place += array.nbytes
            arrays.append(array.astype(array.dtype.newbyteorder("=")))
        if place != len(content):
            raise ValueError("there are bytes after its end")
        return _from_json(head["value"], arrays)
    except (ValueError, KeyError, TypeError, IndexError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"the snapshot is malformed: {error}") from None


def _to_json(value: Any, arrays: list[NDArray[Any]]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        arrays.append(np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<"))))
        if arrays[-1].dtype.str not in _DTYPES:
            raise TypeError(f"a snapshot cannot be written with an array of {value.dtype}")
        return {"array": len(arrays) - 1}
    if isinstance(value, list):
        return [_to_json(one, arrays) for one in value]
    if isinstance(value, tuple):
        return {"tuple": [_to_json(one, arrays) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[_to_json(key, arrays), _to_json(one, arrays)] for key, one in value.items()]}
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    raise TypeError(f"a snapshot cannot be written with {value!r:.80}: only plain values and arrays can")


def _from_json(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    if isinstance(tree, list):
        return [_from_json(one, arrays) for one in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, content),) = tree.items()
    if kind == "array":
        return arrays[content]
    if kind == "fraction":
        numerator, denominator = content
        if type(numerator) is not int or type(denominator) is not int:
            raise ValueError(f"a number is written as {content!r:.80}")
        return Fraction(numerator, denominator)
    if kind == "tuple":
        return tuple(_from_json(one, arrays) for one in content)
    if kind == "dict":
        return {_from_json(key, arrays): _from_json(one, arrays) for key, one in content}
    raise ValueError(f"a value has the unknown kind {kind!r}")
