"""The current stream of a device, for a block of code."""

from eagre._C import Stream, current_stream, set_stream


class stream:  # noqa: N801  named as PyTorch's
    """with stream(s): this thread's work on the device of s goes to s. None changes nothing."""

    def __init__(self, stream):
        if stream is not None and not isinstance(stream, Stream):
            raise TypeError(f"stream(): expected a Stream or None, got {type(stream).__name__}")
        self.stream = stream
        self._before = []

    def __enter__(self):
        if self.stream is not None:
            self._before.append(current_stream(self.stream.device))
            set_stream(self.stream)
        return self.stream

    def __exit__(self, *exception):
        if self.stream is not None:
            set_stream(self._before.pop())
