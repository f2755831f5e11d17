"""What samples of grid_sample() cannot say: bits, memory, and points that are nowhere."""

import itertools

import numpy as np
import pytest
from samples_vision_grid import MODES, PADDINGS, grid_of

import eagre

F = eagre.nn.functional
NAN, INF = float("nan"), float("inf")
# Blocks of channels; few channels; few points in a large image; three dimensions.
SHAPES = (
    ((3, 35, 20, 24), (3, 40, 30, 2)),
    ((2, 3, 40, 40), (2, 50, 60, 2)),
    ((2, 40, 90, 70), (2, 9, 11, 2)),
    ((2, 18, 7, 8, 9), (2, 10, 9, 8, 3)),
)


def both(image, grid, **named):
    """The result and both gradients, at once and one by one."""
    x, p = image.clone().requires_grad_(), grid.clone().requires_grad_()
    out = F.grid_sample(x, p, align_corners=False, **named)
    g = eagre.tensor(grid_of(out.shape, np.float32))
    found = eagre.autograd.grad(out, (x, p), g)
    alone = F.grid_sample(x, grid, align_corners=False, **named)
    (of_image,) = eagre.autograd.grad(alone, x, g)
    assert found[0].numpy().tobytes() == of_image.numpy().tobytes()
    return out, *found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_threads_change_no_bit(shapes, mode):
    image, grid = (eagre.tensor(grid_of(shape, np.float32)) for shape in shapes)
    before, found = eagre.get_num_threads(), []
    try:
        for count in (1, 2, 5):
            eagre.set_num_threads(count)
            found.append([t.detach().numpy().tobytes() for t in both(image, grid, mode=mode)])
    finally:
        eagre.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_channels_last_has_the_bits_of_rows():
    image = eagre.randn(2, 20, 6, 5).to(memory_format=eagre.channels_last)
    grid = eagre.tensor(grid_of((2, 6, 7, 2), np.float32))
    for one, other in zip(both(image, grid), both(image.contiguous(), grid), strict=True):
        assert eagre.equal(one, other)


@pytest.mark.parametrize("channels", [1, 20])
@pytest.mark.parametrize(("mode", "padding"), itertools.product(MODES, PADDINGS))
def test_points_that_are_nowhere(mode, padding, channels):
    far = [NAN, INF, -INF, 1e10, -1e10, 1e30, -1e30, 3e38, -3e38, 2.0**31, 2.0**63]
    image = eagre.ones(1, channels, 3, 4)
    for other in (0.0, NAN, 1e30):
        grid = eagre.tensor([[[[x, other], [other, x]] for x in far]])
        out, of_image, _ = both(image, grid, mode=mode, padding_mode=padding)
        assert of_image.shape == image.shape
        known = out[~eagre.isnan(out)]
        assert bool(((known == 0) | (abs(known - 1) < 1e-4)).all())


def test_infinite_pixels_count_where_they_are_read():
    image = eagre.tensor([[[[INF, 1.0, 2.0]]]])
    grid = eagre.tensor([[[[0.5, 0.0], [-5.0, 0.0]]]])
    found = F.grid_sample(image, grid, align_corners=True)
    assert found.flatten().tolist() == [1.5, 0.0]


def test_left_out_corners_warn():
    with pytest.warns(UserWarning, match="align_corners"):
        F.grid_sample(eagre.ones(1, 1, 2, 2), eagre.zeros(1, 1, 1, 2))
    with pytest.warns(UserWarning, match="align_corners"):
        F.affine_grid(eagre.ones(1, 2, 3), (1, 1, 2, 2))


def test_affine_grid_needs_no_more_memory_than_its_result():
    # So one that is too large is refused before anything is computed.
    theta = eagre.eye(2, 3).unsqueeze(0)
    eagre.cpu.reset_peak_memory_stats()
    before = eagre.cpu.memory_allocated()
    grid = F.affine_grid(theta, (1, 1, 1024, 512), align_corners=False)
    assert eagre.cpu.max_memory_allocated() - before < 1.1 * grid.numel() * 4


@pytest.mark.parametrize("dtype", [eagre.float16, eagre.bfloat16])
def test_affine_grid_of_halves_is_rounded_once(dtype):
    theta = eagre.randn(2, 2, 3).to(dtype)
    found = F.affine_grid(theta, (2, 1, 4, 8), align_corners=False)
    wide = F.affine_grid(theta.float(), (2, 1, 4, 8), align_corners=False)
    # The middles of 4 and 8 pixels are halves themselves.
    assert eagre.equal(found, wide.to(dtype))
