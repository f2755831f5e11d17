"""Problems whose steps are compared with PyTorch's: what runs, on either library."""

STEPS = 12

ADAM = [
    {}, {"lr": 0.1, "betas": (0.8, 0.95), "eps": 1e-3}, {"weight_decay": 0.1},
    {"amsgrad": True, "lr": 0.2}, {"maximize": True}, {"tensor_lr": 0.05},
    {"weight_decay": 0.1, "amsgrad": True, "maximize": True}, {"foreach": True},
    {"fused": True, "lr": 0.1},
]  # fmt: skip

OPTIMIZERS = {
    "SGD": [
        {"lr": 0.1}, {"lr": 0.1, "momentum": 0.9}, {"lr": 0.1, "momentum": 0.9, "nesterov": True},
        {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}, {"lr": 0.1, "weight_decay": 0.1},
        {"lr": 0.1, "momentum": 0.5, "weight_decay": 0.1, "maximize": True, "nesterov": True},
        {"tensor_lr": 0.1, "momentum": 0.9}, {"lr": 0.1, "foreach": True},
        {"lr": 0.1, "momentum": 0.9, "fused": True},
    ],
    "Adam": [*ADAM, {"decoupled_weight_decay": True, "weight_decay": 0.1, "lr": 0.1}],
    "AdamW": ADAM,
    "Adagrad": [
        {}, {"lr": 0.1, "lr_decay": 0.1}, {"weight_decay": 0.1},
        {"initial_accumulator_value": 0.5}, {"eps": 0.1, "maximize": True}, {"tensor_lr": 0.1},
    ],
    "RMSprop": [
        {}, {"alpha": 0.8, "eps": 1e-3}, {"weight_decay": 0.1}, {"momentum": 0.9},
        {"centered": True}, {"centered": True, "momentum": 0.9, "weight_decay": 0.1},
        {"maximize": True}, {"tensor_lr": 0.05},
    ],
    "Adadelta": [
        {}, {"lr": 0.5, "rho": 0.5}, {"eps": 1e-2, "weight_decay": 0.1}, {"maximize": True},
        {"tensor_lr": 0.5},
    ],
    "Adamax": [
        {}, {"lr": 0.1, "betas": (0.8, 0.9)}, {"weight_decay": 0.1, "eps": 1e-3},
        {"maximize": True}, {"tensor_lr": 0.1},
    ],
    "NAdam": [
        {}, {"lr": 0.1, "betas": (0.8, 0.9), "momentum_decay": 0.1}, {"weight_decay": 0.1},
        {"weight_decay": 0.1, "decoupled_weight_decay": True, "lr": 0.1}, {"maximize": True},
        {"eps": 1e-2, "tensor_lr": 0.1},
    ],
    "RAdam": [
        {}, {"lr": 0.1, "betas": (0.8, 0.9)}, {"weight_decay": 0.1},
        {"weight_decay": 0.1, "decoupled_weight_decay": True, "lr": 0.1}, {"maximize": True},
        {"eps": 1e-2, "tensor_lr": 0.1}, {"betas": (0.9, 0.5)},
    ],
    "ASGD": [
        {}, {"lr": 0.1, "lambd": 0.1, "alpha": 0.5}, {"lr": 0.1, "t0": 3},
        {"weight_decay": 0.1, "maximize": True}, {"tensor_lr": 0.1, "t0": 0},
    ],
    "Rprop": [
        {}, {"lr": 0.2}, {"etas": (0.3, 1.7), "lr": 0.2}, {"step_sizes": (0.05, 0.2), "lr": 0.1},
        {"maximize": True}, {"tensor_lr": 0.3},
    ],
    "Adafactor": [
        {}, {"lr": 0.5}, {"beta2_decay": -0.3, "weight_decay": 0.1, "lr": 1.0}, {"d": 2.0},
        {"eps": (1e-3, 0.1), "maximize": True}, {"tensor_lr": 0.1},
    ],
    "Muon": [
        {}, {"lr": 0.02, "momentum": 0.5}, {"nesterov": False, "weight_decay": 0.0},
        {"adjust_lr_fn": "match_rms_adamw"}, {"ns_steps": 3, "ns_coefficients": (2.0, -1.5, 0.5)},
        {"tensor_lr": 0.02, "eps": 1.0},
    ],
    "LBFGS": [
        {}, {"lr": 0.3, "max_iter": 4}, {"history_size": 2, "max_iter": 5},
        {"line_search_fn": "strong_wolfe", "max_iter": 3}, {"max_iter": 6, "max_eval": 4},
        {"line_search_fn": "strong_wolfe", "max_iter": 8, "lr": 5.0},
        {"tolerance_grad": 0.5}, {"tolerance_change": 0.1, "max_iter": 6},
        {"line_search_fn": "strong_wolfe", "maximize": True, "max_iter": 3},
        {"maximize": True, "max_iter": 2, "lr": 0.1},
    ],
}  # fmt: skip

