"""Machine code for :mod:`ecsphys.engine.math.lanes`: a type of four numbers, and its operations."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_model

_LANES = 4
_ROW_NUMBERS = 8
_NUMBER_BYTES = 8
_INDEX = ir.IntType(32)
_NUMBERS = ir.VectorType(ir.DoubleType(), _LANES)
_SINGLES = ir.VectorType(ir.FloatType(), _LANES)
_FLAGS = ir.VectorType(ir.IntType(1), _LANES)


class _VectorType(types.Type):  # type: ignore[misc]
    """Four numbers, or what comparing them gives. A number can be used in place of four equal ones."""

    def can_convert_from(self, _: Any, other: Any) -> Any:
        return Conversion.promote if self == _vector and other == types.float64 else None


_vector = _VectorType("float64x4")
_mask = _VectorType("boolx4")
_four_vectors: Final[Any] = types.Tuple([_vector] * _LANES)


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    """Kept, handed over and returned as it is."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _FLAGS if kind == _mask else _NUMBERS)


def _define(function: Any, result: Any, operands: int, build: Callable[..., Any]) -> None:
    """Let an operator take vectors: ``build`` makes its code."""
    taken = (_vector,) * operands
    infer_global(function)(type(f"_{function.__name__}", (ConcreteTemplate,), {"cases": [signature(result, *taken)]}))
    lower_builtin(function, *taken)(lambda context, builder, signature, arguments: build(builder, *arguments))


_define(operator.add, _vector, 2, lambda builder, a, b: builder.fadd(a, b))
_define(operator.sub, _vector, 2, lambda builder, a, b: builder.fsub(a, b))
_define(operator.mul, _vector, 2, lambda builder, a, b: builder.fmul(a, b))
_define(operator.truediv, _vector, 2, lambda builder, a, b: builder.fdiv(a, b))
_define(operator.neg, _vector, 1, lambda builder, a: builder.fneg(a))
_define(operator.gt, _mask, 2, lambda builder, a, b: builder.fcmp_ordered(">", a, b))
_define(operator.lt, _mask, 2, lambda builder, a, b: builder.fcmp_ordered("<", a, b))


def _address(context: Any, builder: Any, kind: Any, array: Any, indices: Sequence[Any]) -> Any:
    """Where an element of an array without gaps is."""
    view = context.make_array(kind)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, kind, view, indices, wraparound=False)


def _load_four(builder: Any, address: Any, kind: Any = _NUMBERS) -> Any:
    loaded = builder.load(builder.bitcast(address, kind.as_pointer()))
    loaded.align = _NUMBER_BYTES // 2 if kind == _SINGLES else _NUMBER_BYTES
    return loaded


def _store_four(builder: Any, address: Any, four: Any) -> None:
    bytes_each = _NUMBER_BYTES // 2 if four.type == _SINGLES else _NUMBER_BYTES
    builder.store(four, builder.bitcast(address, four.type.as_pointer()), align=bytes_each)


def _turned(builder: Any, rows: Sequence[Any]) -> list[Any]:
    """Four rows of four as four columns, or the other way round."""

    def chosen(a: Any, b: Any, *lanes: int) -> Any:
        return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_INDEX, _LANES), lanes))

    even_0, odd_0 = chosen(rows[0], rows[1], 0, 4, 2, 6), chosen(rows[0], rows[1], 1, 5, 3, 7)
    even_2, odd_2 = chosen(rows[2], rows[3], 0, 4, 2, 6), chosen(rows[2], rows[3], 1, 5, 3, 7)
    return [
        chosen(even_0, even_2, 0, 1, 4, 5),
        chosen(odd_0, odd_2, 0, 1, 4, 5),
        chosen(even_0, even_2, 2, 3, 6, 7),
        chosen(odd_0, odd_2, 2, 3, 6, 7),
    ]


def _field_address(context: Any, builder: Any, kind: Any, numbers: Any, block: Any, field: Any) -> Any:
    """Where a field of a block begins: so that fields lie at constant distances, LANES numbers each."""
    view = context.make_array(kind)(context, builder, numbers)
    fields = cgutils.unpack_tuple(builder, view.shape)[1]
    place = builder.add(builder.mul(block, fields), field)
    return builder.gep(view.data, [builder.mul(place, context.get_constant(types.intp, _LANES))])


def _row_addresses(context: Any, builder: Any, taken: Any, arguments: Any) -> list[Any]:
    """Where the chosen rows begin at the column, for the arguments of gather and scatter."""
    rows, chosen, block, first, column = arguments[:5]
    data = context.make_array(taken[0])(context, builder, rows).data
    place = _address(context, builder, taken[1], chosen, [block, first])
    found = []
    for lane in range(_LANES):
        row = builder.load(builder.gep(place, [context.get_constant(types.intp, lane)]))
        start = builder.mul(builder.sext(row, column.type), context.get_constant(types.intp, _ROW_NUMBERS))
        found.append(builder.gep(data, [builder.add(start, column)]))
    return found


