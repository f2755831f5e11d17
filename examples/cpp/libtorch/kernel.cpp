// A program for libtorch, a kernel of its own: element types by AT_DISPATCH, threads, checks, and
// fitting a line with it. Only its include is another.
#include <eagre/torch.h>

#include <cstdint>
#include <iostream>

// out = a * x + b, for any floating-point type.
torch::Tensor scaled(const torch::Tensor& x, double a, double b) {
  TORCH_CHECK(x.is_cpu(), "scaled: expected a tensor of the CPU, got one on ", x.device());
  TORCH_CHECK(x.is_floating_point(), "scaled: expected floating-point numbers, got ", x.dtype());
  auto input = x.contiguous();
  auto out = torch::empty_like(input);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "scaled", [&] {
    const scalar_t* from = input.const_data_ptr<scalar_t>();
    scalar_t* to = out.data_ptr<scalar_t>();
    at::parallel_for(0, input.numel(), 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = static_cast<scalar_t>(a * from[i] + b);
    });
  });
  return out;
}

int main() {
  torch::manual_seed(0);
  auto x = torch::rand({64, 1});
  auto y = scaled(x, 3, 0.5);
  std::cout << "doubles " << scaled(x.to(torch::kDouble), 2, 0).scalar_type() << '\n';

  auto slope = torch::zeros({1}, torch::requires_grad());
  auto offset = torch::zeros({1}, torch::requires_grad());
  for (int step = 0; step < 500; ++step) {
    auto loss = (x * slope + offset - y).pow(2).mean();
    loss.backward();
    torch::NoGradGuard no_grad;
    for (torch::Tensor p : {slope, offset}) {
      p -= 0.5 * p.grad();
      p.mutable_grad().zero_();
    }
  }
  std::cout << "slope " << slope.round(2).item<float>() << ", offset "
            << offset.round(2).item<float>() << '\n';

  try {
    scaled(torch::ones({2}, torch::kInt64), 1, 1);
  } catch (const c10::Error& error) {
    std::cout << "refused: " << error.what() << '\n';
  }
  return 0;
}
