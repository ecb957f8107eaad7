"""What is known of the values in a function: which are integers, so that nothing needs to make them so."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin

import numpy as np
from numpy.typing import NDArray


class Elements(NamedTuple):
    """An array, or what is in it, of numbers of one kind."""

    kind: Any


# What is an int, a float, or True or False; None is what is not known.
WHOLE: Final = int
REAL: Final = float
TRUTH: Final = bool

_OF_DTYPE: Final = {"i": WHOLE, "u": WHOLE, "f": REAL, "b": TRUTH}
_OF_CALL: Final = {"int": WHOLE, "index": WHOLE, "len": WHOLE, "float": REAL, "bool": TRUTH}


class Kinds:
    """The kinds of a function's arguments and variables, and of expressions with them."""

    def __init__(self, function: Callable[..., Any], tree: ast.FunctionDef) -> None:
        self._globals = function.__globals__
        self._known: dict[str, Any] = {
            name: _kind_of(annotation, self._globals)
            for name, annotation in function.__annotations__.items()
            if name != "return"
        }
        self._infer(tree)

    def of(self, node: ast.expr) -> Any:
        """The kind of an expression."""
        match node:
            case ast.Constant(value=bool()):
                return TRUTH
            case ast.Constant(value=int()):
                return WHOLE
            case ast.Constant(value=float()):
                return REAL
            case ast.Name(id=name):
                return self._known.get(name) if name in self._known else _kind_of_value(self._globals.get(name))
            case ast.Attribute(value=ast.Name(id="math")):
                return REAL
            case ast.Attribute(value=value, attr=attribute):
                return _fields(self.of(value)).get(attribute)
            case ast.Subscript(value=ast.Attribute(attr="shape")):
                return WHOLE
            case ast.Subscript(value=value):
                kind = self.of(value)
                return kind.kind if isinstance(kind, Elements) else None
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return TRUTH
            case ast.BoolOp(values=values):
                return _common(*map(self.of, values))
            case ast.UnaryOp(operand=operand):
                return self._number(operand)
            case ast.IfExp(body=body, orelse=other):
                return _common(self.of(body), self.of(other))
            case ast.BinOp(op=ast.Div()):
                return REAL
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
                return _common(self.of(left), self.of(right))
            case ast.BinOp(left=left, right=right):
                kinds = self._number(left), self._number(right)
                return REAL if REAL in kinds and None not in kinds else _common(*kinds)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                if name in ("min", "max", "abs"):
                    return _common(*map(self.of, arguments))
                if name in _OF_CALL:
                    return _OF_CALL[name]
                return self._of_result(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=name)):
                return WHOLE if name in ("floor", "ceil") else TRUTH if name == "isnan" else REAL
        return None

    def _of_result(self, name: str) -> Any:
        called = self._globals.get(name)
        if isinstance(called, type):
            return called if hasattr(called, "_fields") else None
        annotations = getattr(called, "__annotations__", {})
        return _kind_of(annotations.get("return"), getattr(called, "__globals__", self._globals))

    def _number(self, node: ast.expr) -> Any:
        kind = self.of(node)
        return WHOLE if kind is TRUTH else kind

    def _infer(self, tree: ast.FunctionDef) -> None:
        """Find the kinds of variables: of what they are set to, wherever that is."""
        given: dict[str, list[Callable[[], Any]]] = {}

        def part_of(kind: Callable[[], Any], place: int) -> Callable[[], Any]:
            return lambda: _part(kind(), place)

        def note(target: ast.expr, kind: Callable[[], Any]) -> None:
            if isinstance(target, ast.Name):
                given.setdefault(target.id, []).append(kind)
            elif isinstance(target, ast.Tuple):
                for place, part in enumerate(target.elts):
                    note(part, part_of(kind, place))

        def of(node: ast.expr) -> Callable[[], Any]:
            if isinstance(node, ast.Tuple):
                return lambda: tuple(self.of(part) for part in node.elts)
            return lambda: self.of(node)

        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    note(target, of(node.value))
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                note(node.target, of(node.value))
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                whole = ast.BinOp(ast.Name(node.target.id), node.op, node.value)
                note(node.target, of(whole))
            elif isinstance(node, ast.For):
                note(node.target, of(node.iter) if not _is_range(node.iter) else lambda: WHOLE)
        arguments = dict(self._known)
        for name in given:
            self._known.setdefault(name, _ANY)
        # From what is only assumed to what follows from it, until nothing changes.
        for _ in range(20):
            before = dict(self._known)
            for name, kinds in given.items():
                found = [kind() for kind in kinds]
                if name in arguments:
                    found.append(arguments[name])
                self._known[name] = _common(*found)
            if self._known == before:
                break
        else:
            self._known = {name: arguments.get(name) for name in self._known if name not in given}
        self._known = {name: None if kind is _ANY else kind for name, kind in self._known.items()}


_ANY: Final = "any"


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _part(kind: Any, place: int) -> Any:
    if kind == _ANY:
        return _ANY
    return kind[place] if isinstance(kind, tuple) and not isinstance(kind, Elements) and place < len(kind) else None


def _common(*kinds: Any) -> Any:
    known = [kind for kind in kinds if kind != _ANY]
    if not known:
        return _ANY
    first = known[0]
    return first if all(kind == first for kind in known) else None


def _kind_of_value(value: Any) -> Any:
    return type(value) if isinstance(value, (bool, int, float)) else None


def _fields(kind: Any) -> Mapping[str, Any]:
    return _fields_of(kind) if isinstance(kind, type) and hasattr(kind, "_fields") else {}


@cache
def _fields_of(bundle: type) -> Mapping[str, Any]:
    for base in bundle.__mro__:
        if "_fields" in vars(base):
            names = vars(sys.modules[base.__module__])
            return {name: _kind_of(annotation, names) for name, annotation in base.__annotations__.items()}
    return {}


def _kind_of(annotation: Any, names: Mapping[str, Any]) -> Any:
    """What an annotation says, be it text or a type."""
    forward = getattr(annotation, "__forward_arg__", annotation)
    if isinstance(forward, str):
        try:
            annotation = eval(forward, dict(names))
        except Exception:
            return None
    if annotation in (int, float, bool):
        return annotation
    if isinstance(annotation, type) and hasattr(annotation, "_fields"):
        return annotation
    if get_origin(annotation) is tuple:
        return tuple(_kind_of(part, names) for part in get_args(annotation))
    if get_origin(annotation) is Annotated:
        return Elements(_OF_DTYPE.get(np.dtype(get_args(annotation)[1].dtype).kind))
    if get_origin(annotation) is get_origin(NDArray[Any]):
        # Of numpy before 2.5 it stands for `ndarray[shape, dtype[...]]`.
        last = get_args(annotation)[-1]
        dtype = get_args(last)[0] if get_args(last) else last
        return Elements(_OF_DTYPE.get(np.dtype(dtype).kind) if isinstance(dtype, type) else None)
    return None
