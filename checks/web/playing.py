"""Makes recorded calls again, under Pyodide: memory, addresses and results must be those of the recording.

It needs nothing but Python: Pyodide's numpy is not in the registries. The extension only asks numpy for a type.
"""

from __future__ import annotations

import ctypes
import importlib
import pickle
import struct
import sys
import types
from collections.abc import Sequence
from typing import Any

_LINE = 64


class Player:
    """The library, and how its kernels are called by words."""

    def __init__(self) -> None:
        numpy = types.ModuleType("numpy")
        numpy.ndarray = type("ndarray", (), {})  # type: ignore[attr-defined]
        sys.modules["numpy"] = numpy
        _engine: Any = importlib.import_module("_engine")
        self.code = _engine.choose(None)
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
        self._entries: dict[str, Any] = {}
        self._functions: dict[str, int] = {}
        for name, kernel in _engine.kernels.items():
            # The table's row, the entry and the function: see `Chosen` in extension.c.
            _, at, function = struct.unpack("<3I", ctypes.string_at(pointer_of(kernel.__self__, b"ecsphys kernel"), 12))
            self._entries[name], self._functions[name] = entry(at), function

    def play(self, call: dict[str, Any]) -> str:
        """Make a call; what differs, an empty text if nothing does."""
        (words, places), *blocks = call["before"]
        held = [ctypes.create_string_buffer(len(data) + 2 * _LINE) for data, _ in blocks]
        starts = []
        for buffer, wanted in zip(held, call["starts"], strict=True):
            at = ctypes.addressof(buffer)
            starts.append(at + (wanted - at) % _LINE)
        for start, (data, inside) in zip(starts, blocks, strict=True):
            ctypes.memmove(start, self._relocated(data, inside, starts), len(data))
        given = ctypes.create_string_buffer(self._relocated(words, places, starts), len(words) + 8)
        results = (ctypes.c_int64 * 16)()
        self._entries[call["kernel"]](ctypes.addressof(given), ctypes.addressof(results))
        if list(results)[: len(call["results"])] != call["results"]:
            return f"results {list(results)[: len(call['results'])]} instead of {call['results']}"
        for k, (start, (data, inside)) in enumerate(zip(starts, call["after"], strict=True)):
            found, expected = ctypes.string_at(start, len(data)), self._relocated(data, inside, starts)
            if found != expected:
                place = next(i for i in range(len(data)) if found[i] != expected[i])
                first = place // 8 * 8
                return (
                    f"block {k} of {len(data)} bytes differs from byte {place} on:"
                    f" {found[first : first + 8].hex()} instead of {expected[first : first + 8].hex()}"
                )
        return ""

    def _relocated(self, data: bytes, places: Sequence[Any], starts: Sequence[int]) -> bytes:
        """The bytes with the addresses of this process."""
        moved = bytearray(data)
        for place, *what in places:
            address = self._functions[what[0]] if len(what) == 1 else starts[what[0]] + what[1]
            moved[place : place + 8] = address.to_bytes(8, "little")
        return bytes(moved)


def play_file(player: Player, path: str) -> tuple[int, int, list[str]]:
    """Make all calls of a file; how many, how many bytes were compared, and what differs."""
    with open(path, "rb") as file:
        calls = pickle.load(file)
    compared, faults = 0, []
    for number, call in enumerate(calls):
        compared += sum(len(data) for data, _ in call["after"]) + 8 * len(call["results"])
        try:
            fault = player.play(call)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            faults.append(f"call {number}, {call['kernel']}: {fault}")
    return len(calls), compared, faults
