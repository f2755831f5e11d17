// scaled_dot_product_attention: checks, how many heads share keys, and attention by operators,
// where it is differentiated again or needs all scores.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/amax.h>
#include <eagre/ops/attention.h>
#include <eagre/ops/attention_grad_key.h>
#include <eagre/ops/attention_grad_query.h>
#include <eagre/ops/attention_grad_value.h>
#include <eagre/ops/attention_weights.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/dropout.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/logical_not.h>
#include <eagre/ops/masked_fill.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/ones.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/scaled_dot_product_attention.h>
#include <eagre/ops/softmax.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/tril.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

constexpr const char* kOp = "scaled_dot_product_attention";

[[noreturn]] void refuse(const char* argument, std::string expected, std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{kOp, argument, std::move(expected), std::move(got)});
}

int64_t size(const TensorBase& tensor, int64_t from_end) {
  return tensor.sizes()[static_cast<size_t>(tensor.dim() - from_end)];
}
Dims leading(const TensorBase& tensor) {
  return {tensor.sizes().data(), static_cast<size_t>(tensor.dim() - 2)};
}

// What the user gave, and the shapes that follow.
struct Attention {
  const TensorBase& query;
  const TensorBase& key;
  const TensorBase& value;
  const TensorBase& mask;
  bool is_causal, shares_heads;

  void check() const {
    check_tensor("query", query);
    check_tensor("key", key);
    check_tensor("value", value);
    if (size(query, 1) != size(key, 1)) {
      refuse("key", concat("last size ", size(query, 1), ", as 'query'"),
             concat("shape ", key.sizes()));
    }
    if (size(value, 2) != size(key, 2)) {
      refuse("value", concat("a value for each of ", size(key, 2), " keys"),
             concat("shape ", value.sizes()));
    }
    check_mask();
  }

  DimVector batch() const {
    if (!shares_heads) {
      return broadcast_shapes(kOp, broadcast_shapes(kOp, leading(query), leading(key)),
                              leading(value));
    }
    if (query.dim() < 3 || key.dim() < 3 || value.dim() < 3) {
      refuse("enable_gqa", "tensors with heads, of at least 3 dimensions",
             concat("shape ", query.sizes()));
    }
    const int64_t heads = size(query, 3), shared = size(key, 3);
    if (size(value, 3) != shared || shared == 0 || heads % shared != 0) {
      refuse("key", concat("as many heads as 'value', which divide the ", heads, " of 'query'"),
             concat(shared, " and ", size(value, 3)));
    }
    const auto without_heads = [](const TensorBase& tensor) {
      return Dims(tensor.sizes().data(), static_cast<size_t>(tensor.dim() - 3));
    };
    return broadcast_shapes(kOp, broadcast_shapes(kOp, without_heads(query), without_heads(key)),
                            without_heads(value));
  }

 private:
  void check_tensor(const char* name, const TensorBase& tensor) const {
    if (tensor.dim() < 2) {
      refuse(name, "a tensor of at least 2 dimensions", concat("shape ", tensor.sizes()));
    }
    if (!is_floating_point(tensor.dtype()) || tensor.dtype() != query.dtype()) {
      raise(ErrorKind::kType, ArgumentProblem{kOp, name,
                                              is_floating_point(query.dtype())
                                                  ? concat("dtype ", query.dtype(), ", as 'query'")
                                                  : "floating-point numbers",
                                              std::string(to_string(tensor.dtype()))});
    }
  }
  void check_mask() const {
    if (!mask.defined()) return;
    if (is_causal) refuse("attn_mask", "no mask beside is_causal=True", "a tensor");
    if (mask.dtype() == kBool || is_floating_point(mask.dtype())) return;
    raise(ErrorKind::kType, ArgumentProblem{kOp, "attn_mask", "bools, or floating-point numbers",
                                            std::string(to_string(mask.dtype()))});
  }
};

