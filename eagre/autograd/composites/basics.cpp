// Operators that are written with other operators (records with `composite: true`): whatever
// differentiates those differentiates these. `at` is passed on, so errors name the user's line.
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/expand_reduced.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/rdiv.h>
#include <eagre/autograd/ops/reciprocal.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/sum_to_size.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/unsqueeze_like.h>

namespace eagre::ops {

TensorBase scale(const TensorBase& input, const Scalar& factor, CallSite at) {
  const bool is_one =
      factor.category() != DTypeCategory::kComplex && factor.wrapped<double>() == 1.0;
  return is_one ? input : mul(input, factor, at);
}

TensorBase rdiv(const TensorBase& input, const Operand& other, CallSite at) {
  return mul(reciprocal(input, at), other, at);
}

TensorBase sum_to_size(const TensorBase& input, Dims size, CallSite at) {
  const Dims from = input.sizes();
  EAGRE_CHECK(is_expandable_to(size, from), kInvalidArgument, "sum_to_size(): shape ", from,
              " cannot be summed to ", size);
  // As in PyTorch: of a tensor without dimensions a new one, else the tensor itself if it fits.
  if (from.empty()) return sum(input, OptionalDims(), false, {}, at);
  const size_t lead = from.size() - size.size();
  DimVector repeated;
  DimVector leading;
  for (size_t i = 0; i < from.size(); ++i) {
    if (i < lead) {
      leading.push_back(static_cast<int64_t>(i));
    } else if (size[i - lead] == 1 && from[i] != 1) {
      repeated.push_back(static_cast<int64_t>(i));
    }
  }
  TensorBase result = input;
  if (!repeated.empty()) result = sum(result, Dims(repeated), true, {}, at);
  if (!leading.empty()) result = sum(result, Dims(leading), false, {}, at);
  return result;
}

TensorBase expand_reduced(const TensorBase& input, Dims size, const OptionalDims& dim, bool keepdim,
                          CallSite at) {
  TensorBase result = input;
  if (!keepdim && !dim.values().empty()) {
    const auto rank = static_cast<int64_t>(size.size());
    uint64_t reduced = 0;
    for (int64_t d : dim.values()) {
      reduced |= uint64_t{1} << wrap_dim("expand_reduced", "dim", d, rank);
    }
    for (int64_t d = 0; d < rank; ++d) {
      if ((reduced >> d & 1) != 0) result = unsqueeze(result, d, at);
    }
  }
  return expand(result, size, at);
}

TensorBase unsqueeze_like(const TensorBase& input, Dims size, int64_t dim, CallSite at) {
  return static_cast<size_t>(input.dim()) < size.size() ? unsqueeze(input, dim, at) : input;
}

}  // namespace eagre::ops
