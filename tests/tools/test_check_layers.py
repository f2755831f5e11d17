"""Every rule of check_layers.py, broken on purpose in a small tree."""

import check_layers
import pytest


@pytest.fixture
def tree(tmp_path):
    def write(path, *lines, first="// Holds a thing."):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([first, *lines]) + "\n")

    write("eagre/base/error.h")
    write.root = tmp_path
    return write


def errors(tree):
    return [str(finding) for finding in check_layers.check_tree(tree.root) if finding.fatal]


def test_clean_tree_passes(tree):
    tree(
        "eagre/autograd/tape/node.cpp",
        "#include <eagre/autograd/tape/node.h>",
        "#include <eagre/core/shape.h>",
    )
    tree("eagre/eagre.h", "#include <eagre/nn/module.h>", "#include <eagre/api/tensor.h>")
    tree("python/src/module.cpp", "#include <Python.h>", "#include <eagre/eagre.h>")
    assert errors(tree) == []
    assert check_layers.main([str(tree.root)]) == 0


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("eagre/base/error.cpp", "core/shape.h"),
        ("eagre/core/shape.cpp", "kernels/add.h"),
        ("eagre/kernels/cpu/add.cpp", "dispatch/key.h"),
        ("eagre/dispatch/key.cpp", "autograd/tape/node.h"),
        ("eagre/autograd/tape/node.cpp", "api/tensor.h"),
        ("eagre/api/tensor.cpp", "nn/module.h"),
        ("eagre/amp/cast.cpp", "profiler/event.h"),
        ("eagre/nn/module.cpp", "eagre.h"),
        ("eagre/core/shape.cpp", "nowhere/x.h"),
    ],
)
def test_include_against_the_direction_fails(tree, path, target):
    tree(path, f"#include <eagre/{target}>")
    assert len(errors(tree)) == 1
    assert path in errors(tree)[0]
    assert check_layers.main([str(tree.root)]) == 1


def test_include_with_quotes_is_seen(tree):
    tree("eagre/base/error.cpp", '#include "eagre/core/shape.h"')
    assert len(errors(tree)) == 1


def test_include_that_climbs_fails(tree):
    tree("eagre/base/error.cpp", '#include "../core/shape.h"')
    assert len(errors(tree)) == 1


def test_autograd_sees_generated_operators_but_not_files_of_ops(tree):
    tree("eagre/autograd/engine/run.cpp", "#include <eagre/ops/add.h>")
    assert errors(tree) == []
    tree("eagre/dispatch/key.cpp", "#include <eagre/ops/add.h>")
    assert len(errors(tree)) == 1
    tree("eagre/ops/add.h")
    assert len(errors(tree)) == 2


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("eagre/autograd/tape/node.h", "<eagre/autograd/engine/run.h>"),
        ("eagre/autograd/tape/node.h", '"eagre/autograd/engine/run.h"'),
        ("eagre/autograd/engine/run.cpp", "<eagre/autograd/transforms/vmap.h>"),
        ("eagre/autograd/transforms/vmap.cpp", "<eagre/autograd/function/custom.h>"),
        ("python/src/interpreter/object.h", '"types/tensor.h"'),
        ("python/src/types/tensor.cpp", '"call/arguments.h"'),
        ("python/src/call/arguments.h", '"interop/numpy.h"'),
        ("python/src/interop/numpy.cpp", '"runtime/tables.h"'),
        ("python/src/autograd/node.cpp", '"tensor/type.h"'),
        ("python/src/autograd/node.cpp", '"nowhere/type.h"'),
    ],
)
def test_include_against_the_order_of_rooms_fails(tree, path, include):
    tree(path, f"#include {include}")
    (error,) = errors(tree)
    assert error.startswith(f"{path}:2: ") and "must not include" in error


def test_includes_in_the_order_of_rooms_pass(tree):
    tree("eagre/autograd/function/custom.cpp", "#include <eagre/autograd/tape/node.h>")
    tree("eagre/autograd/engine/run.cpp", "#include <eagre/autograd/engine/run.h>")
    tree("python/src/tensor/type.cpp", '#include "interop/numpy.h"', '#include "tensor/type.h"')
    tree("python/src/module.cpp", '#include "tensor/type.h"')
    assert errors(tree) == []


@pytest.mark.parametrize("folder", ["eagre/autograd/misc", "python/src/misc"])
def test_room_without_a_place_in_the_order_fails(tree, folder):
    tree(f"{folder}/things.h")
    (error,) = errors(tree)
    assert "'misc' has no place in" in error


def test_the_order_of_rooms_is_the_one_that_is_drawn():
    text = (check_layers.Path(__file__).parents[2] / "ARCHITECTURE.md").read_text()
    autograd, border = (ordered for ordered, _ in check_layers.ROOMS.values())
    assert " ← ".join(name for (name,) in autograd) in text
    drawn = text.split("no two modules need each other:\n`")[1].split(" ← module.cpp`")[0]
    assert [set(names.split(", ")) for names in drawn.split(" ← ")] == border


def test_modules_in_a_cycle_fail(tree):
    tree("eagre/core/storage.cpp", "#include <eagre/core/shape.h>")
    tree("eagre/core/storage.h")
    tree("eagre/core/shape.h", "#include <eagre/core/device.h>")
    tree("eagre/core/device.h")
    assert errors(tree) == []
    tree("eagre/core/device.cpp", "#include <eagre/core/storage.h>")
    (error,) = errors(tree)
    assert "eagre/core/device -> eagre/core/storage -> eagre/core/shape" in error


def test_folders_in_a_cycle_fail(tree):
    tree("eagre/kernels/cpu/walk.h")
    tree("eagre/kernels/cpu/loop.h", "#include <eagre/kernels/scalar/add.h>")
    tree("eagre/kernels/scalar/add.h")
    assert errors(tree) == []
    tree("eagre/kernels/scalar/mul.h", "#include <eagre/kernels/cpu/walk.h>")
    (error,) = errors(tree)
    assert "folders include each other" in error


def test_cycles_of_the_border_are_seen(tree):
    tree("python/src/tensor/object.h", '#include "tensor/type.h"')
    tree("python/src/tensor/type.h")
    tree("python/src/tensor/type.cpp", '#include "tensor/object.h"')
    assert len(errors(tree)) == 1


def test_folder_that_is_no_layer_fails(tree):
    tree("eagre/misc/things.h")
    assert "no layer" in errors(tree)[0]


@pytest.mark.parametrize("line", ["// for Python users", "PyObject* object;", "Py_INCREF(x);"])
def test_language_of_a_binding_in_the_library_fails(tree, line):
    tree("eagre/core/tensor.h", line)
    assert len(errors(tree)) == 1


def test_missing_first_comment_fails(tree):
    tree("eagre/core/tensor.h", first="#pragma once")
    assert "first line" in errors(tree)[0]


@pytest.mark.parametrize(("lines", "fatal", "findings"), [(399, 0, 0), (500, 0, 1), (801, 1, 1)])
def test_long_files(tree, lines, fatal, findings):
    tree("eagre/core/tensor.h", *["int x;"] * (lines - 1))
    assert len(errors(tree)) == fatal
    assert len(check_layers.check_tree(tree.root)) == findings


def test_long_file_with_a_reason_passes(tree):
    tree("eagre/core/tensor.h", "// long file: a table of constants", *["int x;"] * 900)
    assert errors(tree) == []


def test_empty_tree_is_no_success(tmp_path):
    assert check_layers.main([str(tmp_path)]) == 1
