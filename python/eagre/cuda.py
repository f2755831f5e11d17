"""Questions about CUDA that code for PyTorch asks before it uses a GPU: there is none yet."""

from eagre import _unsupported

_ABSENT = (
    "there is no support for CUDA yet. Hint: eagre.cuda.is_available() is False; use device 'cpu'"
)


def is_available() -> bool:
    """False: there is no support for CUDA yet."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation=True) -> bool:
    """False."""
    return False


def is_tf32_supported() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def manual_seed(seed) -> None:
    """Accepted: without a GPU there is no generator to seed."""


def manual_seed_all(seed) -> None:
    """Accepted: without a GPU there is no generator to seed."""


def seed() -> None:
    """Accepted: without a GPU there is no generator to seed."""


def seed_all() -> None:
    """Accepted: without a GPU there is no generator to seed."""


def empty_cache() -> None:
    """Accepted: there is no cache of GPU memory."""


def ipc_collect() -> None:
    """Accepted: there is no GPU memory."""


def get_rng_state_all() -> list[object]:
    """An empty list: the states of no generators."""
    return []


def set_rng_state_all(new_states) -> None:
    """Accepts an empty list."""
    if len(new_states) != 0:
        raise RuntimeError(f"cuda.set_rng_state_all(): {_ABSENT}")


def memory_allocated(device=None) -> int:
    """0."""
    return 0


def max_memory_allocated(device=None) -> int:
    """0."""
    return 0


def memory_reserved(device=None) -> int:
    """0."""
    return 0


def max_memory_reserved(device=None) -> int:
    """0."""
    return 0


def reset_peak_memory_stats(device=None) -> None:
    """Accepted: there is nothing to reset."""


def _refusing(name):
    def refuse(*args, **kwargs):
        raise RuntimeError(f"cuda.{name}(): {_ABSENT}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "An error: there is no GPU."
    return refuse


__path__ = []  # so that `import eagre.cuda.amp` comes to the reason why it is not there
globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers

for _name in (
    "Event", "Stream", "current_device", "current_stream", "default_stream",
    "get_device_capability", "get_device_name", "get_device_properties",
    "init", "mem_get_info", "set_device", "stream", "synchronize",
):  # fmt: skip
    globals()[_name] = _refusing(_name)
