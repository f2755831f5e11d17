"""Memory shared with other libraries through DLPack."""

from eagre import from_dlpack, to_dlpack

__all__ = ["from_dlpack", "to_dlpack"]
