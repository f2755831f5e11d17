// Reading, writing and summing tangents.
#include <eagre/autograd/transforms/forward_mode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <eagre/autograd/engine/engine.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_shape.h>
#include <eagre/base/call_site.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/add.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/full.h>
#include <eagre/ops/view.h>

namespace eagre::autograd {
namespace {

Tangent* own_record(const TensorImpl& tensor, const Level& level) {
  const TransformMeta* meta = transform_meta_of(tensor);
  return meta == nullptr ? nullptr : meta->tangent(level);
}

// Where a view begins, counted from its base, in elements of the view.
int64_t offset_in_base(const TensorImpl& view, const TensorImpl& base) {
  if (view.key.dtype == base.key.dtype) return view.offset - base.offset;
  return is_complex(base.key.dtype) ? view.offset - 2 * base.offset : view.offset - base.offset / 2;
}

// Does the base of a view say what its tangent is? (A record may be that of an alias, too, which is
// no view.)
bool follows_base(const TensorImpl& tensor, const Tangent* own) {
  return tensor.has(TensorImpl::kIsView) && (own == nullptr || own->follows_base);
}

// The record that says what the tangent of a tensor is.
Tangent* deciding_record(const TensorImpl& tensor, const Level& level) {
  Tangent* own = own_record(tensor, level);
  return follows_base(tensor, own) ? own_record(*tensor.view_info().base, level) : own;
}

// The tensor whose tangent that is.
TensorBase whole_of(const TensorBase& tensor, const Level& level) {
  const TensorImpl& impl = tensor.get();
  const bool follows = follows_base(impl, own_record(impl, level));
  return follows ? TensorBase::share(impl.view_info().base) : tensor;
}

bool same_memory(const TensorBase& a, const TensorBase& b) {
  return a.defined() && b.defined() && a.get().storage == b.get().storage;
}

// The vmaps that a tensor carries batches of, the innermost first, and what is below them.
struct Batches {
  explicit Batches(const TensorBase& tensor) : values(tensor) {
    for (const TransformMeta* meta = transform_meta_of(values.get());
         meta != nullptr && meta->batch_level; meta = transform_meta_of(values.get())) {
      levels.push_back(meta->batch_level.get());
      dims.push_back(meta->batch_dim);
      values = TensorBase(meta->batch);
    }
  }
  bool has(const Level* level) const {
    return std::find(levels.begin(), levels.end(), level) != levels.end();
  }

