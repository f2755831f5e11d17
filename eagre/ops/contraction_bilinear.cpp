// bilinear: all rows times all matrices at once, then times the other rows.
#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/bilinear.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/transpose.h>

namespace eagre::ops {
namespace {

constexpr const char* kOp = "bilinear";

// A last dimension that fits the weight's.
void check_vectors(const char* name, const TensorBase& input, const TensorBase& weight,
                   size_t place) {
  const int64_t wanted = weight.sizes()[place];
  if (input.dim() == 0 || input.sizes().back() != wanted) {
    invalid_argument(kOp, name, concat("vectors of ", wanted, " numbers, as 'weight' has"),
                     shape_text(input));
  }
}

void check_dtype(const char* name, const TensorBase& tensor, const TensorBase& input) {
  if (tensor.dtype() == input.dtype()) return;
  invalid_argument(kOp, name, concat("the dtype of 'input1', ", input.dtype()),
                   concat(tensor.dtype()));
}

}  // namespace

TensorBase bilinear(const TensorBase& input1, const TensorBase& input2, const TensorBase& weight,
                    const TensorBase& bias, CallSite at) {
  const SiteScope scope(at);
  if (weight.dim() != 3) invalid_argument(kOp, "weight", "(K, I, J)", shape_text(weight));
  check_dtype("input2", input2, input1);
  check_dtype("weight", weight, input1);
  check_vectors("input1", input1, weight, 1);
  check_vectors("input2", input2, weight, 2);
  DimVector rows = input1.sizes();
  rows.erase(rows.size() - 1);
  DimVector others = input2.sizes();
  others.erase(others.size() - 1);
  if (Dims(rows) != Dims(others)) {
    invalid_argument(kOp, "input2",
                     concat("as many vectors as 'input1', of shape ", input1.sizes()),
                     shape_text(input2));
  }
  const int64_t count = weight.sizes()[0];
  if (bias.defined()) {
    check_dtype("bias", bias, input1);
    if (bias.dim() != 1 || bias.numel() != count) {
      invalid_argument(kOp, "bias", concat("a number for each of ", count, " matrices"),
                       shape_text(bias));
    }
  }
  const int64_t vectors = checked_numel(kOp, rows);
  const TensorBase left = reshape(input1, Dims({vectors, weight.sizes()[1]}), at);
  const TensorBase right = reshape(input2, Dims({vectors, weight.sizes()[2]}), at);
  const TensorBase between = mul(matmul(left, weight, at), right, at);  // (K, vectors, J)
  TensorBase result = transpose(sum(between, Dims({-1}), false, {}, at), 0, 1, at);
  if (bias.defined()) result = add(result, bias, 1, at);
  rows.push_back(count);
  return reshape(result, rows, at);
}

}  // namespace eagre::ops
