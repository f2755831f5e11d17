"""Threads of operators as Python sees them: settings, Ctrl-C, fork. Each case is a process."""

import child
import pytest

import eagre


def run(code, **environment):
    return child.run(code, **environment)[0]


def test_set_and_get():
    before = eagre.get_num_threads()
    try:
        eagre.set_num_threads(3)
        assert eagre.get_num_threads() == 3
    finally:
        eagre.set_num_threads(before)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"EAGRE_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, "3"),
        ({"EAGRE_NUM_THREADS": "", "OMP_NUM_THREADS": "5,2"}, "5"),
    ],
)
def test_environment(environment, expected):
    assert run("import eagre; print(eagre.get_num_threads())", **environment) == expected


def test_a_bad_environment_is_warned_about():
    code = """
        import warnings, eagre
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert eagre.get_num_threads() >= 1
        print(said[0].message)
        """
    text = run(code, EAGRE_NUM_THREADS="many", OMP_NUM_THREADS="")
    assert text == (
        "the environment variable EAGRE_NUM_THREADS must be a number from 1 to 1024, but is "
        "'many'; it is not used"
    )


@pytest.mark.parametrize("threads", ["1", "4"])
def test_results_do_not_depend_on_threads(threads):
    code = """
        import eagre, hashlib
        eagre.manual_seed(3)
        a, b = eagre.randn(300, 700), eagre.randn(700, 300)
        sums = [a.sum(), a.sum(0), a.sum(1)]
        results = [a + b.transpose(0, 1), a * 2, a.exp(), b.to(eagre.float64) - 1, *sums]
        digest = hashlib.sha256()
        for result in results:
            digest.update(result.contiguous().numpy().tobytes())
        print(digest.hexdigest())
        """
    assert run(code, EAGRE_NUM_THREADS=threads) == run(code, EAGRE_NUM_THREADS="2")


# Operators far longer than the time to the signal: only a poll can end them early. Expanded tensors
# have more elements than memory.
ENDLESS = {
    "sum": "eagre.ones(1, 1).expand(1 << 20, 1 << 20).sum()",
    "matmul": "eagre.ones(8192, 8192) @ eagre.ones(8192, 8192)",
    "matmul_int": "eagre.ones(8192, 4096).long() @ eagre.ones(4096, 8192).long()",
    "matmul_half": "eagre.ones(8192, 8192).half() @ eagre.ones(8192, 8192).half()",
    "matmul_batches": "eagre.ones(1, 32, 32).expand(1 << 19, 32, 32) @ eagre.ones(32, 32).T",
    "few_rows": "eagre.ones(1, 1).expand(3, 1 << 34) @ eagre.ones(1, 1).expand(1 << 34, 16)",
    "matrix_vector": "eagre.ones(1, 1).expand(9, 1 << 34) @ eagre.ones(1).expand(1 << 34)",
    "vector_matrix": "eagre.ones(1).expand(1 << 34) @ eagre.ones(1, 9).expand(1 << 34, 9)",
    "dot": "eagre.ones(1).expand(1 << 36).dot(eagre.ones(1).expand(1 << 36))",
    "dot_half": "(lambda x: x.dot(x))(eagre.ones(1).half().expand(1 << 36))",
    "vdot": "(lambda x: eagre.vdot(x, x))(eagre.ones(1).expand(1 << 36))",
    "randperm": "eagre.randperm(1 << 27)",
}


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("call", ENDLESS)
def test_ctrl_c_stops_a_long_operator(call, threads):
    code = f"""
        import os, signal, threading, time, eagre
        # Ignored if the tests run in the background.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def interrupt():
            global sent
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.3, interrupt).start()
        try:
            {ENDLESS[call]}
        except KeyboardInterrupt:
            print("stopped", time.monotonic() - sent < 5)
        print((eagre.ones(100000) + 1).sum().item())
        """
    assert run(code, EAGRE_NUM_THREADS=threads).split() == ["stopped", "True", "200000.0"]


@pytest.mark.parametrize(
    "call", ["sort()", "sort(descending=True)", "topk(1 << 25)", "topk(1 << 24)"]
)
def test_ctrl_c_stops_a_sort_within_a_row(call):
    code = f"""
        import os, signal, threading, time, eagre
        signal.signal(signal.SIGINT, signal.default_int_handler)
        x = eagre.rand(1 << 26)
        def interrupt():
            global sent
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(0.3, interrupt).start()
        try:
            x.{call}
        except KeyboardInterrupt:
            print(time.monotonic() - sent)
        """
    assert float(run(code)) < 1


def test_fork_from_a_process_with_busy_threads():
    code = """
        import os, threading, eagre
        eagre.set_num_threads(3)
        stop = False
        def work():
            x = eagre.ones(200000)
            while not stop:
                (x + x).sum()
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads: thread.start()
        for _ in range(20):
            child = os.fork()
            if child == 0:
                good = (eagre.ones(200000) + 1).sum().item() == 400000
                os._exit(0 if good else 1)
            assert os.waitpid(child, 0)[1] == 0
        stop = True
        for thread in threads: thread.join()
        """
    run(code)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_fork_of_a_process_that_has_imported_but_not_computed(threads):
    code = """
        import os, eagre
        child = os.fork()
        if child == 0:
            x = eagre.ones(300, 300, requires_grad=True)
            (x @ x).sum().backward()
            good = (x.grad == 600).all() and eagre.ones(200000).cumsum(0)[-1] == 200000
            os._exit(0 if good else 1)
        assert os.waitpid(child, 0)[1] == 0
        """
    run(code, EAGRE_NUM_THREADS=threads)
