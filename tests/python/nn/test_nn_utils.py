"""nn.utils: gradients, vectors, fusion, norms of weights, parametrizations, pruning, calls
with other tensors."""

import copy

import pytest

import eagre
from eagre import nn
from eagre.func import functional_call, grad, stack_module_state, vmap
from eagre.nn.utils import parametrizations, parametrize, prune


def same(one, two, **options):
    eagre.testing.assert_close(one, two, **options)


def with_gradients(*values):
    parameters = [nn.Parameter(eagre.zeros(len(value))) for value in values]
    for parameter, value in zip(parameters, values, strict=True):
        parameter.grad = eagre.tensor(value)
    return parameters


def test_clipping():
    parameters = with_gradients([3.0, 0.0], [4.0])
    assert float(nn.utils.clip_grad_norm_(parameters, 1.0)) == 5
    same(eagre.cat([one.grad for one in parameters]), eagre.tensor([0.6, 0.0, 0.8]))
    parameters = with_gradients([3.0, 0.0], [4.0])
    assert float(nn.utils.clip_grad_norm_(iter(parameters), 10.0, "inf")) == 4
    assert parameters[0].grad.tolist() == [3, 0]
    nn.utils.clip_grad_value_(parameters, 2)
    assert [one.grad.tolist() for one in parameters] == [[2, 0], [2]]
    parameters = with_gradients([float("inf")])
    with pytest.raises(RuntimeError, match="is non-finite, so it cannot be clipped"):
        nn.utils.clip_grad_norm_(parameters[0], 1.0, error_if_nonfinite=True)
    assert float(nn.utils.clip_grad_norm_([], 1.0)) == 0


def test_vectors():
    net = nn.Linear(2, 3)
    vector = nn.utils.parameters_to_vector(net.parameters())
    assert vector.shape == (9,)
    nn.utils.vector_to_parameters(eagre.arange(9.0), net.parameters())
    assert net.bias.tolist() == [6, 7, 8]
    with pytest.raises(TypeError, match="expected torch.Tensor, but got"):
        nn.utils.vector_to_parameters([1], net.parameters())


@pytest.mark.parametrize("transpose", [False, True])
def test_fusion(transpose):
    layer = (nn.ConvTranspose2d if transpose else nn.Conv2d)(2, 3, 3, bias=False).eval()
    norm = nn.BatchNorm2d(3).eval()
    norm.running_mean.uniform_()
    norm.running_var.uniform_()
    x = eagre.randn(2, 2, 5, 5)
    fused = nn.utils.fuse_conv_bn_eval(layer, norm, transpose)
    same(fused(x), norm(layer(x)))
    linear, norm = nn.Linear(2, 3).eval(), nn.BatchNorm1d(3).eval()
    norm.running_mean.uniform_()
    same(nn.utils.fuse_linear_bn_eval(linear, norm)(x[:, :, 0, 0]), norm(linear(x[:, :, 0, 0])))
    with pytest.raises(AssertionError, match="Fusion only for eval!"):
        nn.utils.fuse_linear_bn_eval(linear.train(), norm)


def test_skip_init_and_memory_formats():
    layer = nn.utils.skip_init(nn.Linear, 2, 3)
    assert layer.weight.shape == (3, 2) and not layer.weight.is_meta
    with pytest.raises(RuntimeError, match="Expected a Module"):
        nn.utils.skip_init(dict)
    net = nn.Sequential(nn.Conv2d(2, 4, 3))
    nn.utils.convert_conv2d_weight_memory_format(net, eagre.channels_last)
    assert net[0].weight.is_contiguous(memory_format=eagre.channels_last)


