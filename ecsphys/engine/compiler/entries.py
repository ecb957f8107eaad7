"""Entries of kernels: without bundles for numba, and as a function of C for the extension.

A bundle would take numba long to unpack. So a flat entry is compiled, which takes all arrays one by one and makes the
bundles again, at no cost in machine code::

    def find_pairs(grid: GridArrays, pairs: Int32Rows) -> int: ...

    def entry(starts, boxes, pairs):                    # compiled for u4[::1], f8[:, ::1], i4[:, ::1]
        return find_pairs(GridArrays(starts, boxes), pairs)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, cast, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import from_dtype, types

from ecsphys.engine.compiler.instructions import arguments_from_words, arrays_at
from ecsphys.engine.kernels.arrays import fields_of, is_bundle, is_packed, layout_of, layouts_of

# As the extension's table of dtypes has them.
_DTYPES = {"float64": "d", "float32": "f", "int64": "l", "int32": "i", "uint32": "I", "uint8": "B", "bool": "?"}

_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean}


def machine_type(annotation: Any) -> Any:
    """The type that numba has for an annotation; TypeError where it does not say enough."""
    if annotation in _NUMBERS:
        return _NUMBERS[annotation]
    if annotation is type(None):
        return types.void
    if get_origin(annotation) is tuple:
        return types.Tuple([machine_type(part) for part in get_args(annotation)])
    layout = layout_of(annotation)
    return types.Array(from_dtype(np.dtype(layout.dtype)), layout.dimensions, "C")


class Flat(NamedTuple):
    """The function that is compiled in place of a kernel, its signature, and how Python's arguments become its own.

    ``takes`` has a letter for each number, P for a packed bundle, A with letter and dimensions for an array, and
    parentheses about the parts of a bundle.
    """

    entry: Callable[..., Any]
    signature: Any
    takes: str


def flatten(function: Callable[..., Any]) -> Flat:
    """A kernel without its bundles."""
    annotations = get_type_hints(function, include_extras=True)
    result = machine_type(annotations.pop("return"))
    taken = _Taken({}, {})
    rebuilt = [taken.take(name, annotation) for name, annotation in annotations.items()]
    signature = result(*taken.types.values())
    takes = "".join(_taken_as(annotation) for annotation in annotations.values())
    if not taken.used:
        return Flat(function, signature, takes)
    name = function.__name__
    entry = _define(
        f"def {name}({', '.join(taken.types)}):\n    return _body({', '.join(rebuilt)})\n",
        function,
        {**taken.used, "_body": function},
    )
    return Flat(entry, signature, takes)


def letters_of(kind: Any) -> str:
    """The letter for a type in a table of kernels."""
    if not isinstance(kind, types.Array):
        return {types.int64: "l", types.float64: "d", types.boolean: "b", types.none: ""}[kind]
    if isinstance(kind.dtype, types.Record):
        raise TypeError("a kernel takes arrays of records as fields of a @packed bundle")
    return f"A{_DTYPES[str(kind.dtype)]}{kind.ndim}"


def _taken_as(annotation: Any) -> str:
    if is_packed(annotation):
        return "P"
    if is_bundle(annotation):
        return f"({''.join(_taken_as(of) for _, of in fields_of(annotation))})"
    return letters_of(machine_type(annotation))


class _Taken(NamedTuple):
    """The arguments of an entry with their types, and what makes bundles of them, by their names in its source."""

    types: dict[str, Any]
    used: dict[str, Any]

    def take(self, place: str, annotation: Any) -> str:
        """The expression that is in the entry what ``place``, such as "grid.starts", is in the kernel."""
        if not is_bundle(annotation):
            name = place.replace(".", "__")
            self.types[name] = machine_type(annotation)
            return name
        if is_packed(annotation):
            name = place.replace(".", "__")
            self.types[name] = types.int64
            return self._unpack(name, annotation, 0)[0]
        maker = f"{annotation.__name__}__{len(self.used)}"
        self.used[maker] = annotation
        return f"{maker}({', '.join(self.take(f'{place}.{field}', of) for field, of in fields_of(annotation))})"

    def _unpack(self, name: str, annotation: Any, first: int) -> tuple[str, int]:
        """The expression for a packed bundle whose numbers begin at the ``first`` of the array at ``name``;
        and the number after them."""
        maker = f"{annotation.__name__}__{len(self.used)}"
        self.used[maker] = annotation
        parts: list[str] = []
        for (_, of), (_, layout) in zip(fields_of(annotation), layouts_of(annotation), strict=True):
            if layout is None:
                part, first = self._unpack(name, of, first)
                parts.append(part)
                continue
            dtype = np.dtype(layout.dtype)
            view = f"array_{dtype if dtype.names is None else len(self.used)}_{layout.dimensions}"
            self.used[view] = arrays_at(np.dtype(layout.dtype), layout.dimensions)
            parts.append(f"{view}({name}, {first})")
            first += 1 + layout.dimensions
        return f"{maker}({', '.join(parts)})", first


def _define(source: str, like: Callable[..., Any], namespace: dict[str, Any]) -> Callable[..., Any]:
    """A function of this source, with the name and place of another."""
    exec(compile(source, f"<{like.__module__}.{like.__qualname__}>", "exec"), namespace)
    defined: Any = functools.update_wrapper(namespace[like.__name__], like)
    del defined.__wrapped__  # or its parameters would be taken for the other's
    return cast("Callable[..., Any]", defined)


_WORD = ir.IntType(64)


def add_entry(kernel: Any, name: str) -> Any:
    """The code of an entry for a kernel that numba has lowered."""
    context, signature = kernel.target_context, kernel.signature
    library = context.codegen().create_library(name)
    module = library.create_ir_module(name)
    words = _WORD.as_pointer()
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), [words, words]), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    given, results = entry.args

    def word(k: int) -> Any:
        return builder.load(builder.gep(given, [_WORD(k)]))

    arguments = arguments_from_words(context, builder, signature.args, word)
    function = context.declare_function(module, kernel.fndesc)
    # Kernels raise nothing.
    _, result = context.call_conv.call_function(builder, function, signature.return_type, signature.args, arguments)
    for k, (kind, value) in enumerate(_parts(builder, signature.return_type, result)):
        if kind == types.float64:
            value = builder.bitcast(value, _WORD)
        elif kind == types.boolean:
            value = builder.zext(value, _WORD)
        builder.store(value, builder.gep(results, [_WORD(k)]))
    builder.ret_void()
    library.add_ir_module(module)
    library.finalize()
    return library


def _parts(builder: Any, kind: Any, result: Any) -> list[tuple[Any, Any]]:
    """The types and values of a result: none, one, or all of a tuple."""
    if kind == types.none:
        return []
    if not isinstance(kind, types.BaseTuple):
        return [(kind, result)]
    return [(part, builder.extract_value(result, k)) for k, part in enumerate(kind)]
