"""Memory statistics, the cache and the limit as Python sees them."""

import pytest
from builds import SANITIZED
from child import run

import eagre
from eagre import cpu


def test_statistics():
    cpu.empty_cache()
    before = cpu.memory_allocated()
    cpu.reset_peak_memory_stats()
    x = eagre.ones(1000, 1000)
    assert cpu.memory_allocated() == before + 4_000_000
    assert cpu.memory_reserved() >= cpu.memory_allocated()
    del x
    assert cpu.memory_allocated() == before
    assert cpu.max_memory_allocated() == before + 4_000_000
    assert cpu.max_memory_reserved() >= cpu.max_memory_allocated()
    assert cpu.memory_stats()["cached"] >= (0 if SANITIZED else 4_000_000)
    cpu.empty_cache()
    assert cpu.memory_stats()["cached"] == 0


def test_limit():
    cpu.empty_cache()
    cpu.set_memory_limit(cpu.memory_reserved() + 1_000_000)
    try:
        with pytest.raises(eagre.OutOfMemoryError, match="cannot allocate 4000000 bytes") as caught:
            eagre.ones(1000, 1000)
        assert isinstance(caught.value, MemoryError)
        assert eagre.ones(100, 1000).numel() == 100_000
    finally:
        cpu.set_memory_limit(None)
    assert eagre.ones(1000, 1000).numel() == 1_000_000


def test_limit_from_the_environment():
    code = """
        import eagre
        try:
            eagre.ones(1000, 1000)
        except eagre.OutOfMemoryError:
            print("refused", eagre.get_flags("memory_limit"))
        """
    assert run(code, EAGRE_MEMORY_LIMIT="1000000")[0] == "refused {'memory_limit': 1000000}"