def test_parametrize():
    class Positive(nn.Module):
        def forward(self, x):
            return x.exp()

        def right_inverse(self, x):
            return x.log()

    layer = nn.Linear(2, 2)
    with eagre.no_grad():
        layer.weight.copy_(eagre.tensor([[1.0, 2.0], [3.0, 4.0]]))
    parametrize.register_parametrization(layer, "weight", Positive())
    assert type(layer).__name__ == "ParametrizedLinear" and isinstance(layer, nn.Linear)
    same(layer.weight, eagre.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert list(layer.state_dict()) == ["bias", "parametrizations.weight.original"]
    layer(eagre.ones(1, 2)).sum().backward()
    assert layer.parametrizations.weight.original.grad is not None
    layer.weight = eagre.full((2, 2), 5.0)
    same(layer.weight, eagre.full((2, 2), 5.0))
    with parametrize.cached():
        assert layer.weight is layer.weight
    assert layer.weight is not layer.weight
    twin = copy.deepcopy(layer)
    same(twin.weight, layer.weight)
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        copy.copy(layer)
    parametrize.register_parametrization(layer, "weight", Positive())
    assert len(layer.parametrizations.weight) == 2
    assert parametrize.is_parametrized(layer, "weight")
    assert parametrize.type_before_parametrizations(layer) is nn.Linear
    parametrize.remove_parametrizations(twin, "weight")
    assert type(twin) is nn.Linear and isinstance(twin.weight, nn.Parameter)
    same(twin.weight, eagre.full((2, 2), 5.0))
    other = nn.Linear(2, 2)
    parametrize.transfer_parametrizations_and_params(layer, other)
    same(other.weight, layer.weight)
    with pytest.raises(ValueError, match="does not have a parameter, a buffer"):
        parametrize.register_parametrization(layer, "nothing", Positive())
    with pytest.raises(ValueError, match="may not change the shape of the tensor"):
        parametrize.register_parametrization(nn.Linear(2, 3), "weight", nn.Flatten(0))
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(nn.Linear(1, 1), "weight")


@pytest.mark.parametrize("kind", ["matrix_exp", "cayley", "householder"])
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5)])
@pytest.mark.parametrize("trivialized", [True, False])
def test_orthogonal(kind, shape, trivialized):
    layer = nn.Linear(*reversed(shape)).double()
    parametrizations.orthogonal(layer, orthogonal_map=kind, use_trivialization=trivialized)

    def check():
        weight = layer.weight if shape[0] <= shape[1] else layer.weight.T
        same(weight @ weight.T, eagre.eye(min(shape), dtype=eagre.float64))

    check()
    layer.weight.sum().backward()
    original = layer.parametrizations.weight.original
    assert bool(original.grad.isfinite().all())
    if trivialized or kind == "householder":
        wanted = nn.init.orthogonal_(eagre.empty(shape, dtype=eagre.float64))
        layer.weight = wanted
        same(layer.weight, wanted)
    if kind != "householder":
        with eagre.no_grad():
            original += 0.1
        check()


def test_orthogonal_refuses():
    with pytest.raises(ValueError, match='orthogonal_map has to be one of "matrix_exp"'):
        parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="x")
    with pytest.raises(ValueError, match="Expected a matrix or batch of matrices"):
        parametrizations.orthogonal(nn.Linear(2, 2), "bias")


@pytest.mark.parametrize("way", ["new", "old"])
def test_weight_norm(way):
    layer, x = nn.Linear(3, 4), eagre.randn(2, 3)
    before = layer(x)
    if way == "new":
        parametrizations.weight_norm(layer)
        old = nn.Linear(3, 4)
        with pytest.warns(FutureWarning, match="deprecated in favor of"):
            nn.utils.weight_norm(old)
        layer.load_state_dict(old.state_dict())  # keys of the old way are taken
        same(layer.weight, old.weight)
        assert layer.parametrizations.weight.original0.shape == (4, 1)
        return
    with pytest.warns(FutureWarning, match="deprecated in favor of"):
        nn.utils.weight_norm(layer)
    assert sorted(layer.state_dict()) == ["bias", "weight_g", "weight_v"]
    same(layer(x), before)
    with eagre.no_grad():
        layer.weight_g.mul_(2)
    layer(x).sum().backward()
    assert layer.weight_g.grad is not None
    same(layer.weight.norm(dim=1, keepdim=True), layer.weight_g)
    nn.utils.remove_weight_norm(layer)
    assert isinstance(layer.weight, nn.Parameter) and not layer._forward_pre_hooks
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        nn.utils.remove_weight_norm(layer)


