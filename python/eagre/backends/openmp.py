"""OpenMP: not there; threads are our own."""

from eagre.backends.absent import install

install(__name__, {}, is_available=lambda: False)
