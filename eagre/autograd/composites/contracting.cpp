// Products of tensors and norms that are written with other operators.
#include <algorithm>
#include <cmath>
#include <utility>

#include <eagre/autograd/composites/plus_product.h>
#include <eagre/autograd/ops/abs.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/addbmm.h>
#include <eagre/autograd/ops/addmv.h>
#include <eagre/autograd/ops/addr.h>
#include <eagre/autograd/ops/amax.h>
#include <eagre/autograd/ops/amin.h>
#include <eagre/autograd/ops/baddbmm.h>
#include <eagre/autograd/ops/bmm.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/dist.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/inner.h>
#include <eagre/autograd/ops/kron.h>
#include <eagre/autograd/ops/linalg_vector_norm.h>
#include <eagre/autograd/ops/masked_fill.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/mv.h>
#include <eagre/autograd/ops/norm.h>
#include <eagre/autograd/ops/norm_named.h>
#include <eagre/autograd/ops/outer.h>
#include <eagre/autograd/ops/pow.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scale.h>
#include <eagre/autograd/ops/sign.h>
#include <eagre/autograd/ops/sqrt.h>
#include <eagre/autograd/ops/square.h>
#include <eagre/autograd/ops/sub.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/tensordot.h>
#include <eagre/autograd/recording.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/promotion.h>
#include <eagre/dispatch/structured.h>

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

// --- sums with a product ---

namespace {

bool is_zero(const Scalar& number) {
  return number.wrapped<Complex<double>>() == Complex<double>(0.0);
}

Scalar factor_for(DType dtype, const Scalar& number) {
  const bool loses =
      category(dtype) == DTypeCategory::kInteger && number.category() == DTypeCategory::kFloating;
  constexpr double kLimit = 9e18;
  const auto value = loses ? number.wrapped<double>() : 0.0;
  return loses && std::fabs(value) < kLimit ? Scalar(static_cast<int64_t>(value)) : number;
}

}  // namespace

TensorBase plus_product(const char* op, const TensorBase& input, const TensorBase& product,
                        const Scalar& beta, const Scalar& alpha, CallSite at) {
  if (!is_expandable_to(input.get(op, "input").sizes(), product.sizes())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "input", concat("a shape that can be repeated to ", product.sizes()),
                          concat("shape ", input.sizes())});
  }
  const Scalar times = factor_for(product.dtype(), alpha);
  const Scalar plus = factor_for(product.dtype(), beta);
  if (is_zero(plus)) return scale(product, times, at);
  return add(scale(input, plus, at), product, times, at);
}

TensorBase baddbmm(const TensorBase& input, const TensorBase& batch1, const TensorBase& batch2,
                   const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = bmm(batch1, batch2, at);
  dispatch::same_dtype("baddbmm", {{batch1.get(), "batch1"}, {input.get(), "input"}});
  return plus_product("baddbmm", input, product, beta, alpha, at);
}

TensorBase addbmm(const TensorBase& input, const TensorBase& batch1, const TensorBase& batch2,
                  const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = sum(bmm(batch1, batch2, at), 0, false, batch1.dtype(), at);
  dispatch::same_dtype("addbmm", {{batch1.get(), "batch1"}, {input.get(), "input"}});
  return plus_product("addbmm", input, product, beta, alpha, at);
}

TensorBase addmv(const TensorBase& input, const TensorBase& mat, const TensorBase& vec,
                 const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = mv(mat, vec, at);
  dispatch::same_dtype("addmv", {{mat.get(), "mat"}, {input.get(), "input"}});
  return plus_product("addmv", input, product, beta, alpha, at);
}

TensorBase addr(const TensorBase& input, const TensorBase& vec1, const TensorBase& vec2,
                const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = outer(vec1, vec2, at);
  const DType dtype = result_type(input, product);
  for (const auto& [name, number] : {std::pair("beta", &beta), std::pair("alpha", &alpha)}) {
    if (is_differentiable(dtype) || number->category() <= DTypeCategory::kInteger) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"addr", name, "a whole number, as the tensors are of integers",
                          "one that is not"});
  }
  const TensorBase sum = plus_product("addr", input, product, beta, alpha, at);
  return sum.dtype() == dtype ? sum : cast(sum, dtype, at);  // of bool, numbers made integers
}

// --- norms ---

namespace {

// The root has no slope at zero; as in PyTorch its gradient is zero there.
TensorBase root(const TensorBase& total, double order, CallSite at) {
  const auto rooted = [&](const TensorBase& x) {
    return order == 2 ? sqrt(x, at) : pow(x, 1 / order, at);
  };
  if (order < 0 || !autograd::is_traced(total)) return rooted(total);
  const TensorBase zero = eq(total, 0, at);
  return masked_fill(rooted(masked_fill(total, zero, 1, at)), zero, 0, at);
}

TensorBase norm_of(const char* op, const TensorBase& input, double order, const OptionalDims& dim,
                   bool keepdim, std::optional<DType> dtype, CallSite at) {
  input.get(op, "input");
  const TensorBase x = dtype ? cast(input, *dtype, at) : input;
  EAGRE_CHECK(is_differentiable(x.dtype()), kUnimplemented, op,
              "(): expected a floating point or complex tensor as input, but got ", x.dtype());
  if (order == 2 && !is_complex(x.dtype())) {
    return root(sum(square(x, at), dim, keepdim, {}, at), order, at);
  }
  const TensorBase size = abs(x, at);
  if (std::isinf(order)) {
    return order > 0 ? amax(size, dim, keepdim, at) : amin(size, dim, keepdim, at);
  }
  if (order == 0) return sum(sign(size, at), dim, keepdim, {}, at);  // a count, of gradient zero
  if (order == 1) return sum(size, dim, keepdim, {}, at);
  const TensorBase powers = order == 2 ? square(size, at) : pow(size, order, at);
  return root(sum(powers, dim, keepdim, {}, at), order, at);
}

}  // namespace

TensorBase norm(const TensorBase& input, std::optional<double> p, const OptionalDims& dim,
                bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_of("norm", input, p.value_or(2), dim, keepdim, dtype, at);
}

TensorBase norm_named(const TensorBase& input, std::string_view p, const OptionalDims& dim,
                      bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(p != "nuc", kUnimplemented,
              "norm(): p='nuc' needs singular values, which are not there yet");
  if (p != "fro") {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"norm", "p", "a number or 'fro'", concat("'", p, "'")});
  }
  return norm_of("norm", input, 2, dim, keepdim, dtype, at);
}

TensorBase linalg_vector_norm(const TensorBase& x, double ord, const OptionalDims& dim,
                              bool keepdim, std::optional<DType> dtype, CallSite at) {
  const SiteScope scope(at);
  return norm_of("linalg_vector_norm", x, ord, dim, keepdim, dtype, at);
}

TensorBase dist(const TensorBase& input, const TensorBase& other, double p, CallSite at) {
  const SiteScope scope(at);
  return norm_of("dist", sub(input, other, 1, at), p, {}, false, {}, at);
}

}  // namespace eagre::ops
