// ctc_loss: checks of lengths and classes, its states, and its gradient where that is recorded.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/loss_reduction.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/ctc_alignments.h>
#include <eagre/ops/ctc_loss.h>
#include <eagre/ops/ctc_loss_of_lengths.h>
#include <eagre/ops/div.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/loss_reduction.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/select.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

constexpr const char* kOp = "ctc_loss";

// The values of a tensor of integers.
std::vector<int64_t> integers(const char* name, const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get(kOp, name);
  if (impl.key.kind == TensorKind::kBatched) dispatch::raise_batched(kOp);
  if (category(tensor.dtype()) != DTypeCategory::kInteger) {
    raise(ErrorKind::kType,
          ArgumentProblem{kOp, name, "integers", std::string(to_string(tensor.dtype()))});
  }
  if (impl.key.device.is_meta()) {
    raise(ErrorKind::kUnimplemented, ArgumentProblem{kOp, name, "a tensor with values",
                                                     "one on the device 'meta', which has none"});
  }
  const TensorBase here =
      dispatch::as_contiguous(dispatch::as_dtype(dispatch::on_device(tensor, Device()), kInt64));
  const auto* values = here.data_ptr<int64_t>();
  return {values, values + here.numel()};
}

TensorBase new_integers(int64_t rows, int64_t columns) {
  return empty(Dims({rows, columns}), MemoryFormat::kContiguous, TensorOptions(kInt64),
               CallSite::none());
}

void check_lengths(const char* name, const std::vector<int64_t>& lengths, int64_t samples,
                   int64_t most) {
  if (static_cast<int64_t>(lengths.size()) != samples) {
    invalid_argument(kOp, name, concat("a length for each of ", samples, " samples"),
                     concat(lengths.size(), " lengths"));
  }
  for (const int64_t length : lengths) {
    if (length < 0 || length > most) {
      invalid_argument(kOp, name, concat("lengths from 0 to ", most), concat(length));
    }
  }
}

// The states of every sample (see `ctc_alignments`), and how many steps and states there are.
struct Alignments {
  TensorBase states, lengths;
};

Alignments alignments(const TensorBase& log_probs, const TensorBase& targets,
                      const std::vector<int64_t>& input_lengths,
                      const std::vector<int64_t>& target_lengths, int64_t blank) {
  const int64_t steps = log_probs.sizes()[0], samples = log_probs.sizes()[1];
  const int64_t classes = log_probs.sizes()[2];
  if (blank < 0 || blank >= classes) {
    invalid_argument(kOp, "blank", concat("a class from 0 to ", classes - 1), concat(blank));
  }
  const bool in_row = targets.dim() == 1;
  if (targets.dim() > 2 || targets.dim() == 0 || (!in_row && targets.sizes()[0] != samples)) {
    invalid_argument(kOp, "targets", concat("(", samples, ", S), or all in a vector"),
                     shape_text(targets));
  }
  check_lengths("input_lengths", input_lengths, samples, steps);
  check_lengths("target_lengths", target_lengths, samples, targets.sizes().back());
  int64_t total = 0, longest = 0;
  for (const int64_t length : target_lengths) {
    // None is above the number of elements, so this cannot overflow before it is noticed.
    total = std::min(total + length, targets.numel() + 1);
    longest = std::max(longest, length);
  }
  if (in_row && total != targets.numel()) {
    invalid_argument(kOp, "targets", "as many classes as 'target_lengths' add up to",
                     shape_text(targets));
  }
  const std::vector<int64_t> labels = integers("targets", targets);
  const int64_t width = 2 * longest + 1;
  checked_numel(kOp, DimVector{samples, width});
  Alignments made{new_integers(samples, width), new_integers(2, samples)};
  auto* states = made.states.data_ptr<int64_t>();
  auto* lengths = made.lengths.data_ptr<int64_t>();
  std::fill_n(states, samples * width, blank);
  const int64_t* row = labels.data();
  for (int64_t n = 0; n < samples; ++n) {
    const int64_t length = target_lengths[static_cast<size_t>(n)];
    for (int64_t i = 0; i < length; ++i) {
      if (row[i] < 0 || row[i] >= classes) {
        raise(ErrorKind::kIndex,
              ArgumentProblem{kOp, "targets", concat("classes from 0 to ", classes - 1),
                              concat(row[i], " in sample ", n)});
      }
      states[n * width + 2 * i + 1] = row[i];
    }
    lengths[n] = input_lengths[static_cast<size_t>(n)];
    lengths[samples + n] = 2 * length + 1;
    row += in_row ? length : targets.sizes()[1];
  }
  made.states = dispatch::on_device(made.states, log_probs.device());
  made.lengths = dispatch::on_device(made.lengths, log_probs.device());
  return made;
}

TensorBase loss_of(const TensorBase& log_probs, const TensorBase& targets,
                   const std::vector<int64_t>& input_lengths,
                   const std::vector<int64_t>& target_lengths, int64_t blank,
                   std::string_view reduction, bool zero_infinity, CallSite at) {
  const LossReduction how = parse_reduction(kOp, reduction);
  EAGRE_CHECK(is_floating_point(log_probs.dtype()), kUnimplemented, kOp,
              "(): expected floating-point numbers, but argument 'log_probs' is of ",
              log_probs.dtype());
  const int64_t rank = log_probs.dim();
  if ((rank != 2 && rank != 3) || log_probs.sizes()[static_cast<size_t>(rank - 1)] == 0) {
    invalid_argument(kOp, "log_probs", "(T, N, C) or (T, C), of at least one class",
                     shape_text(log_probs));
  }
  const bool is_single = rank == 2;
  const TensorBase logs = is_single ? unsqueeze(log_probs, 1, at) : log_probs;
  const bool is_label = is_single && targets.dim() == 0;
  const TensorBase labels = is_label ? unsqueeze(targets, 0, at) : targets;
  const auto [states, lengths] = alignments(logs, labels, input_lengths, target_lengths, blank);
  TensorBase each = std::get<0>(ctc_alignments(logs, states, lengths, at));
  if (zero_infinity) {
    each = masked_fill(each, eq(each, std::numeric_limits<double>::infinity(), at), 0, at);
  }
  if (how == LossReduction::kMean) {
    // The number of states is twice that of classes, and one.
    const TensorBase counts = cast(select(lengths, 0, 1, at), each.dtype(), at);
    const TensorBase classes = div(add(counts, -1, 1, at), 2, at);
    each = div(each, clamp_min(classes, 1, at), at);
  }
  if (how == LossReduction::kNone && is_single) return squeeze(each, 0, at);
  return reduce_losses(each, how, at);
}

}  // namespace

TensorBase ctc_loss(const TensorBase& log_probs, const TensorBase& targets,
                    const TensorBase& input_lengths, const TensorBase& target_lengths,
                    int64_t blank, std::string_view reduction, bool zero_infinity, CallSite at) {
  const SiteScope scope(at);
  return loss_of(log_probs, targets, integers("input_lengths", input_lengths),
                 integers("target_lengths", target_lengths), blank, reduction, zero_infinity, at);
}

TensorBase ctc_loss_of_lengths(const TensorBase& log_probs, const TensorBase& targets,
                               Dims input_lengths, Dims target_lengths, int64_t blank,
                               std::string_view reduction, bool zero_infinity, CallSite at) {
  const SiteScope scope(at);
  return loss_of(log_probs, targets, {input_lengths.begin(), input_lengths.end()},
                 {target_lengths.begin(), target_lengths.end()}, blank, reduction, zero_infinity,
                 at);
}

}  // namespace eagre::ops