DimVector with_matrix(Dims leading_sizes, int64_t rows, int64_t columns) {
  DimVector sizes(leading_sizes);
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

// A tensor that broadcasts to (…, heads, rows, columns), with these leading sizes, as (N, heads,
// rows, columns).
TensorBase four_dims(const TensorBase& tensor, Dims leading_sizes, int64_t rows, int64_t columns,
                     CallSite at) {
  const DimVector whole = with_matrix(leading_sizes, rows, columns);
  TensorBase all = tensor.sizes() == Dims(whole) ? tensor : expand(tensor, whole, at);
  if (all.dim() == 4) return all;
  int64_t count = 1;
  for (size_t i = 0; i + 1 < leading_sizes.size(); ++i) count *= leading_sizes[i];
  const int64_t heads = leading_sizes.empty() ? 1 : leading_sizes[leading_sizes.size() - 1];
  return reshape(all, DimVector({count, heads, rows, columns}), at);
}

TensorBase causal_mask(const TensorBase& query, const TensorBase& key, CallSite at) {
  const auto options = TensorOptions(kBool).device(query.device());
  return tril(ones(DimVector({size(query, 2), size(key, 2)}), options, at), 0, at);
}

TensorBase swapped(const TensorBase& tensor, CallSite at) { return transpose(tensor, -2, -1, at); }

// Heads of keys or values once for each head of queries that shares them.
TensorBase repeated(const TensorBase& tensor, int64_t heads, CallSite at) {
  const int64_t own = size(tensor, 3);
  if (own == heads) return tensor;
  DimVector sizes(leading(tensor));
  sizes.push_back(heads / own);
  sizes.push_back(size(tensor, 2));
  sizes.push_back(size(tensor, 1));
  const TensorBase more = expand(unsqueeze(tensor, -3, at), sizes, at);
  DimVector merged(leading(tensor));
  merged.back() = heads;
  merged.push_back(size(tensor, 2));
  merged.push_back(size(tensor, 1));
  return reshape(more, merged, at);
}
// The gradient of repeated().
TensorBase gathered(const TensorBase& grad, int64_t heads, CallSite at) {
  const int64_t own = size(grad, 3);
  if (own == heads) return grad;
  DimVector sizes(leading(grad));
  sizes.back() = heads;
  sizes.push_back(own / heads);
  sizes.push_back(size(grad, 2));
  sizes.push_back(size(grad, 1));
  const int64_t dims[] = {-3};
  return sum(reshape(grad, sizes, at), Dims(dims, 1), false, {}, at);
}

// Of the gradient of the weights: that of the scores.
TensorBase score_gradient(const TensorBase& g, const TensorBase& weights, const TensorBase& value,
                          CallSite at) {
  const TensorBase change = matmul(g, swapped(repeated(value, size(g, 3), at), at), at);
  const int64_t last[] = {-1};
  const TensorBase slope = sum(mul(change, weights, at), Dims(last, 1), true, {}, at);
  return mul(weights, sub(change, slope, 1, at), at);
}

}  // namespace

