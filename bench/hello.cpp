// The smallest useful program; its compile time and memory are a row of docs/benchmarks.md.

#include "peer.h"

#include <cstdio>

int main() {
  lib::manual_seed(0);
  const lib::Tensor a = lib::randn({2, 3}, lib::dtype(lib::kFloat32).requires_grad(true));
  const lib::Tensor b = lib::randn({3, 2});
  const lib::Tensor loss = lib::matmul(a, b).sum();
  loss.backward();
  std::printf("loss %g, sum of the gradient %g\n", loss.item<float>(),
              a.grad().sum().item<float>());
  return 0;
}
