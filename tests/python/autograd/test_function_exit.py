"""Functions of users when the interpreter ends, after fork(), and with a collector in a thread.

Each case is a process of its own.
"""

import child
import pytest

FUNCTION = """
import gc, os, sys, threading, time, weakref
import eagre
from eagre.autograd import Function

class Scale(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.things = [object()]
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2 + ctx.saved_tensors[0] * 0

x = eagre.ones(3, requires_grad=True)
"""

CASES = {
    "live_graph": """
y = Scale.apply(x)
node = y.grad_fn
z = Scale.apply(y) + Scale.apply(x)
z.sum().backward(retain_graph=True)
node.me = node
""",
    "thread_in_apply_and_backward": """
def work():
    while True:
        Scale.apply(Scale.apply(x)).sum().backward()
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
""",
    "exit_inside_backward": """
class Exit(Scale):
    @staticmethod
    def backward(ctx, g):
        sys.exit(0)
Exit.apply(x).sum().backward()
""",
    "fork": """
y = Scale.apply(x)
y.grad_fn.mark = 1
child = os.fork()
y.sum().backward()
assert x.grad.tolist() == [2.0] * 3 and y.grad_fn.mark == 1
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
else:
    del y, x
    gc.collect()
    os._exit(0)
""",
    "long_chains": """
threading.stack_size(256 * 1024)
def work():
    for keeps_node in (False, True):
        y = x
        for _ in range(50_000):
            y = Scale.apply(y)
        node = y.grad_fn if keeps_node else None
        eagre.autograd.grad(y.sum(), x)
        del y, node
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "threads_and_collector": """
stop = time.monotonic() + 1.0
def make():
    while time.monotonic() < stop:
        y = Scale.apply(Scale.apply(x))
        node = y.grad_fn
        node.me = node            # only the collector ends it
        refs.append(weakref.ref(node))
        eagre.autograd.grad(y.sum(), x)
        del refs[:-10]
def collect():
    while time.monotonic() < stop:
        gc.collect()
refs = []
threads = [threading.Thread(target=f) for f in (make, make, collect)]
for thread in threads: thread.start()
for thread in threads: thread.join()
del thread, threads
gc.collect()
assert all(ref() is None for ref in refs), refs
""",
}


# Row: PyTorch D16, PyTorch K19
@pytest.mark.parametrize("name", CASES)
def test_in_a_process_of_its_own(name):
    assert child.run(FUNCTION + CASES[name]) == ("", "")
