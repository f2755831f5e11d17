"""What loaders are made of."""

from eagre.utils.data._utils import collate, fetch, worker

__all__ = ["collate", "fetch", "worker"]

# How long, in seconds, anyone waits for another process before asking whether it lives.
MP_STATUS_CHECK_INTERVAL = 5.0
