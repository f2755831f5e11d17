"""Which libraries compute, as code for PyTorch asks: none of PyTorch's."""

from eagre.backends import cpu, cuda, cudnn, mha, mkl, mkldnn, mps, openmp, opt_einsum, quantized

__all__ = [
    "cpu",
    "cuda",
    "cudnn",
    "mha",
    "mkl",
    "mkldnn",
    "mps",
    "openmp",
    "opt_einsum",
    "quantized",
]
