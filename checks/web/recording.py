"""Records calls of kernels, while scenes run, with the memory before and after each: ``recording.py FOLDER SCENE …``.

A recorded call names its memory by blocks. All places where a block has the address of another, or of a kernel, are
noted: whoever makes the call again puts its own addresses there.
"""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy import float64, int64, uint8
from numpy.typing import NDArray

# A call with more memory is left out, unless it is the first one.
_MOST_BYTES = 4_000_000

# What numbers of a call are addresses.
_LEAST_ADDRESS = 1 << 32


class Recorder:
    """Stands for the library: kernels are functions that record some of their calls."""

    def __init__(self, native: Any) -> None:
        self._native = native
        self._seen: Counter[str] = Counter()
        self._arrays: dict[int, NDArray[Any]] = {}
        self._of_wrapper: dict[Any, Any] = {}
        self.calls: list[dict[str, Any]] = []
        self.left_out: Counter[str] = Counter()
        self.kernels = {name: self._wrapped(name, kernel) for name, kernel in native.kernels.items()}
        self._functions = {native.address(kernel): name for name, kernel in native.kernels.items()}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)

    def begin(self) -> None:
        """Begin to record a scene."""
        self.calls = []
        self._seen.clear()

    def note_array(self, array: NDArray[Any]) -> int:
        """What stands for ``address_of``: it keeps the array, so that its address stays its own."""
        address: int = array.__array_interface__["data"][0]
        known = self._arrays.get(address)
        if known is None or known.nbytes < array.nbytes or (known.dtype != int64 and array.dtype == int64):
            self._arrays[address] = array
        return address

    def record(self, kernel: Any, arguments: Any, words: Any, first: int) -> None:
        """As the library's."""
        self._note(arguments)
        self._native.record(self._of_wrapper[kernel], arguments, words, first)

    def places(self, kernel: Any) -> Any:
        """As the library's."""
        return self._native.places(self._of_wrapper[kernel])

    def address(self, kernel: Any) -> Any:
        """As the library's."""
        return self._native.address(self._of_wrapper[kernel])

    def stage_call(self, stage: Any, done: Any, method: Any, gate: Any, words: Any) -> Any:
        """The stage's own method: the library would call kernels itself."""
        return method

    def events_call(self, method: Any, gate: Any, words: Any) -> Any:
        """The stage's own method."""
        return method

    def _note(self, value: Any) -> None:
        if isinstance(value, np.ndarray):
            self.note_array(value)
        elif isinstance(value, tuple):
            if hasattr(type(value), "address"):
                # Its address is noted once it is asked for.
                _ = value.address  # type: ignore[attr-defined]
            for part in value:
                self._note(part)

    def _wrapped(self, name: str, kernel: Any) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self._seen[name] += 1
            times = self._seen[name]
            if times & (times - 1):
                return kernel(*arguments)
            return self._recorded(name, kernel, arguments)

        call.__name__ = name.rpartition(".")[2]
        self._of_wrapper[call] = kernel
        return call

    def _recorded(self, name: str, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        self._note(arguments)
        words = np.zeros(1000, int64)
        self._native.record(kernel, arguments, words, 0)
        takes = self._native.places(kernel)[1].replace("(", "").replace(")", "")
        length = 1 + sum(map(int, _sizes(takes)))
        used = words[1:length]
        reached = self._reached(used)
        if self._seen[name] > 1 and sum(array.nbytes for array in reached) > _MOST_BYTES:
            self.left_out[name] += 1
            return kernel(*arguments)
        blocks = _Blocks(reached)
        before = [(used.tobytes(), self._addresses(used, blocks)), *self._image(blocks)]
        result = kernel(*arguments)
        self.calls.append(
            {
                "kernel": name,
                "before": before,
                "starts": [start % 64 for start, _ in blocks.spans],
                "after": self._image(blocks),
                "results": _words_of(result),
            }
        )
        return result

    def _reached(self, words: NDArray[int64]) -> list[NDArray[Any]]:
        """All arrays whose addresses are in some words, or in the arrays of whole numbers found so."""
        found: dict[int, NDArray[Any]] = {}
        rest = [words]
        while rest:
            numbers = rest.pop()
            for address in numbers[numbers >= _LEAST_ADDRESS].tolist():
                if address not in found and address in self._arrays:
                    array = found[address] = self._arrays[address]
                    if array.dtype == int64:
                        rest.append(array.reshape(-1))
        return list(found.values())

    def _image(self, blocks: _Blocks) -> list[tuple[bytes, list[Any]]]:
        """The bytes of each block, and the addresses in its words.

        Memory of other types may hold half of an address that is long out of use.
        """
        image: list[tuple[bytes, list[Any]]] = [(memory.tobytes(), []) for memory in blocks.memory]
        for block, first, words in blocks.words:
            image[block][1].extend((first + place, *rest) for place, *rest in self._addresses(words, blocks))
        return image

    def _addresses(self, words: NDArray[int64], blocks: _Blocks) -> list[Any]:
        """Where some words have an address: (place, block, place in it) or (place, kernel)."""
        found: list[Any] = []
        for k in np.flatnonzero(words >= _LEAST_ADDRESS).tolist():
            address = int(words[k])
            if address in self._functions:
                found.append((8 * k, self._functions[address]))
            elif address in self._arrays and (place := blocks.place_of(address)):
                found.append((8 * k, *place))
        return found


class _Blocks:
    """Memory without overlaps: some arrays, those that share memory in one block."""

    def __init__(self, arrays: list[NDArray[Any]]) -> None:
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted((_address(array), _address(array) + array.nbytes) for array in arrays):
            if self.spans and start <= self.spans[-1][1]:
                self.spans[-1] = (self.spans[-1][0], max(self.spans[-1][1], end))
            else:
                self.spans.append((start, end))
        self.memory = [_memory(start, end - start) for start, end in self.spans]
        # The arrays of words: their block, and where in it they begin.
        self.words = [(*self._found_in(array), array.reshape(-1)) for array in arrays if array.dtype == int64]

    def _found_in(self, array: NDArray[Any]) -> tuple[int, int]:
        place = self.place_of(_address(array))
        assert place is not None
        return place

    def place_of(self, address: int) -> tuple[int, int] | None:
        """The block that an address is in, and where in it."""
        for k, (start, end) in enumerate(self.spans):
            if start <= address <= end:
                return k, address - start
        return None


def _address(array: NDArray[Any]) -> int:
    """Where an array begins."""
    address: int = array.__array_interface__["data"][0]
    return address


def _memory(address: int, size: int) -> NDArray[uint8]:
    """A view of memory at an address."""
    if not size:
        return np.zeros(0, uint8)
    interface = {"data": (address, False), "shape": (size,), "typestr": "|u1", "version": 3}
    return np.asarray(type("Memory", (), {"__array_interface__": interface})())


def _sizes(takes: str) -> list[str]:
    """The words that each argument takes."""
    sizes, k = [], 0
    while k < len(takes):
        if takes[k] == "A":
            sizes.append(str(1 + int(takes[k + 2])))
            k += 3
        else:
            sizes.append("1")
            k += 1
    return sizes


def _words_of(result: Any) -> list[int]:
    """A kernel's results as words."""
    if result is None:
        return []
    parts = result if isinstance(result, tuple) else (result,)
    return [int(float64(part).view(int64)) if isinstance(part, float) else int(part) for part in parts]


def _put_in_place() -> Recorder:
    """Put a recorder where the engine finds its library, before anything has taken kernels from there."""
    place = importlib.util.find_spec("ecsphys")
    assert place is not None
    package = ModuleType("ecsphys")
    package.__path__ = list(place.submodule_search_locations or ())
    sys.modules["ecsphys"] = package
    library: Any = importlib.import_module("ecsphys.engine.kernels.compilation")
    library.library = recorder = Recorder(library.library)
    for name in ("ecsphys.engine.kernels", "ecsphys.engine.kernels.arrays"):
        setattr(importlib.import_module(name), "address_of", recorder.note_array)  # noqa: B010
    del sys.modules["ecsphys"]
    return recorder


def main(folder: Path, names: list[str]) -> None:
    """Run scenes, and write the calls of each to a file in the folder."""
    recorder = _put_in_place()
    from ecsphys.verify.scenes import GOLDEN_DIGESTS, SCENES, digest_of

    for name in names or SCENES:
        recorder.begin()
        if digest_of(name, 1) != GOLDEN_DIGESTS[name]:
            raise SystemExit(f"{name} differs here: run python -m ecsphys.verify")
        (folder / f"{name}.calls").write_bytes(pickle.dumps(recorder.calls))
    print(f"left out for their size: {dict(recorder.left_out)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
