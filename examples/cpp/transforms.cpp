// Functions from functions: the derivative in one direction, the Hessian, and the gradient of every
// sample of a batch, each checked against another way to compute it.
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include <eagre/eagre.h>

namespace {

using eagre::Tensor;
namespace func = eagre::func;

double largest_difference(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

int main() {
  eagre::manual_seed(0);
  const Tensor w = eagre::randn({5, 3}, eagre::kFloat64);
  const auto energy = [&](const Tensor& x) { return w.matmul(x).tanh().pow(2).sum(); };
  const Tensor x = eagre::randn({3}, eagre::kFloat64), v = eagre::randn({3}, eagre::kFloat64);
  double worst = 0;

  // Forward mode: the slope in the direction v, without a graph.
  const auto as_list = eagre::autograd::functional::as_list(energy);
  const Tensor slope = func::jvp(as_list, {x}, {v}).second[0];
  const Tensor gradient = func::grad(energy)(x);
  std::printf("slope along v        %9.6f  (gradient . v = %9.6f)\n", slope.item<double>(),
              (gradient * v).sum().item<double>());
  worst = std::max(worst, largest_difference(slope, (gradient * v).sum()));

  // The Hessian, by forward mode over backward and by backward over backward.
  const Tensor hessian = func::hessian(energy)(x);
  const Tensor again = func::jacrev(func::jacrev(energy))(x);
  std::printf("hessian[0]           %9.6f %9.6f %9.6f\n", hessian[0][0].item<double>(),
              hessian[0][1].item<double>(), hessian[0][2].item<double>());
  worst = std::max(worst, largest_difference(hessian, again));

  // The gradient of every sample: one pass instead of a loop.
  const Tensor batch = eagre::randn({64, 3}, eagre::kFloat64);
  const Tensor gradients = func::vmap(func::grad(energy))(batch);
  double furthest = 0;
  for (int64_t i = 0; i < 64; ++i) {
    furthest = std::max(furthest, largest_difference(gradients[i], func::grad(energy)(batch[i])));
  }
  std::printf("64 gradients at once, the largest difference from a loop: %.1e\n", furthest);
  worst = std::max(worst, furthest);

  std::printf(worst < 1e-9 ? "all ways agree\n" : "the ways do not agree\n");
  return worst < 1e-9 ? 0 : 1;
}
