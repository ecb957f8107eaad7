"""The entry of a kernel for the extension: a function of C, of the words of its arguments and results."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from ecsphys.engine.compiler.arrays import arguments_from_words
from ecsphys.engine.compiler.lowering import LoweredCode

_WORD = ir.IntType(64)


def add_entry(kernel: Any, name: str) -> LoweredCode:
    """The code of an entry for a kernel that numba has lowered."""
    context, signature = kernel.target_context, kernel.signature
    library = LoweredCode(context.codegen(), name)
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
