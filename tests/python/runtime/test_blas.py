"""The flag `blas` as Python and the environment set it. Each case is a process: a library stays."""

import pytest
from child import run
from plugins import FAKE_BLAS, PLUGINS

FAKE = str(FAKE_BLAS)


PRODUCT = """
import eagre
x = eagre.arange(128 * 128).remainder(7).float().reshape(128, 128)
expected = (x.long() @ x.long()).float()
assert ((x[:8, :8] @ x[:8, :8]) >= 0).all()
before = open("/proc/self/maps").read()
try:
    assert ((x @ x) == expected).all()
except eagre.NotFoundError as error:
    print(error)
print("fake_blas" in before, "fake_blas" in open("/proc/self/maps").read())
"""


def test_the_environment_names_a_library():
    out, log = run(PRODUCT, EAGRE_BLAS=FAKE, EAGRE_LOG="info")
    assert out == "False True"  # not loaded before it is needed
    assert log == f"eagre info: matmul(): large products go to the BLAS '{FAKE}'"


@pytest.mark.parametrize("name", ["none", "auto", ""])
def test_without_one_nothing_is_loaded(name):
    assert run(PRODUCT, EAGRE_BLAS=name) == ("False False", "")


def test_a_library_that_is_not_there_is_an_error():
    out, _ = run(PRODUCT, EAGRE_BLAS="libnot_there.so")
    message = (
        "matmul(): the BLAS 'libnot_there.so', which the flag 'blas' (EAGRE_BLAS) names, cannot be "
        "loaded (libnot_there.so: cannot open shared object file: No such file or directory); name "
        "another library, or 'none' to use no BLAS"
    )
    assert out.splitlines()[0] == message


@pytest.mark.parametrize("file", ["fake_blas_without_gemm.so", "sim.so"])
def test_a_library_without_the_functions_is_an_error(file):
    out, _ = run(PRODUCT, EAGRE_BLAS=str(PLUGINS / file))
    assert f"{file}', which the flag 'blas' (EAGRE_BLAS) names, has no functions" in out


def test_no_library_at_all_is_an_error():
    out, _ = run(PRODUCT, EAGRE_BLAS=__file__)
    assert "cannot be loaded" in out and "invalid ELF header" in out


def test_gradients_and_forked_children():
    code = """
        import os, eagre
        x = eagre.ones(128, 128, requires_grad=True)
        (x @ x).sum().backward()
        assert (x.grad == 256).all()
        child = os.fork()
        if child == 0:
            with eagre.no_grad():
                os._exit(0 if ((x @ x) == 128).all() else 1)
        assert os.waitpid(child, 0)[1] == 0
        print("fine")
        """
    assert run(code, EAGRE_BLAS=FAKE)[0] == "fine"
