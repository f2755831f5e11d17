// Reading, writing and summing tangents.
#include <eagre/autograd/transforms/forward_mode.h>

#include <algorithm>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/engine.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/as_strided.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/view.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/autograd/view_history.h>
#include <eagre/core/options.h>

namespace eagre::autograd {
namespace {

Tangent* own_record(const TensorImpl& tensor, const Level& level) {
  const Carried* carried = carried_by(tensor);
  return carried == nullptr ? nullptr : carried->tangent(level);
}

// Where a view begins, counted from its base, in elements of the view.
int64_t offset_in_base(const TensorImpl& view, const TensorImpl& base) {
  if (view.key.dtype == base.key.dtype) return view.offset - base.offset;
  return is_complex(base.key.dtype) ? view.offset - 2 * base.offset : view.offset - base.offset / 2;
}

// Zeros that lie in memory as the tensor does, with a batch if it has one.
TensorBase zeros_in_layout_of(const TensorBase& tensor, CallSite at) {
  const TensorImpl& impl = tensor.get();
  if (const Carried* carried = carried_by(impl); carried != nullptr && carried->batch_level) {
    Level& level = *carried->batch_level;
    const SeenLevels below(level.outer());
    return batched(zeros_in_layout_of(carried->batch, at), carried->batch_dim, level);
  }
  const auto options = TensorOptions(impl.key.dtype).device(impl.key.device);
  const auto zeros = ops::full(impl.sizes(), 0, options, at);
  if (!impl.is_dense() || impl.is_contiguous()) return zeros;
  return ops::as_strided(zeros, impl.sizes(), impl.strides(), {}, at);
}

}  // namespace

TensorBase tangent_of(const TensorBase& tensor, Level& level) {
  if (!tensor.defined()) return {};
  const TensorImpl& impl = tensor.get();
  if (const Tangent* own = own_record(impl, level)) return own->value;
  if (!impl.has(TensorImpl::kIsView)) return {};
  const TensorImpl& base = *impl.view_info().base;
  const Tangent* of_base = own_record(base, level);
  if (of_base == nullptr || !of_base->value.defined()) return {};
  ViewShape shape(impl);
  shape.offset = offset_in_base(impl, base);
  TensorBase seen = shape.of(of_base->value, thread_state.site);
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

TensorBase own_tangent(const TensorBase& tensor, Level& level, CallSite at) {
  const TensorBase tangent = tangent_of(tensor, level);
  if (!tangent.defined() || !own_record(tensor.get(), level)->is_shared) return tangent;
  TensorBase copy = ops::clone(tangent, at);
  set_tangent(tensor, level, copy);
  return copy;
}

TensorBase written_tangent(const TensorBase& tensor, Level& level, CallSite at) {
  TensorBase tangent = own_tangent(tensor, level, at);
  if (tangent.defined()) return tangent;
  const TensorImpl& impl = tensor.get();
  const bool follows_base = impl.has(TensorImpl::kIsView) && own_record(impl, level) == nullptr;
  const TensorBase whole = follows_base ? TensorBase::share(impl.view_info().base) : tensor;
  set_tangent(whole, level, zeros_in_layout_of(whole, at));
  return tangent_of(tensor, level);
}

void set_tangent(const TensorBase& tensor, Level& level, TensorBase tangent) {
  make_carried(tensor.get()).set_tangent(level, std::move(tangent));
}

void drop_tangents(TensorImpl& tensor) {
  if (Carried* carried = carried_by(tensor)) carried->tangents.reset();
}

TensorBase in_dtype_of(const TensorBase& result, TensorBase tangent, CallSite at) {
  if (!tangent.defined() || tangent.dtype() == result.dtype()) return tangent;
  return ops::cast(tangent, result.dtype(), at);
}

void add_tangent(TensorBase& sum, TensorBase term, CallSite at) {
  sum = sum.defined() ? ops::add(sum, term, 1, at) : std::move(term);
}

void give_tangent(const TensorBase& result, const Carriers& arguments, Level& level,
                  TensorBase tangent, CallSite at) {
  if (!tangent.defined() || !is_differentiable(result.dtype())) return;
  tangent = in_dtype_of(result, std::move(tangent), at);
  bool is_shared = false;
  if (tangent.sizes() != result.sizes()) {
    tangent = ops::expand(tangent, result.sizes(), at);
    is_shared = true;
  }
  const Storage* memory = tangent.get().storage;
  for (const TensorImpl* argument : arguments) {
    Tangent* other = own_record(*argument, level);
    if (other == nullptr || !other->value.defined()) continue;
    if (other->value.get().storage != memory) continue;
    other->is_shared = is_shared = true;
  }
  Carried& carried = make_carried(result.get());
  carried.set_tangent(level, std::move(tangent));
  carried.tangent(level)->is_shared = is_shared;
}

void give_tangents(TensorList results, Level& level, const TensorVector& tangents) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (is_differentiable(results[i].dtype())) set_tangent(results[i], level, tangents[i]);
  }
}

bool is_recorded(const TensorBase& tensor) {
  if (!tensor.defined()) return false;
  if (tensor.requires_grad()) return true;
  const Carried* carried = carried_by(tensor.get());
  if (carried == nullptr) return false;
  if (is_recorded(carried->batch)) return true;
  for (const auto* each = carried->tangents.get(); each != nullptr; each = each->next.get()) {
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
  TensorVector own, seeds;
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
    const TensorVector rows = grad_impl(root, wanted, {&weights[i], 1}, first, at);
    TensorVector used, used_tangents;
    for (size_t j = 0; j < rows.size(); ++j) {
      if (!rows[j].defined() || !rows[j].requires_grad()) continue;
      used.push_back(rows[j]);
      used_tangents.push_back(tangents[j]);
    }
    if (used.empty()) continue;
    std::vector<Edge> roots = edges_of(used);
    const std::vector<Edge> weight = edges_of({weights[i]});
    results[i] = grad_impl(roots, weight, used_tangents, second, at)[0];
  }
  return results;
}

}  // namespace eagre::autograd
