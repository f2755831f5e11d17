// Products of matrices and vectors that are written with matmul: the strict ones, which check more,
// and the gradients of matmul itself.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/structured.h>
#include <eagre/ops/add.h>
#include <eagre/ops/addbmm.h>
#include <eagre/ops/addmm.h>
#include <eagre/ops/addmv.h>
#include <eagre/ops/addr.h>
#include <eagre/ops/baddbmm.h>
#include <eagre/ops/bmm.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/conj.h>
#include <eagre/ops/cross.h>
#include <eagre/ops/diagonal.h>
#include <eagre/ops/dot.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/matmul_grad_input.h>
#include <eagre/ops/matmul_grad_other.h>
#include <eagre/ops/mm.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/mv.h>
#include <eagre/ops/outer.h>
#include <eagre/ops/scale.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/trace.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unbind.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/vdot.h>

namespace eagre::ops {
namespace {

struct Named {
  const TensorBase& tensor;
  const char* name;
};

[[noreturn]] void refuse(const char* op, const Named& argument, std::string expected) {
  invalid_argument(op, argument.name, std::move(expected), shape_text(argument.tensor));
}

void check_rank(const char* op, const Named& argument, int64_t rank) {
  if (argument.tensor.get(op, argument.name).key.rank == rank) [[likely]]
    return;
  constexpr const char* kKinds[] = {"a 0-dim tensor", "a vector", "a matrix",
                                    "a batch of matrices (3 dimensions)"};
  refuse(op, argument, kKinds[rank]);
}

// Both have one dtype, and the rows of the second are as many as the columns of the first.
void check_product(const char* op, const Named& left, int64_t left_rank, const Named& right,
                   int64_t right_rank) {
  check_rank(op, left, left_rank);
  check_rank(op, right, right_rank);
  dispatch::same_dtype(op, {{left.tensor, left.name}, {right.tensor, right.name}});
  const Dims a = left.tensor.sizes();
  const Dims b = right.tensor.sizes();
  const int64_t inner = a.back();
  if (left_rank == 3 && a[0] != b[0]) {
    refuse(op, right, concat("a batch of ", a[0], " matrices, as many as in '", left.name, "'"));
  }
  if (b[right_rank == 1 ? 0 : right_rank - 2] == inner) [[likely]]
    return;
  refuse(op, right,
         right_rank == 1
             ? concat("a vector of ", inner, " elements, to fit '", left.name, "' of shape ", a)
             : concat("a matrix with ", inner, " rows, to fit '", left.name, "' of shape ", a));
}

// matmul of tensors with these numbers of dimensions.
TensorBase product_of_ranks(const char* op, const Named& left, int64_t left_rank,
                            const Named& right, int64_t right_rank, CallSite at) {
  const SiteScope scope(at);
  check_product(op, left, left_rank, right, right_rank);
  return matmul(left.tensor, right.tensor, at);
}

}  // namespace

TensorBase mm(const TensorBase& input, const TensorBase& mat2, CallSite at) {
  return product_of_ranks("mm", {input, "input"}, 2, {mat2, "mat2"}, 2, at);
}

TensorBase bmm(const TensorBase& input, const TensorBase& mat2, CallSite at) {
  return product_of_ranks("bmm", {input, "input"}, 3, {mat2, "mat2"}, 3, at);
}

TensorBase mv(const TensorBase& input, const TensorBase& vec, CallSite at) {
  return product_of_ranks("mv", {input, "input"}, 2, {vec, "vec"}, 1, at);
}

TensorBase dot(const TensorBase& input, const TensorBase& tensor, CallSite at) {
  return product_of_ranks("dot", {input, "input"}, 1, {tensor, "tensor"}, 1, at);
}

TensorBase vdot(const TensorBase& input, const TensorBase& other, CallSite at) {
  const SiteScope scope(at);
  check_product("vdot", {input, "input"}, 1, {other, "other"}, 1);
  return matmul(is_complex(input.dtype()) ? conj(input, at) : input, other, at);
}

TensorBase outer(const TensorBase& input, const TensorBase& vec2, CallSite at) {
  const SiteScope scope(at);
  check_rank("outer", {input, "input"}, 1);
  check_rank("outer", {vec2, "vec2"}, 1);
  return mul(unsqueeze(input, 1, at), vec2, at);
}

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

// beta * input + alpha * product, without `input` where beta is 0: it may hold NaN. Of integers,
// factors lose their fractions, as in PyTorch. `input` may be repeated to the product's shape.
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

// The same for an `input` that must have the dtype of the product's first factor.
TensorBase plus_product(const char* op, const TensorBase& input, const Named& factor,
                        const TensorBase& product, const Scalar& beta, const Scalar& alpha,
                        CallSite at) {
  if (!input.defined()) input.get(op, "input");  // an error
  dispatch::same_dtype(op, {{factor.tensor, factor.name}, {input, "input"}});
  return plus_product(op, input, product, beta, alpha, at);
}

}  // namespace

