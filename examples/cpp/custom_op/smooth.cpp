// Uses the operator of ema.cpp: smooths a step, checks the gradients, makes a mistake.
#include <cstdio>

#include <eagre/eagre.h>

int main(int argc, char** argv) {
  using eagre::Tensor;
  try {
    if (argc != 2) {
      std::puts("usage: smooth <path of ema.so>");
      return 2;
    }
    eagre::load_library(argv[1]);
    // By name, with arguments of any kind …
    const Tensor step = eagre::ones({4});
    const Tensor smoothed = eagre::call_op("filters::ema", {step, eagre::named("decay", 0.5)});
    std::printf("a step, smoothed: %s\n", smoothed.str().c_str());

    // … or with types, which are compared with the signature once.
    const auto ema = eagre::find_op<Tensor(Tensor, double)>("filters::ema");
    eagre::manual_seed(0);
    const Tensor x = eagre::randn({2, 5}, eagre::dtype(eagre::kFloat64).requires_grad());
    const auto function = [&](const std::vector<Tensor>& inputs) {
      return std::vector<Tensor>{ema(inputs[0], 0.7)};
    };
    if (eagre::autograd::gradcheck(function, {x}) &&
        eagre::autograd::gradgradcheck(function, {x})) {
      std::puts("the gradients are right");
    }

    ema(x, 1.5);
  } catch (const eagre::Error& error) {
    std::printf("refused: %s\n", error.what());
  }
}
