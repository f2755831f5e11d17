"""Several processes that run one function, and end together when one of them fails."""

import logging
import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable
from multiprocessing import connection
from typing import Any

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]

_log = logging.getLogger(__name__)


class ProcessException(Exception):  # noqa: N818  PyTorch's name
    """One of the processes has failed."""

    def __init__(self, msg: str, error_index: int, error_pid: int):
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = error_pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """The function has raised in one of the processes."""


class ProcessExitedException(ProcessException):
    """One of the processes was ended by a signal, or with an exit code."""

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self):
        arguments = (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)
        return type(self), arguments


def _run(function, index, arguments, report):
    try:
        function(index, *arguments)
    except KeyboardInterrupt:
        pass  # the process that waits says it
    except Exception:
        report.send(traceback.format_exc())
        raise SystemExit(1) from None


class ProcessContext:
    """The processes that start_processes() has started."""

    def __init__(self, processes, reports):
        self.processes = processes
        self._reports = reports
        self._waiting = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self):
        """Their process ids."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Waits until a process ends: True if it was the last. If it has failed, the others are
        ended, after `grace_period` seconds, and the failure is raised."""
        if not self._waiting:
            return True
        failed = None
        for sentinel in connection.wait(list(self._waiting), timeout):
            index = self._waiting.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0 and failed is None:
                failed = index
        if failed is None:
            return not self._waiting
        self._end(grace_period)
        raise self._failure(failed)

    def _end(self, grace_period):
        until = time.monotonic() + (grace_period or 0)
        for process in self.processes:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                _log.warning("Terminating process %d via signal SIGTERM", process.pid)
                process.terminate()
        for process in self.processes:
            process.join(30)
            if process.is_alive():
                _log.warning("Process %d ignored SIGTERM and is killed", process.pid)
                process.kill()
                process.join()

    def _failure(self, index):
        process, report = self.processes[index], self._reports[index]
        text = None
        if report.poll():
            try:
                text = report.recv()
            except EOFError:
                text = None
        if text is not None:
            message = f"\n\n-- Process {index} terminated with the following error:\n{text}"
            return ProcessRaisedException(message, index, process.pid)
        code = process.exitcode
        if code < 0:
            name = signal.Signals(-code).name
            message = f"process {index} terminated with signal {name}"
            return ProcessExitedException(message, index, process.pid, code, name)
        message = f"process {index} terminated with exit code {code}"
        return ProcessExitedException(message, index, process.pid, code)


class SpawnContext(ProcessContext):
    """The processes that spawn() has started."""


def start_processes(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Starts `nprocs` processes that call fn(number, *args), and waits for them with `join`."""
    context = multiprocessing.get_context(start_method)
    processes, reports = [], []
    for index in range(nprocs):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, theirs), daemon=daemon)
        process.start()
        theirs.close()
        processes.append(process)
        reports.append(ours)
    started = (SpawnContext if start_method == "spawn" else ProcessContext)(processes, reports)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Starts `nprocs` new interpreters that call fn(number, *args), and waits for them with
    `join`; if one fails, the others are ended, and the failure is raised."""
    return start_processes(fn, args, nprocs, join, daemon, start_method)
