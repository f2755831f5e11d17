"""Emitters read facts from records: none of them asks for the name of an operator."""

import ast

from conftest import ROOT

from codegen.load import load_ops

# Methods that C++ has by hand: a fact about the hand-written half, not about the operators. And
# those whose code is kept for review.
ALLOWED = {"_BY_HAND", "CHOSEN"}


def is_name_of_op(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr in ("name", "public")
        and isinstance(node.value, ast.Name)
        and node.value.id in ("op", "other")
    )


def strings(node: ast.expr, constants: dict[str, ast.expr]) -> set[str]:
    """The string literals that an expression holds, by itself or through a constant."""
    if isinstance(node, ast.Name):
        return set() if node.id in ALLOWED else strings(constants.get(node.id, ast.Tuple([])), {})
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)} - {None}


def questions(source: str) -> list[str]:
    """Where the name of an operator is compared with a literal."""
    tree = ast.parse(source)
    constants = {
        target.id: item.value
        for item in tree.body
        if isinstance(item, ast.Assign)
        for target in item.targets
        if isinstance(target, ast.Name)
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if not is_name_of_op(node.func.value):
                continue
            sides = [node.func.value, *node.args]
        else:
            continue
        others = [side for side in sides if not is_name_of_op(side)]
        if len(others) < len(sides) and any(strings(side, constants) for side in others):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_no_emitter_asks_for_the_name_of_an_operator():
    found = [
        f"{path.name}:{question}"
        for path in sorted((ROOT / "codegen").glob("*.py"))
        for question in questions(path.read_text())
    ]
    assert not found, "say it in the record instead:\n" + "\n".join(found)


def test_such_a_question_is_found():
    assert questions('op.name == "add"') and questions('op.public in ("add", "sub")')
    assert questions('op.name.startswith("layer_norm")')
    assert questions('NAMES = {"add"}\nop.name in NAMES')
    assert not questions("op.name == other.name") and not questions("op.name in chosen")


# What runs the samples of every record.
DRIVERS = ("records.py", "samples.py", "sim_samples.py")


def named(source: str, names: set[str]) -> list[str]:
    """Names of operators that a program spells; what is looked up in a record is no such name."""
    tree = ast.parse(source)
    fields = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    return [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in names and id(node) not in fields
    ]


def test_no_driver_of_the_samples_names_an_operator():
    names = {name for op in load_ops(ROOT / "ops") for name in (op.name, op.public)}
    found = [
        f"{driver}:{place}"
        for driver in DRIVERS
        for place in named((ROOT / "tests/python/ops" / driver).read_text(), names)
    ]
    assert not found, "say it in the record instead:\n" + "\n".join(found)
    assert named('SKIPPED = {"add"}\nrecord["place"]', {"add", "place"}) == ["1: add"]
