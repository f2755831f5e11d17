// Fits a line to points by gradient descent.
#include <cstdio>

#include <eagre/eagre.h>

int main() {
  using namespace eagre;
  manual_seed(0);
  const Tensor x = randn({256});
  const Tensor y = x * 3.0 + 0.5;  // what the fit should find

  const Tensor slope = tensor(0.0F, requires_grad());
  const Tensor offset = tensor(0.0F, requires_grad());
  const double rate = 0.1 / 256;
  for (int step = 0; step <= 60; ++step) {
    const Tensor error = x * slope + offset + y * -1;
    const Tensor loss = (error * error).sum();
    loss.backward();
    if (step % 20 == 0) std::printf("step %2d  loss %.6f\n", step, loss.item<double>() / 256);

    NoGradGuard no_grad;
    for (const Tensor& parameter : {slope, offset}) {
      parameter.add_(parameter.grad(), -rate);
      parameter.set_grad(Tensor());
    }
  }
  std::printf("slope %.3f, offset %.3f\n", slope.item<double>(), offset.item<double>());
}
