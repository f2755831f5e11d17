// What a user of the installed package writes first.
#include <cstdio>
#include <sstream>

#include <eagre/eagre.h>

int main() {
  using eagre::Tensor;
  const Tensor x = eagre::tensor({1.0F, 2.0F, 3.0F}, eagre::requires_grad());
  const Tensor y = (x * x + 1).exp().sum();
  eagre::autograd::backward({(x * x).sum()});
  std::ostringstream text;
  text << x.detach();
  const Tensor there = eagre::full({2}, 1.0, eagre::dtype(eagre::kFloat64).device("cpu"));
  std::printf("grad %g %g %g\n", x.grad().data_ptr<float>()[0], x.grad().data_ptr<float>()[1],
              x.grad().data_ptr<float>()[2]);
  try {
    there + eagre::full({3}, 1.0);
  } catch (const eagre::Error& error) {
    std::printf("%s\n", error.what());
  }
  return text.str().empty() || !y.requires_grad();
}