@pytest.mark.parametrize("way", ["new", "old"])
def test_spectral_norm(way):
    layer = nn.Linear(5, 4)
    normed = parametrizations.spectral_norm if way == "new" else nn.utils.spectral_norm
    normed(layer, n_power_iterations=50)
    x = eagre.randn(2, 5)
    layer(x).sum().backward()
    same(eagre.linalg.matrix_norm(layer.weight @ layer.weight.T, eagre.inf) > 0, eagre.tensor(True))
    gram = layer.weight.detach() @ layer.weight.detach().T
    vector = eagre.ones(4)
    for _ in range(200):
        vector = gram @ vector
        vector = vector / vector.norm()
    assert abs(float((gram @ vector).norm()) - 1) < 1e-3
    layer.eval()
    same(layer(x), layer(x))
    if way == "old":
        assert sorted(layer.state_dict()) == ["bias", "weight_orig", "weight_u", "weight_v"]
        other = nn.utils.spectral_norm(nn.Linear(5, 4)).eval()
        other.load_state_dict(layer.state_dict())
        same(other(x), layer(x))
        nn.utils.remove_spectral_norm(layer)
        assert isinstance(layer.weight, nn.Parameter)


def test_pruning():
    layer = nn.Linear(4, 4)
    prune.l1_unstructured(layer, "weight", amount=3)
    assert int((layer.weight == 0).sum()) == 3 and prune.is_pruned(layer)
    smallest = layer.weight_orig.abs().view(-1).topk(3, largest=False).indices
    assert float(layer.weight_mask.view(-1)[smallest].sum()) == 0
    prune.random_unstructured(layer, "weight", amount=0.5)
    assert int((layer.weight == 0).sum()) in (9, 10)  # half of the thirteen that were left
    layer(eagre.ones(1, 4)).sum().backward()
    assert float(layer.weight_orig.grad[layer.weight_mask == 0].abs().sum()) == 0
    pruned = layer.weight.detach().clone()
    prune.remove(layer, "weight")
    assert not prune.is_pruned(layer) and isinstance(layer.weight, nn.Parameter)
    same(layer.weight.detach(), pruned)
    rows = prune.ln_structured(nn.Linear(4, 4), "weight", amount=2, n=2, dim=0)
    assert int((rows.weight_mask.sum(1) == 0).sum()) == 2
    columns = prune.random_structured(nn.Linear(4, 4), "weight", amount=0.25, dim=1)
    assert int((columns.weight_mask.sum(0) == 0).sum()) == 1
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    pairs = [(net[0], "weight"), (net[1], "weight")]
    prune.global_unstructured(pairs, prune.L1Unstructured, amount=10)
    assert sum(int((one.weight == 0).sum()) for one in net) == 10
    assert prune.is_pruned(net)
    masked = prune.custom_from_mask(nn.Linear(2, 2), "bias", eagre.tensor([0, 1]))
    assert float(masked.bias[0]) == 0
    assert not bool((prune.identity(nn.Linear(2, 2), "weight").weight_mask == 0).any())
    for amount, error in ((1.5, ValueError), ("x", TypeError), (-1, ValueError)):
        with pytest.raises(error, match="amount"):
            prune.l1_unstructured(nn.Linear(2, 2), "weight", amount)
    layer = nn.Linear(2, 2)
    with pytest.raises(ValueError, match="should be smaller than the number of parameters"):
        prune.l1_unstructured(layer, "weight", 10)
    assert "weight" in layer._parameters  # nothing is left half done
    with pytest.raises(ValueError, match="has to be pruned before pruning can be removed"):
        prune.remove(layer, "weight")


