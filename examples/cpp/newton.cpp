// Newton's method with exact second derivatives: gradients of gradients find the minimum of
// Rosenbrock's valley in a few steps, where gradient descent needs thousands.
#include <cmath>
#include <cstdio>

#include <eagre/eagre.h>

namespace {

using eagre::Tensor;

Tensor valley(const Tensor& p) {
  const Tensor x = p[0], y = p[1];
  const Tensor bend = y - x * x, slope = x * -1 + 1;
  return slope * slope + bend * bend * 100;
}

}  // namespace

int main() {
  const Tensor p = eagre::tensor({-1.2, 1.0}, eagre::requires_grad());
  for (int step = 0; step < 12; ++step) {
    const Tensor value = valley(p);
    // With create_graph the gradient is a result like any other, so its parts have gradients too.
    const Tensor g = eagre::autograd::grad({value}, {p}, {}, true, true)[0];
    const Tensor row0 = eagre::autograd::grad({g[0]}, {p}, {}, true)[0];
    const Tensor row1 = eagre::autograd::grad({g[1]}, {p})[0];

    const double a = row0[0].item<double>(), b = row0[1].item<double>(), c = row1[1].item<double>(),
                 gx = g[0].item<double>(), gy = g[1].item<double>();
    std::printf("step %2d  value %12.9f  at (%.6f, %.6f)\n", step, value.item<double>(),
                p[0].item<double>(), p[1].item<double>());
    if (std::hypot(gx, gy) < 1e-10) break;
    const double determinant = a * c - b * b;
    const eagre::NoGradGuard no_grad;
    p.sub_(eagre::tensor({(c * gx - b * gy) / determinant, (a * gy - b * gx) / determinant}));
  }
  const bool found = valley(p.detach()).item<double>() < 1e-16;
  std::printf(found ? "the minimum is at (1, 1)\n" : "no minimum was found\n");
  return found ? 0 : 1;
}
