// Every transform records its own derivative if, and only if, somebody outside of it wants one:
// then its inputs require gradients.
#include <eagre/api/func.h>

#include <algorithm>

#include <eagre/autograd/grad_mode.h>

namespace eagre::func {
namespace {

using autograd::functional::as_list;
using autograd::functional::Options;

Options options_for(const Tensors& inputs) {
  const bool is_inner =
      GradMode::is_enabled() && std::any_of(inputs.begin(), inputs.end(), [](const Tensor& input) {
        return input.defined() && input.requires_grad();
      });
  return {.create_graph = is_inner};
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

SingleFunction jacrev(SingleFunction function) {
  return [function = std::move(function)](const Tensor& x) {
    return autograd::functional::jacobian(function, x, options_for({x}));
  };
}

SingleFunction hessian(SingleFunction function) { return jacrev(grad(std::move(function))); }

}  // namespace eagre::func
