// A program for libtorch, functions whose gradient is the user's: a linear layer, a function with a
// constant, and one of a list of tensors. Only its include is another.
#include <eagre/torch.h>

#include <cstdint>
#include <iostream>
#include <vector>

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::tensor_list;
using torch::autograd::Variable;
using torch::autograd::variable_list;

// Arguments are copied as programs for libtorch copy them. NOLINTBEGIN(performance-*)
class Linear : public Function<Linear> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, torch::Tensor input, torch::Tensor weight,
                               c10::optional<torch::Tensor> bias) {
    ctx->save_for_backward({input, weight});
    ctx->saved_data["has_bias"] = bias.has_value();
    auto output = input.mm(weight.t());
    if (bias) output += bias->unsqueeze(0).expand_as(output);
    return output;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grad_outputs) {
    auto saved = ctx->get_saved_variables();
    auto grad = grad_outputs[0];
    auto grad_bias = torch::Tensor();
    if (ctx->saved_data["has_bias"].toBool()) grad_bias = grad.sum(0);
    return {grad.mm(saved[1]), grad.t().mm(saved[0]), grad_bias};
  }
};

class MulConstant : public Function<MulConstant> {
 public:
  static Variable forward(AutogradContext* ctx, Variable tensor, double constant) {
    ctx->saved_data["constant"] = constant;
    return tensor * constant;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    return {grads[0] * ctx->saved_data["constant"].toDouble(), Variable()};
  }
};
// NOLINTEND(performance-*)

class Total : public Function<Total> {
 public:
  static torch::Tensor forward(AutogradContext* ctx, at::TensorList tensors) {
    ctx->saved_data["count"] = static_cast<int64_t>(tensors.size());
    return torch::stack(tensors).sum(0);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    return tensor_list(ctx->saved_data["count"].toInt(), grads[0]);
  }
};

int main() {
  torch::manual_seed(5);
  auto x = torch::randn({2, 3}).requires_grad_();
  auto weight = torch::randn({4, 3}).requires_grad_();
  auto bias = torch::zeros({4}, torch::requires_grad());
  auto y = Linear::apply(x, weight, c10::optional<torch::Tensor>(bias));
  y.sum().backward();
  std::cout << "as the operator "
            << torch::allclose(weight.grad(), torch::ones({2, 4}).t().mm(x.detach())) << ", bias "
            << bias.grad().sum().item<float>() << '\n';
  auto without = Linear::apply(x, weight, c10::optional<torch::Tensor>(c10::nullopt));
  std::cout << "node " << without.grad_fn()->name() << '\n';

  auto t = torch::ones({2}, torch::requires_grad());
  MulConstant::apply(t, 5.5).sum().backward();
  std::cout << "constant " << t.grad()[1].item<float>() << '\n';

  std::vector<torch::Tensor> parts = {t.detach().requires_grad_(), t.detach().requires_grad_()};
  Total::apply(at::TensorList(parts)).sum().backward();
  std::cout << "of a list " << parts[0].grad().defined() << parts[1].grad().defined() << '\n';
  return 0;
}
