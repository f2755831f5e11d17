"""Tensor objects with state, at the ends of processes and threads, across fork(), and in loops that
would leak. Each case is a process of its own: none dies, hangs or prints."""

import pytest
from builds import gives_memory_back
from child import run

PRELUDE = """
import contextlib, copy, gc, os, pickle, sys, threading, time, weakref
import eagre
from eagre import nn, overrides

class Mine(eagre.Tensor):
    pass

class Quiet(eagre.Tensor):
    __torch_function__ = eagre._C._disabled_torch_function_impl

def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
"""

EXIT = {
    "kept_wrappers": """
        x = nn.Parameter(eagre.ones(3))
        x.note = x
        y = (x * 2).exp()
        reference = weakref.ref(x)
        del x
        """,
    "derived_with_del": """
        class Ended(Quiet):
            def __del__(self):
                self.as_subclass(eagre.Tensor).sum()
        x = eagre.Tensor._make_subclass(Ended, eagre.ones(3), True)
        x.itself = x
        y = x * x
        """,
    "inside_a_mode": """
        class Mode(overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                return func(*args, **(kwargs or {}))
        Mode().__enter__()
        x = eagre.ones(3) + 1
        """,
    "exit_inside_torch_function": """
        class Exiting(eagre.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                sys.exit(0)
        eagre.ones(1).as_subclass(Exiting) + 1
        """,
    "cycles_in_modules_that_are_torn_down": """
        x = eagre.ones(3, requires_grad=True)
        x.register_hook(lambda g: x.note)
        x.note = sys.modules[__name__]
        y = eagre.ones(2).as_subclass(Mine)
        y.graph = (x * 2).sum()
        """,
    "a_daemon_thread_with_derived_tensors": """
        def work():
            p = nn.Parameter(eagre.ones(3))
            p.register_hook(lambda g: None)
            while True:
                (p * p).sum().backward()
                p.grad.note = p
                p.grad = None
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        """,
}


def outcome(code):
    lines = code.strip("\n").split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    return run(PRELUDE + "\n".join(line[indent:] for line in lines))


# Row: PyTorch D16
@pytest.mark.parametrize("name", EXIT)
def test_exit(name):
    assert outcome(EXIT[name]) == ("", "")


def test_fork():
    script = """
        p = nn.Parameter(eagre.ones(3))
        p.note = [1]
        y = p * p
        kept = weakref.ref(p)
        del p
        child = os.fork()
        ok = kept().note == [1] and type(y.grad_fn.next_functions[0][0].variable) is nn.Parameter
        y.sum().backward()
        ok = ok and kept().grad.tolist() == [2, 2, 2]
        ok = ok and pickle.loads(pickle.dumps(kept())).tolist() == [1, 1, 1]
        del y
        eagre.ones(1)
        ok = ok and kept() is None
        if child == 0:
            os._exit(0 if ok else 1)
        assert ok and os.waitpid(child, 0)[1] == 0
        print("done")
        """
    assert outcome(script) == ("done", "")


def test_threads_that_drop_each_others_tensors():
    script = """
        import queue
        work, errors = queue.Queue(100), []
        shared = nn.Parameter(eagre.ones(4))
        shared.note = 0

        def produce():
            try:
                for i in range(3000):
                    x = eagre.Tensor._make_subclass(Quiet, eagre.ones(4), True)
                    x.note = i
                    work.put((i, (x * shared).sum()))  # only the graph has x now
            except BaseException as error:
                errors.append(error)
            work.put(None)

        def consume():
            try:
                while (item := work.get()) is not None:
                    i, y = item
                    product = y.grad_fn.next_functions[0][0]
                    leaf = product.next_functions[0][0].variable
                    assert type(leaf) is Quiet and leaf.note == i, (leaf, i)
                    y.backward()
                    assert leaf.grad.tolist() == [1, 1, 1, 1]
            except BaseException as error:
                errors.append(error)

        def collect():
            while not finished:
                gc.collect()

        finished = False
        threads = [threading.Thread(target=f) for f in (produce, consume) * 2]
        collector = threading.Thread(target=collect)
        collector.start()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        finished = True
        collector.join()
        assert not errors, errors[0]
        assert shared.note == 0 and shared.grad.tolist() == [6000.0] * 4
        print("done")
        """
    assert outcome(script) == ("done", "")


def test_backward_drops_kept_tensors_without_the_gil():
    script = """
        ended = []
        for i in range(200):
            x = eagre.Tensor._make_subclass(Quiet, eagre.ones(100), True)
            weakref.finalize(x, ended.append, i)
            y = (x * x).sum()
            del x
            y.backward()  # gives the graph free while the lock is not held
            del y
        eagre.ones(1)
        gc.collect()
        assert len(ended) == 200, len(ended)
        print("done")
        """
    assert outcome(script) == ("done", "")


LOOPS = {
    "derived": "x = eagre.ones(100).as_subclass(Mine); x.note = [1]; y = x + 1; x.shape; x[0]",
    "kept": "x = eagre.ones(100, requires_grad=True); x.note = [1]; y = x * x; del x; "
    "y.grad_fn.next_functions[0][0].variable.note",
    "cycle_through_attributes": "x = eagre.ones(100); x.itself = x",
    "cycle_through_a_hook": "x = eagre.ones(100, requires_grad=True); "
    "x.register_hook(lambda g, x=x: None)",
    "cycle_through_the_gradient": "x = eagre.ones(100, requires_grad=True); "
    "x.grad = eagre.ones(100); x.grad.owner = x; x.note = 1",
    "weak_references": "x = eagre.ones(100); weakref.ref(x); weakref.finalize(x, int)",
    "parameter_step": "p = nn.Parameter(eagre.ones(100)); (p * p).sum().backward()",
    "mode": "with Mode(): eagre.ones(100) + 1",
    "refused": "with contextlib.suppress(TypeError): eagre.add(eagre.ones(100), Refusing())",
    "failing": "with contextlib.suppress(ValueError): Failing([1.0] * 100).exp()",
    "deepcopy": "x = eagre.ones(100); x.note = x; copy.deepcopy(x)",
    "pickle": "x = eagre.ones(100).as_subclass(Mine); pickle.loads(pickle.dumps(x))",
    "classes": "type('Made', (eagre.Tensor,), {})([1.0]) + 1",
}


@gives_memory_back
@pytest.mark.parametrize("name", LOOPS)
def test_no_leak(name):
    script = f"""
class Mode(overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {{}}))

class Refusing:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented

class Failing(eagre.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise ValueError

def step():
    {LOOPS[name]}

def rounds(count):
    for _ in range(count):
        step()
    gc.collect()
    return resident(), sys.getallocatedblocks()

rounds(2000)
before = rounds(1000)
after = rounds(4000)
grown = [b - a for a, b in zip(before, after)]
# What waits to be released, and lists that Python keeps for later, are some hundreds.
assert grown[0] < 1_500_000 and grown[1] < 1000, grown
print("done")
"""
    assert run(PRELUDE + script) == ("done", "")
