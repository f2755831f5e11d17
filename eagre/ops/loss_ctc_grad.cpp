// The gradient of ctc_loss: a kernel, or operators where it is recorded itself.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <eagre/autograd/tape/recording.h>
#include <eagre/base/call_site.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/ctc_fused_grad.h>
#include <eagre/ops/ctc_grad.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/exp.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/full_like.h>
#include <eagre/ops/gather.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/logaddexp.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/logsumexp.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/ne.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/select.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/where.h>
#include <eagre/ops/zeros_like.h>

namespace eagre::ops {
namespace {

// Stands for the logarithm of 0: sums of it are finite, so its derivatives are no NaN.
constexpr double kNever = -1e30;

// The recursions of kernels/cpu/typed/ctc_loss.h and ctc_loss_grad.h, for all samples at once. What
// is not a state of a sample is never reached.
struct CtcWays {
  TensorBase logs;             // (T, N, S): of each state's class
  TensorBase exists, is_last;  // (N, S): is it a state of the sample, and may the target end there?
  TensorBase skips;            // (N, S): see CtcSample::skips
  TensorBase steps;            // (N, 1)
  CallSite at;
  int64_t width() const { return logs.sizes()[2]; }
  TensorBase step(int64_t t) const { return select(logs, 0, t, at); }
  TensorBase only(const TensorBase& mask, const TensorBase& tensor) const {
    return masked_fill(tensor, logical_not(mask, at), kNever, at);
  }
  // Every state's value `by` places before it, or behind.
  TensorBase moved(const TensorBase& ways, int64_t by) const {
    const int64_t size = by < 0 ? -by : by;
    if (size >= width()) return full_like(ways, kNever, MemoryFormat::kPreserve, {}, at);
    const TensorBase kept = narrow(ways, 1, by < 0 ? size : 0, width() - size, at);
    const TensorBase gone =
        full_like(narrow(ways, 1, 0, size, at), kNever, MemoryFormat::kPreserve, {}, at);
    return by < 0 ? cat(TensorVector{kept, gone}, 1, at) : cat(TensorVector{gone, kept}, 1, at);
  }
  TensorBase sum(const TensorBase& stay, const TensorBase& next, const TensorBase& skipped) const {
    return logaddexp(logaddexp(stay, next, at), skipped, at);
  }
  std::vector<TensorBase> to_each() const {
    const TensorBase numbers = arange(width(), TensorOptions(kInt64).device(logs.device()), at);
    std::vector<TensorBase> ways = {only(logical_and(exists, lt(numbers, 2, at), at), step(0))};
    for (int64_t t = 1; t < logs.sizes()[0]; ++t) {
      const TensorBase& before = ways.back();
      const TensorBase skipped = only(skips, moved(before, 2));
      const TensorBase all = add(sum(before, moved(before, 1), skipped), step(t), 1, at);
      ways.push_back(only(exists, all));
    }
    return ways;
  }
  // Without the step itself, from the first on.
  std::vector<TensorBase> from_each() const {
    const int64_t count = logs.sizes()[0];
    const TensorBase none = full_like(step(0), kNever, MemoryFormat::kPreserve, {}, at);
    const TensorBase end = masked_fill(none, is_last, 0, at);
    std::vector<TensorBase> ways(static_cast<size_t>(count));
    TensorBase later = none;
    for (int64_t t = count - 1; t >= 0; --t) {
      const TensorBase two_later = moved(only(skips, later), -2);
      const TensorBase on = sum(later, moved(later, -1), two_later);
      TensorBase& own = ways[static_cast<size_t>(t)];
      own = only(exists, where(eq(steps, t + 1, at), end, on, at));
      later = add(own, step(t), 1, at);
    }
    return ways;
  }
};

CtcWays ways_of(const TensorBase& log_probs, const TensorBase& states, const TensorBase& lengths,
                CallSite at) {
  const int64_t count = log_probs.sizes()[0], samples = states.sizes()[0];
  const int64_t width = states.sizes()[1];
  const TensorBase numbers = arange(width, TensorOptions(kInt64).device(states.device()), at);
  const TensorBase size = unsqueeze(select(lengths, 0, 1, at), 1, at);
  CtcWays ways{{}, {}, {}, {}, {}, at};
  const TensorBase places = expand(unsqueeze(states, 0, at), Dims({count, samples, width}), at);
  ways.logs = clamp_min(gather(log_probs, 2, places, at), kNever, at);
  ways.exists = lt(numbers, size, at);
  ways.is_last = logical_and(ways.exists, ge(numbers, add(size, -2, 1, at), at), at);
  const int64_t first = width < 2 ? width : 2;
  const TensorBase no_skip = lt(narrow(states, 1, 0, first, at), 0, at);
  ways.skips = width < 3 ? no_skip
                         : cat(TensorVector{no_skip, ne(narrow(states, 1, 2, width - 2, at),
                                                        narrow(states, 1, 0, width - 2, at), at)},
                               1, at);
  ways.steps = unsqueeze(select(lengths, 0, 0, at), 1, at);
  return ways;
}

// How probable each state is at each step, given the target: from both sides, over the sum of
// all ways, which is the same at each step that there is.
TensorBase recorded_grad(const TensorBase& g, const TensorBase& log_probs, const TensorBase& states,
                         const TensorBase& lengths, CallSite at) {
  if (log_probs.numel() == 0) return zeros_like(log_probs, MemoryFormat::kPreserve, {}, at);
  const CtcWays ways = ways_of(log_probs, states, lengths, at);
  const std::vector<TensorBase> to = ways.to_each(), from = ways.from_each();
  TensorVector shares;
  for (size_t t = 0; t < to.size(); ++t) {
    const TensorBase both = add(to[t], from[t], 1, at);
    const TensorBase share = exp(sub(both, logsumexp(both, Dims({1}), true, at), 1, at), at);
    const TensorBase counts = gt(ways.steps, static_cast<int64_t>(t), at);
    shares.push_back(masked_fill(share, logical_not(counts, at), 0, at));
  }
  const TensorBase all = mul(stack(shares, 0, at), neg(unsqueeze(g, 1, at), at), at);
  const TensorBase places = expand(unsqueeze(states, 0, at), all.sizes(), at);
  const TensorBase none = zeros_like(log_probs, MemoryFormat::kPreserve, {}, at);
  return scatter_add(none, 2, places, all, at);
}

}  // namespace

TensorBase ctc_grad(const TensorBase& g, const TensorBase& log_probs, const TensorBase& states,
                    const TensorBase& lengths, const TensorBase& loss, const TensorBase& log_alpha,
                    CallSite at) {
  if (autograd::is_traced(g, log_probs)) return recorded_grad(g, log_probs, states, lengths, at);
  return ctc_fused_grad(g, log_probs, states, lengths, loss, log_alpha, at);
}

}  // namespace eagre::ops
