"""Declarations of the batch rules that are written by hand, in eagre/ops/<family>*_batch.cpp."""

from __future__ import annotations

from codegen.cpp import parameters, result_type
from codegen.model import Op
from codegen.output import Outputs


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    declared = [declaration(op) for op in ops if op.batch == "rule"]
    out.add(
        "include/eagre/ops/batch_rules.h",
        f"""
// Batch rules that are written by hand (`batch: rule` in the records).
// Generated from ops/*.yaml; do not edit.
#pragma once

#include <eagre/autograd/transforms/vmap.h>

namespace eagre::autograd::rules {{

{chr(10).join(declared)}

}}  // namespace eagre::autograd::rules
""",
    )


def declaration(op: Op) -> str:
    taken = ["const BatchCall& call", *parameters(op.arguments), "CallSite at"]
    return f"{result_type(op)} {op.name}({', '.join(taken)});"
