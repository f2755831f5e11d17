"""check_isa.py on objects compiled here: a clean isa, an inline function, a fused product."""

import shutil
import subprocess

import check_isa
import pytest

CLEAN = "static int twice(int x) { return 2 * x; }\nint kernel(int x) { return twice(x); }\n"
WEAK = "inline int shared(int x) { return 2 * x; }\nint (*use())(int) { return shared; }\n"
WEAK_REFERENCE = (
    "extern int other() __attribute__((weak));\nint kernel() { return other ? 1 : 0; }\n"
)
FUSED = """#include <immintrin.h>
__attribute__((target("fma"))) __m128 kernel(__m128 x) { return _mm_fmadd_ps(x, x, x); }
"""

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture
def build(tmp_path):
    def compile_for(isa, source, name="add"):
        folder = tmp_path / "sub" / "CMakeFiles" / f"{isa}.dir" / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        command = ["g++", "-xc++", "-O0", "-c", "-o", str(folder / f"{name}.cpp.o"), "-"]
        subprocess.run(command, input=source, text=True, check=True)

    for isa in check_isa.ISAS:
        compile_for(isa, CLEAN)
    compile_for.root = tmp_path
    return compile_for


def test_clean_isas_pass(build):
    assert check_isa.main([str(build.root)]) == 0


def test_weak_reference_is_harmless(build):
    build("eagre_cpu_avx2", WEAK_REFERENCE)
    assert check_isa.main([str(build.root)]) == 0


def test_inline_function_is_found_and_named(build, capsys):
    build("eagre_cpu_avx512", WEAK)
    assert check_isa.main([str(build.root)]) == 1
    output = capsys.readouterr().out
    assert "shared(int)" in output
    assert "eagre_cpu_avx512" in output


def test_fused_products_are_found_outside_of_matmul(build, capsys):
    build("eagre_cpu_avx2", FUSED, name="matmul_f32")
    assert check_isa.main([str(build.root)]) == 0
    build("eagre_cpu_avx2", FUSED, name="mul")
    assert check_isa.main([str(build.root)]) == 1
    assert "vfmadd" in capsys.readouterr().out


def test_isa_that_is_not_built_fails(tmp_path):
    assert check_isa.main([str(tmp_path)]) == 1