@intrinsic  # type: ignore[untyped-decorator]
def _load(_: Any, numbers: Any, block: Any, field: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _field_address(context, builder, signature.args[0], *arguments)
        if signature.args[0].dtype == types.float32:
            return builder.fpext(_load_four(builder, place, _SINGLES), _NUMBERS)
        return _load_four(builder, place)

    return _vector(numbers, types.intp, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def _store(_: Any, numbers: Any, block: Any, field: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _field_address(context, builder, signature.args[0], *arguments[:3])
        is_single = signature.args[0].dtype == types.float32
        _store_four(builder, place, builder.fptrunc(arguments[3], _SINGLES) if is_single else arguments[3])
        return context.get_dummy_value()

    return types.void(numbers, types.intp, types.intp, _vector), build


@intrinsic  # type: ignore[untyped-decorator]
def _gather(_: Any, rows: Any, chosen: Any, block: Any, first: Any, column: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = _row_addresses(context, builder, signature.args, arguments)
        columns = _turned(builder, [_load_four(builder, place) for place in places])
        return context.make_tuple(builder, signature.return_type, columns)

    return _four_vectors(rows, chosen, types.intp, types.intp, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def _scatter(_: Any, rows: Any, chosen: Any, block: Any, first: Any, column: Any, values: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = _row_addresses(context, builder, signature.args, arguments)
        columns = [builder.extract_value(arguments[5], k) for k in range(_LANES)]
        for place, row in zip(places, _turned(builder, columns), strict=True):
            _store_four(builder, place, row)
        return context.get_dummy_value()

    return types.void(rows, chosen, types.intp, types.intp, types.intp, _four_vectors), build


@lower_cast(types.float64, _VectorType)  # type: ignore[untyped-decorator]
def _spread_number(context: Any, builder: Any, _: Any, __: Any, value: Any) -> Any:
    one = builder.insert_element(ir.Constant(_NUMBERS, ir.Undefined), value, _INDEX(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INDEX, _LANES), [0] * _LANES))


@intrinsic  # type: ignore[untyped-decorator]
def _spread(_: Any, value: Any) -> Any:
    return _vector(_vector), lambda context, builder, signature, arguments: arguments[0]


@intrinsic  # type: ignore[untyped-decorator]
def _where(_: Any, condition: Any, value: Any, other: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return _vector(_mask, _vector, _vector), build


@intrinsic  # type: ignore[untyped-decorator]
def _any_of(_: Any, condition: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(_LANES))
        return builder.icmp_unsigned("!=", bits, bits.type(0))

    return types.boolean(_mask), build


def _each(name: str) -> Any:
    """An intrinsic of LLVM that takes four numbers, as a function for compiled code."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_NUMBERS, [_NUMBERS])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v4f64"), arguments)

    def of_four(_: Any, value: Any) -> Any:
        return _vector(_vector), build

    return intrinsic(of_four)


_root = _each("sqrt")
_floor = _each("floor")
_absolute = _each("fabs")


@intrinsic  # type: ignore[untyped-decorator]
def _with_sign(_: Any, value: Any, sign: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_NUMBERS, [_NUMBERS, _NUMBERS])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.copysign.v4f64"), arguments)

    return _vector(_vector, _vector), build


def _dispatch(function: Any, is_for_all: Callable[..., bool], for_all: Any) -> None:
    options = {"error_model": "numpy", "nogil": True, "_nrt": False, "forceinline": True}
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def chosen(*taken: Any) -> Any:
        return for_all if is_for_all(*taken) else function

    overload(function, jit_options=options, strict=False)(chosen)


def compile_vectors(
    load: Any,
    store: Any,
    gather: Any,
    scatter: Any,
    spread: Any,
    where: Any,
    larger: Any,
    smaller: Any,
    root: Any,
    floor: Any,
) -> None:
    """Let kernels call the functions of :mod:`ecsphys.engine.math.lanes`: for one lane as they are, for all lanes
    by the code above."""

    none = types.none
    _dispatch(
        load, lambda _, __, ___, lane: lane == none, lambda numbers, block, field, lane: _load(numbers, block, field)
    )
    _dispatch(
        store,
        lambda _, __, ___, lane, ____: lane == none,
        lambda numbers, block, field, lane, value: _store(numbers, block, field, value),
    )
    _dispatch(
        gather,
        lambda *taken: taken[4] == none,
        lambda rows, chosen, block, first, lane, column: _gather(rows, chosen, block, first, column),
    )
    _dispatch(
        scatter,
        lambda *taken: taken[4] == none,
        lambda rows, chosen, block, first, lane, column, values: _scatter(rows, chosen, block, first, column, values),
    )
    _dispatch(spread, lambda _, lane: lane == none, lambda value, lane: _spread(value))
    _dispatch(
        where, lambda condition, *_: condition == _mask, lambda condition, value, other: _where(condition, value, other)
    )
    _dispatch(larger, lambda *taken: _vector in taken, lambda value, other: _where(value > other, value, other))
    _dispatch(smaller, lambda *taken: _vector in taken, lambda value, other: _where(value < other, value, other))
    _dispatch(root, lambda value: value == _vector, lambda value: _root(value))
    _dispatch(floor, lambda value: value == _vector, lambda value: _floor(value))


def compile_any_of(any_of: Any) -> None:
    """The same for a function that finds whether a condition holds in any lane."""
    _dispatch(any_of, lambda condition: condition == _mask, lambda condition: _any_of(condition))


def compile_signs(absolute: Any, with_sign: Any) -> None:
    """The same for functions of signs."""
    _dispatch(absolute, lambda value: value == _vector, lambda value: _absolute(value))
    _dispatch(with_sign, lambda value, _: value == _vector, lambda value, sign: _with_sign(value, sign))
