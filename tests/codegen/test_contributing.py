"""The examples of CONTRIBUTING.md, "Adding an operator", followed step by step: the generator takes
the records, and the compiler what it makes of them. The examples of README.md and docs/ compile
too."""

import ast
import re
import shutil
import subprocess

import pytest
import yaml
from conftest import ROOT
from recipe import add
from recipe import all_blocks as blocks

from codegen.__main__ import generate

COMPILE = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
SAMPLES = "tests/python/ops/samples_shape.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The files that the examples touch, with the examples, and gen/ as generated from them."""
    folder = tmp_path_factory.mktemp("contributing")
    shutil.copytree(ROOT / "ops", folder / "ops")
    for path, code in blocks():
        if (ROOT / path).exists() and not (folder / path).exists():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, folder / path)
        add(folder / path, code)
    generate(folder / "ops").write(folder / "gen")
    return folder


def records() -> list[dict]:
    return [record for path, code in blocks() if path.endswith(".yaml") for record in read(code)]


def read(code: str) -> list[dict]:
    return yaml.safe_load(code)


NAMES = [record["op"] for record in records()]


def sources(folder, name: str) -> list:
    """The generated C++ files of one operator; a family shares all but the kernels."""
    node = "".join(part.capitalize() for part in name.split("_")) + "Node"
    found = [
        path
        for part, mark in (("dispatch", f" {name}_op{{"), ("ops", f" {node} "))
        for path in (folder / "gen" / part).glob("*_*.cpp")
        if mark in path.read_text()
    ]
    assert len(found) == 2, found
    kernel = list((folder / "gen/kernels").glob(f"*/{name}.cpp"))
    assert len(kernel) == 1, kernel
    return found + kernel


def compiles(folder, *files) -> None:
    includes = [f"-I{place}" for place in (folder, folder / "gen/include", ROOT)]
    command = [*COMPILE, "-DEAGRE_ISA=baseline", *includes, *(str(file) for file in files)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_there_is_an_example_of_either_kind():
    kinds = [next(iter(record["kernel"])) for record in records()]
    assert kinds == ["pointwise", "typed"]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_generated_compiles(tree, name):
    compiles(tree, *sources(tree, name))


def test_the_shape_function_compiles(tree):
    shapes = [tree / path for path, _ in blocks() if path.endswith(".cpp")]
    assert shapes
    compiles(tree, *shapes)


def test_a_mistake_in_an_example_is_found(tree):
    kernel = sources(tree, "cube")[-1].read_text()
    broken = tree / "broken.cpp"
    broken.write_text(kernel.replace("scalar::cube(", "scalar::cub("))
    with pytest.raises(AssertionError, match=r"\bcub\W is not a member of"):
        compiles(tree, broken)


def test_the_readme_example_compiles(tree):
    blocks = re.findall(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 1
    (tree / "readme.cpp").write_text(blocks[0])
    compiles(tree, tree / "readme.cpp")


# What the blocks of docs/ need around them: the names that their text speaks of. They show values
# that nobody uses.
AROUND_BLOCKS = """
#include <complex>
#include <vector>
#include <eagre/eagre.h>
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wunused-parameter"
using namespace eagre;
using namespace eagre::autograd;
extern Tensor x, y, v, w, batch;
Tensor f(const Tensor& x);
"""


def doc_blocks(page: str, text: str) -> str:
    """The C++ blocks of a page, each as a function, with the place that errors name."""
    functions = []
    for match in re.finditer(r"```cpp\n(.*?)```", text, re.DOTALL):
        line = text.count("\n", 0, match.start()) + 2
        name = re.sub(r"\W", "_", f"{page}_{line}")
        functions.append(f'void {name}() {{\n#line {line} "{page}"\n{match[1]}}}\n')
    return "".join(functions)


def test_the_blocks_of_docs_compile(tree):
    # Those about custom operators are parts of an example that is built: see test_docs.py.
    pages = {
        str(page.relative_to(ROOT)): page.read_text()
        for page in sorted((ROOT / "docs").glob("*.md"))
        if page.name != "custom-operators.md"
    }
    functions = "".join(doc_blocks(page, text) for page, text in pages.items())
    assert functions.count("#line") >= 6
    (tree / "docs.cpp").write_text(AROUND_BLOCKS + functions)
    compiles(tree, tree / "docs.cpp")


def test_a_mistake_in_a_block_of_docs_is_found(tree):
    page = "Text.\n\n```cpp\nTensor z = x.no_such_method();\n```\n"
    (tree / "docs.cpp").write_text(AROUND_BLOCKS + doc_blocks("docs/page.md", page))
    with pytest.raises(AssertionError, match=r"docs/page.md:4:.*no_such_method"):
        compiles(tree, tree / "docs.cpp")


def test_the_samples_are_those_of_the_record():
    text = next(code for path, code in blocks() if path == SAMPLES)
    compile(text, SAMPLES, "exec")
    defined = {n.name for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)}
    for test in (record["test"] for record in records() if "samples" in record["test"]):
        assert test["samples"] in defined
        assert all(f'"{bad}"' in text for bad in test["bad"])