  TensorBase values;
  std::vector<Level*> levels;
  std::vector<int64_t> dims;
};

// Zeros that lie in memory as the tensor does, with a batch if it has one; and with those that
// `written` has, which is to be copied into them.
TensorBase zeros_in_layout_of(const TensorBase& tensor, const TensorBase& written, CallSite at) {
  const Batches own(tensor);
  std::vector<Level*> more;  // the outermost first
  if (written.defined()) {
    for (Level* level : Batches(written).levels) {
      if (!own.has(level)) more.insert(more.begin(), level);
    }
  }
  const TensorImpl& impl = own.values.get();
  DimVector sizes, strides;
  int64_t step = impl.numel;
  for (size_t i = more.size(); i-- > 0; step *= more[i]->batch_size()) {
    sizes.insert(0, more[i]->batch_size());
    strides.insert(0, step);
  }
  for (const int64_t size : impl.sizes()) sizes.push_back(size);
  for (const int64_t stride : impl.strides()) strides.push_back(stride);
  const SeenLevels none(nullptr);
  const auto options = TensorOptions(impl.key.dtype).device(impl.key.device);
  TensorBase zeros = ops::full(sizes, 0, options, at);
  if (impl.is_dense() && !impl.is_contiguous()) {
    zeros = ops::as_strided(zeros, sizes, strides, {}, at);
  }
  // Samples of samples, from the outermost vmap to the innermost.
  size_t next_more = 0;
  for (size_t i = own.levels.size(); i > 0 || next_more < more.size();) {
    const bool is_own =
        next_more == more.size() || (i > 0 && own.levels[i - 1]->id() < more[next_more]->id());
    Level* const level = is_own ? own.levels[--i] : more[next_more++];
    const auto left = static_cast<int64_t>(more.size() - next_more);
    zeros = batched(std::move(zeros), is_own ? left + own.dims[i] : 0, *level);
  }
  return zeros;
}

// A tangent in memory of its own, which has the batches of `written` too.
void renew_tangent(const TensorBase& whole, Level& level, const TensorBase& written, CallSite at) {
  const TensorBase old = own_record(whole.get(), level)->value;
  TensorBase fresh = zeros_in_layout_of(whole, old, at);
  if (written.defined()) {
    const Batches has(fresh), needs(written);
    const bool lacks = std::any_of(needs.levels.begin(), needs.levels.end(),
                                   [&](const Level* each) { return !has.has(each); });
    // One that all of `fresh`, `old` and `written` fit into.
    if (lacks) fresh = zeros_in_layout_of(fresh, written, at);
  }
  ops::copy_(fresh, old, false, at);
  set_tangent(whole, level, std::move(fresh));
}

}  // namespace

TensorBase tangent_of(const TensorBase& tensor, Level& level) {
  if (!tensor.defined()) return {};
  const TensorImpl& impl = tensor.get();
  const Tangent* own = own_record(impl, level);
  if (!follows_base(impl, own)) return own == nullptr ? TensorBase() : own->value;
  const TensorImpl& base = *impl.view_info().base;
  const Tangent* of_base = own_record(base, level);
  if (of_base == nullptr || !of_base->value.defined()) return {};
  // The base may have got another one since the view was seen in it.
  if (own != nullptr && same_memory(own->value, of_base->value)) return own->value;
  ViewShape shape(impl);
  shape.offset = offset_in_base(impl, base);
  TensorBase seen = view_of_dual(of_base->value, shape, thread_state.site);
  set_tangent(tensor, level, seen);
  return seen;
}

TensorBase tangent_or_zeros(const TensorBase& tensor, Level& level, CallSite at) {
  TensorBase tangent = tangent_of(tensor, level);
  if (tangent.defined() || !tensor.defined()) return tangent;
  return ops::full(tensor.sizes(), 0, TensorOptions(tensor.dtype()).device(tensor.device()), at);
}

TensorVector tangents_or_zeros(TensorList tensors, Level& level, CallSite at) {
  TensorVector tangents;
  tangents.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) {
    tangents.push_back(tangent_or_zeros(tensor, level, at));
  }
  return tangents;
}

namespace {

// Can views of the tensor be made of its tangent as well?
bool lies_alike(const TensorImpl& tensor, const TensorImpl& tangent) {
  if (!tensor.is_dense()) return true;  // nothing lies like it
  for (size_t i = 0; i < tensor.key.rank; ++i) {
    if (tensor.sizes()[i] != 1 && tensor.strides()[i] != tangent.strides()[i]) return false;
  }
  return true;
}

}  // namespace

TensorBase own_tangent(const TensorBase& tensor, Level& level, CallSite at) {
  TensorBase tangent = tangent_of(tensor, level);
  if (!tangent.defined()) return tangent;
  const TensorBase whole = whole_of(tensor, level);
  const Tangent& record = *deciding_record(tensor.get(), level);
  if (!record.is_shared && lies_alike(whole.get(), record.value.get())) return tangent;
  renew_tangent(whole, level, {}, at);
  return tangent_of(tensor, level);
}

TensorBase written_tangent(const TensorBase& tensor, Level& level, CallSite at,
                           const TensorBase& written) {
  TensorBase tangent = own_tangent(tensor, level, at);
  const TensorBase whole = whole_of(tensor, level);
  if (!tangent.defined()) {
    set_tangent(whole, level, zeros_in_layout_of(whole, written, at));
    return tangent_of(tensor, level);
  }
  if (!written.defined()) return tangent;
  const Batches has(tangent), needs(written);
  const bool fits = std::all_of(needs.levels.begin(), needs.levels.end(),
                                [&](const Level* each) { return has.has(each); });
  if (fits) return tangent;
  renew_tangent(whole, level, written, at);
  return tangent_of(tensor, level);
}

void set_tangent(const TensorBase& tensor, Level& level, TensorBase tangent) {
  TensorImpl& impl = tensor.get();
  const Tangent* of_base =
      impl.has(TensorImpl::kIsView) ? own_record(*impl.view_info().base, level) : nullptr;
  const bool follows = of_base != nullptr && same_memory(of_base->value, tangent);
  TransformMeta& meta = make_transform_meta(impl);
  meta.set_tangent(level, std::move(tangent));
  meta.tangent(level)->follows_base = follows;
}

