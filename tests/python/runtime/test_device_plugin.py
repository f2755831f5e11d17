"""A device from a plug-in, in a process of its own: loading it changes the process for good."""

import subprocess
import sys
import textwrap

import child
import pytest
from plugins import SIM

SCRIPT = """
import warnings
import eagre
sim = eagre.load_device_plugin(PATH)
assert repr(sim) == "device(type='sim', index=0)" and eagre.load_device_plugin(PATH) == sim
x = eagre.tensor([1.0, 2.0], device=sim)
y = eagre.tensor([3.0, 4.0]).to("sim:0")
assert repr(x + y) == "tensor([4., 6.], device='sim:0')"
assert (x + y).tolist() == [4.0, 6.0] and (x + y).cpu().numpy().tolist() == [4.0, 6.0]
assert float(eagre.tensor(2.0, device="sim")) == 2.0

# exp is not there: on the CPU with a warning once, which the user's filters may make an error.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    x.exp()
    x.exp()
assert [str(w.message).partition(" and")[0] for w in caught] == [
    "exp() has no kernel for float32 on sim:0"]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        x * y
    except UserWarning as warning:
        assert "mul() has no kernel" in str(warning)
    else:
        raise AssertionError("the warning was lost")
eagre.set_flags({"kernel_fallback": False})
for call, kind, words in [
    (lambda: x.exp(), eagre.UnimplementedError, "not implemented for float32 on sim:0"),
    (lambda: x + eagre.ones(2), eagre.InvalidArgumentError, "argument 'other' must be on the same"),
    (lambda: x.numpy(), eagre.DTypeError, "tensor.cpu()"),
    (lambda: eagre.ones(2, device="sim:7"), eagre.InvalidArgumentError, "sim:7"),
]:
    try:
        call()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
eagre.set_flags({"kernel_fallback": True})

# Gradients on the device.
w = eagre.tensor([1.0, 2.0], device=sim, requires_grad=True)
((w + w) + x).sum().backward()
assert w.grad.device == sim and w.grad.tolist() == [2.0, 2.0]
print("fine")
"""


@pytest.mark.skipif(not SIM.exists(), reason="the plug-in is built with the C++ tests")
def test_sim():
    script = textwrap.dedent(SCRIPT).replace("PATH", repr(str(SIM)))
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout == "fine\n", result.stderr


@pytest.mark.skipif(not SIM.exists(), reason="the plug-in is built with the C++ tests")
def test_a_device_is_lost_in_the_child_of_a_fork():
    code = """
        import os
        import eagre
        eagre.load_device_plugin(PATH)
        x = eagre.ones(3, device="sim")
        child = os.fork()
        if child == 0:
            for use in (lambda: x + 1, lambda: x.cpu(), lambda: eagre.ones(2, device="sim")):
                try:
                    use()
                    os._exit(1)
                except RuntimeError as problem:
                    if "fork()" not in str(problem):
                        os._exit(2)
            assert (eagre.ones(3) + 1).sum().item() == 6  # the CPU is still there
            del x
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), (x + 1).sum().item())
    """
    assert child.run(code.replace("PATH", repr(str(SIM))))[0] == "0 6.0"
