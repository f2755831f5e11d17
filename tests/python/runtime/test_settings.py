"""Settings that code for PyTorch makes, and questions about devices and libraries."""

import warnings

import pytest

import eagre


@pytest.fixture
def printing():
    yield
    eagre.set_printoptions(profile="default")


def test_printoptions(printing):
    x = eagre.tensor([1.23456, 1000.5])
    eagre.set_printoptions(precision=2)
    assert repr(x) == "tensor([   1.23, 1000.50])"
    eagre.set_printoptions(sci_mode=True)
    assert repr(x) == "tensor([1.23e+00, 1.00e+03])"
    eagre.set_printoptions(profile="default")
    assert repr(eagre.tensor([1e-8, 1.0])) == "tensor([1.0000e-08, 1.0000e+00])"
    eagre.set_printoptions(sci_mode=False)
    assert repr(eagre.tensor([1e-8, 1.0])) == "tensor([0.0000, 1.0000])"
    eagre.set_printoptions(threshold=3, edgeitems=1)
    assert repr(eagre.arange(5)) == "tensor([0,  ..., 4])"
    eagre.set_printoptions(profile="full", linewidth=20)
    assert repr(eagre.arange(5)) == "tensor([0, 1, 2, 3,\n        4])"
    assert "..." not in repr(eagre.arange(2000))
    eagre.set_printoptions(threshold=float("inf"))


def test_printoptions_refuse(printing):
    with pytest.raises(ValueError, match="profile"):
        eagre.set_printoptions(profile="long")
    with pytest.raises(TypeError, match="precision"):
        eagre.set_printoptions(precision="4")
    with pytest.raises(ValueError, match="print_precision"):
        eagre.set_printoptions(precision=-1)


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


def test_compile_is_the_identity_and_says_so_once(monkeypatch):
    from eagre import settings

    monkeypatch.setattr(settings, "_said", False)

    def function(x):
        return x

    with pytest.warns(UserWarning, match="no compiler"):
        assert eagre.compile(function) is function
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eagre.compile(function, mode="max-autotune", fullgraph=True) is function
        assert eagre.compile(dynamic=True)(function) is function


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
    assert eagre.backends.cpu.get_cpu_capability() in ("baseline", "avx2", "avx512")
    import eagre.backends.cudnn as cudnn

    cudnn.benchmark = cudnn.deterministic = False
    assert not eagre.backends.cudnn.benchmark


def test_fork_rng():
    eagre.manual_seed(3)
    expected = eagre.rand(2).tolist()
    eagre.manual_seed(3)
    with eagre.random.fork_rng():
        eagre.rand(5)
        eagre.manual_seed(9)
    assert eagre.rand(2).tolist() == expected
    eagre.manual_seed(3)

    @eagre.random.fork_rng()
    def draw():
        return eagre.rand(3)

    draw()
    assert eagre.rand(2).tolist() == expected
    with pytest.raises(RuntimeError, match="devices"):
        eagre.random.fork_rng(devices=[0])


def test_config():
    text = eagre.__config__.show()
    assert eagre.__version__ in text and eagre._C._cpu_level() in text
    assert eagre.show_config() == text and "threads" in eagre.__config__.parallel_info()


def test_anomaly_mode():
    try:
        eagre.set_anomaly_enabled(True)
        assert eagre.is_anomaly_enabled()
    finally:
        eagre.set_anomaly_enabled(False)
    assert not eagre.is_anomaly_enabled()


def test_threads_between_operators():
    assert eagre.get_num_interop_threads() == 1
    eagre.set_num_interop_threads(4)
    with pytest.raises(RuntimeError):
        eagre.set_num_interop_threads(0)


def test_number_limits():
    info = eagre.finfo(eagre.float32)
    assert (info.eps, info.bits, info.dtype) == (2**-23, 32, "float32")
    assert info.max == 3.4028234663852886e38 == -info.min and info.tiny == 2**-126
    assert (
        repr(info) == "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)"
    )
    assert eagre.finfo().dtype == "float32" and eagre.finfo(eagre.complex128).dtype == "float64"
    for dtype, digits in (("float16", 1e-3), ("bfloat16", 1e-2), ("float64", 1e-15)):
        assert eagre.finfo(getattr(eagre, dtype)).resolution == digits
    assert eagre.finfo(eagre.float64) == eagre.finfo(eagre.float64) != info
    assert eagre.iinfo(eagre.int8).min == -128 and eagre.iinfo(eagre.uint64).max == 2**64 - 1
    with pytest.raises(TypeError, match="iinfo"):
        eagre.finfo(eagre.int32)
    with pytest.raises(TypeError, match="finfo"):
        eagre.iinfo(eagre.float32)
    with pytest.raises(TypeError, match="dtype"):
        eagre.iinfo(int)
