"""Small functions written out where they are called: a call costs Python as much as ten operations."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

# Larger ones are called.
_MOST_NODES: Final = 120


class Inlined(NamedTuple):
    """A function that is one expression of its parameters; ``bound`` are the values that it needs by their names."""

    parameters: tuple[str, ...]
    expression: ast.expr
    bound: dict[str, Any]

    def written(self, arguments: list[ast.expr], temporary: Callable[[], str]) -> ast.expr | None:
        """The expression for these arguments; None where it cannot be written out."""
        if len(arguments) != len(self.parameters):
            return None
        replaced: dict[str, ast.expr] = {}
        uses = list(_names(self.expression))
        firsts: dict[str, str] = {}
        for parameter, argument in zip(self.parameters, arguments, strict=True):
            if _is_cheap(argument) or uses.count(parameter) <= 1:
                replaced[parameter] = argument
            elif next(_first_uses(self.expression, parameter), None) is None:
                return None
            else:
                firsts[parameter] = temporary()
                replaced[parameter] = argument
        own = {node.target.id: temporary() for node in ast.walk(self.expression) if isinstance(node, ast.NamedExpr)}
        marks = {parameter: id(next(_first_uses(self.expression, parameter))) for parameter in firsts}
        return _Writer(replaced, firsts, own, marks).write(self.expression)


def bound_name(module: str, name: str) -> str:
    """What a global of a module is called in the functions of others."""
    return f"_{module.replace('.', '_')}_{name}_"


def written_in(tree: ast.FunctionDef, bound: dict[str, Any], function: Callable[..., Any]) -> Inlined | None:
    """How a function, whose tree has been rewritten, is written into those that call it."""
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None or function.__defaults__:
        return None
    expression = body[0].value
    if sum(1 for _ in ast.walk(expression)) > _MOST_NODES:
        return None
    parameters = tuple(argument.arg for argument in tree.args.args)
    own = {node.target.id for node in ast.walk(expression) if isinstance(node, ast.NamedExpr)}
    needed: dict[str, Any] = dict(bound)
    renamed: dict[str, ast.expr] = {}
    for name in _names(expression):
        if name in parameters or name in own or name not in function.__globals__:
            continue
        new = bound_name(function.__module__, name)
        needed[new] = function.__globals__[name]
        renamed[name] = ast.Name(new, ast.Load())
    return Inlined(parameters, _Writer(renamed, {}, {}, {}).write(expression), needed)


class _Writer(ast.NodeTransformer):
    """Copies an expression with other names."""

    def __init__(
        self, replaced: dict[str, ast.expr], firsts: dict[str, str], own: dict[str, str], marks: dict[str, int]
    ) -> None:
        self._replaced = replaced
        self._firsts = firsts
        self._own = own
        self._marks = set(marks.values())

    def write(self, expression: ast.expr) -> ast.expr:
        copied: ast.expr = self._copied(expression)
        return copied

    def _copied(self, node: Any) -> Any:
        if isinstance(node, ast.Name):
            if node.id in self._own:
                return ast.Name(self._own[node.id], node.ctx)
            if node.id in self._firsts:
                name = self._firsts[node.id]
                if id(node) in self._marks:
                    return ast.NamedExpr(ast.Name(name, ast.Store()), copy.deepcopy(self._replaced[node.id]))
                return ast.Name(name, ast.Load())
            if node.id in self._replaced:
                return copy.deepcopy(self._replaced[node.id])
            return ast.Name(node.id, node.ctx)
        if isinstance(node, list):
            return [self._copied(part) for part in node]
        if isinstance(node, ast.AST):
            return type(node)(**{name: self._copied(part) for name, part in ast.iter_fields(node)})
        return node


def _names(expression: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(expression) if isinstance(node, ast.Name))


def _is_cheap(node: ast.expr) -> bool:
    """Whether to write an expression twice costs no more than to keep it."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Name | ast.Constant)


def _first_uses(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Where a name is used before all other uses of it, whatever else is evaluated; nothing where that depends."""
    if isinstance(node, ast.Name):
        if node.id == name:
            yield node
        return
    if isinstance(node, ast.IfExp):
        certain: list[ast.AST] = [node.test]
    elif isinstance(node, ast.BoolOp):
        certain = [node.values[0]]
    elif isinstance(node, ast.Compare):
        certain = [node.left, node.comparators[0]]
    else:
        certain = list(ast.iter_child_nodes(node))
    for part in certain:
        if any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(part)):
            yield from _first_uses(part, name)
            return