TensorBase scaled_dot_product_attention(const TensorBase& query, const TensorBase& key,
                                        const TensorBase& value, const TensorBase& attn_mask,
                                        double dropout_p, bool is_causal,
                                        std::optional<double> scale, bool enable_gqa, CallSite at) {
  const Attention call{query, key, value, attn_mask, is_causal, enable_gqa};
  call.check();
  if (!(dropout_p >= 0 && dropout_p <= 1)) {
    refuse("dropout_p", "a probability from 0 to 1", concat(dropout_p));
  }
  const DimVector batch = call.batch();
  // Scores of nothing are 0, whatever their factor.
  const auto depth = static_cast<double>(std::max<int64_t>(1, size(query, 1)));
  const double factor = scale.value_or(1 / std::sqrt(depth));
  const auto leading_sizes = [&](const TensorBase& tensor) {
    DimVector sizes(batch);
    if (enable_gqa) sizes.push_back(size(tensor, 3));
    return sizes;
  };
  const auto prepared = [&](const TensorBase& tensor) {
    return four_dims(tensor, leading_sizes(tensor), size(tensor, 2), size(tensor, 1), at);
  };
  const TensorBase q = prepared(query), k = prepared(key), v = prepared(value);
  TensorBase mask = attn_mask;
  if (mask.defined()) {
    const DimVector sizes = with_matrix(leading_sizes(query), size(q, 2), size(k, 2));
    if (!is_expandable_to(mask.sizes(), sizes)) {
      refuse("attn_mask", concat("a shape that broadcasts to ", Dims(sizes)),
             concat("shape ", mask.sizes()));
    }
    mask = four_dims(mask, leading_sizes(query), size(q, 2), size(k, 2), at);
    const DType computed = query.dtype() == kFloat64 ? kFloat64 : kFloat32;
    if (mask.dtype() != kBool && mask.dtype() != computed) mask = cast(mask, computed, at);
  }
  const bool needs_scores =
      dropout_p > 0 || autograd::are_transformed(q, k, v, mask) || autograd::should_record(mask);
  TensorBase result;
  if (needs_scores) {
    TensorBase weights = attention_weights(q, k, mask, is_causal, factor, at);
    if (dropout_p > 0) weights = dropout(weights, dropout_p, true, at);
    result = matmul(weights, repeated(v, size(q, 3), at), at);
  } else {
    result = std::get<0>(attention(q, k, v, mask, is_causal, factor, at));
  }
  const DimVector sizes = with_matrix(leading_sizes(query), size(q, 2), size(v, 1));
  return result.sizes() == Dims(sizes) ? result : reshape(result, sizes, at);
}

TensorBase attention_weights(const TensorBase& query, const TensorBase& key, const TensorBase& mask,
                             bool is_causal, double scale, CallSite at) {
  const TensorBase keys = repeated(key, size(query, 3), at);
  TensorBase scores = mul(matmul(query, swapped(keys, at), at), scale, at);
  TensorBase allowed = is_causal ? causal_mask(query, key, at) : TensorBase();
  if (mask.defined() && mask.dtype() == kBool) allowed = mask;
  if (mask.defined() && mask.dtype() != kBool) {
    scores =
        add(scores, mask.dtype() == scores.dtype() ? mask : cast(mask, scores.dtype(), at), 1, at);
  }
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (allowed.defined()) scores = masked_fill(scores, logical_not(allowed, at), kNone, at);
  TensorBase weights = softmax(scores, -1, {}, at);
  if (!allowed.defined() && !mask.defined()) return weights;
  // A query that sees no key has the softmax of nothing, which is NaN.
  const int64_t last[] = {-1};
  const TensorBase none = eq(amax(scores, Dims(last, 1), true, at), kNone, at);
  return masked_fill(weights, none, 0, at);
}

TensorBase attention_grad_query(const TensorBase& g, const TensorBase& query, const TensorBase& key,
                                const TensorBase& value, const TensorBase& mask, bool is_causal,
                                double scale, CallSite at) {
  const TensorBase weights = attention_weights(query, key, mask, is_causal, scale, at);
  const TensorBase change = score_gradient(g, weights, value, at);
  return mul(matmul(change, repeated(key, size(query, 3), at), at), scale, at);
}

TensorBase attention_grad_key(const TensorBase& g, const TensorBase& query, const TensorBase& key,
                              const TensorBase& value, const TensorBase& mask, bool is_causal,
                              double scale, CallSite at) {
  const TensorBase weights = attention_weights(query, key, mask, is_causal, scale, at);
  const TensorBase change = score_gradient(g, weights, value, at);
  return gathered(mul(matmul(swapped(change, at), query, at), scale, at), size(key, 3), at);
}

TensorBase attention_grad_value(const TensorBase& g, const TensorBase& query, const TensorBase& key,
                                const TensorBase& value, const TensorBase& mask, bool is_causal,
                                double scale, CallSite at) {
  const TensorBase weights = attention_weights(query, key, mask, is_causal, scale, at);
  return gathered(matmul(swapped(weights, at), g, at), size(value, 3), at);
}

}  // namespace eagre::ops
