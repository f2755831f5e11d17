"""Writes stored.json from what PyTorch 2.15 does: run it with a Python that has PyTorch."""

import json
import warnings
from pathlib import Path

import schedules
import torch
import trajectories

warnings.simplefilter("ignore")


def of_case(case):
    optimizer, last, early = trajectories.run(torch, case)
    state = optimizer.state_dict()
    return {
        "early": early,
        "last": last,
        "state": trajectories.numbers(state["state"]),
        "groups": [list(group) for group in state["param_groups"]],
        "text": repr(optimizer),
    }


def of_schedule(name):
    scheduler, rows = schedules.run(torch, name)
    return {"rows": rows, "keys": sorted(scheduler.state_dict())}


result = {
    "optimizers": {case: of_case(case) for case in trajectories.CASES},
    "schedules": {name: of_schedule(name) for name in schedules.SINGLE},
    "betas": {
        name: schedules.run(torch, name, "Adam")[1]
        for name in schedules.SINGLE
        if name.startswith(("cyclic", "onecycle"))
    },
    "jumps": {name: schedules.jump(torch, name) for name in schedules.JUMPS},
}
text = json.dumps(result, separators=(",", ":")).replace('},"', '},\n"')
(Path(__file__).parent / "stored.json").write_text(text + "\n")
