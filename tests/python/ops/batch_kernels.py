"""Run by test_batch_kernels.py with EAGRE_TRACE_DISPATCH=1: every operator in vmap(), for batches
of two sizes, with a line before each that says which."""

import os
import sys

import numpy as np
import test_batch_rules as rules
from records import to_tensor

import eagre

SIZES = (2, 5)
SEEN = set()


def say(text):
    os.write(2, f"mark: {text}\n".encode())


def main():
    for case in rules.CASES:
        record, sample = case.values
        if record["op"] in SEEN:
            continue
        call = rules.Call(record, sample)
        for size in SIZES:
            given = [to_tensor(np.stack([array] * size)) for array in call.arrays]
            say(f"{record['op']} {size}")
            try:
                eagre.vmap(call)(*given)
            except eagre.Error:
                say(f"{record['op']} refused")
                break
        else:
            SEEN.add(record["op"])
    say("end 0")
    return 0


sys.exit(main())
