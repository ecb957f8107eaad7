"""The engine's functions, written anew where Python's numbers and arrays are not those of machine code.

What is compiled for numba is Python already; here its tree is changed before Python compiles it:

* ``a / b``, ``math.sqrt(a)`` and their like give inf and NaN instead of an exception (:mod:`.numbers`),
* ``rows[i, j]`` becomes ``rows[i][j]`` (:mod:`.memory`),
* ``int(...)``, ``index(...)`` and ``bool(...)`` go where their argument is one already (:mod:`.kinds`),
* ``min``, ``max`` and constants are written out, and small functions where they are called (:mod:`.inlining`).

Lines keep their numbers: a debugger shows the sources.
"""

from __future__ import annotations

import ast
import copy
import functools
import linecache
import math
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeGuard, TypeVar

from ecsphys.engine.plain import memory, numbers
from ecsphys.engine.plain.inlining import Inlined, bound_name, written_in
from ecsphys.engine.plain.kinds import REAL, TRUTH, WHOLE, Kinds

Node = TypeVar("Node", bound=ast.AST)

# What generated code calls, by names that no source has.
_HELPERS: Final[dict[str, Any]] = {
    "_over_": numbers.over,
    "_modulo_": numbers.modulo,
    "_whole_over_": numbers.whole_over,
    "_power_": numbers.power,
    "_floor_": numbers.floor,
    "_ceil_whole_": numbers.whole_ceil,
    "_floor_whole_": numbers.whole_floor,
    "_sqrt_": math.sqrt,
    "_length_": memory.length_along,
    "_fill_": memory.fill,
    "_store_": memory.store,
    "_empty_": memory.empty,
    "_tuple_": tuple.__new__,
    **{f"_{name}_": function for name, function in numbers.OF_ALL.items()},
}
_MATH: Final = {"floor": "_floor_whole_", "ceil": "_ceil_whole_", **{name: f"_{name}_" for name in numbers.OF_ALL}}
_KEPT: Final = (ast.Name, ast.Constant)


