"""CUDA: not there. The switches of code for GPUs can be set, and change nothing."""

from eagre.backends.absent import AbsentBackend, install


def _switch(value):
    state = [value]

    def enable(enabled):
        state[0] = bool(enabled)

    return (lambda: state[0]), enable


_flash, _set_flash = _switch(False)
_efficient, _set_efficient = _switch(False)
_math, _set_math = _switch(True)

install(
    __name__,
    {},
    is_built=lambda: False,
    matmul=AbsentBackend(
        "eagre.backends.cuda.matmul",
        "Products of matrices on a GPU: not there.",
        {
            "allow_tf32": False,
            "allow_fp16_reduced_precision_reduction": False,
            "allow_bf16_reduced_precision_reduction": False,
            "fp32_precision": "none",
        },
    ),
    flash_sdp_enabled=_flash,
    enable_flash_sdp=_set_flash,
    mem_efficient_sdp_enabled=_efficient,
    enable_mem_efficient_sdp=_set_efficient,
    math_sdp_enabled=_math,
    enable_math_sdp=_set_math,
)
