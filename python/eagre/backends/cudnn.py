"""cuDNN: not there. The switches of code for GPUs can be set, and change nothing."""

from eagre.backends.absent import install

install(
    __name__,
    {
        "enabled": False,
        "benchmark": False,
        "deterministic": False,
        "allow_tf32": False,
        "benchmark_limit": 10,
    },
    is_available=lambda: False,
    version=lambda: None,
    is_acceptable=lambda tensor: False,
)
