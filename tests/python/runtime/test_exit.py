"""The interpreter ends cleanly whatever is still alive; each case is a process of its own."""

import subprocess
import sys
import textwrap

import pytest

CASES = {
    "live_graph_with_hooks": """
        import eagre
        x = eagre.ones(3, requires_grad=True)
        y = (x * 2).exp()
        handle = y.register_hook(lambda g: g)
        node, view, array = y.grad_fn, memoryview(x.detach()), x.detach().numpy()
        y.sum().backward(retain_graph=True)
        cycle = [x]; cycle.append(cycle); x.register_hook(lambda g: cycle and None)
        """,
    "thread_in_long_work": """
        import threading, time, eagre
        a = eagre.randn(300, 300)
        def work():
            while True:
                a @ a
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
        """,
    "thread_in_backward_with_hooks": """
        import threading, time, eagre
        x = eagre.randn(200, requires_grad=True)
        x.register_hook(lambda g: None)
        def work():
            while True:
                (x * x).sum().backward()
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
        """,
    "exit_inside_a_hook": """
        import sys, eagre
        x = eagre.ones(1, requires_grad=True)
        x.register_hook(lambda g: sys.exit(0))
        (x * 1).sum().backward()
        """,
    "tensors_made_by_a_thread_that_ended": """
        import threading, eagre
        made = []
        def work():
            made.extend(eagre.ones(3, requires_grad=True) * 2 for _ in range(2000))
        thread = threading.Thread(target=work); thread.start(); thread.join()
        for y in made:
            y.sum().backward()
        """,
}


# Row: PyTorch D16
@pytest.mark.parametrize("name", CASES)
def test_exit(name):
    for _ in range(3):
        result = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(CASES[name])],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (result.returncode, result.stderr) == (0, "")


def test_import_is_light():
    script = "import sys, eagre; print('numpy' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == "False"