TensorBase in_dtype_of(const TensorBase& result, TensorBase tangent, CallSite at) {
  if (!tangent.defined() || tangent.dtype() == result.dtype()) return tangent;
  return ops::cast(tangent, result.dtype(), at);
}

void add_tangent(TensorBase& sum, TensorBase term, CallSite at) {
  sum = sum.defined() ? ops::add(sum, term, 1, at) : std::move(term);
}

void give_tangent(const TensorBase& result, const TransformedInputs& arguments, Level& level,
                  TensorBase tangent, CallSite at) {
  if (!tangent.defined() || !is_differentiable(result.dtype())) return;
  tangent = in_dtype_of(result, std::move(tangent), at);
  bool is_shared = tangent.sizes() != result.sizes();
  if (is_shared) tangent = ops::expand(tangent, result.sizes(), at);
  // In memory of its own: the tangent of an argument is its owner's to write.
  const bool is_another =
      std::any_of(arguments.begin(), arguments.end(), [&](const TensorImpl* argument) {
        const Tangent* other = deciding_record(*argument, level);
        return other != nullptr && same_memory(other->value, tangent);
      });
  if (is_another) {
    tangent = ops::clone(tangent, at);
    is_shared = false;
  }
  set_tangent(result, level, std::move(tangent));
  own_record(result.get(), level)->is_shared = is_shared;
}

void give_tangents(TensorList results, Level& level, const TensorVector& tangents) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (is_differentiable(results[i].dtype())) set_tangent(results[i], level, tangents[i]);
  }
}

bool is_recorded(const TensorBase& tensor) {
  if (!tensor.defined()) return false;
  if (tensor.requires_grad()) return true;
  const TransformMeta* meta = transform_meta_of(tensor.get());
  if (meta == nullptr) return false;
  if (is_recorded(meta->batch)) return true;
  for (const auto* each = meta->tangents.get(); each != nullptr; each = each->next.get()) {
    if (is_recorded(each->value)) return true;
  }
  return false;
}

TensorVector by_transposition(const TensorVector& inputs, const TensorVector& tangents,
                              const std::function<TensorVector(TensorList)>& function,
                              CallSite at) {
  const auto any_recorded = [](const TensorVector& tensors) {
    return std::any_of(tensors.begin(), tensors.end(), is_recorded);
  };
  const bool is_wanted = GradMode::is_enabled() && (any_recorded(inputs) || any_recorded(tangents));
  const AutoGradMode recording(true);
  TensorVector own;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (is_wanted && inputs[i].requires_grad()) {
      own.push_back(ops::view(inputs[i], inputs[i].sizes(), at));
    } else {
      own.push_back(without_history(inputs[i]));
      set_requires_grad(own.back(), true);
    }
  }
  const TensorVector outputs = function(own);
  TensorVector weights(outputs.size()), results(outputs.size());
  const auto edges_of = [](const TensorVector& tensors) {
    std::vector<Edge> edges;
    for (const TensorBase& tensor : tensors) edges.push_back(gradient_edge(tensor));
    return edges;
  };
  const GradOptions first{.keep_graph = true, .create_graph = true, .allow_unused = true};
  const GradOptions second{.keep_graph = true, .create_graph = is_wanted, .allow_unused = true};
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad()) continue;
    weights[i] = ops::full(outputs[i].sizes(), 0,
                           TensorOptions(outputs[i].dtype()).device(outputs[i].device()), at);
    set_requires_grad(weights[i], true);
    std::vector<Edge> root = edges_of({outputs[i]});
    const std::vector<Edge> wanted = edges_of(own);
    TensorVector rows(wanted.size());
    grad_impl(root, wanted, {&weights[i], 1}, first, rows, at);
    TensorVector used, used_tangents;
    for (size_t j = 0; j < rows.size(); ++j) {
      if (!rows[j].defined() || !rows[j].requires_grad()) continue;
      used.push_back(rows[j]);
      used_tangents.push_back(tangents[j]);
    }
    if (used.empty()) continue;
    std::vector<Edge> roots = edges_of(used);
    const std::vector<Edge> weight = edges_of({weights[i]});
    grad_impl(roots, weight, used_tangents, second, {&results[i], 1}, at);
  }
  return results;
}

}  // namespace eagre::autograd
