// embedding: rows of a table, with its checks.
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/embedding.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/rows_at.h>

namespace eagre::ops {

TensorBase embedding(const TensorBase& weight, const TensorBase& indices, int64_t padding_idx,
                     CallSite at) {
  if (indices.get("embedding", "indices").key.dtype != kInt64 && indices.dtype() != kInt32) {
    raise(ErrorKind::kType, ArgumentProblem{"embedding", "indices", "indices of int64 or int32",
                                            std::string(to_string(indices.dtype()))});
  }
  if (weight.get("embedding", "weight").key.rank != 2)
    invalid_argument("embedding", "weight", "a matrix", shape_text(weight));
  const int64_t count = weight.sizes()[0];
  if (padding_idx < -1 || padding_idx >= count) {
    invalid_argument("embedding", "padding_idx",
                     concat("a row of 'weight', from 0 to ", count - 1, ", or -1 for none"),
                     std::to_string(padding_idx));
  }
  const auto padding = padding_idx < 0 ? std::nullopt : std::optional<int64_t>(padding_idx);
  return rows_at(weight, indices, padding, false, "embedding", "indices", at);
}

}  // namespace eagre::ops
