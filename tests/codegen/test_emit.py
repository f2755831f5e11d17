"""What is derived from records: saves, and the generated code as a whole."""

import subprocess
import sys

from conftest import ROOT

from codegen import check_golden
from codegen.emit_ops import Saves
from codegen.emit_python import soles
from codegen.load import load_ops
from codegen.output import Outputs


def saves_of(
    records, formula, sig="(Tensor input, Tensor|Scalar other, *, Scalar alpha=1)", other="g"
):
    ops = load_ops(
        records(f"""\
    - op: probe
      sig: {sig} -> Tensor
      forms: [function]
      compute: promote
      kernel: {{pointwise: probe}}
      dtypes: [float32]
      amp: keep
      batch: pointwise
      grad: {{input: '{formula}', other: '{other}', jvp: linear}}
      doc: A probe.
      test: {{samples: probe}}
    """)
    )
    saves = Saves.of(next(op for op in ops if op.name == "probe"))
    return saves.tensors, [a.name for a in saves.attributes], [m.member for m in saves.metadata]


def test_a_pointwise_kernel_may_be_compiled_for_the_baseline_alone(records):
    from codegen import emit_dispatch, emit_kernels

    record = """\
    - op: probe
      sig: (Tensor input) -> Tensor
      forms: [function]
      compute: promote
      kernel: {pointwise: probe}
      per_isa: ISAS
      dtypes: [float32]
      amp: keep
      batch: pointwise
      grad: none
      doc: A probe.
      test: {samples: probe}
    """
    for per_isa, folder, other in (("true", "isa", "once"), ("false", "once", "isa")):
        ops = [o for o in load_ops(records(record.replace("ISAS", per_isa))) if o.name == "probe"]
        files = check_golden.emitted(ops, emit_kernels)
        assert f"kernels/{folder}/probe.cpp" in files and f"kernels/{other}/probe.cpp" not in files
        table = "".join(check_golden.emitted(ops, emit_dispatch).values())
        assert ("avx512::probe_kernels" in table) == (per_isa == "true")


# Row: PyTorch F2, PyTorch O7
def test_saves_follow_from_the_formulas(records):
    assert saves_of(records, "g") == ({}, [], [])
    assert saves_of(records, "g * other") == ({"other": [0]}, [], [])
    assert saves_of(records, "g * other", other="g * input") == (
        {"other": [0], "input": [1]},
        [],
        [],
    )
    assert saves_of(records, "g * input", other="g * input") == ({"input": [0, 1]}, [], [])
    assert saves_of(records, "g * result") == ({"result": [0]}, [], [])
    assert saves_of(records, "g * alpha") == ({}, ["alpha"], [])
    assert saves_of(records, "sum_to_size(g, input.shape)") == ({}, [], ["input_shape_"])
    assert saves_of(records, "cast(g, input.dtype)") == ({}, [], ["input_dtype_"])


# Row: PyTorch F2, Paddle B24
def test_mul_saves_other_only_for_the_gradient_of_input():
    source = check_golden.collect(ROOT / "ops")["mul.cpp"]
    assert "if (node->has_edge(0)) node->other_.save_input(other);" in source
    assert "if (node->has_edge(1)) node->input_.save_input(input);" in source


def test_add_saves_no_tensor():
    assert "save_input" not in check_golden.collect(ROOT / "ops")["add.cpp"]


def test_the_number_of_arguments_chooses_an_overload_where_it_can():
    overloads = {}
    for op in load_ops(ROOT / "ops"):
        overloads.setdefault(op.public, []).append(op)
    where = [op for op in overloads["where"] if "function" in op.forms]
    assert [op.name for op in where] == ["where_nonzero", "where"]
    assert soles(where, "function") == "-1, 0, -1, 1"
    # x.view(3) and x.view(eagre.int32) differ by their kinds only.
    assert soles(overloads["view"], "method") == "-1, -1"


def test_golden_files_are_up_to_date():
    lines = check_golden.differences()
    assert not lines, "run `python -m codegen.check_golden --update` and review:\n" + "\n".join(
        lines
    )


def test_generated_functions_name_their_record():
    for name, text in check_golden.collect(ROOT / "ops").items():
        assert "ops/" in text, name


def test_only_changed_files_are_written(tmp_path):
    outputs = Outputs()
    outputs.add("a.h", "one")
    outputs.add("sub/b.h", "two")
    assert outputs.write(tmp_path) == 2
    stamp = (tmp_path / "a.h").stat().st_mtime_ns
    assert outputs.write(tmp_path) == 0
    outputs.add("sub/b.h", "three")
    assert outputs.write(tmp_path) == 1
    assert (tmp_path / "a.h").stat().st_mtime_ns == stamp
    del outputs.files["sub/b.h"]
    outputs.write(tmp_path)
    assert not (tmp_path / "sub/b.h").exists()


def test_the_command_reports_problems(records, tmp_path):
    folder = records("- op: 7\n")
    command = [sys.executable, "-m", "codegen", "--ops", folder, "--out", tmp_path / "out"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith("codegen: ops/zz.yaml:1: op '7', field 'op': ")
    assert "Traceback" not in result.stderr
