"""Weights that are orthogonal, of norm one, or a length times a direction."""

from enum import Enum, auto

from eagre import _C
from eagre._finfo import finfo
from eagre.autograd.grad_mode import no_grad
from eagre.nn import functional as F
from eagre.nn.modules.module import Module
from eagre.nn.utils import parametrize
from eagre.nn.utils._old_weight_norm import norm_except

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _is_orthogonal(q, eps=None):
    rows, columns = q.size(-2), q.size(-1)
    identity = _C.eye(columns, dtype=q.dtype, device=q.device)
    eps = 10 * rows * finfo(q.dtype).eps if eps is None else eps
    return bool(_C.allclose(q.mH @ q, identity, atol=eps))


def _orthogonal_part(matrix):
    """q of its QR factorization, with signs such that R has a positive diagonal."""
    q, r = _C._linalg_qr(matrix)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _Orthogonal(Module):
    """An orthogonal matrix, from any matrix; of those with more columns than rows the transpose."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == _OrthMaps.householder:
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x):
        wide = x.size(-1) > x.size(-2)
        x = x.mT if wide else x
        rows, columns = x.size(-2), x.size(-1)
        if self.orthogonal_map == _OrthMaps.householder:
            q = _product_of_reflections(x)
        else:
            a = x.tril()
            if rows != columns:
                a = _C.cat([a, a.new_zeros((*a.shape[:-1], rows - columns))], dim=-1)
            a = a - a.mH  # skew: exponential and Cayley transform are orthogonal
            if self.orthogonal_map == _OrthMaps.matrix_exp:
                q = _C._linalg_matrix_exp(a)
            else:
                identity = _C.eye(rows, dtype=a.dtype, device=a.device)
                q = _C._linalg_solve(identity - a / 2, identity + a / 2)
            if rows != columns:
                q = q[..., :columns]
        if getattr(self, "base", None) is not None:
            q = self.base @ q
        return q.mT if wide else q

    def right_inverse(self, q):
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. "
                f"Got a tensor of shape {q.shape}."
            )
        start = q
        wide = q.size(-1) > q.size(-2)
        q = q.mT if wide else q
        rows, columns = q.size(-2), q.size(-1)
        if not hasattr(self, "base"):
            if self.orthogonal_map in (_OrthMaps.cayley, _OrthMaps.matrix_exp):
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential "
                    "or the Cayley parametrizations when use_trivialization=False."
                )
            return _reflections_of(q, wide)
        if rows == columns:
            q = q.clone() if _is_orthogonal(q) else _orthogonal_part(q)
        else:
            # Columns that complete a basis.
            missing = _C.randn(
                (*q.shape[:-2], rows, rows - columns), dtype=q.dtype, device=q.device
            )
            q = _orthogonal_part(_C.cat([q, missing], dim=-1))
        self.base = q
        negative = _C.zeros_like(start)
        negative.diagonal(dim1=-2, dim2=-1).fill_(
            -1.0 if self.orthogonal_map == _OrthMaps.householder else 0.0
        )
        return negative


def _product_of_reflections(x):
    """The first columns of H₁ H₂ … where Hⱼ mirrors at what is below the diagonal of column j."""
    rows, columns = x.size(-2), x.size(-1)
    a = x.tril(diagonal=-1)
    factors = 2.0 / (1.0 + (a * a).sum(dim=-2))
    signs = x.diagonal(dim1=-2, dim2=-1).int().to(x.dtype)
    q = _C.eye(rows, columns, dtype=x.dtype, device=x.device).expand(*x.shape)
    below = a + _C.eye(rows, columns, dtype=x.dtype, device=x.device)
    for j in reversed(range(columns)):
        vector = below[..., j : j + 1]
        q = q - factors[..., j : j + 1].unsqueeze(-1) * vector * (vector.mT @ q)
    return q * signs.unsqueeze(-2)


def _reflections_of(q, wide):
    """What _product_of_reflections() makes the orthogonal part of q of."""
    q = q if _is_orthogonal(q) else _orthogonal_part(q)
    rows, columns = q.size(-2), q.size(-1)
    rest, vectors, signs = q, [], []
    for j in range(columns):
        tail = rest[..., j:, j : j + 1]
        first = tail[..., :1, :]
        sign = _C.where(first >= 0, _C.ones_like(first), -_C.ones_like(first))
        # Mirrors the column to -sign times a unit vector.
        vector = tail + sign * _C.norm(tail, dim=-2, keepdim=True) * _C.eye(
            rows - j, 1, dtype=q.dtype, device=q.device
        )
        vector = vector / vector[..., :1, :]
        vector = F.pad(vector, (0, 0, j, 0))
        factor = 2.0 / (vector * vector).sum(dim=-2, keepdim=True)
        rest = rest - factor * vector * (vector.mT @ rest)
        vectors.append(vector)
        signs.append(-sign)
    a = _C.cat(vectors, dim=-1).tril(diagonal=-1)
    a.diagonal(dim1=-2, dim2=-1).copy_(_C.cat(signs, dim=-1).squeeze(-2))
    return a.mT if wide else a


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True) -> Module:
    """Makes a weight orthogonal, or unitary: its rows, or its columns if those are fewer.
    `orthogonal_map`: "matrix_exp", "cayley" or "householder". With `use_trivialization` it is a
    change of what is assigned, else computed from nothing else than the map."""
    weight = getattr(module, name, None)
    if not isinstance(weight, _C.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1] or weight.is_complex()
        orthogonal_map = "matrix_exp" if square else "householder"
    chosen = getattr(_OrthMaps, orthogonal_map, None)
    if chosen is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, chosen, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


class _WeightNorm(Module):
    """A length times a direction."""

    def __init__(self, dim=0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / norm_except(weight_v, self.dim))

    def right_inverse(self, weight):
        return norm_except(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0) -> Module:
    """Makes a weight the product of its length over all dimensions but `dim`, and a direction."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def take_old_names(
        state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        # Of nn.utils.weight_norm().
        old = [f"{prefix}{name}{end}" for end in ("_g", "_v")]
        if all(key in state_dict for key in old):
            for i, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(take_old_names)
    return module


class _SpectralNorm(Module):
    """A matrix, divided by its largest singular value."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but "
                f"got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got n_power_iterations="
                f"{n_power_iterations}"
            )
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            rows, columns = matrix.size()
            u = matrix.new_empty(rows).normal_(0, 1)
            v = matrix.new_empty(columns).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.movedim(self.dim, 0)
        return weight.flatten(1)

    @no_grad()
    def _power_method(self, weight_mat, n_power_iterations):
        for _ in range(n_power_iterations):
            self._u.copy_(F.normalize(_C.mv(weight_mat, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(_C.mv(weight_mat.mH, self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # Copies: the next call writes into the buffers.
        u, v = self._u.clone(), self._v.clone()
        return weight / _C.vdot(u, _C.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None) -> Module:
    """Divides a weight by its largest singular value, which a power iteration finds: a step for
    each time that the weight is computed in training mode."""
    weight = getattr(module, name, None)
    if not isinstance(weight, _C.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        from eagre.nn.modules.conv import _ConvTransposeNd

        dim = 1 if isinstance(module, _ConvTransposeNd) else 0
    made = _SpectralNorm(weight.detach(), n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module
