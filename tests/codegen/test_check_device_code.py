"""check_device_code on kernels: a clean one, one that calls the host, one that stores nothing."""

import pytest

from codegen.check_device_code import find_nvcc, problems

NVCC = find_nvcc()
pytestmark = pytest.mark.skipif(NVCC is None, reason="needs nvcc")

HEADER = "#include <eagre/kernels/scalar/host_device.h>\n"
CLEAN = HEADER + "__global__ void twice(float* out, const float* a) { *out = *a * 2; }\n"
HOST = (
    HEADER
    + """float of_the_host(float x);
EAGRE_SCALAR float calls(float x) { return of_the_host(x); }
__global__ void calls_host(float* out, const float* a) { *out = calls(*a); }
"""
)
NOTHING = HEADER + "__global__ void stores_not(float* out, const float* a) {}\n"


def test_clean_kernel_passes(tmp_path):
    assert problems(NVCC, "twice.h", CLEAN, tmp_path) == []


def test_call_of_host_function_is_a_problem(tmp_path):
    assert "of_the_host" in "\n".join(problems(NVCC, "calls.h", HOST, tmp_path))


def test_kernel_that_stores_nothing_is_a_problem(tmp_path):
    found = problems(NVCC, "stores_not.h", NOTHING, tmp_path)
    assert len(found) == 1
    assert "stores nothing" in found[0]
