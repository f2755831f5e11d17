"""Intel's MKL: not there. The flag `blas` names a library for large products."""

from eagre.backends.absent import install

install(__name__, {}, is_available=lambda: False)
