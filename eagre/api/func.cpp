// Every transform records its own derivative if, and only if, somebody outside of it wants one:
// then its inputs have a history, or what they carry, or something else that the function uses.
#include <eagre/api/func.h>

#include <algorithm>

#include <eagre/api/autograd.h>
#include <eagre/api/forward_ad.h>
#include <eagre/api/functions.h>
#include <eagre/api/vmap.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/transforms/dependence.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/error.h>

namespace eagre::func {
namespace {

namespace forward_ad = autograd::forward_ad;
using autograd::functional::as_list;
using autograd::functional::Options;

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
  autograd::Carried* carried = autograd::carried_by(tensor.get());
  if (carried == nullptr) return;
  if (autograd::is_recorded(carried->batch)) forget_history(carried->batch);
  autograd::Tangent* tangent = carried->tangents.get();
  for (; tangent != nullptr; tangent = tangent->next.get()) {
    if (autograd::is_recorded(tangent->value)) forget_history(tangent->value);
  }
}

// A call of a function, ready for backward.
struct Recorded {
  Recorded(const char* name, const TensorFunction& function, const Tensors& inputs) {
    goes_on = are_recorded(inputs);
    const bool was_recording = GradMode::is_enabled();
    const AutoGradMode recording(true);
    for (size_t i = 0; i < inputs.size(); ++i) {
      EAGRE_CHECK(inputs[i].defined(), kInvalidArgument, name, "(): input ", i, " is undefined");
      own.push_back(goes_on && inputs[i].requires_grad()
                        ? inputs[i].view_as(inputs[i])
                        : Tensor(autograd::without_history(inputs[i])).requires_grad_());
    }
    outputs = function(own);
    for (size_t i = 0; i < outputs.size(); ++i) {
      EAGRE_CHECK(outputs[i].defined(), kInvalidArgument, name, "(): output ", i,
                  " of the function is undefined");
    }
    goes_on = goes_on || (was_recording && autograd::depend_on_others(outputs, own));
  }

  // What the caller sees of them.
  Tensors shown() const {
    Tensors results = outputs;
    for (Tensor& output : results) {
      if (!goes_on) forget_history(output);
    }
    return results;
  }

  Tensors pull_back(const Tensors& gradients, bool keep_graph) const {
    const bool records = goes_on || are_recorded(gradients);
    Tensors used, weights;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].requires_grad()) continue;
      used.push_back(outputs[i]);
      weights.push_back(gradients[i]);
    }
    if (used.empty()) return zeros_for(own);
    Tensors found = autograd::grad(used, own, weights, keep_graph || records, records, true, true);
    for (Tensor& gradient : found) {
      if (!records) forget_history(gradient);
    }
    return found;
  }

  Tensors own;
  Tensors outputs;
  bool goes_on;  // derivatives are recorded too
};

// The value of a function with one number as result, and its gradients.
std::pair<Tensor, Tensors> valued_grad(const char* name, const TensorFunction& function,
                                       const Tensors& inputs) {
  const Recorded call(name, function, inputs);
  EAGRE_CHECK(call.outputs.size() == 1 && call.outputs[0].numel() == 1, kInvalidArgument, name,
              "(): the function must return a single output with a single element");
  Tensors gradients = call.pull_back({ones_like(call.outputs[0])}, false);
  return {call.shown()[0], std::move(gradients)};
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
  const Recorded call("vjp", function, primals);
  const auto pull_back = [call](const Tensors& gradients) {
    EAGRE_CHECK(gradients.size() == call.outputs.size(), kInvalidArgument,
                "vjp(): the function has ", call.outputs.size(), " results, but got ",
                gradients.size(), " gradients");
    return call.pull_back(gradients, true);
  };
  return {call.shown(), pull_back};
}

std::pair<Tensors, Tensors> jvp(const TensorFunction& function, const Tensors& primals,
                                const Tensors& tangents) {
  EAGRE_CHECK(primals.size() == tangents.size(), kInvalidArgument, "jvp(): there are ",
              primals.size(), " primals, but ", tangents.size(), " tangents");
  const forward_ad::DualLevel dual;
  Tensors own;
  for (size_t i = 0; i < primals.size(); ++i) {
    own.push_back(forward_ad::make_dual(primals[i], tangents[i], dual.level()));
  }
  std::pair<Tensors, Tensors> results;
  for (const Tensor& output : function(own)) {
    const auto [value, tangent] = forward_ad::unpack_dual(output, dual.level());
    results.first.push_back(value);
    const autograd::SeenLevels outside(dual.level().outer());
    results.second.push_back(tangent.defined() ? tangent : zeros_like(value));
  }
  return results;
}

SingleFunction jacrev(SingleFunction function) {
  return [list = as_list(std::move(function))](const Tensor& x) {
    const auto [outputs, pull_back] = vjp(list, {x});
    const Tensor& output = outputs[0];
    DimVector sizes(output.sizes());
    for (const int64_t size : x.sizes()) sizes.push_back(size);
    const int64_t count = output.numel();
    if (count == 0) return zeros(sizes, x.options());
    DimVector each({count});
    for (const int64_t size : output.sizes()) each.push_back(size);
    const Tensor units = eye(count, std::nullopt, output.options()).reshape(each);
    return vmap(pull_back)({units})[0].reshape(sizes);
  };
}

SingleFunction jacfwd(SingleFunction function) {
  return [function = std::move(function)](const Tensor& x) {
    Options options;
    options.create_graph = GradMode::is_enabled();  // whatever it is that requires gradients
    options.vectorize = true;
    options.strategy = autograd::functional::Strategy::kForward;
    return autograd::functional::jacobian(function, x, options);
  };
}

SingleFunction hessian(SingleFunction function) { return jacfwd(grad(std::move(function))); }

}  // namespace eagre::func
