"""Records in machine code: the address of a :class:`~ecsphys.engine.run.records.Record`, and what is read there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, register_model

from ecsphys.engine.kernels.arrays_at import array_type, build_array
from ecsphys.engine.kernels.bundles import fields_of, layouts_of
from ecsphys.engine.run.records import Numbers, Record


class RecordType(types.Type):  # type: ignore[misc]
    """The type that numba has for a class of records."""

    def __init__(self, kind: type[Record]) -> None:
        self.kind = kind
        super().__init__(f"{kind.__module__}.{kind.__qualname__}")


@register_model(RecordType)
class _RecordModel(models.PrimitiveModel):  # type: ignore[misc]
    """A record is its address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(64))


@functools.cache
def record_at(kind: type[Record]) -> Callable[[int], Any]:
    """For compiled code: the record at an address."""
    wanted = RecordType(kind)

    def record(_: Any, address: Any) -> Any:
        return wanted(types.int64), lambda context, builder, signature, arguments: arguments[0]

    made: Callable[[int], Any] = intrinsic(record)
    return made


@functools.cache
def _numbers_type(kind: type[Numbers]) -> Any:
    return from_dtype(np.dtype([(name, "f8" if of is float else "i8") for name, of in kind.fields]))


@functools.cache
def _bundle_type(kind: Any) -> Any:
    parts = []
    for (_, of), (_, layout) in zip(fields_of(kind), layouts_of(kind), strict=True):
        parts.append(_bundle_type(of) if layout is None else array_type(layout))
    return types.BaseTuple.from_types(parts, kind)


@infer_getattr
class _RecordAttributes(AttributeTemplate):  # type: ignore[misc]
    key = RecordType

    def generic_resolve(self, record: Any, name: str) -> Any:
        section = record.kind.sections.get(name)
        if section is None:
            return None
        return _numbers_type(section.kind) if section.has_numbers else _bundle_type(section.kind)


@lower_getattr_generic(RecordType)
def _lower_section(context: Any, builder: Any, record: Any, address: Any, name: str) -> Any:
    section = record.kind.sections[name]
    if section.has_numbers:
        place = builder.add(address, ir.Constant(ir.IntType(64), 8 * section.first))
        return builder.inttoptr(place, context.get_value_type(_numbers_type(section.kind)))
    return _lower_bundle(context, builder, _bundle_type(section.kind), address, section.first)[0]


def _lower_bundle(context: Any, builder: Any, bundle: Any, address: Any, first: int) -> tuple[Any, int]:
    """A bundle whose words are the ``first`` and those after it; and the first that is none of them."""
    parts = []
    for wanted in bundle.types:
        if isinstance(wanted, types.Array):
            parts.append(build_array(context, builder, wanted, address, context.get_constant(types.intp, first)))
            first += 1 + wanted.ndim
        else:
            part, first = _lower_bundle(context, builder, wanted, address, first)
            parts.append(part)
    return context.make_tuple(builder, bundle, parts), first