# Where the first options that are not the defaults let this problem run away, others.
COMPLEX_OPTIONS = {
    "ASGD": {},
    "RAdam": {"weight_decay": 0.1},
    "SGD": {"lr": 0.01, "momentum": 0.9},
}
COMPLEX = [name for name in OPTIMIZERS if name not in ("Adafactor", "Muon")]

CASES = {
    f"{name}-{index}": (name, options, False)
    for name, rows in OPTIMIZERS.items()
    for index, options in enumerate(rows)
} | {
    f"{name}-complex": (name, COMPLEX_OPTIONS.get(name, OPTIMIZERS[name][1]), True)
    for name in COMPLEX
}


def parameters(torch, name, is_complex):
    matrix = [[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]]
    vector = [0.1, -0.2, 0.7]
    if is_complex:
        matrix = [[complex(value, value - 0.3) for value in row] for row in matrix]
    dtype = torch.complex128 if is_complex else torch.float64
    tensors = [torch.tensor(matrix, dtype=dtype)]
    if name != "Muon":
        tensors.append(torch.tensor(vector, dtype=dtype))
        # Never in the loss: no optimizer touches it.
        tensors.append(torch.tensor([3.0], dtype=dtype))
    return [tensor.requires_grad_() for tensor in tensors]


def loss_of(torch, tensors, sign):
    reals = [
        torch.view_as_real(each).sum(-1) * 0.7 + torch.view_as_real(each).square().sum(-1)
        if each.is_complex()
        else each
        for each in tensors[:2]
    ]
    matrix = reals[0]
    loss = (matrix * matrix * torch.tensor([1.0, 0.3], dtype=matrix.dtype)).sum()
    loss = loss + (matrix.sum(1) * 1.5).sin().sum()
    if len(reals) > 1:
        loss = loss + ((reals[1] - matrix[:, 0]) ** 2).sum() * 0.5
    return loss * sign


def make(torch, name, options, tensors):
    options = dict(options)
    if "tensor_lr" in options:
        options["lr"] = torch.tensor(options.pop("tensor_lr"))
    return getattr(torch.optim, name)(tensors, **options)


def run(torch, case, steps=STEPS):
    """The optimizer, the parameters after `steps` steps, and those after two."""
    name, options, is_complex = CASES[case]
    tensors = parameters(torch, name, is_complex)
    optimizer = make(torch, name, options, tensors)
    early = None
    for step in range(steps if name != "LBFGS" else 4):
        walk(torch, optimizer, tensors)
        if step == 1:
            early = numbers(tensors)
    return optimizer, numbers(tensors), early


def walk(torch, optimizer, tensors):
    sign = -1 if optimizer.param_groups[0].get("maximize") else 1

    def closure():
        optimizer.zero_grad()
        loss = loss_of(torch, tensors, sign)
        loss.backward()
        return loss

    optimizer.step(closure)


def numbers(value):
    """Tensors as lists, complex numbers as pairs."""
    if isinstance(value, dict):
        return {str(key): numbers(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [numbers(each) for each in value]
    if hasattr(value, "detach"):
        return numbers(value.detach().tolist())
    if isinstance(value, complex):
        return [numbers(value.real), numbers(value.imag)]
    if isinstance(value, float):
        return float(f"{value:.9g}")
    return value
