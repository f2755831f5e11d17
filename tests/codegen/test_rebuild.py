"""A new pointwise operator is two files by hand; no kernel, dispatch or engine file is rebuilt."""

import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest
from conftest import ROOT

RECORD = """
- op: halve
  sig: (Tensor input) -> Tensor
  forms: [function, method]
  compute: promote_float
  kernel: {pointwise: halve, header: halve}
  dtypes: [float32, float64]
  amp: keep
  batch: pointwise
  grad: {input: g * 0.5, jvp: linear}
  doc: Half of each element.
  test: {samples: halve}
"""
MATHS = """
#pragma once
#include <eagre/kernels/scalar/host_device.h>
namespace eagre::scalar {
template <class T>
EAGRE_SCALAR T halve(T input) { return input / 2; }
}  // namespace eagre::scalar
"""


def run(*command, **options) -> str:
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **options
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def rebuild(tree: Path) -> set[str]:
    """Runs ninja and gives the objects it made. (ninja -n stops where CMake looks for files.)"""
    log = tree.parent / "compiled"
    log.write_text("")
    run("ninja", "-C", tree)
    return {re.sub(r"^CMakeFiles/[^/]+\.dir/", "", name) for name in log.read_text().splitlines()}


@pytest.fixture(scope="module")
def built_tree(tmp_path_factory):
    """A tree that ninja takes for built: the compiler does next to nothing."""
    folder = tmp_path_factory.mktemp("rebuild")
    source = folder / "source"
    for part in ("CMakeLists.txt", "cmake", "codegen", "eagre", "ops", "python"):
        target = source / part
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        target.parent.mkdir(exist_ok=True)
        copy(ROOT / part, target)
    # Only dependencies matter: files are preprocessed, which lists their headers.
    fake = folder / "fake-compiler"
    fake.write_text(
        textwrap.dedent("""\
        #!/usr/bin/env python3
        import subprocess, sys
        arguments = sys.argv[1:]
        place = arguments.index("-o") + 1
        target, arguments[place] = arguments[place], "/dev/null"
        if "-c" in arguments:
            arguments[arguments.index("-c")] = "-E"
            subprocess.run(arguments, check=True)
            with open("../compiled", "a") as log:
                print(target, file=log)
        open(target, "w").close()
        """)
    )
    fake.chmod(0o755)
    tree = folder / "tree"
    run(
        "cmake",
        "-S",
        source,
        "-B",
        tree,
        "-G",
        "Ninja",
        "-DEAGRE_BUILD_TESTS=OFF",
        "-DEAGRE_BUILD_EXAMPLES=OFF",
        f"-DEAGRE_OPS_DIR={source / 'ops'}",
        f"-DCMAKE_CXX_COMPILER_LAUNCHER={fake}",
        f"-DCMAKE_CXX_FLAGS=-I{folder / 'extra'}",
        "-DCMAKE_CXX_LINKER_LAUNCHER=" + str(fake),
    )
    assert len(rebuild(tree)) > 50
    assert rebuild(tree) == set()
    return folder, source, tree


def test_adding_an_operator_rebuilds_little(built_tree):
    folder, source, tree = built_tree
    header = folder / "extra/eagre/kernels/scalar/halve.h"
    header.parent.mkdir(parents=True)
    header.write_text(MATHS)
    with open(source / "ops/arithmetic.yaml", "a") as records:
        records.write(RECORD)
    objects = rebuild(tree)
    assert {"gen/kernels/isa/halve.cpp.o", "gen/dispatch/op_table.cpp.o"} <= objects
    # Its neighbours in the family share files with it; nothing else but the public surface.
    family = re.compile(r"gen/(dispatch|ops)/arithmetic_\d+")
    shared = set(filter(family.match, objects))
    assert len(shared) == 2, sorted(shared)
    rest = objects - shared - {"gen/kernels/isa/halve.cpp.o", "gen/dispatch/op_table.cpp.o"}
    assert all(name.startswith(("eagre/api/", "gen/api/")) for name in rest), sorted(rest)


def test_changing_an_example_in_a_doc_compiles_no_kernel(built_tree):
    _, source, tree = built_tree
    path = source / "ops/arithmetic.yaml"
    path.write_text(path.read_text().replace("Half of each element.", "Each element by two."))
    objects = rebuild(tree)
    assert objects
    assert not [name for name in objects if "kernels" in name], sorted(objects)


def test_stubs_follow_the_signatures_of_what_is_written_in_python(built_tree):
    _, source, tree = built_tree
    path = source / "python/eagre/storage.py"
    signature = "def is_set_to(self, tensor):"
    assert signature in path.read_text()
    path.write_text(path.read_text().replace(signature, "def is_set_to(self, tensor, exactly=0):"))
    rebuild(tree)
    stub = (tree / "gen/python/eagre/_C.pyi").read_text()
    assert "def is_set_to(self, tensor: Any, exactly: Any = ...)" in stub
