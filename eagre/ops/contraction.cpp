// Functions of neural networks that are written with other operators.
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/affine.h>
#include <eagre/autograd/ops/affine_grad_weight.h>
#include <eagre/autograd/ops/dropout.h>
#include <eagre/autograd/ops/dropout_mask.h>
#include <eagre/autograd/ops/embedding.h>
#include <eagre/autograd/ops/linear.h>
#include <eagre/autograd/ops/matmul.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/rows_at.h>
#include <eagre/autograd/ops/transpose.h>
#include <eagre/base/error.h>

namespace eagre::ops {
namespace {

std::string shape_of(const TensorBase& tensor) {
  return tensor.dim() == 0 ? std::string("a 0-dim tensor") : concat("shape ", tensor.sizes());
}

[[noreturn]] void refuse(const char* op, const char* argument, std::string expected,
                         std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, argument, std::move(expected), std::move(got)});
}

// Other dtypes have products of their own kind, and what does not fit its message from below.
bool fits_affine(const TensorBase& input, const TensorBase& weight, const TensorBase& bias) {
  const TensorKey &a = input.get().key, &b = weight.get().key, &c = bias.get().key;
  return b.rank == 2 && c.rank == 1 && bias.sizes()[0] == weight.sizes()[0] &&
         (a.dtype == kFloat32 || a.dtype == kFloat64) && a.dtype == b.dtype && a.dtype == c.dtype &&
         a.device == b.device && a.device == c.device;
}

}  // namespace

TensorBase embedding(const TensorBase& weight, const TensorBase& indices, int64_t padding_idx,
                     CallSite at) {
  if (indices.get("embedding", "indices").key.dtype != kInt64 && indices.dtype() != kInt32) {
    raise(ErrorKind::kType, ArgumentProblem{"embedding", "indices", "indices of int64 or int32",
                                            std::string(to_string(indices.dtype()))});
  }
  if (weight.get("embedding", "weight").key.rank != 2)
    refuse("embedding", "weight", "a matrix", shape_of(weight));
  const int64_t count = weight.sizes()[0];
  if (padding_idx < -1 || padding_idx >= count) {
    refuse("embedding", "padding_idx",
           concat("a row of 'weight', from 0 to ", count - 1, ", or -1 for none"),
           std::to_string(padding_idx));
  }
  const auto padding = padding_idx < 0 ? std::nullopt : std::optional<int64_t>(padding_idx);
  return rows_at(weight, indices, padding, false, "embedding", "indices", at);
}

TensorBase dropout(const TensorBase& input, double p, bool training, CallSite at) {
  if (!(p >= 0 && p <= 1)) {
    refuse("dropout", "p", "a probability from 0 to 1", std::to_string(p));
  }
  if (!training || p == 0) return input;
  return mul(input, dropout_mask(input, p, nullptr, at), at);
}

TensorBase linear(const TensorBase& input, const TensorBase& weight, const TensorBase& bias,
                  CallSite at) {
  if (weight.dim() != 1 && weight.dim() != 2) {
    refuse("linear", "weight", "a matrix (or a vector, for one output)", shape_of(weight));
  }
  if (input.dim() == 0) refuse("linear", "input", "at least one dimension", "a 0-dim tensor");
  const int64_t features = weight.sizes().back();
  if (input.sizes().back() != features) {
    refuse("linear", "input",
           concat("a last dimension of ", features, ", to fit 'weight' of shape ", weight.sizes()),
           shape_of(input));
  }
  if (bias.defined() && fits_affine(input, weight, bias)) {
    return affine(input, weight, bias, at);
  }
  const TensorBase columns = weight.dim() == 2 ? transpose(weight, 0, 1, at) : weight;
  TensorBase result = matmul(input, columns, at);
  if (!bias.defined()) return result;
  if (!is_expandable_to(bias.sizes(), result.sizes())) {
    refuse("linear", "bias", concat("a shape that broadcasts to ", result.sizes()), shape_of(bias));
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
