// embedding: rows of a table, with its checks; one_hot.
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/div.h>
#include <eagre/ops/embedding.h>
#include <eagre/ops/embedding_table.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/functional_embedding.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/given_tensors.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/one_hot.h>
#include <eagre/ops/ones.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rows_at.h>
#include <eagre/ops/rows_at_by_count.h>
#include <eagre/ops/scatter_add.h>
#include <eagre/ops/shared_by_count.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

void check_indices(const char* op, const char* argument, const TensorBase& indices) {
  const DType dtype = indices.get(op, argument).key.dtype;
  if (dtype == kInt64 || dtype == kInt32) return;
  raise(ErrorKind::kType,
        ArgumentProblem{op, argument, "indices of int64 or int32", std::string(to_string(dtype))});
}

void refuse_sparse(const char* op, bool sparse) {
  if (!sparse) return;
  raise(ErrorKind::kUnimplemented,
        ArgumentProblem{op, "sparse", "False, as there are no sparse tensors", "True"});
}

TensorBase lookup(const TensorBase& weight, const TensorBase& indices,
                  std::optional<int64_t> padding, bool by_count, const char* argument,
                  CallSite at) {
  if (by_count) return rows_at_by_count(weight, indices, padding, false, "embedding", argument, at);
  return rows_at(weight, indices, padding, false, "embedding", argument, at);
}

void check_table(const TensorBase& weight) {
  if (weight.get("embedding", "weight").key.rank == 2) return;
  invalid_argument("embedding", "weight", "a matrix", shape_text(weight));
}

}  // namespace

TensorBase embedding(const TensorBase& weight, const TensorBase& indices, int64_t padding_idx,
                     bool scale_grad_by_freq, bool sparse, CallSite at) {
  check_indices("embedding", "indices", indices);
  check_table(weight);
  check_devices("embedding", {{weight, "weight"}, {indices, "indices"}});
  refuse_sparse("embedding", sparse);
  const int64_t count = weight.sizes()[0];
  if (padding_idx < -1 || padding_idx >= count) {
    invalid_argument("embedding", "padding_idx",
                     concat("a row of 'weight', from 0 to ", count - 1, ", or -1 for none"),
                     std::to_string(padding_idx));
  }
  const auto padding = padding_idx < 0 ? std::nullopt : std::optional<int64_t>(padding_idx);
  return lookup(weight, indices, padding, scale_grad_by_freq, "indices", at);
}

TensorBase functional_embedding(const TensorBase& input, const TensorBase& weight,
                                std::optional<int64_t> padding_idx, std::optional<double> max_norm,
                                double norm_type, bool scale_grad_by_freq, bool sparse,
                                CallSite at) {
  check_indices("embedding", "input", input);
  check_table(weight);
  check_devices("embedding", {{weight, "weight"}, {input, "input"}});
  refuse_sparse("embedding", sparse);
  const std::optional<int64_t> padding = checked_padding("embedding", padding_idx, weight);
  if (max_norm) limit_rows(weight, input, *max_norm, norm_type, "embedding", at);
  return lookup(weight, input, padding, scale_grad_by_freq, "input", at);
}

TensorBase shared_by_count(const TensorBase& g, const TensorBase& index, Dims size, CallSite at) {
  const TensorBase places = reshape(index, Dims({index.numel()}), at);
  const TensorOptions options = TensorOptions(g.dtype()).device(g.device());
  const TensorBase none = zeros(Dims({size[0]}), options, at);
  const TensorBase counts = scatter_add(none, 0, places, ones(places.sizes(), options, at), at);
  DimVector shape = index.sizes();
  shape.push_back(1);
  return div(g, reshape(index_select(counts, 0, places, at), shape, at), at);
}

TensorBase one_hot(const TensorBase& tensor, int64_t num_classes, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "one_hot";
  if (tensor.get(op, "tensor").key.dtype != kInt64) {
    invalid_argument(op, "tensor", "class numbers of int64", concat(tensor.dtype()));
  }
  if (num_classes < -1) {
    invalid_argument(op, "num_classes", "a number of classes, or -1", concat(num_classes));
  }
  const NoGradGuard guard;
  int64_t classes = num_classes;
  if (tensor.numel() == 0) {
    EAGRE_CHECK(num_classes > 0, kInvalidArgument,
                "one_hot(): argument 'num_classes' must be given, as argument 'tensor' is empty");
  } else {
    EAGRE_CHECK(all_true(ge(tensor, 0, at), at), kInvalidArgument,
                "one_hot(): argument 'tensor' must be class numbers from 0 on, but there is a "
                "negative one");
    if (num_classes == -1) {
      const int64_t last = as_integer(amax(tensor, {}, false, at), at);
      EAGRE_CHECK(last < INT64_MAX, kInvalidArgument,
                  "one_hot(): argument 'tensor' has the number ", last, ": too many classes");
      classes = last + 1;
    } else {
      EAGRE_CHECK(all_true(lt(tensor, num_classes, at), at), kInvalidArgument,
                  "one_hot(): argument 'tensor' must be class numbers less than 'num_classes', ",
                  num_classes, ", but there is a greater one");
    }
  }
  const TensorBase numbers = arange(classes, TensorOptions(kInt64).device(tensor.device()), at);
  return cast(eq(unsqueeze(tensor, -1, at), numbers, at), kInt64, at);
}

}  // namespace eagre::ops
