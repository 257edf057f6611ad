"""The faults that `tests.mutants` plants in a function: each changes one thing of its source."""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

OTHER_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
OTHER_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Fault:
    """A function with one thing changed."""

    line: int
    before: str
    """The first line of the statement, as `ast.unparse` writes it."""
    after: str
    """The same with the fault."""
    tree: ast.FunctionDef


def faults_of(function: ast.FunctionDef, names: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield every fault that can be planted in the body of a function.

    Args:
        function: the definition.
        names: the module's globals, which tell what is a constant number.
    """
    stored = Counter(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    stored.update(node.arg for node in ast.walk(function) if isinstance(node, ast.arg))
    seen = set()
    for statement, node, put in places(function):
        before = first_line(statement)
        for changed in [*changes(node, names), *statement_changes(node, stored)]:
            put(changed)
            after = first_line(changed if node is statement else statement)
            tree = copy.deepcopy(function)
            put(node)
            if (statement.lineno, after) not in seen:
                seen.add((statement.lineno, after))
                yield Fault(statement.lineno, *difference(before, after), tree)


def first_line(statement: ast.AST) -> str:
    """Return the source of a statement without its block."""
    return ast.unparse(ast.fix_missing_locations(statement)).splitlines()[0]


def difference(before: str, after: str, longest: int = 120) -> tuple[str, str]:
    """Return two lines; if they are long, only the part where they differ."""
    if max(len(before), len(after)) <= longest:
        return before, after
    start = common(before, after)
    tail = common(before[start:][::-1], after[start:][::-1])
    start, tail = max(0, start - 30), max(0, tail - 30)
    return before[start : len(before) - tail], after[start : len(after) - tail]


def common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


Put = Callable[[ast.AST], None]


def places(
    parent: ast.AST, statement: ast.stmt | None = None
) -> Iterator[tuple[ast.stmt, ast.AST, Put]]:
    """Yield every statement and expression below `parent`.

    Yields:
        The innermost statement around it, the node itself, and what puts another in its place.
    """
    for name, value in ast.iter_fields(parent):
        if name in ("annotation", "returns", "args") and not isinstance(parent, ast.Call):
            continue
        nodes = value if isinstance(value, list) else [value]
        for i, node in enumerate(nodes):
            if not isinstance(node, (ast.stmt, ast.expr, ast.keyword, ast.comprehension)):
                continue
            inner = node if isinstance(node, ast.stmt) else statement

            def put(new: ast.AST, name: str = name, value: Any = value, i: int = i) -> None:
                if isinstance(value, list):
                    value[i] = new
                else:
                    setattr(parent, name, new)

            assert inner is not None
            if is_size(node):
                continue
            yield inner, node, put
            yield from places(node, inner)


def is_size(node: ast.AST) -> bool:
    """Return whether an expression is `array.shape[0]`; often another axis has the same size."""
    return isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith(".shape")


def changes(node: ast.AST, names: Mapping[str, Any]) -> Iterator[ast.AST]:
    """Yield what may stand in the place of an expression."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            for other in OTHER_OPERATORS[type(operator)]:
                yield ast.Compare(left, [other()], [right])  # type: ignore[list-item]
        case ast.BinOp(left=left, op=operator, right=right):
            for other in OTHER_OPERATORS.get(type(operator), ()):
                yield ast.BinOp(left, other(), right)  # type: ignore[arg-type]
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(OTHER_OPERATORS[type(operator)][0](), values)  # type: ignore[arg-type]
            for i in range(len(values)):
                rest = values[:i] + values[i + 1 :]
                yield ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield body
            yield orelse
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.Name(id=name, ctx=ast.Load()) if name.isupper() and is_number(names.get(name)):
            yield plus(node, 1)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=indices), ctx=ctx):
            for swapped in swaps(indices):
                yield ast.Subscript(value, ast.Tuple(swapped, ast.Load()), ctx)
        case ast.Call():
            yield from call_changes(node)


def is_number(value: Any) -> bool:
    """Return whether a global is a number, which a fault can raise by 1."""
    array = hasattr(value, "__len__")  # has `__index__` too
    return isinstance(value, float) or (hasattr(value, "__index__") and not array)


def plus(node: ast.expr, number: int) -> ast.expr:
    """Return `node + number` or `node - -number`."""
    operator = ast.Add() if number > 0 else ast.Sub()
    return ast.BinOp(node, operator, ast.Constant(abs(number)))


def swaps(nodes: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Yield a list with two neighbours exchanged, where these are names and differ."""
    for i, (one, other) in enumerate(itertools.pairwise(nodes)):
        variable = all(isinstance(each, ast.Name | ast.Attribute) for each in (one, other))
        if variable and ast.dump(one) != ast.dump(other):
            yield [*nodes[:i], other, one, *nodes[i + 2 :]]


def call_changes(call: ast.Call) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a call."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in OTHER_FUNCTIONS:
        other = ast.Name(OTHER_FUNCTIONS[name], ast.Load())
        yield ast.Call(other, call.args, call.keywords)
    elif name == "range":
        end = min(1, len(call.args) - 1)
        if not isinstance(call.args[end], ast.Constant):
            for number in (1, -1):
                arguments = [*call.args[:end], plus(call.args[end], number), *call.args[end + 1 :]]
                yield ast.Call(call.func, arguments, [])
    else:
        for arguments in swaps(call.args):
            yield ast.Call(call.func, arguments, call.keywords)


def statement_changes(node: ast.AST, stored: Counter[str]) -> Iterator[ast.stmt]:
    """Yield what may stand in the place of a statement.

    Args:
        node: the statement.
        stored: how often the function binds each name; what is bound once is not left unbound.
    """
    match node:
        case ast.AugAssign(target=target, op=operator, value=value):
            yield ast.Pass()
            for other in OTHER_OPERATORS.get(type(operator), ()):
                yield ast.AugAssign(target, other(), value)  # type: ignore[arg-type]
        case ast.Assign(targets=[target]):
            bound = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
            if not isinstance(target, ast.Name | ast.Tuple) or min(stored[id] for id in bound) > 1:
                yield ast.Pass()
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Return(value=None):
            yield ast.Pass()
        case ast.Return(value=ast.Compare() | ast.BoolOp() as value):
            yield ast.Return(ast.UnaryOp(ast.Not(), value))
        case ast.Return(value=ast.Call() | ast.Name() | ast.Attribute() | ast.Subscript() as value):
            yield ast.Return(plus(value, 1))
        case ast.If(body=body, orelse=orelse):
            yield ast.If(ast.Constant(True), body, orelse)
            yield ast.If(ast.Constant(False), body, orelse)
        case ast.While(body=body, orelse=orelse):
            yield ast.While(ast.Constant(False), body, orelse)
        case ast.Break():
            yield ast.Continue()
            yield ast.Pass()
        case ast.Continue():
            yield ast.Break()
            yield ast.Pass()
