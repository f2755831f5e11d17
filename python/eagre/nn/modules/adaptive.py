"""A softmax of many classes, of which rare ones share smaller layers."""

from collections import namedtuple

from eagre import _C
from eagre.nn import functional as F
from eagre.nn.modules.container import ModuleList, Sequential
from eagre.nn.modules.linear import Linear
from eagre.nn.modules.module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])  # noqa: PYI024


class AdaptiveLogSoftmaxWithLoss(Module):
    """Classes are sorted by how often they come. Those below the first of `cutoffs` have a place in
    the head; those of each stretch behind share one there, and have a layer of their own, which is
    `div_value` times smaller than that of the stretch before."""

    def __init__(
        self,
        in_features,
        n_classes,
        cutoffs,
        div_value=4.0,
        head_bias=False,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (
            cutoffs != sorted(cutoffs)
            or min(cutoffs) <= 0
            or max(cutoffs) > n_classes - 1
            or len(set(cutoffs)) != len(cutoffs)
            or any(int(one) != one for one in cutoffs)
        ):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing "
                "order, where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        place = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **place)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            inner = int(in_features // div_value ** (i + 1))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(
                Sequential(
                    Linear(in_features, inner, bias=False, **place),
                    Linear(inner, size, bias=False, **place),
                )
            )

    def reset_parameters(self) -> None:
        """As Linear does."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        rank = target_.dim()
        if rank == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError(
                    "Input and target should have the same size in the batch dimension."
                )
            if input_.dim() != 2:
                raise RuntimeError(
                    "1D target tensor expects 2D input tensors, but found inputs with size",
                    input_.size(),
                )
        elif rank == 0:
            if input_.dim() != 1:
                raise RuntimeError(
                    "0D target tensor expects 1D input tensors, but found inputs with size",
                    input_.size(),
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        input = input_ if rank else input_.unsqueeze(0)
        target = target_ if rank else target_.unsqueeze(0)
        batch = target.size(0)
        output = input.new_empty(batch).zero_()
        places = target.new_empty(batch)
        used = 0
        for i, (low, high) in enumerate(zip([0, *self.cutoffs], self.cutoffs, strict=False)):
            inside = (target >= low) & (target < high)
            rows = inside.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            if i == 0:
                places.index_copy_(0, rows, target[inside])
            else:
                relative = target[inside] - low
                logits = self.tail[i - 1](input.index_select(0, rows))
                found = F.log_softmax(logits, dim=1).gather(1, relative.unsqueeze(1))
                places.index_fill_(0, rows, self.shortlist_size + i - 1)
                output = output.index_copy(0, rows, found.squeeze(1))
            used += rows.numel()
        if used != batch:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, places.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if rank else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        output = input.new_empty((head_output.size(0), self.n_classes))
        head = F.log_softmax(head_output, dim=1)
        output[:, : self.shortlist_size] = head[:, : self.shortlist_size]
        for i, (low, high) in enumerate(zip(self.cutoffs[:-1], self.cutoffs[1:], strict=True)):
            within = F.log_softmax(self.tail[i](input), dim=1)
            output[:, low:high] = within + head[:, self.shortlist_size + i].unsqueeze(1)
        return output

    def log_prob(self, input):
        """Logarithms of the probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The class that is most probable."""
        head = self.head(input)
        best = _C.argmax(head, dim=1)
        unsure = best >= self.shortlist_size
        if not unsure.any():
            return best
        if unsure.all():
            return _C.argmax(self._get_full_log_prob(input, head), dim=1)
        full = self._get_full_log_prob(input[unsure], head[unsure])
        best[unsure] = _C.argmax(full, dim=1)
        return best
