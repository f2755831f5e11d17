"""Linear algebra, under the names that code for PyTorch uses."""

from eagre._C import matmul

__all__ = ["matmul", "vector_norm"]  # noqa: F822  made by __getattr__


def __getattr__(name):
    if name != "vector_norm":
        raise AttributeError(f"module 'eagre.linalg' has no attribute '{name}'")
    from eagre.contracting import vector_norm

    return vector_norm
