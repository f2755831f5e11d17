"""linear_cross_entropy(): the operator, and options that say how it might be computed."""

import eagre._C as _C
from eagre._given import wrong_type
from eagre._torch_function import overridable


@overridable
def linear_cross_entropy(
    input,
    linear_weight,
    target,
    *,
    linear_bias=None,
    weight=None,
    reduction="mean",
    ignore_index=None,
    label_smoothing=0.0,
    options=None,
) -> _C.Tensor:
    """cross_entropy() of what a linear layer makes of `input`. `options` say how it may be computed
    in pieces (nn.LinearCrossEntropyOptions); values do not depend on them."""
    if options is not None:
        from eagre.nn.modules.linear_cross_entropy_options import LinearCrossEntropyOptions

        if not isinstance(options, LinearCrossEntropyOptions):
            raise wrong_type(
                "linear_cross_entropy", "options", "a LinearCrossEntropyOptions", options
            )
    return _C._linear_cross_entropy(
        input,
        linear_weight,
        target,
        linear_bias=linear_bias,
        weight=weight,
        reduction=reduction,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
    )
