"""Rates of every schedule equal PyTorch's, epoch by epoch."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
import schedules

import eagre

STORED = json.loads((Path(__file__).parent / "stored.json").read_text())


@pytest.mark.parametrize("name", schedules.SINGLE)
@pytest.mark.parametrize("is_tensor", [False, True])
def test_rates(name, is_tensor):
    scheduler, rows = schedules.run(eagre, name, is_tensor=is_tensor)
    stored = STORED["schedules"][name]
    np.testing.assert_allclose(rows, stored["rows"], rtol=1e-9, atol=1e-12)
    assert sorted(scheduler.state_dict()) == stored["keys"]
    assert [float(rate) for rate in scheduler.get_last_lr()] == pytest.approx(rows[-1][::2])
    if is_tensor:
        assert all(eagre.is_tensor(group["lr"]) for group in scheduler.optimizer.param_groups)


@pytest.mark.parametrize("name", STORED["betas"])
def test_the_first_beta_is_the_momentum(name):
    rows = schedules.run(eagre, name, "Adam")[1]
    np.testing.assert_allclose(rows, STORED["betas"][name], rtol=1e-9)


@pytest.mark.parametrize("name", STORED["jumps"])
def test_jumps(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = schedules.jump(eagre, name)
    np.testing.assert_allclose(rows, STORED["jumps"][name], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", schedules.SINGLE)
def test_a_checkpoint_goes_on(name):
    def start():
        optimizer = schedules.optimizer(eagre)
        return optimizer, schedules.SINGLE[name](schedules.Names(eagre), optimizer)

    optimizer, scheduler = start()
    rows = [schedules.row(optimizer)]
    for epoch in range(schedules.EPOCHS):
        if epoch == 5:
            states = optimizer.state_dict(), scheduler.state_dict()
            optimizer, scheduler = start()
            optimizer.load_state_dict(states[0])
            scheduler.load_state_dict(states[1])
        optimizer.step()
        schedules.advance(scheduler, epoch)
        rows.append(schedules.row(optimizer))
    np.testing.assert_allclose(rows, STORED["schedules"][name]["rows"], rtol=1e-9, atol=1e-12)
