// A function with a gradient of its own: rounding that lets gradients through, as if it were not
// there. With it, weights that are whole numbers can be learned.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <eagre/eagre.h>

using eagre::Tensor;
using eagre::autograd::AutogradContext;
using eagre::autograd::tensor_list;

struct RoundThrough : eagre::autograd::Function<RoundThrough> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return eagre::round(x); }
  static tensor_list backward(AutogradContext*, tensor_list grads) { return {grads[0]}; }
};

// The same with a slope that can be checked: softplus, written out.
struct Softplus : eagre::autograd::Function<Softplus> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    ctx->save_for_backward({x});
    return eagre::log1p(eagre::exp(x));
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    return {grads[0] * eagre::sigmoid(ctx->get_saved_variables()[0])};
  }
};

int main() {
  eagre::manual_seed(0);
  const Tensor wanted = eagre::tensor({3.0, -2.0, 5.0, 0.0}, eagre::kFloat64);
  const Tensor inputs = eagre::randn({64, 4}, eagre::kFloat64);
  const Tensor targets = eagre::mv(inputs, wanted);
  const Tensor weight = eagre::zeros({4}, eagre::kFloat64).requires_grad_();
  double loss = 0;
  for (int step = 0; step < 200; ++step) {
    const Tensor error = eagre::mv(inputs, RoundThrough::apply(weight)) - targets;
    const Tensor mean = (error * error).mean();
    mean.backward();
    loss = mean.item<double>();
    const eagre::NoGradGuard no_grad;
    weight.sub_(weight.grad(), 0.05);
    weight.grad().zero_();
  }
  const Tensor learned = eagre::round(weight.detach());
  std::printf("loss %g, weights", loss);
  for (int64_t i = 0; i < 4; ++i) std::printf(" %g", learned[i].item<double>());
  std::printf("\n");

  const auto softplus = [](const std::vector<Tensor>& in) {
    return std::vector<Tensor>{Softplus::apply(in[0])};
  };
  const Tensor x = eagre::randn({5}, eagre::kFloat64).requires_grad_();
  const bool right =
      eagre::autograd::gradcheck(softplus, {x}) && eagre::autograd::gradgradcheck(softplus, {x});
  std::printf("gradients of Softplus are %s\n", right ? "right" : "wrong");
  return loss == 0 && right ? 0 : 1;
}
