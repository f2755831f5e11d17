// Benchmarks of whole graphs: `graphs <row> <iterations>` runs one row and prints nanoseconds per
// unit, which the comment of the row names. Read `kRows` first; micro.cpp has the single calls.

#include "rows.h"

#include <thread>
#include <utility>
#include <vector>

namespace {

using lib::Tensor;

Tensor leaf() { return lib::full({1}, 1.0).requires_grad_(); }

// Times `part` of every iteration; `prepare` makes what it works on.
template <class Prepare, class Part>
double time_part(long iterations, Prepare prepare, Part part) {
  Clock::duration time{};
  for (long i = 0; i < iterations; ++i) {
    auto subject = prepare();
    const auto start = Clock::now();
    part(subject);
    time += Clock::now() - start;
  }
  return nanoseconds(time) / static_cast<double>(iterations);
}

Tensor mul_chain(const Tensor& x, const Tensor& w, long nodes) {
  Tensor y = x;
  for (long i = 0; i < nodes; ++i) y = y * w;
  return y;
}

// One product and its gradient, together.
double mul_and_grad(long iterations) {
  const Tensor x = leaf(), w = lib::full({1}, 1.0);
  return time_each(iterations, [&] { lib::autograd::grad({x * w}, {x}); });
}

// Backward of a million products, per node.
double long_chain(long iterations) {
  constexpr long kNodes = 1'000'000;
  const Tensor x = leaf(), w = lib::full({1}, 1.0);
  return time_part(
             iterations, [&] { return mul_chain(x, w, kNodes); },
             [](const Tensor& y) { y.backward(); }) /
         kNodes;
}

// The gradient of the gradient of 100 products, without the forward.
double second_order(long iterations) {
  const Tensor x = leaf();
  return time_part(
      iterations, [&] { return mul_chain(x, x, 100); },
      [&](const Tensor& y) {
        const Tensor first = lib::autograd::grad({y}, {x}, {}, true, true)[0];
        lib::autograd::grad({first}, {x});
      });
}

// A thousand leaves in one sum; forward and backward.
double wide(long iterations) {
  std::vector<Tensor> leaves;
  leaves.reserve(1000);
  for (int i = 0; i < 1000; ++i) leaves.push_back(leaf());
  return time_each(iterations, [&] { lib::cat(leaves).sum().backward(); });
}

// y = y + y, a thousand deep: every node gets two gradients.
double diamond(long iterations) {
  const Tensor x = leaf();
  return time_part(
      iterations,
      [&] {
        Tensor y = x * 0.0;
        for (int i = 0; i < 1000; ++i) y = y + y;
        return y;
      },
      [](const Tensor& y) { y.backward(); });
}

// 100 products with ten hooks on each result; backward.
double hooks(long iterations) {
  const Tensor x = leaf(), w = lib::full({1}, 1.0);
  return time_part(
      iterations,
      [&] {
        Tensor y = x;
        for (int i = 0; i < 100; ++i) {
          y = y * w;
          for (int hook = 0; hook < 10; ++hook) y.register_hook([](const Tensor&) {});
        }
        return y;
      },
      [](const Tensor& y) { y.backward(); });
}

// A step of training: 64-64-64-10, batches of 32, cross entropy, gradient descent by hand.
double mlp(long iterations) {
  const Tensor x = lib::randn({32, 64}), target = lib::randint(0, 10, {32});
  std::vector<Tensor> parameters;
  for (const auto& [in, out] : {std::pair(64, 64), std::pair(64, 64), std::pair(64, 10)}) {
    parameters.push_back((lib::randn({out, in}) * 0.1).requires_grad_());
    parameters.push_back(lib::zeros({out}).requires_grad_());
  }
  return time_each(iterations, [&] {
    const Tensor a = lib::relu(lib::linear(x, parameters[0], parameters[1]));
    const Tensor b = lib::relu(lib::linear(a, parameters[2], parameters[3]));
    const Tensor logits = lib::linear(b, parameters[4], parameters[5]);
    classification_loss(logits, target).backward();
    const lib::NoGradGuard no_grad;
    for (Tensor& parameter : parameters) {
      parameter.sub_(parameter.grad(), 0.01);
      parameter.grad().zero_();
    }
  });
}

// A function with a gradient of its own: one call of it and backward.
struct Scale : lib::autograd::Function<Scale> {
  static Tensor forward(lib::autograd::AutogradContext* ctx, const Tensor& x, double factor) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return x * factor;
  }
  static lib::autograd::variable_list backward(lib::autograd::AutogradContext* ctx,
                                               lib::autograd::variable_list grads) {
    const auto saved = ctx->get_saved_variables();
    return {grads[0] * ctx->saved_data["factor"].toDouble(), Tensor()};
  }
};
double custom_function(long iterations) {
  const Tensor x = leaf();
  return time_each(iterations, [&] { Scale::apply(x, 2.0).backward(); });
}

// Eight threads, each with graphs of its own: chains of 100, forward and backward, per chain.
double threads(long iterations) {
  const auto start = Clock::now();
  std::vector<std::thread> workers;
  workers.reserve(8);
  for (int t = 0; t < 8; ++t) {
    workers.emplace_back([iterations] {
      const Tensor x = leaf(), w = lib::full({1}, 1.0);
      for (long i = 0; i < iterations; ++i) mul_chain(x, w, 100).backward();
    });
  }
  for (std::thread& worker : workers) worker.join();
  return nanoseconds(Clock::now() - start) / static_cast<double>(8 * iterations);
}

constexpr Row kRows[] = {
    {"mul_and_grad", mul_and_grad},
    {"long_chain", long_chain},
    {"second_order", second_order},
    {"wide", wide},
    {"diamond", diamond},
    {"hooks", hooks},
    {"mlp", mlp},
    {"custom_function", custom_function},
    {"threads", threads},
};

}  // namespace

int main(int argc, char** argv) { return run_row(kRows, "graphs", argc, argv); }
