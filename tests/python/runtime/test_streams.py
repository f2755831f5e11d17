"""Streams and events from Python, on the pretend device, in a process of its own."""

import subprocess
import sys

import pytest
from plugins import SIM

import eagre

# The gate of the device shows order without time: work put on streams while it is shut waits. Only
# the C++ side has a name for the places in its table, see tests/sim/sim_control.h.
SCRIPT = """
import atexit, ctypes, threading
import eagre
sim = eagre.load_device_plugin(PATH)
library = ctypes.CDLL(PATH)
library.sim_control.restype = ctypes.POINTER(ctypes.c_void_p)
table = library.sim_control()
shut_gate = ctypes.CFUNCTYPE(None, ctypes.c_bool)(table[10])
open_gate = ctypes.CFUNCTYPE(None)(table[11])
atexit.register(open_gate)  # a failure must not end in waiting
live_events = ctypes.CFUNCTYPE(ctypes.c_int64)(table[1])

# Streams: handed out by the device, one is current for device and thread.
default = eagre.current_stream(sim)
assert default.stream_id == 0 and default.device == sim
first, second = eagre.Stream(sim), eagre.Stream(device="sim:0")
assert first != second and len({first, second, default, eagre.current_stream("sim")}) == 3
assert repr(default) == "eagre.Stream device=sim:0 stream_id=0"
seen = []
with eagre.stream(first) as entered:
    assert entered is first and eagre.current_stream(sim) == first
    assert eagre.current_stream("sim:1").stream_id == 0
    thread = threading.Thread(target=lambda: seen.append(eagre.current_stream(sim)))
    thread.start()
    thread.join()
    with eagre.stream(second), eagre.stream(None):
        assert eagre.current_stream(sim) == second
    assert eagre.current_stream(sim) == first
assert eagre.current_stream(sim) == default and seen == [default]
try:
    with eagre.stream(first):
        raise KeyError
except KeyError:
    assert eagre.current_stream(sim) == default
eagre.set_stream(first)
assert eagre.current_stream(sim) == first
eagre.set_stream(default)

# Work on one stream waits at the gate while the other one goes on; an event orders them.
x = eagre.tensor([1.0, 2.0], device=sim)
ready = eagre.Event(sim)
assert ready.query()
eagre.synchronize(sim)
shut_gate(True)
with eagre.stream(first):
    y = x + x
    ready.record(first)
shut_gate(False)
assert not ready.query() and not first.query() and second.query()
ready.wait(second)
with eagre.stream(second):
    z = y + x
z.record_stream(second)
assert not second.query()
open_gate()
second.synchronize()
assert ready.query() and z.tolist() == [3.0, 6.0]

# The same with the methods of streams.
shut_gate(True)
with eagre.stream(first):
    doubled = z + z  # a new name: to free a tensor is to wait for all streams
event = first.record_event()
shut_gate(False)
second.wait_stream(first)
default.wait_event(event)
assert not event.query() and not second.query() and not default.query()
assert first.record_event(event) is event
open_gate()
eagre.synchronize(sim)
assert event.query() and second.query() and doubled.tolist() == [6.0, 12.0]
event.synchronize()

# A thread that waits lets others run Python.
shut_gate(True)
with eagre.stream(first):
    again = x + x
shut_gate(False)
waiter = threading.Thread(target=first.synchronize)
waiter.start()
open_gate()
waiter.join()

for call, words in [
    (lambda: eagre.Stream("sim:7"), "sim:7"),
    (lambda: eagre.Event("sim:7"), "sim:7"),
    (lambda: eagre.current_stream("sim:7"), "sim:7"),
    (lambda: event.record(eagre.Stream("sim:1")), "an event per device"),
]:
    try:
        call()
    except eagre.InvalidArgumentError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
del event, ready
assert live_events() == 0
print("fine")
"""


def test_on_the_pretend_device():
    code = SCRIPT.replace("PATH", repr(str(SIM)))
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30
    )
    assert result.stdout.strip() == "fine", result.stderr


def test_on_the_cpu_there_is_nothing_to_wait_for():
    stream = eagre.Stream()
    assert stream == eagre.current_stream() and stream.device == eagre.device("cpu")
    event = eagre.Event()
    assert event.query()
    event.record()
    event.wait(stream)
    event.synchronize()
    stream.wait_stream(eagre.Stream("cpu"))
    with eagre.stream(stream):
        eagre.synchronize()
    assert stream.query() and event.query()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: eagre.set_stream(3), r"set_stream\(\).*'stream'.*a Stream"),
        (lambda: eagre.Event().record("cpu"), r"record\(\).*'stream'.*a Stream"),
        (lambda: eagre.Stream().wait_event(None), r"wait_event\(\).*'event'.*an Event"),
        (lambda: eagre.Stream().record_event(1), r"record_event\(\).*'event'.*an Event"),
        (lambda: eagre.Stream(1, 2), r"Stream\(\)"),
        (lambda: eagre.tensor(1).record_stream(0), r"record_stream\(\).*'stream'.*a Stream"),
        (lambda: eagre.stream(0), r"stream\(\): expected a Stream"),
    ],
)
def test_wrong_types_are_errors(call, words):
    with pytest.raises(TypeError, match=words):
        call()
