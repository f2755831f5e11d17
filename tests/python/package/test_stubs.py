"""The stubs name what there is, and type checkers can use them."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import eagre
from eagre import _C

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(eagre.__file__).parent
STUB = ast.parse((PACKAGE / "_C.pyi").read_text())


def defined(body):
    names = set()
    for item in body:
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            names.add(item.target.id)
    return names


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_every_name_of_the_module_and_no_other():
    aliases = {"DeviceLike", "Number", "Operand"}
    assert public(defined(STUB.body)) - aliases == public(dir(_C))


def test_every_attribute_of_tensors_and_no_other():
    (tensor,) = (item for item in STUB.body if getattr(item, "name", "") == "Tensor")
    assert public(defined(tensor.body)) == public(dir(_C.Tensor))


def checked(folder, *files):
    environment = os.environ | {"MYPYPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *files]
    return subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)


def test_mypy_accepts_the_examples(tmp_path):
    result = checked(tmp_path, *map(str, sorted((ROOT / "examples/python").glob("*.py"))))
    assert result.returncode == 0, result.stdout


def test_mypy_finds_mistakes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import eagre as torch\n"
        "x = torch.zeros(2, 3, dtype=torch.float64)\n"
        "values, indices = x.max(dim=1)\n"
        "reveal_type(values + 1)\n"
        "x.add_(1).rleu()\n"
        "torch.zeros('2')\n"
        "torch.nothing\n"
    )
    result = checked(tmp_path, str(program))
    assert 'Revealed type is "eagre._C.Tensor"' in result.stdout
    for line, mistake in ((5, '"rleu"'), (6, 'incompatible type "str"'), (7, '"nothing"')):
        assert any(
            f"program.py:{line}: error" in message and mistake in message
            for message in result.stdout.splitlines()
        ), result.stdout
