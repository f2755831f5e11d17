"""The version, and those of toolkits that there are none of."""

from eagre import __version__

cuda = None
hip = None
git_version = None
debug = False

__all__ = ["__version__", "cuda", "debug", "git_version", "hip"]
