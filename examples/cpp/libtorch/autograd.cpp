// A program for libtorch, gradients: backward, grad, higher derivatives, hooks, modes.
// Only its include is another.
#include <eagre/torch.h>

#include <iostream>

int main() {
  auto x = torch::ones({2, 2}, torch::requires_grad());
  auto y = x + 2;
  auto z = y * y * 3;
  auto out = z.mean();
  std::cout << "made by " << y.grad_fn()->name() << " and " << z.grad_fn()->name() << '\n';
  out.backward();
  std::cout << "d out / d x\n" << x.grad() << '\n';

  // A vector-Jacobian product: the loop depends on values.
  torch::manual_seed(3);
  auto a = torch::randn({3}, torch::requires_grad());
  auto b = a * 2;
  while (b.norm().item<double>() < 1000) {
    b = b * 2;
  }
  auto v = torch::tensor({0.1, 1.0, 0.0001}, torch::kFloat);
  b.backward(v);
  std::cout << "scaled alike " << torch::allclose(a.grad() / a.grad()[1], v) << '\n';

  // Of a gradient, the gradient.
  auto w = torch::tensor({2.0}, torch::requires_grad());
  auto cube = w * w * w;
  auto first = torch::autograd::grad({cube}, {w}, {torch::ones_like(cube)},
                                     /*retain_graph=*/true, /*create_graph=*/true)[0];
  auto second = torch::autograd::grad({first.sum()}, {w})[0];
  std::cout << "derivatives " << first.item<float>() << ", " << second.item<float>() << '\n';

  // What goes by.
  auto leaf = torch::ones({2}, torch::requires_grad());
  auto handle = leaf.register_hook([](const torch::Tensor& grad) { return grad * 10; });
  (leaf * 2).sum().backward();
  leaf.remove_hook(handle);
  std::cout << "through a hook " << leaf.grad()[0].item<float>() << '\n';
  leaf.mutable_grad().reset();

  {
    torch::NoGradGuard no_grad;
    std::cout << "recorded " << (leaf * 2).requires_grad();
    torch::AutoGradMode enable_grad(true);
    std::cout << ", again " << (leaf * 2).requires_grad() << '\n';
  }
  std::cout << "detached " << (leaf * 2).detach().requires_grad() << '\n';

  // Who made what: the graph.
  auto node = (leaf * 2 + 1).grad_fn();
  std::cout << node->name() << " leads to " << node->next_edge(0).function->name() << '\n';
  return 0;
}
