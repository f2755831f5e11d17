// What the operators of embeddings ask of their table: its padding row, the norms of its rows.
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/embedding_table.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/index_copy.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/linalg_vector_norm.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/rdiv.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/unique.h>
#include <eagre/ops/where.h>

namespace eagre::ops {

std::optional<int64_t> checked_padding(const char* op, std::optional<int64_t> padding,
                                       const TensorBase& weight) {
  if (!padding) return {};
  const int64_t rows = weight.sizes()[0];
  if (*padding < -rows || *padding >= rows) {
    invalid_argument(op, "padding_idx", concat("a row of 'weight', from ", -rows, " to ", rows - 1),
                     std::to_string(*padding));
  }
  return *padding < 0 ? *padding + rows : *padding;
}

void limit_rows(const TensorBase& weight, const TensorBase& indices, double most, double order,
                const char* op, CallSite at) {
  if (!is_differentiable(weight.dtype())) {
    raise(ErrorKind::kType, ArgumentProblem{op, "weight", "floating-point, to have 'max_norm'",
                                            std::string(to_string(weight.dtype()))});
  }
  const NoGradGuard guard;
  const TensorBase places = unique(indices, true, false, false, {}, at)[0];
  const TensorBase rows = rows_at(weight, places, {}, false, op, "input", at);
  const TensorBase norms = linalg_vector_norm(rows, order, Dims({1}), true, {}, at);
  // PyTorch's small number, so that the scaled row is not greater by rounding.
  const TensorBase factor = rdiv(add(norms, 1e-7, 1, at), most, at);
  const TensorBase scaled = where(gt(norms, most, at), mul(rows, factor, at), rows, at);
  index_copy_(weight, 0, places, scaled, at);
}

}  // namespace eagre::ops
