"""Normalization of every channel of every sample by itself."""

import warnings

from eagre.nn import functional as F
from eagre.nn.modules.batchnorm import _LazyNormBase, _NormBase

__all__ = [
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
]


class _InstanceNorm(_NormBase):
    """Classes say of how many dimensions a batch is."""

    def __init__(
        self,
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        device=None,
        dtype=None,
        *,
        bias=True,
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def _get_no_batch_dim(self):
        return self._rank - 1

    def _check_input_dim(self, input):
        if input.dim() not in (self._rank - 1, self._rank):
            raise ValueError(
                f"expected {self._rank - 1}D or {self._rank}D input (got {input.dim()}D input)"
            )

    def _load_from_state_dict(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        version = local_metadata.get("version", None)
        if version is None and not self.track_running_stats:
            # Old versions tracked statistics unasked.
            present = [
                prefix + name
                for name in ("running_mean", "running_var")
                if prefix + name in state_dict
            ]
            if present:
                name = type(self).__name__
                error_msgs.append(
                    "Unexpected running stats buffer(s) "
                    f"{' and '.join(repr(key)[1:-1].join(chr(34) * 2) for key in present)} for "
                    f"{name} with track_running_stats=False. If state_dict is a checkpoint saved "
                    "before 0.4.0, this may be expected because "
                    f"{name} does not track running stats by default since 0.4.0. Please remove "
                    "these keys from state_dict. If the running stats are actually needed, instead "
                    f"set track_running_stats=True in {name} to enable them."
                )
                for key in present:
                    state_dict.pop(key)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )

    def forward(self, input):
        self._check_input_dim(input)
        alone = input.dim() == self._rank - 1
        channels = input.size(0 if alone else 1)
        if channels != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={0 if alone else 1} to match num_features"
                    f" ({self.num_features}), but got: {channels}."
                )
            warnings.warn(
                f"input's size at dim={0 if alone else 1} does not match num_features. "
                "You can silence this warning by not passing in num_features, "
                "which is not used because affine=False",
                stacklevel=2,
            )
        result = F.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0,
            self.eps,
        )
        return result.squeeze(0) if alone else result


class InstanceNorm1d(_InstanceNorm):
    """Of sequences (N, C, L) or (C, L)."""

    _rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Of images (N, C, H, W) or (C, H, W)."""

    _rank = 4


class InstanceNorm3d(_InstanceNorm):
    """Of volumes (N, C, D, H, W) or (C, D, H, W)."""

    _rank = 5


class _LazyInstanceNorm(_LazyNormBase):
    def __init__(
        self,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ) -> None:
        super().__init__(eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def initialize_parameters(self, input):
        """Gives parameters and statistics their shapes."""
        alone = input.dim() == self._rank - 1
        super().initialize_parameters(input.unsqueeze(0) if alone else input)


class LazyInstanceNorm1d(_LazyInstanceNorm, InstanceNorm1d):
    """InstanceNorm1d whose num_features are the channels of its first input."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyInstanceNorm, InstanceNorm2d):
    """InstanceNorm2d whose num_features are the channels of its first input."""

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyInstanceNorm, InstanceNorm3d):
    """InstanceNorm3d whose num_features are the channels of its first input."""

    cls_to_become = InstanceNorm3d
