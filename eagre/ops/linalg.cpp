// Products of matrices that are written with matmul: the strict ones, which check more, and the
// gradients of matmul itself.
#include <eagre/autograd/composites/plus_product.h>
#include <eagre/autograd/ops/addmm.h>
#include <eagre/autograd/ops/bmm.h>
#include <eagre/autograd/ops/conj.h>
#include <eagre/autograd/ops/dot.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/matmul_grad_input.h>
#include <eagre/autograd/ops/matmul_grad_other.h>
#include <eagre/autograd/ops/mm.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/mv.h>
#include <eagre/autograd/ops/outer.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/transpose.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/vdot.h>
#include <eagre/base/error.h>
#include <eagre/dispatch/structured.h>

namespace eagre::ops {
namespace {

struct Named {
  const TensorBase& tensor;
  const char* name;
};

[[noreturn]] void refuse(const char* op, const Named& argument, std::string expected) {
  const Dims sizes = argument.tensor.sizes();
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, argument.name, std::move(expected),
                        sizes.empty() ? "a 0-dim tensor" : concat("shape ", sizes)});
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
  dispatch::same_dtype(op, {{left.tensor.get(), left.name}, {right.tensor.get(), right.name}});
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

}  // namespace

TensorBase mm(const TensorBase& input, const TensorBase& mat2, CallSite at) {
  const SiteScope scope(at);
  check_product("mm", {input, "input"}, 2, {mat2, "mat2"}, 2);
  return matmul(input, mat2, at);
}

TensorBase bmm(const TensorBase& input, const TensorBase& mat2, CallSite at) {
  const SiteScope scope(at);
  check_product("bmm", {input, "input"}, 3, {mat2, "mat2"}, 3);
  return matmul(input, mat2, at);
}

TensorBase mv(const TensorBase& input, const TensorBase& vec, CallSite at) {
  const SiteScope scope(at);
  check_product("mv", {input, "input"}, 2, {vec, "vec"}, 1);
  return matmul(input, vec, at);
}

TensorBase dot(const TensorBase& input, const TensorBase& tensor, CallSite at) {
  const SiteScope scope(at);
  check_product("dot", {input, "input"}, 1, {tensor, "tensor"}, 1);
  return matmul(input, tensor, at);
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

TensorBase addmm(const TensorBase& input, const TensorBase& mat1, const TensorBase& mat2,
                 const Scalar& beta, const Scalar& alpha, CallSite at) {
  const SiteScope scope(at);
  check_product("addmm", {mat1, "mat1"}, 2, {mat2, "mat2"}, 2);
  dispatch::same_dtype("addmm", {{mat1.get(), "mat1"}, {input.get("addmm", "input"), "input"}});
  return plus_product("addmm", input, matmul(mat1, mat2, at), beta, alpha, at);
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

}  // namespace eagre::ops