def test_functional_call():
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    own = net[0].weight
    weights = {"0.weight": eagre.zeros(2, 2), "0.bias": eagre.ones(2)}
    x = eagre.randn(4, 2)
    functional_call(net, weights, (x,))
    assert net[0].weight is own
    same(
        functional_call(net[0], {"bias": eagre.ones(2), "weight": eagre.zeros(2, 2)}, x),
        eagre.ones(4, 2),
    )
    gradient = grad(lambda w: functional_call(net[0], {"weight": w}, (x,)).sum())(own.detach())
    same(gradient, x.sum(0).expand(2, 2))
    with pytest.raises(RuntimeError, match=r"Missing key\(s\): bias"):
        functional_call(net[0], {"weight": own}, (x,), strict=True)
    with pytest.raises(ValueError, match="appears in multiple dictionaries"):
        functional_call(net[0], [{"weight": own}, {"weight": own}], (x,))
    with pytest.raises(AttributeError):
        functional_call(net, {"nothing.weight": own}, (x,))
    with pytest.raises(TypeError, match="is not an instance of"):
        functional_call(net, {"0.weight": 3}, (x,))
    with pytest.raises(KeyError, match="be empty string"):
        functional_call(net, {"": own}, (x,))
    assert net[0].weight is own
    tied = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
    tied[1].weight = tied[0].weight
    zeros = {"0.weight": eagre.zeros(2, 2)}
    same(functional_call(tied, zeros, (x,)), eagre.zeros(4, 2))
    assert tied[1].weight is tied[0].weight


def test_functional_call_takes_attributes_and_new_names():
    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = eagre.ones(2)
            self.name = "scaled"

        def forward(self, x):
            return x * self.scale + getattr(self, "shift", 0.0)

    net, x = Scaled(), eagre.ones(2)
    own = net.scale
    same(functional_call(net, {"scale": 3 * own}, (x,)), 3 * x)
    # Names that are not there are new attributes, and parameters among them do not stay.
    same(functional_call(net, {"shift": nn.Parameter(own), "scale": own}, (x,)), 2 * x)
    same(functional_call(net, {"scale": nn.Parameter(2 * own)}, (x,)), 2 * x)
    assert net.scale is own and not hasattr(net, "shift") and not list(net.parameters())
    gradient = grad(lambda scale: functional_call(net, {"scale": scale}, (x,)).sum())(own)
    same(gradient, x)
    with pytest.raises(TypeError, match="attribute `name`: scaled is not an instance of"):
        functional_call(net, {"name": own}, (x,))


def test_data_parallel_as_a_function():
    net, x = nn.Linear(2, 1), eagre.ones(3, 2)
    same(nn.parallel.data_parallel(net, x, module_kwargs={}), net(x))
    same(nn.parallel.data_parallel(net, (x,), device_ids=[0]), net(x))


def test_ensembles():
    models = [nn.Linear(2, 3) for _ in range(4)]
    parameters, buffers = stack_module_state(models)
    assert parameters["weight"].shape == (4, 3, 2) and parameters["weight"].requires_grad
    assert buffers == {}
    x = eagre.randn(5, 2)
    base = copy.deepcopy(models[0]).to("meta")
    found = vmap(lambda p: functional_call(base, p, (x,)))(parameters)
    same(found, eagre.stack([model(x) for model in models]))
    with pytest.raises(RuntimeError, match="at least one model, got 0"):
        stack_module_state([])


def test_hints_and_wrappers():
    from eagre.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel([SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]):
        q = eagre.randn(1, 1, 2, 4)
        nn.functional.scaled_dot_product_attention(q, q, q)
    with pytest.raises(AssertionError, match="SDPBackend"), sdpa_kernel("math"):
        pass
    layer, x = nn.Linear(1, 1), eagre.ones(1, 1)
    same(nn.DataParallel(layer)(x), layer(x))
    with pytest.raises(RuntimeError, match="there is one device"):
        nn.DataParallel(layer, device_ids=[0, 1])
