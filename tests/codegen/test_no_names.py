"""Facts about operators stand in their records. No program that handles all of them (the generator,
the drivers of the samples, the Python package's table of late names) asks for the name of an
operator, of an argument or of a shape function, or spells the name of an operator at all."""

import ast
from pathlib import Path

import pytest
from conftest import ROOT

from codegen import formula, load, model
from codegen.load import load_ops

OPS = load_ops(ROOT / "ops")
GENERATOR = sorted((ROOT / "codegen").glob("*.py"))
DRIVERS = [ROOT / "tests/python/ops" / f for f in ("records.py", "samples.py", "sim_samples.py")]
LATE_NAMES = ROOT / "python/eagre/_lazy_names.py"

# Attributes of the model that hold a name which a record chooses.
CHOSEN_BY_RECORDS = {"name", "public", "python_name"}
# Likewise the `function` of these; that of other calls is a rule, and load.py lists all rules.
CALLED_BY_RECORDS = {"meta", "kernel"}

# Tables that questions may be asked of, and literals that may stand somewhere, with the reason.
ALLOWED_TABLES = {
    "CHOSEN": "the operators whose code is kept for review",
    "ALIASES": "second names of arguments: NumPy and Paddle rename every `dim`, whatever it means",
    "_PYTORCH_NAMES": "likewise what PyTorch's nodes call an argument",
}
ALLOWED_LITERALS = {
    ("check_golden.py", "CHOSEN"): "the operators whose code is kept for review",
    ("python_signature.py", "ALIASES"): "second names of arguments",
    ("emit_ops.py", "clone"): "generated code calls this operator, and includes its header",
    ("emit_structured.py", "inner"): "a variable of generated code",
    ("emit_docs.py", "place"): "a key of ops.json",
    ("formula.py", "t"): "the tangent in formulas: TANGENT",
}

# The language of records: fields and what may stand in them, and what their parts become.
WORDS = {
    *load._FIELDS,
    *load._FORMS,
    *load._OPERATORS,
    *load._AMP,
    *load._BATCH,
    *load._JVP,
    *load._OUT_RULES,
    *load._RESULTS,
    *load._INPUTS,
    *load._POINTWISE_RULES,
    *load._STRUCTURED_RULES,
    *model.DTYPE_GROUPS,
    *model.TEMPLATES,
    *formula._METADATA,
    *(kind.value for kind in model.Kind),
    *(layout.value for layout in model.Layout),
    *(meaning.value for meaning in model.Meaning),
}


# --- questions ---


def asks_for_a_name(node: ast.expr) -> bool:
    """op.name, argument.name, op.meta.function, …"""
    match node:
        case ast.Attribute(attr=attr) if attr in CHOSEN_BY_RECORDS:
            return True
        case ast.Attribute(value=ast.Attribute(attr=owner), attr="function"):
            return owner in CALLED_BY_RECORDS
    return False


def strings(node: ast.expr, constants: dict[str, ast.expr]) -> set[str]:
    """The string literals that an expression holds, by itself or through a constant."""
    if isinstance(node, ast.Name):
        unknown = ast.Tuple([])
        return set() if node.id in ALLOWED_TABLES else strings(constants.get(node.id, unknown), {})
    keys = {id(n.slice) for n in ast.walk(node) if isinstance(n, ast.Subscript)}
    found = (n for n in ast.walk(node) if isinstance(n, ast.Constant) and id(n) not in keys)
    texts = {n.value for n in found if isinstance(n.value, str)}
    return {text for text in texts if text.isidentifier() and text.strip("_")}


