"""What is left of loaders when programs end: nothing, however they end."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

PROGRAM = """
    import os, signal, sys, time
    import eagre
    from eagre.utils.data import DataLoader
    eagre.ones(100, 100) @ eagre.ones(100, 100)

    class Rows:
        def __len__(self):
            return 1000
        def __getitem__(self, index):
            if index > 8:
                time.sleep({sleep})
            return eagre.full((1000,), float(index))

    loader = DataLoader(Rows(), 2, num_workers=2, persistent_workers={persistent})
    iterator = iter(loader)
    batch = next(iterator)
    print(*[worker.pid for worker in iterator._workers], flush=True)
    {end}
"""


def start(end, sleep=0, persistent=False):
    code = textwrap.dedent(PROGRAM).format(end=end, sleep=sleep, persistent=persistent)
    # A group of its own, as a shell makes for a command: Ctrl-C goes to all of it.
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    return program, [int(pid) for pid in program.stdout.readline().split()]


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as status:
            return status.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def assert_ended(pids):
    assert len(pids) == 2
    until = time.monotonic() + 5
    while any(map(is_running, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(is_running, pids))


def assert_no_names(pid):
    assert [name for name in os.listdir("/dev/shm") if name.startswith(f"eagre-left-{pid}-")] == []


@pytest.mark.parametrize("persistent", [False, True])
def test_the_end_of_a_program_with_live_workers(persistent):
    program, pids = start("", persistent=persistent)
    _, errors = program.communicate(timeout=30)
    assert program.returncode == 0 and errors == ""
    assert_ended(pids)
    assert_no_names(program.pid)


def test_ctrl_c_leaves_no_process():
    program, pids = start("list(iterator)", sleep=0.05)
    os.killpg(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=30)
    assert errors.count("KeyboardInterrupt") == 1 and program.returncode == -signal.SIGINT
    assert_ended(pids)


def test_ctrl_c_of_the_main_program_alone():
    program, pids = start("list(iterator)", sleep=0.05)
    os.kill(program.pid, signal.SIGINT)
    _, errors = program.communicate(timeout=30)
    assert errors.count("KeyboardInterrupt") == 1
    assert_ended(pids)


def test_workers_of_a_program_that_is_killed():
    program, pids = start("time.sleep(60)")
    program.kill()
    program.communicate(timeout=30)
    assert_ended(pids)
    assert_no_names(program.pid)


def test_a_child_does_not_end_the_workers_of_its_parent():
    end = """
    pid = os.fork()
    if pid == 0:
        del iterator, loader
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    print(len(list(iterator)))"""
    program, pids = start(textwrap.dedent(end))
    output, errors = program.communicate(timeout=30)
    assert (output, errors) == ("499\n", "")
    assert_ended(pids)
