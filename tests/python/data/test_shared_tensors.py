"""Tensors in memory that processes share: share_memory_(), queues, pools, and spawn()."""

import gc
import os
from multiprocessing.reduction import ForkingPickler

import pytest
import sets

import eagre
import eagre.multiprocessing as mp
from eagre import _shared_handles, _shared_memory, nn


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No mapping, no file, and no descriptor but those that are there once."""
    gc.collect()
    mapped = len(_shared_memory._files)
    yield
    gc.collect()
    ours = f"eagre-left-{os.getpid()}-"
    left = [name for name in os.listdir("/dev/shm") if name.startswith(ours)]
    assert left == [] and len(_shared_memory._files) == mapped
    _shared_handles.sweep()
    assert not _shared_handles._box.waiting


def in_child(function):
    pid = os.fork()
    if pid == 0:
        function()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0


def test_a_child_writes_into_shared_memory():
    shared, own = eagre.zeros(3, 4).t(), eagre.zeros(2)
    assert not shared.is_shared() and shared.share_memory_() is shared and shared.is_shared()
    assert shared.stride() == (1, 4) and shared.storage().is_shared()
    in_child(lambda: (shared.fill_(5), own.fill_(5)))
    assert shared.sum().item() == 60 and own.sum().item() == 0
    address = shared.data_ptr()
    assert shared.share_memory_().data_ptr() == address
    assert eagre.ones(0).share_memory_().shape == (0,)


def test_modules_share_their_parameters():
    model = nn.Linear(2, 1).share_memory()
    weight = model.weight
    assert weight.is_shared() and weight.requires_grad and isinstance(weight, nn.Parameter)
    in_child(lambda: weight.detach().fill_(3))
    assert weight.tolist() == [[3, 3]]


def test_storages():
    made = eagre.UntypedStorage._new_shared(8)
    assert made.is_shared() and len(made) == 8 and made.share_memory_() is made
    with pytest.raises(NotImplementedError, match=r"tensor.share_memory_\(\) moves a tensor"):
        eagre.ones(2).untyped_storage().share_memory_()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_queues(method):
    context = mp.get_context(method)
    questions, answers = context.Queue(), context.Queue()
    process = context.Process(target=sets.answer, args=(questions, answers))
    process.start()
    tensor = eagre.zeros(3).share_memory_()
    questions.put(tensor)
    # Ends before anyone has asked for what it sent.
    process.join(30)
    assert process.exitcode == 0 and tensor.tolist() == [1, 1, 1]
    answer = answers.get(timeout=10)
    assert answer.tolist() == [3.0] * 1000 and answer.is_shared()
    for queue in (questions, answers):
        queue.close()
        queue.join_thread()


def sent(value):
    return ForkingPickler.loads(ForkingPickler.dumps(value))


def test_what_is_sent_is_the_same_memory():
    tensor = eagre.arange(6.0).view(2, 3)
    other = sent(tensor)
    assert tensor.is_shared() and other.is_shared()
    other[0, 0] = 7
    assert tensor[0, 0].item() == 7
    again = sent(other[:, 1])
    again.fill_(9)
    assert tensor[:, 1].tolist() == [9, 9] and again.stride() == (3,)


def test_what_tensors_are_stays():
    parameter = nn.Parameter(eagre.ones(2))
    parameter.name_of_mine = "weight"
    other = sent(parameter)
    assert type(other) is nn.Parameter and other.requires_grad
    assert other.name_of_mine == "weight"
    assert sent(eagre.ones(2, dtype=eagre.bfloat16)).dtype is eagre.bfloat16
    assert sent(eagre.ones(0, 3)).shape == (0, 3)
    assert sent(eagre.ones(3, device="meta")).device.type == "meta"
    with pytest.raises(RuntimeError, match="Cowardly refusing to serialize non-leaf"):
        sent(eagre.ones(2, requires_grad=True) * 2)


def test_a_message_is_opened_once():
    message = bytes(ForkingPickler.dumps(eagre.ones(3)))
    ForkingPickler.loads(message)
    _shared_handles.sweep()
    gc.collect()
    with pytest.raises(RuntimeError, match=r"process that sent this tensor \(pid \d+\) has ended"):
        ForkingPickler.loads(message)


def test_pools():
    with mp.get_context("fork").Pool(2) as pool:
        assert [t.tolist() for t in pool.map(sets.double, [eagre.ones(2), eagre.zeros(1)])] == [
            [2, 2],
            [0],
        ]


def test_processes_end_together(caplog):
    with pytest.raises(mp.ProcessRaisedException, match="(?s)Process 1 terminated.*no 4") as caught:
        mp.start_processes(sets.fail_second, (4,), nprocs=2, start_method="fork")
    assert caught.value.error_index == 1
    assert "Terminating process" in caplog.text
    with pytest.raises(mp.ProcessExitedException, match="process 1 terminated with exit code 5"):
        mp.spawn(sets.exit_second, nprocs=2)


def test_names_of_multiprocessing():
    assert mp.get_all_sharing_strategies() == {"file_descriptor", "file_system"}
    mp.set_sharing_strategy("file_system")
    assert mp.get_sharing_strategy() == "file_system"
    mp.set_sharing_strategy("file_descriptor")
    with pytest.raises(ValueError, match="'pigeons'"):
        mp.set_sharing_strategy("pigeons")
    assert all(hasattr(mp, name) for name in mp.__all__) and mp.Queue and mp.Process
