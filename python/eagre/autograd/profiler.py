"""PyTorch's place for its profiler: there is none here yet, and every name says so."""

_NAMES = ("emit_itt", "emit_nvtx", "profile", "record_function")


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module 'eagre.autograd.profiler' has no attribute '{name}'")

    def unsupported(*args, **kwargs):
        raise NotImplementedError(
            f"eagre.autograd.profiler.{name}(): there is no profiler yet. Hint: the flag 'log' "
            "shows what operators and backward calls do (docs/runtime.md)"
        )

    return unsupported