def sides_of(node: ast.AST) -> list[ast.expr]:
    """What is compared with, looked up in, or asked of what."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Subscript(value=table, slice=key):
            return [table, key]
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            return [table, key]
        case ast.Call(func=ast.Attribute(value=owner), args=args):  # x.startswith(…)
            return [owner, *args]
        case ast.Match(subject=subject, cases=cases):
            patterns = [p.value for c in cases for p in ast.walk(c.pattern) if hasattr(p, "value")]
            return [subject, *(p for p in patterns if isinstance(p, ast.expr))]
    return []


def questions(source: str) -> list[str]:
    """Where a name is compared with a literal, or with the literals of a constant."""
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
        sides = sides_of(node)
        others = [side for side in sides if not asks_for_a_name(side)]
        if len(others) < len(sides) and any(strings(side, constants) for side in others):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize("path", GENERATOR, ids=lambda path: path.stem)
def test_nobody_asks_for_a_name(path):
    found = questions(path.read_text())
    assert not found, "say it in the record instead:\n" + "\n".join(found)


def test_such_a_question_is_found():
    assert questions('op.name == "add"') and questions('op.public in ("add", "sub")')
    assert questions('op.name.startswith("layer_norm")')
    assert questions('NAMES = {"add"}\nop.name in NAMES')
    assert questions('argument.name == "n"') and questions('[a for a in b if a.name in {"value"}]')
    assert questions('LED = {"start": 0}\nLED[a.name]') and questions('{"start": 0}.get(a.name)')
    assert questions('op.meta.function == "along"')
    assert questions('match op.name:\n    case "add" | "sub":\n        pass')
    assert not questions("op.name == other.name") and not questions("op.name in chosen")
    assert not questions('call.function == "promote"') and not questions("ALIASES.get(a.name)")
    assert not questions("op.meta.function in known")


# --- literals ---


def literals(source: str, file: str) -> list[tuple[int, str]]:
    """The words in strings of a program, but for docstrings and what is looked up in records."""
    tree = ast.parse(source)
    left_out = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                left_out.add(id(docstring))
            case ast.JoinedStr(values=parts):  # text of generated code
                left_out |= {id(part) for part in parts}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if (file, name) in ALLOWED_LITERALS:
                    left_out |= {id(inner) for inner in ast.walk(value)}
    return [
        (node.lineno, word.partition("=")[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in left_out
        for word in listed(node.value)
    ]


def listed(text: str) -> list[str]:
    """A string, or the names in a list of names: sentences and code are neither."""
    words = text.split()
    names = all(word.partition("=")[0].isidentifier() for word in words)
    return words if names else []


def spelled(source: str, file: str, names: set[str]) -> list[str]:
    return [
        f"{file}:{line}: {word}"
        for line, word in literals(source, file)
        if word in names and (file, word) not in ALLOWED_LITERALS
    ]


def names_of(ops) -> set[str]:
    plain = {name for op in ops for name in (op.name, op.public, *op.aliases)}
    return plain | {f"{name}_" for name in plain}


@pytest.mark.parametrize("path", [*GENERATOR, *DRIVERS], ids=lambda path: path.stem)
def test_nobody_spells_an_operator(path: Path):
    found = spelled(path.read_text(), path.name, names_of(OPS) - WORDS)
    assert not found, "say it in the record instead:\n" + "\n".join(found)


def test_the_late_names_are_not_those_of_operators():
    """Operators that users cannot see may share a name with something that they can."""
    # Nor those of functions that Python writes in front of an operator: Paddle's Tensor.gradient()
    # is no eagre.gradient().
    public = [
        op
        for op in OPS
        if "internal" not in op.forms and not (op.python_source and "method" not in op.forms)
    ]
    found = spelled(LATE_NAMES.read_text(), LATE_NAMES.name, names_of(public))
    assert not found, "say it in the record instead:\n" + "\n".join(found)


def test_such_a_name_is_found():
    def found(source, file="x.py"):
        return spelled(source, file, {"add", "add_", "place"})

    assert found('SKIPPED = {"add"}') == ["x.py:1: add"]
    assert found('LATE = "resize_as_ add_ detach_"') == ["x.py:1: add_"]
    assert found('T = {"_module": "show add=plus"}') == ["x.py:1: add"]
    assert found('if name == "add": pass') and found('f("add")')
    assert not found('record["place"]') and not found('"""add"""') and not found('f"{x}add"')
    assert not found('{"place": 1}', "emit_docs.py")


def test_the_exceptions_are_needed():
    files = {path.name: path.read_text() for path in [*GENERATOR, *DRIVERS, LATE_NAMES]}
    for file, name in ALLOWED_LITERALS:
        assert f'"{name}"' in files[file] or f"{name} = " in files[file], (file, name)
    for table in ALLOWED_TABLES:
        assert any(f"\n{table} = " in text for text in files.values()), table