TensorBase addmm(const TensorBase& input, const TensorBase& mat1, const TensorBase& mat2,
                 const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = product_of_ranks("addmm", {mat1, "mat1"}, 2, {mat2, "mat2"}, 2, at);
  return plus_product("addmm", input, {mat1, "mat1"}, product, beta, alpha, at);
}

TensorBase baddbmm(const TensorBase& input, const TensorBase& batch1, const TensorBase& batch2,
                   const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  return plus_product("baddbmm", input, {batch1, "batch1"}, bmm(batch1, batch2, at), beta, alpha,
                      at);
}

TensorBase addbmm(const TensorBase& input, const TensorBase& batch1, const TensorBase& batch2,
                  const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  const TensorBase product = sum(bmm(batch1, batch2, at), 0, false, batch1.dtype(), at);
  return plus_product("addbmm", input, {batch1, "batch1"}, product, beta, alpha, at);
}

TensorBase addmv(const TensorBase& input, const TensorBase& mat, const TensorBase& vec,
                 const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  return plus_product("addmv", input, {mat, "mat"}, mv(mat, vec, at), beta, alpha, at);
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

TensorBase matmul_grad_input(const TensorBase& g, const TensorBase& other, Dims size, CallSite at) {
  const bool input_is_vector = size.size() == 1;
  const bool other_is_vector = other.dim() == 1;
  if (input_is_vector && other_is_vector) return mul(g, other, at);
  if (other_is_vector) return matmul(unsqueeze(g, -1, at), unsqueeze(other, 0, at), at);
  if (input_is_vector) return squeeze(matmul(other, unsqueeze(g, -1, at), at), -1, at);
  return matmul(g, transpose(other, -2, -1, at), at);
}

TensorBase matmul_grad_other(const TensorBase& g, const TensorBase& input, Dims size, Dims strides,
                             CallSite at) {
  const bool input_is_vector = input.dim() == 1;
  const bool other_is_vector = size.size() == 1;
  if (input_is_vector && other_is_vector) return mul(g, input, at);
  if (input_is_vector) return matmul(unsqueeze(input, -1, at), unsqueeze(g, -2, at), at);
  if (other_is_vector) {
    return squeeze(matmul(transpose(input, -2, -1, at), unsqueeze(g, -1, at), at), -1, at);
  }
  const size_t last = size.size() - 1;
  if (strides[last - 1] == 1 && strides[last] != 1) {
    return transpose(matmul(transpose(g, -2, -1, at), input, at), -2, -1, at);
  }
  return matmul(transpose(input, -2, -1, at), g, at);
}

TensorBase trace(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() == 2, kInvalidArgument,
              "trace(): argument 'input': expected a matrix, but got shape ", input.sizes());
  return sum(diagonal(input, 0, 0, 1, at), {}, false, {}, at);
}

TensorBase cross(const TensorBase& input, const TensorBase& other, std::optional<int64_t> dim,
                 CallSite at) {
  const SiteScope scope(at);
  if (input.dim() != other.dim()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              "cross", "other",
              concat("the same number of dimensions as 'input' of shape ", input.sizes(), " has"),
              concat("shape ", other.sizes())});
  }
  const DimVector shape = broadcast_shapes("cross", input.sizes(), other.sizes());
  const auto first = std::find(shape.begin(), shape.end(), 3) - shape.begin();
  const int64_t d = dim ? wrap_dim("cross", "dim", *dim, input.dim()) : first;
  const bool is_there = d < input.dim();
  EAGRE_CHECK(is_there && input.sizes()[d] == 3 && other.sizes()[d] == 3, kInvalidArgument,
              "cross(): both inputs must have length 3 along dimension ",
              is_there ? concat(d) : "'dim'", ", but their shapes are ", input.sizes(), " and ",
              other.sizes());
  const TensorVector a = unbind(input, d, at);
  const TensorVector b = unbind(other, d, at);
  TensorVector parts;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    parts.push_back(sub(mul(a[j], b[k], at), mul(a[k], b[j], at), 1, at));
  }
  return stack(parts, d, at);
}

}  // namespace eagre::ops
