"""An operator with a batch rule calls as many kernels for five samples as for two."""

import collections
import os
import subprocess
import sys
from pathlib import Path

# Composites of operators that have no batch rule.
LOOPS = {
    *("embedding_bag", "functional_embedding_bag", "mode"),
    *("fractional_max_pool2d", "fractional_max_pool3d"),
}
HERE = Path(__file__).resolve().parent


def test_operators_with_a_rule_do_not_loop():
    environment = os.environ | {
        "EAGRE_TRACE_DISPATCH": "1",
        "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]),
    }
    child = subprocess.run(
        [sys.executable, HERE / "batch_kernels.py"], env=environment, capture_output=True, text=True
    )
    assert child.returncode == 0, child.stderr[-2000:]
    kernels = collections.defaultdict(dict)
    op, size = None, None
    for line in child.stderr.splitlines():
        if line.startswith("mark: "):
            op, size = line.removeprefix("mark: ").split()
            kernels[op][size] = 0
        elif line.startswith("eagre: ") and op:
            kernels[op][size] += 1
    counted = {op: found for op, found in kernels.items() if {"2", "5"} <= set(found)}
    assert len(counted) > 150
    assert sum(found["2"] for found in counted.values()) > 150  # something was seen
    assert {op for op, found in counted.items() if found["2"] != found["5"]} == LOOPS
