"""Recurrent networks: all layers at once, and cells of one step."""

import math
import warnings
from numbers import Number

from eagre import _C
from eagre.nn import init
from eagre.nn.modules.module import Module
from eagre.nn.parameter import Parameter
from eagre.nn.utils.rnn import PackedSequence

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}
_FUNCTIONS = {"RNN_TANH": _C.rnn_tanh, "RNN_RELU": _C.rnn_relu, "GRU": _C.gru, "LSTM": _C.lstm}


class RNNBase(Module):
    """What RNN, GRU and LSTM share. The weights of layer k are weight_ih_l{k}, weight_hh_l{k},
    bias_ih_l{k}, bias_hh_l{k}, with projections weight_hr_l{k}; backwards they end in _reverse."""

    __constants__ = [
        "mode",
        "input_size",
        "hidden_size",
        "num_layers",
        "bias",
        "batch_first",
        "dropout",
        "bidirectional",
        "proj_size",
    ]

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_sizes(dropout)
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        self._all_weights = []
        handed_on = proj_size if proj_size > 0 else hidden_size
        rows = _GATES[mode] * hidden_size
        for layer in range(num_layers):
            inputs = input_size if layer == 0 else handed_on * (2 if bidirectional else 1)
            shapes = {"weight_ih": (rows, inputs), "weight_hh": (rows, handed_on)}
            if bias:
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
            if proj_size > 0:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for end in ("", "_reverse") if bidirectional else ("",):
                names = []
                for name, shape in shapes.items():
                    names.append(f"{name}_l{layer}{end}")
                    values = _C.empty(shape, device=device, dtype=dtype)
                    setattr(self, names[-1], Parameter(values))
                self._all_weights.append(names)
        self.reset_parameters()

    def _check_sizes(self, dropout):
        if not isinstance(dropout, Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                f"dropout expects num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={self.num_layers}",
                stacklevel=4,
            )
        for name in ("input_size", "hidden_size", "num_layers"):
            size = getattr(self, name)
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
            if size <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if self.proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    # --- weights ---

    @property
    def all_weights(self):
        """The weights, in a list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self):
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self):
        return [getattr(self, name, None) for names in self._all_weights for name in names]

    @_flat_weights.setter
    def _flat_weights(self, weights):
        for name, weight in zip(self._flat_weights_names, weights, strict=True):
            setattr(self, name, weight)

    def flatten_parameters(self):
        """Nothing: weights are packed as they are used."""

    def reset_parameters(self) -> None:
        """Uniform numbers up to 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def __setstate__(self, state):
        state = dict(state)
        state.pop("_flat_weights_names", None)
        state.pop("_flat_weight_refs", None)
        state.pop("_flat_weights", None)
        state.setdefault("proj_size", 0)
        super().__setstate__(state)
        if "all_weights" in state:
            self._all_weights = self.__dict__.pop("all_weights")

    # --- checks ---

    def check_input(self, input, batch_sizes):
        """Refuses an input of another rank, size or dtype."""
        weight = self._flat_weights[0]
        if weight is not None and input.dtype != weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        rank = 2 if batch_sizes is not None else 3
        if input.dim() != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(self, input, batch_sizes):
        """The shape that a state must have."""
        return self._state_shape(input, batch_sizes, self.proj_size or self.hidden_size)

    def get_expected_cell_size(self, input, batch_sizes):
        """The shape that the second part of an LSTM's state must have."""
        return self._state_shape(input, batch_sizes, self.hidden_size)

    def _state_shape(self, input, batch_sizes, size):
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0 if self.batch_first else 1)
        return (self.num_layers * (2 if self.bidirectional else 1), batch, size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        """Refuses a state of another shape."""
        if tuple(hx.shape) != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.shape)))

    def check_forward_args(self, input, hidden, batch_sizes):
        """Refuses inputs and states that do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """The state with samples in this order."""
        return hx if permutation is None else hx.index_select(1, permutation)

    # --- the call ---

    def forward(self, input, hx=None):
        packed = isinstance(input, PackedSequence)
        order = back = batch_sizes = None
        alone = False
        if packed:
            whole = input
            input, batch_sizes, order, back = whole
        else:
            if input.dim() not in (2, 3):
                raise ValueError(
                    f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D instead"
                )
            alone = input.dim() == 2
            if alone:
                input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            hx = self._zero_state(input, batch_sizes)
        else:
            if not packed:
                hx = self._with_batch(hx, alone)
            hx = self.permute_hidden(hx, order)
        self.check_forward_args(input, hx, batch_sizes)
        rest = (
            self._flat_weights,
            self.bias,
            self.num_layers,
            self.dropout,
            self.training,
            self.bidirectional,
        )
        function = _FUNCTIONS[self.mode]
        if packed:
            output, *state = function(input, batch_sizes, hx, *rest)
            output = PackedSequence(output, batch_sizes, order, back)
        else:
            output, *state = function(input, hx, *rest, self.batch_first)
            if alone:
                output = output.squeeze(0 if self.batch_first else 1)
                state = [one.squeeze(1) for one in state]
        state = self.permute_hidden(self._as_state(state), back)
        return output, state

    def _zero_state(self, input, batch_sizes):
        shape = self.get_expected_hidden_size(input, batch_sizes)
        return _C.zeros(shape, dtype=input.dtype, device=input.device)

    def _with_batch(self, hx, alone):
        rank = 2 if alone else 3
        if hx.dim() != rank:
            kind = "unbatched 2-D" if alone else "batched 3-D"
            raise RuntimeError(
                f"For {kind} input, hx should also be {rank}-D but got {hx.dim()}-D tensor"
            )
        return hx.unsqueeze(1) if alone else hx

    def _as_state(self, parts):
        return parts[0]

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (
            ("proj_size", 0),
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0.0),
            ("bidirectional", False),
        ):
            value = getattr(self, name)
            if value != usual:
                text += f", {name}={value}"
        return text


class RNN(RNNBase):
    """h = tanh(x W_ihᵀ + b_ih + h W_hhᵀ + b_hh), or with `nonlinearity="relu"` relu."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
        proj_size=0,
    ) -> None:
        _refuse_projection(proj_size)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            0,
            device,
            dtype,
        )
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """Gated recurrent units.

    >>> outputs, state = eagre.nn.GRU(10, 20, 2)(eagre.zeros(5, 3, 10))
    >>> outputs.shape, state.shape
    (eagre.Size([5, 3, 20]), eagre.Size([2, 3, 20]))
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
        proj_size=0,
    ) -> None:
        _refuse_projection(proj_size)
        super().__init__(
            "GRU",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            0,
            device,
            dtype,
        )


def _refuse_projection(proj_size):
    if proj_size:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class LSTM(RNNBase):
    """Long short-term memory: states are pairs (h, c)."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device,
            dtype,
        )

    def check_forward_args(self, input, hidden, batch_sizes):
        """Refuses inputs and states that do not fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0],
            self.get_expected_hidden_size(input, batch_sizes),
            "Expected hidden[0] size {}, got {}",
        )
        self.check_hidden_size(
            hidden[1],
            self.get_expected_cell_size(input, batch_sizes),
            "Expected hidden[1] size {}, got {}",
        )

    def permute_hidden(self, hx, permutation):
        """The state with samples in this order."""
        if permutation is None:
            return hx
        return tuple(part.index_select(1, permutation) for part in hx)

    def _zero_state(self, input, batch_sizes):
        place = {"dtype": input.dtype, "device": input.device}
        return (
            _C.zeros(self.get_expected_hidden_size(input, batch_sizes), **place),
            _C.zeros(self.get_expected_cell_size(input, batch_sizes), **place),
        )

    def _with_batch(self, hx, alone):
        rank = 2 if alone else 3
        ranks = [part.dim() for part in hx]
        if any(one != rank for one in ranks):
            kind = "unbatched 2-D" if alone else "batched 3-D"
            raise RuntimeError(
                f"For {kind} input, hx and cx should also be {rank}-D but got "
                f"({ranks[0]}-D, {ranks[-1]}-D) tensors"
            )
        return tuple(part.unsqueeze(1) for part in hx) if alone else hx

    def _as_state(self, parts):
        return tuple(parts)


class RNNCellBase(Module):
    """What the cells share."""

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        place = {"device": device, "dtype": dtype}
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(_C.empty((rows, input_size), **place))
        self.weight_hh = Parameter(_C.empty((rows, hidden_size), **place))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(_C.empty(rows, **place)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform numbers up to 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _check(self, value, what):
        if value.dim() not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected {what} to be 1D or 2D, got {value.dim()}D instead"
            )

    def _with_batch(self, input, states):
        """The input and states as batches; zeros where there is no state."""
        self._check(input, "input")
        alone = input.dim() == 1
        if alone:
            input = input.unsqueeze(0)
        if states is None:
            zeros = _C.zeros(
                (input.size(0), self.hidden_size), dtype=input.dtype, device=input.device
            )
            return alone, input, (zeros, zeros)
        return alone, input, tuple(one.unsqueeze(0) if alone else one for one in states)

    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh


class RNNCell(RNNCellBase):
    """One step of an RNN."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self,
        input_size,
        hidden_size,
        bias=True,
        nonlinearity="tanh",
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        if hx is not None:
            self._check(hx, "hidden")
        alone, input, (state, *_) = self._with_batch(input, None if hx is None else (hx,))
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        cell = _C.rnn_tanh_cell if self.nonlinearity == "tanh" else _C.rnn_relu_cell
        state = cell(input, state, *self._weights())
        return state.squeeze(0) if alone else state


class LSTMCell(RNNCellBase):
    """One step of an LSTM: of and to a state (h, c)."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        for i, part in enumerate(hx if hx is not None else ()):
            self._check(part, f"hx[{i}]")
        alone, input, states = self._with_batch(input, hx)
        states = _C.lstm_cell(input, states, *self._weights())
        return tuple(one.squeeze(0) for one in states) if alone else tuple(states)


class GRUCell(RNNCellBase):
    """One step of a GRU."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        if hx is not None:
            self._check(hx, "hidden")
        alone, input, (state, *_) = self._with_batch(input, None if hx is None else (hx,))
        state = _C.gru_cell(input, state, *self._weights())
        return state.squeeze(0) if alone else state