class PlainFunction:
    """A function of the engine as Python runs it well, made when it is first needed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def python(self) -> Callable[..., Any]:
        """What to call, with arrays in rows."""
        return self._made[0]

    @functools.cached_property
    def inlined(self) -> Inlined | None:
        """How it is written into others, if it may be."""
        return self._made[1]

    @functools.cached_property
    def _made(self) -> tuple[Callable[..., Any], Inlined | None]:
        with _lock:
            return self._make()

    def _make(self) -> tuple[Callable[..., Any], Inlined | None]:
        function = self._function
        tree = _source_of(function)
        body = _Rewriter(function, tree)
        body.generic_visit(ast.Module(tree.body, []))
        tree.decorator_list, tree.returns = [], None
        tree.args = _parameters(argument.arg for argument in tree.args.args)
        used = _HELPERS | body.bound
        maker: Any = ast.parse("def _make_(): pass").body[0]
        maker.args = _parameters(used)
        maker.body = [tree, ast.Return(ast.Name(tree.name, ast.Load()))]
        module = ast.fix_missing_locations(ast.Module([maker], []))
        local: dict[str, Any] = {}
        exec(compile(module, function.__code__.co_filename, "exec"), function.__globals__, local)
        python: Any = functools.update_wrapper(local["_make_"](*used.values()), function)
        del python.__wrapped__
        python.__defaults__ = function.__defaults__
        return python, written_in(tree, body.bound, function)


def _parameters(names: Iterable[str]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


# One thread at a time takes functions from their files.
_lock = threading.RLock()

# Of each file that is read the functions that have not been asked for, by the lines where they begin.
_sources: dict[str, dict[int, ast.FunctionDef]] = {}


def _source_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """The tree of a function, to be changed."""
    code = function.__code__
    functions = _sources.get(code.co_filename, {})
    if code.co_firstlineno not in functions:
        lines = linecache.getlines(code.co_filename, function.__globals__)
        if not lines:
            raise ImportError(f"without numba, ecsphys needs its sources, and {code.co_filename} is not there")
        tree = ast.parse("".join(lines), code.co_filename)
        functions = {
            min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        }
        _sources[code.co_filename] = functions
    return functions.pop(code.co_firstlineno)


class _Rewriter(ast.NodeTransformer):
    """Changes the body of one function."""

    def __init__(self, function: Callable[..., Any], tree: ast.FunctionDef) -> None:
        self.bound: dict[str, Any] = {}
        self._globals = function.__globals__
        self._kinds = Kinds(function, tree)
        self._locals = {argument.arg for argument in tree.args.args} | {
            node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self._temporaries = 0

    # Names and constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id not in self._locals:
            value = self._globals.get(node.id)
            if isinstance(value, bool | int | float):
                return ast.copy_location(ast.Constant(value), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if _is_of(node, "math"):
            value = getattr(self._globals["math"], node.attr)
            if isinstance(value, float):
                return ast.copy_location(ast.Constant(value), node)
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        assert node.value is not None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))  # type: ignore[no-any-return]

    # Elements of arrays

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            array = self.visit(node.value.value)
            axis = node.slice.value if isinstance(node.slice, ast.Constant) else None
            return _like(node, _call("len", array) if axis == 0 else _call("_length_", array, node.slice))
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Tuple):
            return node
        found = node.value
        for index in node.slice.elts:
            found = _like(node, ast.Subscript(found, index, ast.Load()))
        assert isinstance(found, ast.Subscript)
        found.ctx = node.ctx
        return found

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        target, *others = node.targets
        if others:
            name = self._temporary()
            kept = _like(node, ast.Assign([ast.Name(name, ast.Store())], self.visit(node.value)))
            parts = [_like(node, ast.Assign([one], ast.Name(name, ast.Load()))) for one in node.targets]
            assigned = ast.Module(list(parts), [])
            self.generic_visit(assigned)
            return [kept, *assigned.body]
        if isinstance(target, ast.Subscript):
            indices = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
            if any(isinstance(index, ast.Slice) for index in indices):
                chosen = [self._as_value(index) for index in indices]
                filled = _call("_fill_", self.visit(target.value), self.visit(node.value), *chosen)
                return _like(node, ast.Expr(filled))
        kind = self._kinds.of(target) if isinstance(target, ast.Subscript) else REAL
        self.generic_visit(node)
        number = node.value.operand if isinstance(node.value, ast.UnaryOp) else node.value
        if kind is REAL or (isinstance(number, ast.Constant) and kind is WHOLE):
            return node
        assert isinstance(target, ast.Subscript)
        value = self._temporary()
        kept = _like(node, ast.Assign([ast.Name(value, ast.Store())], node.value))
        node.value = ast.Name(value, ast.Load())
        return [kept, self._fitted(node, ast.Name(value, ast.Load()))]

    def _fitted(self, node: ast.Assign | ast.AugAssign, value: ast.expr) -> ast.stmt:
        """An assignment to an element of integers, of what of the value fits into it."""
        target: Any = copy.deepcopy(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        stored = _call("_store_", target.value, target.slice, value)
        errors = ast.Tuple([ast.Name("ValueError", ast.Load()), ast.Name("TypeError", ast.Load())], ast.Load())
        handler = _like(node, ast.ExceptHandler(errors, None, [_like(node, ast.Expr(stored))]))
        return _like(node, ast.Try([node], [handler], [], []))

    def _as_value(self, index: ast.expr) -> ast.expr:
        if not isinstance(index, ast.Slice):
            return self.visit(index)  # type: ignore[no-any-return]
        ends = [ast.Constant(None) if end is None else self.visit(end) for end in (index.lower, index.upper)]
        return _call("slice", *ends)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        now: Any = copy.deepcopy(node.target)
        now.ctx = ast.Load()
        if not isinstance(node.op, ast.Div | ast.Mod | ast.FloorDiv | ast.Pow):
            kind = self._kinds.of(now) if isinstance(now, ast.Subscript) else REAL
            self.generic_visit(node)
            if kind is REAL:
                return node
            now = copy.deepcopy(node.target)
            now.ctx = ast.Load()
            return self._fitted(node, ast.BinOp(now, node.op, copy.deepcopy(node.value)))
        whole = _like(node, ast.BinOp(now, node.op, node.value))
        return self.visit(_like(node, ast.Assign([node.target], whole)))  # type: ignore[no-any-return]

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if isinstance(node.value, ast.Call) and _is_named(node.value.func, "prefetch"):
            return _like(node, ast.Pass())
        self.generic_visit(node)
        return node

    # Numbers

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        left, right = node.left, node.right
        if isinstance(node.op, ast.Pow):
            if isinstance(right, ast.Constant) and right.value == 2:
                name, first = self._twice(left)
                return _like(node, ast.BinOp(first, ast.Mult(), name))
            return _like(node, _call("_power_", left, right))
        if isinstance(right, ast.Constant) and right.value:
            return node
        if isinstance(node.op, ast.Mod):
            return _like(node, _call("_modulo_", left, right))
        if isinstance(node.op, ast.FloorDiv):
            return _like(node, _call("_whole_over_", left, right))
        if isinstance(node.op, ast.Div):
            divisor, first = self._twice(right)
            if sum(1 for _ in ast.walk(left)) > 12:
                dividend, begin = self._twice(left)
                condition: ast.expr = ast.Compare(begin, [ast.IsNot()], [ast.Constant(None)])
                condition = ast.BoolOp(ast.And(), [condition, first])
            else:
                dividend, condition = left, first
            safe = ast.BinOp(dividend, ast.Div(), divisor)
            return _like(node, ast.IfExp(condition, safe, _call("_over_", copy.deepcopy(dividend), divisor)))
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id not in self._locals:
            return self._visit_call(node, node.func.id)
        if _is_of(node.func, "math"):
            return self._visit_math(node)
        if _is_of(node.func, "np"):
            if node.func.attr == "floor":
                return _like(node, _call("_floor_", *map(self.visit, node.args)))
            if node.func.attr not in ("empty", "float64", "int64", "uint32"):
                raise NotImplementedError(f"np.{node.func.attr} in a kernel has no plain form")
            return self._visit_call(node, node.func.attr)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "view":
            # The bits of a number: numpy's own numbers can do that.
            made = node.func.value
            assert isinstance(made, ast.Call)
            made.args = [self.visit(argument) for argument in made.args]
            return node
        self.generic_visit(node)
        return node

    def _visit_math(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        arguments = [self.visit(argument) for argument in node.args]
        if name == "sqrt":
            number, first = self._twice(arguments[0])
            positive = ast.Compare(first, [ast.GtE()], [ast.Constant(0.0)])
            return _like(node, ast.IfExp(positive, _call("_sqrt_", number), ast.Constant(float("nan"))))
        if name in _MATH:
            return _like(node, _call(_MATH[name], *arguments))
        node.args = arguments
        return node

    def _visit_call(self, node: ast.Call, name: str) -> ast.expr:
        kinds = [self._kinds.of(argument) for argument in node.args]
        if name == "int" and isinstance(node.args[0], ast.Call) and _is_named(node.args[0].func, "int64"):
            node.args = node.args[0].args
            return self._visit_call(node, name)
        arguments = [self.visit(argument) for argument in node.args]
        node.args = arguments
        if name == "index" or (name in ("int", "int64", "uint32") and kinds[0] is WHOLE):
            return arguments[0]  # type: ignore[no-any-return]
        if (name == "bool" and kinds[0] is TRUTH) or (name == "float" and kinds[0] is REAL):
            return arguments[0]  # type: ignore[no-any-return]
        if name in ("int", "int64", "uint32"):
            number, first = self._twice(arguments[0])
            ends = [ast.Constant(-numbers.BEYOND), ast.Constant(numbers.BEYOND)]
            is_near = ast.Compare(ends[0], [ast.Lt(), ast.Lt()], [first, ends[1]])
            return _like(node, ast.IfExp(is_near, _call("int", number), ast.Constant(numbers.NO_INTEGER)))
        if name in ("min", "max"):
            return _like(node, self._chosen(arguments, ast.Gt() if name == "min" else ast.Lt()))
        called = self._globals.get(name)
        if name == "empty":
            return _like(node, _call("_empty_", *arguments))
        if isinstance(called, type) and hasattr(called, "_fields") and len(called._fields) == len(arguments):
            values = ast.Tuple(arguments, ast.Load())
            return _like(node, _call("_tuple_", node.func, values))
        plain = getattr(called, "plain", None)
        if isinstance(plain, PlainFunction):
            inlined = plain.inlined
            written = None if inlined is None else inlined.written(arguments, self._temporary)
            if inlined is not None and written is not None:
                self.bound.update(inlined.bound)
                return _like(node, written)
            bound = bound_name(called.__module__, name)
            self.bound[bound] = plain.python
            node.func = _like(node.func, ast.Name(bound, ast.Load()))
        return node

    def _chosen(self, arguments: list[ast.expr], comparison: ast.cmpop) -> ast.expr:
        """What ``min`` or ``max`` gives: the first, unless the next is beyond it."""
        one, *others = arguments
        for other in others:
            kept, first = self._twice(one)
            new, second = self._twice(other)
            one = ast.IfExp(ast.Compare(first, [comparison], [second]), new, kept)
        return one

    def _twice(self, node: ast.expr) -> tuple[ast.expr, ast.expr]:
        """What to write for an expression that is needed more than once, and for the time when it is first."""
        if isinstance(node, _KEPT):
            return node, node
        name = self._temporary()
        return ast.Name(name, ast.Load()), ast.NamedExpr(ast.Name(name, ast.Store()), node)

    def _temporary(self) -> str:
        self._temporaries += 1
        return f"_t{self._temporaries}_"


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _like(old: ast.AST, new: Node) -> Node:
    return ast.copy_location(new, old)


def _is_of(node: ast.AST, module: str) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and _is_named(node.value, module)


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
