// Every transform records its own derivative if, and only if, somebody outside of it wants one:
// then its inputs have a history, or what they carry, or something else that the function uses.
#include <eagre/api/func.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <eagre/api/autograd.h>
#include <eagre/api/forward_ad.h>
#include <eagre/api/functions.h>
#include <eagre/api/tensor.h>
#include <eagre/api/tensor_function.h>
#include <eagre/api/vmap.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/dependence.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::func {
namespace {

namespace forward_ad = autograd::forward_ad;
using autograd::functional::as_list;

bool are_recorded(const Tensors& tensors) {
  return GradMode::is_enabled() &&
         std::any_of(tensors.begin(), tensors.end(), autograd::is_recorded);
}

Tensors zeros_for(const Tensors& inputs) {
  Tensors zeros;
  for (const Tensor& input : inputs) zeros.push_back(zeros_like(input));
  return zeros;
}

// Where a history, also of what is carried, would lead to leaves that nobody outside knows.
void forget_history(TensorBase& tensor) {
  tensor = autograd::without_history(tensor);
  autograd::TransformMeta* meta = autograd::transform_meta_of(tensor.get());
  if (meta == nullptr) return;
  if (autograd::is_recorded(meta->batch)) forget_history(meta->batch);
  autograd::Tangent* tangent = meta->tangents.get();
  for (; tangent != nullptr; tangent = tangent->next.get()) {
    if (autograd::is_recorded(tangent->value)) forget_history(tangent->value);
  }
}

// How many of these transforms run a function in this thread now, one inside of the other.
thread_local int differentiated = 0;

struct Differentiated {
  Differentiated() { ++differentiated; }
  ~Differentiated() { --differentiated; }
  Differentiated(const Differentiated&) = delete;
  Differentiated& operator=(const Differentiated&) = delete;
};

// Operators record here, also in inference mode: the graph is this transform's own, and what it
// saves is not written before it ends.
class Recording {
 private:
  const InferenceMode left_{false};
  const autograd::InferenceSaver saver_;
};

// The values of an input as a leaf of a graph.
Tensor own_leaf(const Tensor& input) {
  const TensorBase leaf = autograd::without_history(input);
  leaf.get().flags &= static_cast<uint16_t>(~TensorImpl::kInference);
  autograd::set_requires_grad(leaf, true);
  return leaf;
}

// A new tensor of the same kind, without gradient.
TensorOptions plain_options(const Tensor& like) {
  return TensorOptions(like.dtype()).device(like.device());
}

}  // namespace

DimVector joined(Dims output, Dims input) {
  DimVector sizes(output);
  for (const int64_t size : input) sizes.push_back(size);
  return sizes;
}

RecordedCall::RecordedCall(const char* name, const TensorFunction& function, const Tensors& inputs,
                           CallSite at) {
  const bool is_wanted = GradMode::is_enabled();
  goes_on = is_wanted && (differentiated > 0 || are_recorded(inputs));
  const Recording recording;
  for (size_t i = 0; i < inputs.size(); ++i) {
    EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, name, "(): input ", i, " is undefined");
    own.push_back(goes_on && inputs[i].requires_grad() ? inputs[i].view_as(inputs[i], at)
                                                       : own_leaf(inputs[i]));
  }
  {
    const Differentiated inside;
    outputs = function(own);
  }
  Tensors used;
  for (size_t i = 0; i < outputs.size(); ++i) {
    EAGRE_CHECK(outputs[i].defined(), kInvalidArgument, name, "(): output ", i,
                " of the function is undefined");
    if (outputs[i].requires_grad()) used.push_back(outputs[i]);
  }
  goes_on = goes_on || (is_wanted && autograd::depend_on_others(used, own));
}

Tensor RecordedCall::outside_value(const Tensor& result) const {
  TensorBase seen = result;
  if (!goes_on) forget_history(seen);
  return seen;
}

