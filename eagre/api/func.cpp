// Every transform records its own derivative if, and only if, somebody outside of it wants one:
// then its inputs require gradients.
#include <eagre/api/func.h>

#include <algorithm>

#include <eagre/api/autograd.h>
#include <eagre/api/forward_ad.h>
#include <eagre/api/functions.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/error.h>

namespace eagre::func {
namespace {

namespace forward_ad = autograd::forward_ad;
using autograd::functional::as_list;
using autograd::functional::Options;

Options options_for(const Tensors& inputs) {
  const bool is_inner =
      GradMode::is_enabled() && std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) {
        return autograd::is_recorded(input);
      });
  Options options;
  options.create_graph = is_inner;
  return options;
}

Tensors zeros_for(const Tensors& inputs) {
  Tensors zeros;
  for (const Tensor& input : inputs) zeros.push_back(zeros_like(input));
  return zeros;
}

}  // namespace

TensorFunction grad(TensorFunction function) {
  return [function = std::move(function)](const Tensors& inputs) {
    return autograd::functional::vjp(function, inputs, {}, options_for(inputs)).product;
  };
}

SingleFunction grad(SingleFunction function) {
  return [list = grad(as_list(std::move(function)))](const Tensor& x) { return list({x})[0]; };
}

std::function<std::pair<Tensor, Tensor>(const Tensor&)> value_and_grad(SingleFunction function) {
  return [list = as_list(std::move(function))](const Tensor& x) {
    const auto result = autograd::functional::vjp(list, {x}, {}, options_for({x}));
    return std::pair(result.outputs[0], result.product[0]);
  };
}

std::pair<Tensors, TensorFunction> vjp(const TensorFunction& function, const Tensors& primals) {
  const AutoGradMode recording(true);
  const bool is_inner = options_for(primals).create_graph;
  Tensors own;
  for (size_t i = 0; i < primals.size(); ++i) {
    EAGRE_CHECK(primals[i].defined(), kInvalidArgument, "vjp(): input ", i, " is undefined");
    own.push_back(is_inner && primals[i].requires_grad()
                      ? primals[i].view_as(primals[i])
                      : Tensor(autograd::without_history(primals[i])).requires_grad_());
  }
  const Tensors outputs = function(own);
  Tensors shown = outputs;
  for (Tensor& output : shown) {
    if (!is_inner) output = autograd::without_history(output);
  }
  const auto pull_back = [own, outputs, is_inner](const Tensors& gradients) {
    EAGRE_CHECK(gradients.size() == outputs.size(), kInvalidArgument, "vjp(): the function has ",
                outputs.size(), " results, but got ", gradients.size(), " gradients");
    const bool records = is_inner || options_for(gradients).create_graph;
    Tensors used, weights;
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].requires_grad()) continue;
      used.push_back(outputs[i]);
      weights.push_back(gradients[i]);
    }
    if (used.empty()) return zeros_for(own);
    return autograd::grad(used, own, weights, true, records, true, true);
  };
  return {shown, pull_back};
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

namespace {

SingleFunction jacobian_by(SingleFunction function, autograd::functional::Strategy strategy) {
  return [function = std::move(function), strategy](const Tensor& x) {
    Options options = options_for({x});
    options.vectorize = true;
    options.strategy = strategy;
    return autograd::functional::jacobian(function, x, options);
  };
}

}  // namespace

SingleFunction jacrev(SingleFunction function) {
  return jacobian_by(std::move(function), autograd::functional::Strategy::kReverse);
}

SingleFunction jacfwd(SingleFunction function) {
  return jacobian_by(std::move(function), autograd::functional::Strategy::kForward);
}

SingleFunction hessian(SingleFunction function) { return jacfwd(grad(std::move(function))); }

}  // namespace eagre::func
