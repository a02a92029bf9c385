"""Solutions of one task, and ways in which somebody might hide that one was copied."""

import ast
import json
import random
from collections.abc import Callable
from pathlib import Path

DATA = Path(__file__).parent / "data"
NAMES = ("boosting", "boosting_by_another", "network", "pipeline")


def solution(name: str) -> str:
    return (DATA / f"{name}.txt").read_text()


class Rename(ast.NodeTransformer):
    """New names for all that the code itself names."""

    def __init__(self, tree: ast.AST) -> None:
        nodes = list(ast.walk(tree))
        named = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        named |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        named |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        named |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
        # What a library calls cannot be renamed.
        given = {"forward"} | {name for name in named if name.startswith("__")}
        self.names = {name: f"renamed_{at}" for at, name in enumerate(sorted(named - given))}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names.get(node.name, node.name)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == self.names.get("self"):
            node.attr = self.names.get(node.attr, node.attr)
        return node


def rename(code: str) -> str:
    tree = ast.parse(code)
    return ast.unparse(Rename(tree).visit(tree))


def lay_out_anew(code: str) -> str:
    """Other line breaks, blank lines, quotes and comments."""
    lines = ast.unparse(ast.parse(code)).replace("'", '"').split("\n")
    return "\n".join(f"{line}  # as usual\n" if not at % 3 else line for at, line in enumerate(lines))


def other_numbers(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            node.value = node.value + 1
    return ast.unparse(tree)


def fill_up(code: str) -> str:
    """Lines that do nothing after every third statement."""
    filled = []
    for at, node in enumerate(ast.parse(code).body):
        filled.append(ast.unparse(node))
        if at % 3 == 2:
            filled.append(
                f"print('step {at}', len(str({at})))\nbuffer_{at} = [k**2 for k in range({at + 2})]"
            )
    return "\n".join(filled)


def shuffle(code: str) -> str:
    body = ast.parse(code).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in body if node not in imports]
    random.Random(1).shuffle(rest)
    return "\n\n".join(ast.unparse(node) for node in imports + rest)


def other_imports(code: str) -> str:
    return "from typing import (\n    Any,\n    Final,\n)\nimport sys as system, re\n" + code


def bury(code: str) -> str:
    """At the end of a much larger file."""
    return "\n\n".join([*(solution(name) for name in NAMES if solution(name) != code), code])


def break_syntax(code: str) -> str:
    return code.replace("def ", "def def ", 1) + "\nprint(((\n"


DISGUISES: dict[str, Callable[[str], str]] = {
    "untouched": lambda code: code,
    "renamed": rename,
    "layout": lay_out_anew,
    "numbers": other_numbers,
    "filled-up": fill_up,
    "shuffled": shuffle,
    "imports": other_imports,
    "buried": bury,
    "broken": break_syntax,
    "renamed-and-filled": lambda code: rename(fill_up(code)),
}


def notebook(*cells: str, kind: str = "code") -> bytes:
    """A notebook of format 4."""
    rows = [
        {"cell_type": kind, "source": cell.splitlines(keepends=True), "outputs": [{"data": "x" * 1000}]}
        for cell in cells
    ]
    return json.dumps({"cells": rows, "nbformat": 4}).encode()
