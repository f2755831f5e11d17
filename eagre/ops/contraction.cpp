// Products that sum over dimensions: inner, kron and linear.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/add.h>
#include <eagre/ops/affine.h>
#include <eagre/ops/affine_grad_weight.h>
#include <eagre/ops/inner.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/kron.h>
#include <eagre/ops/linear.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/tensordot.h>
#include <eagre/ops/transpose.h>

namespace eagre::ops {

TensorBase inner(const TensorBase& input, const TensorBase& other, CallSite at) {
  const SiteScope scope(at);
  if (input.dim() == 0 || other.dim() == 0) return mul(input, other, at);
  if (input.sizes().back() != other.sizes().back()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              "inner", "other",
              concat("a last dimension of size ", input.sizes().back(), ", as 'input' has"),
              concat("shape ", other.sizes())});
  }
  return tensordot(input, other, {-1}, {-1}, at);
}

TensorBase kron(const TensorBase& input, const TensorBase& other, CallSite at) {
  const SiteScope scope(at);
  const int64_t rank = std::max(input.dim(), other.dim());
  DimVector spread;
  DimVector between;
  DimVector sizes;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t in_input = d - (rank - input.dim());
    const int64_t in_other = d - (rank - other.dim());
    const int64_t m = in_input < 0 ? 1 : input.sizes()[in_input];
    const int64_t n = in_other < 0 ? 1 : other.sizes()[in_other];
    spread.push_back(m);
    spread.push_back(1);
    between.push_back(1);
    between.push_back(n);
    sizes.push_back(m * n);
  }
  return reshape(mul(reshape(input, spread, at), reshape(other, between, at), at), sizes, at);
}

namespace {

// Other dtypes have products of their own kind, and what does not fit its message from below.
bool fits_affine(const TensorBase& input, const TensorBase& weight, const TensorBase& bias) {
  const TensorKey &a = input.get().key, &b = weight.get().key, &c = bias.get().key;
  return b.rank == 2 && c.rank == 1 && bias.sizes()[0] == weight.sizes()[0] &&
         (a.dtype == kFloat32 || a.dtype == kFloat64) && a.dtype == b.dtype && a.dtype == c.dtype &&
         a.device == b.device && a.device == c.device;
}

}  // namespace

TensorBase linear(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                  CallSite at) {
  if (weight.dim() != 1 && weight.dim() != 2) {
    invalid_argument("linear", "weight", "a matrix (or a vector, for one output)",
                     shape_text(weight));
  }
  if (input.dim() == 0) {
    invalid_argument("linear", "input", "at least one dimension",
                     concat("a 0-dim tensor (both arguments to linear need to be at least 1D, but "
                            "they are 0D and ",
                            weight.dim(), "D)"));
  }
  const int64_t features = weight.sizes().back();
  if (input.sizes().back() != features) {
    invalid_argument(
        "linear", "input",
        concat("a last dimension of ", features, ", to fit 'weight' of shape ", weight.sizes()),
        shape_text(input));
  }
  if (bias.defined() && fits_affine(input, weight, bias)) {
    return affine(input, weight, bias, at);
  }
  const TensorBase columns = weight.dim() == 2 ? transpose(weight, 0, 1, at) : weight;
  TensorBase result = matmul(input, columns, at);
  if (!bias.defined()) return result;
  if (!is_expandable_to(bias.sizes(), result.sizes())) {
    invalid_argument("linear", "bias", concat("a shape that broadcasts to ", result.sizes()),
                     shape_text(bias));
  }
  return add(result, bias, 1, at);
}

TensorBase affine_grad_weight(const TensorBase& g, const TensorBase& input, CallSite at) {
  if (g.dim() == 2) return matmul(transpose(g, 0, 1, at), input, at);
  int64_t rows = 1;
  for (int64_t d = 0; d + 1 < g.dim(); ++d) rows *= g.sizes()[static_cast<size_t>(d)];
  const int64_t g_sizes[] = {rows, g.sizes().back()};
  const int64_t input_sizes[] = {rows, input.sizes().back()};
  return matmul(transpose(reshape(g, Dims(g_sizes, 2), at), 0, 1, at),
                reshape(input, Dims(input_sizes, 2), at), at);
}

}  // namespace eagre::ops
