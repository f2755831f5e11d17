"""Settings that code for PyTorch makes, and its questions about devices and libraries."""

import pytest

import eagre


def test_deterministic_algorithms():
    try:
        eagre.use_deterministic_algorithms(True, warn_only=True)
        assert eagre.are_deterministic_algorithms_enabled()
        assert eagre.is_deterministic_algorithms_warn_only_enabled()
        assert eagre.get_deterministic_debug_mode() == 1
        eagre.set_deterministic_debug_mode("error")
        assert eagre.get_deterministic_debug_mode() == 2
        with pytest.raises(RuntimeError):
            eagre.set_deterministic_debug_mode("loud")
    finally:
        eagre.use_deterministic_algorithms(False)
    assert eagre.get_deterministic_debug_mode() == 0


def test_matmul_precision():
    assert eagre.get_float32_matmul_precision() == "highest"
    eagre.set_float32_matmul_precision("high")
    assert eagre.get_float32_matmul_precision() == "high"
    eagre.set_float32_matmul_precision("highest")
    with pytest.raises(RuntimeError, match="low"):
        eagre.set_float32_matmul_precision("low")


def test_there_is_no_gpu_and_code_can_find_out():
    assert not eagre.cuda.is_available() and eagre.cuda.device_count() == 0
    assert not eagre.accelerator.is_available() and eagre.accelerator.current_accelerator() is None
    assert not eagre.backends.mps.is_available() and not eagre.backends.cuda.is_built()
    assert not eagre.backends.cudnn.is_available() and eagre.version.cuda is None
    eagre.cuda.manual_seed_all(0)
    eagre.cuda.empty_cache()
    with pytest.raises(RuntimeError, match=r"cuda.current_device\(\).*no support"):
        eagre.cuda.current_device()
    with pytest.raises((RuntimeError, ValueError), match="cuda"):
        eagre.ones(2).cuda()
    x = eagre.ones(2)
    assert x.is_cpu and not x.is_cuda and not x.is_meta and x.to("meta").is_meta
    assert not x.is_sparse and not x.is_quantized and not x.is_nested and x.get_device() == -1
    with pytest.raises(NotImplementedError, match="sparse"):
        x.to_sparse()


def test_switches_of_backends_can_be_set():
    eagre.backends.cudnn.benchmark = True
    eagre.backends.cudnn.deterministic = True
    eagre.backends.cuda.matmul.allow_tf32 = True
    assert eagre.backends.cudnn.benchmark and eagre.backends.cuda.matmul.allow_tf32
    with pytest.raises(AttributeError, match="benchmrak"):
        eagre.backends.cudnn.benchmrak = True
    assert eagre.backends.cpu.get_cpu_capability() in ("DEFAULT", "AVX2", "AVX512")
    import eagre.backends.cudnn as cudnn

    cudnn.benchmark = cudnn.deterministic = False
    assert not eagre.backends.cudnn.benchmark


def test_switches_within_a_block():
    cudnn = eagre.backends.cudnn
    with pytest.raises(KeyError), cudnn.flags(True, benchmark_limit=None):
        assert cudnn.enabled and cudnn.benchmark_limit is None and not cudnn.deterministic
        raise KeyError
    assert not cudnn.enabled and cudnn.benchmark_limit == 10
    with pytest.raises(AttributeError, match="fast"), eagre.backends.mkldnn.flags(fast=True):
        pass


def test_config():
    text = eagre.__config__.show()
    assert eagre.__version__ in text and eagre._C._cpu_isa() in text
    assert eagre.show_config() == text and "threads" in eagre.__config__.parallel_info()


def test_threads_between_operators():
    assert eagre.get_num_interop_threads() == 1
    eagre.set_num_interop_threads(4)
    with pytest.raises(RuntimeError):
        eagre.set_num_interop_threads(0)