Tensors RecordedCall::outside_value() const {
  Tensors results;
  for (const Tensor& output : outputs) results.push_back(outside_value(output));
  return results;
}

Tensors RecordedCall::gradients(const Tensors& weights, bool keep_graph, CallSite at) const {
  const bool records = goes_on || are_recorded(weights);
  const Recording recording;
  Tensors used, used_weights;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].requires_grad()) continue;
    used.push_back(outputs[i]);
    used_weights.push_back(weights[i]);
  }
  if (used.empty()) return zeros_for(own);
  Tensors found =
      autograd::grad(used, own, used_weights, keep_graph || records, records, true, false, {}, at);
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i].defined()) {
      found[i] = zeros_like(own[i]);
    } else if (!records) {
      forget_history(found[i]);
    }
  }
  return found;
}

Tensors RecordedCall::rows(const Tensor& output, std::optional<int64_t> chunk_size,
                           CallSite at) const {
  const int64_t count = output.numel();
  std::vector<Tensors> parts;
  if (count == 0 || !output.requires_grad()) {
    parts.emplace_back();
  } else if (count == 1) {  // needs no batch
    parts.push_back(
        RecordedCall(own, {output}, goes_on).gradients({ones_like(output.detach())}, true, at));
  } else {
    const Tensor units = eye(count, std::nullopt, plain_options(output), at)
                             .reshape(joined(Dims({count}), output.sizes()));
    const int64_t step = chunk_size.value_or(count);
    const Recording recording;
    for (int64_t first = 0; first < count; first += step) {
      const Tensor unit = units.narrow(0, first, std::min(step, count - first));
      parts.push_back(
          autograd::batched_grad({output}, own, {unit}, true, goes_on, true, false, at));
    }
  }
  Tensors blocks;
  for (size_t i = 0; i < own.size(); ++i) {
    const DimVector sizes = joined(output.sizes(), own[i].sizes());
    if (parts[0].empty() || !parts[0][i].defined()) {
      blocks.push_back(zeros(sizes, plain_options(own[i])));
      continue;
    }
    Tensors column;
    for (const Tensors& part : parts) column.push_back(outside_value(part[i]));
    blocks.push_back((column.size() == 1 ? column[0] : cat(column, 0, at)).reshape(sizes, at));
  }
  return blocks;
}

Directional directional(const TensorFunction& function, const Tensors& primals,
                        const Tensors& tangents, CallSite at) {
  EAGRE_CHECK(primals.size() == tangents.size(), kInvalidArgument, "jvp(): there are ",
              primals.size(), " primals, but ", tangents.size(), " tangents");
  const forward_ad::DualLevel dual;
  Tensors own;
  for (size_t i = 0; i < primals.size(); ++i) {
    own.push_back(forward_ad::make_dual(primals[i], tangents[i], dual.level(), at));
  }
  Directional found;
  for (const Tensor& output : function(own)) {
    const auto [value, tangent] = forward_ad::unpack_dual(output, dual.level());
    found.values.push_back(value);
    found.tangents.push_back(tangent);
  }
  return found;
}

