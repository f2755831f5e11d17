"""The libraries for tests to load, where the build of the C++ tests leaves them."""

from pathlib import Path

import eagre

PLUGINS = Path(eagre.__file__).parents[2] / "tests" / "plugins"
SIM = PLUGINS / "sim.so"  # the pretend device
FAKE_BLAS = PLUGINS / "fake_blas.so"
