"""Python bindings: one METH_FASTCALL function per operator."""

from __future__ import annotations

from codegen.model import Op
from codegen.output import Outputs


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    pass