Matrix columns(const TensorFunction& function, const Tensors& inputs, Randomness randomness,
               CallSite at) {
  // For each input a tensor whose dimension 0 counts the elements of all inputs.
  DimVector counts;
  int64_t total = 0;
  for (const Tensor& input : inputs) {
    counts.push_back(input.numel());
    total += input.numel();
  }
  if (total == 0) {  // no direction to go in, but blocks of the right shapes
    Matrix result;
    for (const Tensor& output : function(inputs)) {
      Tensors& row = result.emplace_back();
      for (const Tensor& input : inputs) {
        row.push_back(zeros(joined(output.sizes(), input.sizes()), plain_options(output)));
      }
    }
    return result;
  }
  Tensors directions;
  int64_t first = 0;
  for (size_t j = 0; j < inputs.size(); ++j) {
    const Tensor unit = eye(total, std::nullopt, plain_options(inputs[j]), at);
    directions.push_back(
        unit.narrow(1, first, counts[j]).reshape(joined(Dims({total}), inputs[j].sizes())));
    first += counts[j];
  }
  const PlacedFunction column = [&](const Tensors& direction) {
    Directional found = directional(function, inputs, direction, at);
    for (size_t i = 0; i < found.values.size(); ++i) {
      if (!found.tangents[i].defined()) found.tangents[i] = zeros_like(found.values[i]);
    }
    return PlacedResults{found.tangents, std::vector<BatchDim>(found.tangents.size(), 0)};
  };
  VmapOptions options;
  options.in_dims.assign(inputs.size(), 0);
  options.randomness = randomness;
  Matrix result;
  for (const Tensor& all : map_samples(column, directions, options, at)) {
    const Tensor last = movedim(all, 0, -1, at);
    Tensors& row = result.emplace_back();
    first = 0;
    for (size_t j = 0; j < inputs.size(); ++j) {
      const Tensor part = inputs.size() == 1 ? last : narrow(last, -1, first, counts[j], at);
      const Dims shape(all.sizes().begin() + 1, all.sizes().size() - 1);
      row.push_back(part.reshape(joined(shape, inputs[j].sizes()), at));
      first += counts[j];
    }
  }
  return result;
}

namespace {

// The value of a function with one number as result, and its gradients.
std::pair<Tensor, Tensors> valued_grad(const char* name, const TensorFunction& function,
                                       const Tensors& inputs) {
  const RecordedCall call(name, function, inputs);
  EAGRE_CHECK(call.outputs.size() == 1 && call.outputs[0].numel() == 1, kInvalidArgument, name,
              "(): the function must return a single output with a single element");
  Tensors gradients = call.gradients({ones_like(call.outputs[0])}, false);
  return {call.outside_value()[0], std::move(gradients)};
}

}  // namespace

TensorFunction grad(TensorFunction function) {
  return [function = std::move(function)](const Tensors& inputs) {
    return valued_grad("grad", function, inputs).second;
  };
}

SingleFunction grad(SingleFunction function) {
  return [list = grad(as_list(std::move(function)))](const Tensor& x) { return list({x})[0]; };
}

std::function<std::pair<Tensor, Tensor>(const Tensor&)> value_and_grad(SingleFunction function) {
  return [list = as_list(std::move(function))](const Tensor& x) {
    const auto [value, gradients] = valued_grad("value_and_grad", list, {x});
    return std::pair(value, gradients[0]);
  };
}

std::pair<Tensors, TensorFunction> vjp(const TensorFunction& function, const Tensors& primals) {
  const RecordedCall call("vjp", function, primals);
  const auto pull_back = [call](const Tensors& gradients) {
    EAGRE_CHECK(gradients.size() == call.outputs.size(), kInvalidArgument,
                "vjp(): the function has ", call.outputs.size(), " results, but got ",
                gradients.size(), " gradients");
    return call.gradients(gradients, true);
  };
  return {call.outside_value(), pull_back};
}

std::pair<Tensors, Tensors> jvp(const TensorFunction& function, const Tensors& primals,
                                const Tensors& tangents) {
  Directional found = directional(function, primals, tangents);
  for (size_t i = 0; i < found.values.size(); ++i) {
    if (!found.tangents[i].defined()) found.tangents[i] = zeros_like(found.values[i]);
  }
  return {std::move(found.values), std::move(found.tangents)};
}

SingleFunction jacrev(SingleFunction function) {
  return [list = as_list(std::move(function))](const Tensor& x) {
    const RecordedCall call("jacrev", list, {x});
    return call.rows(call.outputs[0])[0];
  };
}

SingleFunction jacfwd(SingleFunction function) {
  return
      [list = as_list(std::move(function))](const Tensor& x) { return columns(list, {x})[0][0]; };
}

SingleFunction hessian(SingleFunction function) { return jacfwd(grad(std::move(function))); }

}  // namespace eagre::func
