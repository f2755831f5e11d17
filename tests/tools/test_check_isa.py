"""check_isa.py on objects compiled here: a clean level, and one with an inline function."""

import shutil
import subprocess

import check_isa
import pytest

CLEAN = "static int twice(int x) { return 2 * x; }\nint level(int x) { return twice(x); }\n"
WEAK = (
    "inline int shared_code(int x) { return 2 * x; }\nint (*level())(int) { return shared_code; }\n"
)
WEAK_REFERENCE = (
    "extern int other() __attribute__((weak));\nint level() { return other ? 1 : 0; }\n"
)

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture
def build(tmp_path):
    def compile_level(level, source):
        folder = tmp_path / "sub" / "CMakeFiles" / f"{level}.dir" / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        command = ["g++", "-xc++", "-O0", "-c", "-o", str(folder / "add.cpp.o"), "-"]
        subprocess.run(command, input=source, text=True, check=True)

    for level in check_isa.ISAS:
        compile_level(level, CLEAN)
    compile_level.root = tmp_path
    return compile_level


def test_clean_levels_pass(build):
    assert check_isa.main([str(build.root)]) == 0


def test_weak_reference_is_harmless(build):
    build("eagre_cpu_avx2", WEAK_REFERENCE)
    assert check_isa.main([str(build.root)]) == 0


def test_inline_function_is_found_and_named(build, capsys):
    build("eagre_cpu_avx512", WEAK)
    assert check_isa.main([str(build.root)]) == 1
    output = capsys.readouterr().out
    assert "shared_code(int)" in output
    assert "eagre_cpu_avx512" in output


def test_level_that_is_not_built_fails(tmp_path):
    assert check_isa.main([str(tmp_path)]) == 1
