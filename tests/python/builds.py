"""What tests ask of the build that they run on."""

import os

import pytest

# Sanitizers come with a library of their own, and the caches are off.
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
gives_memory_back = pytest.mark.skipif(SANITIZED, reason="a sanitizer keeps what was freed")
