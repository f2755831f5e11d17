// Random programs with views, writes in place, hooks and threads: whatever the order in which they
// look at memory and write to it, backward must agree with differences.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include "cpp/support.h"

namespace eagre::test {
namespace {

// One run of a program. The same seed makes the same calls, with or without gradients.
class Program {
 public:
  Program(unsigned seed, const std::vector<Tensor>& leaves, std::atomic<int>* hook_calls = nullptr)
      : random_(seed), hook_calls_(hook_calls) {
    for (const Tensor& leaf : leaves) pool_.push_back({leaf, false});
    for (int step = 0; step < 14; ++step) run_step();
    output_ = pool_.back().tensor.sum();
    for (int i = 0; i < 3; ++i) output_ = output_ + any().tensor.sum() * 0.5;
  }

  const Tensor& output() const { return output_; }
  std::vector<Tensor> inner() const {
    std::vector<Tensor> tensors;
    for (const Entry& entry : pool_) tensors.push_back(entry.tensor);
    return tensors;
  }

 private:
  struct Entry {
    Tensor tensor;
    bool writable;  // neither a leaf nor a look at one, and no element twice
  };

  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  Entry& any() { return pool_[pick(pool_.size())]; }
  // What operators may save: it is not written later.
  Tensor value() { return any().tensor.clone(); }
  Tensor matrix() {
    const Tensor t = value();
    return t.dim() == 2 ? t : t.expand({3, 3});
  }

  void add(const Tensor& tensor, bool writable) {
    const bool is_hooked = random_() % 4 == 0;
    if (is_hooked && hook_calls_ != nullptr && tensor.requires_grad()) {
      tensor.register_hook([calls = hook_calls_](const Tensor&) { ++*calls; });
    }
    pool_.push_back({tensor, writable});
  }

  void run_step() {
    switch (pick(12)) {
      case 0: return add(matrix() * value() * 0.5, true);
      case 1: return add(matrix() + value() * -0.3, true);
      case 2: return add((value() * -0.3).exp() * 0.8, true);
      case 3: return add(matmul(matrix(), matrix()) * 0.2, true);
      case 4: return add(matrix().sum(1) * 0.3, true);
      case 5: return add(any().tensor.clone(), true);
      default: break;
    }
    pick(3) == 0 ? look() : write();
  }

  // A view of something, which may be a view itself.
  void look() {
    const Entry entry = any();
    const Tensor& t = entry.tensor;
    if (t.dim() == 0) return add(t.expand({3}), false);
    if (t.dim() == 1) {
      switch (pick(3)) {
        case 0: return add(t.unsqueeze(0).expand({3, 3}), false);
        case 1: return add(t.flip({0}), true);
        default: return add(t.view({3}), entry.writable);
      }
    }
    switch (pick(5)) {
      case 0: return add(t.transpose(0, 1), entry.writable);
      case 1: return add(t.select(0, static_cast<int64_t>(pick(3))), entry.writable);
      case 2: return add(t.select(1, static_cast<int64_t>(pick(3))), entry.writable);
      case 3: return add(t.diagonal(), entry.writable);
      default: return add(t.unsqueeze(1).squeeze(1), entry.writable);
    }
  }

  void write() {
    const Entry entry = any();
    if (!entry.writable) return look();
    const Tensor& t = entry.tensor;
    const Tensor fitting = t.dim() == 2   ? matrix()
                           : t.dim() == 1 ? matrix().select(0, 1)
                                          : value().sum();
    switch (pick(5)) {
      case 0: t.mul_(fitting * 0.5); break;
      case 1: t.add_(fitting, -0.4); break;
      case 2: t.copy_(fitting * 0.7); break;
      case 3: t.neg_(); break;
      default:
        if (t.dim() == 0) {
          t.mul_(0.5);
        } else {
          t.select(0, 0).fill_(0.25);
        }
    }
  }

  std::mt19937 random_;
  std::atomic<int>* hook_calls_;
  std::vector<Entry> pool_;
  Tensor output_;
};

std::vector<Tensor> make_leaves(bool needs_grad = true) {
  const auto options = TensorOptions(kFloat64).requires_grad(needs_grad);
  return {make({3}, {0.5, -0.2, 0.9}, options),
          make({3, 3}, {0.1, 0.2, 0.3, -0.4, 0.5, -0.6, 0.7, 0.8, -0.9}, options),
          make({}, {0.6}, options)};
}

using Gradients = std::vector<Values>;

Gradients gradients(const Tensor& output, const std::vector<Tensor>& inputs, bool keep = false) {
  Gradients all;
  if (!output.requires_grad()) return all;
  for (const Tensor& g : autograd::grad({output}, inputs, {}, keep, false, true)) {
    all.push_back(g.defined() ? values(g) : Values());
  }
  return all;
}

// The first and second function of the leaves that is differentiated below.
double first(unsigned seed, const std::vector<Tensor>& leaves) {
  return Program(seed, leaves).output().item<double>();
}
Tensor weighted_gradients(unsigned seed, const std::vector<Tensor>& leaves) {
  const Program program(seed, leaves);
  Tensor total = zeros({}, kFloat64);
  if (!program.output().requires_grad()) return total;
  double weight = 0.5;
  for (const Tensor& g : autograd::grad({program.output()}, leaves, {}, true, true, true)) {
    if (g.defined()) total = total + (g * weight).sum();
    weight += 0.3;
  }
  return total;
}

template <class Function>
void compare_with_differences(const Gradients& exact, bool needs_grad, Function function) {
  const double h = 1e-6;
  const std::vector<Tensor> start = make_leaves(false);
  for (size_t which = 0; which < start.size(); ++which) {
    const Values center = values(start[which]);
    for (size_t i = 0; i < center.size(); ++i) {
      double side[2];
      for (const int s : {0, 1}) {
        std::vector<Tensor> moved = make_leaves(needs_grad);
        Values list = center;
        list[i] += s == 0 ? -h : h;
        moved[which] =
            make(start[which].sizes(), list, TensorOptions(kFloat64).requires_grad(needs_grad));
        side[s] = function(moved);
      }
      const double numeric = (side[1] - side[0]) / (2 * h);
      const double got = exact.empty() || exact[which].empty() ? 0 : exact[which][i];
      ASSERT_NEAR(got, numeric, 2e-5 * std::max(1.0, std::abs(numeric))) << which << ' ' << i;
    }
  }
}

class RandomProgram : public testing::TestWithParam<unsigned> {
 protected:
  // Many programs for each test case, so that a thousand cost no thousand cases.
  template <class Check>
  static void for_each_seed(Check check) {
    for (unsigned i = 0; i < 50; ++i) {
      const unsigned seed = GetParam() * 1000 + i;
      SCOPED_TRACE(seed);
      check(seed);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(RandomProgram, AgreesWithDifferences) {
  for_each_seed([](unsigned seed) {
    const std::vector<Tensor> leaves = make_leaves();
    const Gradients exact = gradients(Program(seed, leaves).output(), leaves);
    compare_with_differences(exact, false, [&](const auto& at) { return first(seed, at); });
  });
}

TEST_P(RandomProgram, SecondOrderAgreesWithDifferences) {
  for_each_seed([](unsigned seed) {
    if (seed % 5 != 0) return;  // these cost more
    const std::vector<Tensor> leaves = make_leaves();
    const Gradients exact = gradients(weighted_gradients(seed, leaves), leaves);
    compare_with_differences(exact, true, [&](const auto& at) {
      return weighted_gradients(seed, at).template item<double>();
    });
  });
}

TEST_P(RandomProgram, BackwardTwiceWithHooksGivesTheSameBits) {
  for_each_seed([](unsigned seed) {
    const std::vector<Tensor> leaves = make_leaves();
    std::atomic<int> calls = 0;
    const Program program(seed, leaves, &calls);
    const Gradients plain = gradients(Program(seed, leaves).output(), leaves);
    ASSERT_EQ(gradients(program.output(), leaves, true), plain);
    const int once = calls.exchange(0);
    ASSERT_EQ(gradients(program.output(), leaves, true), plain);
    ASSERT_EQ(calls, once);
    if (!program.output().requires_grad()) return;
    program.output().backward();
    for (size_t i = 0; i < leaves.size(); ++i) {
      ASSERT_EQ(leaves[i].grad().defined() ? values(leaves[i].grad()) : Values(), plain[i]);
    }
  });
}

TEST_P(RandomProgram, EveryTensorAloneAndAllTogetherAgree) {
  for_each_seed([](unsigned seed) {
    const Program program(seed, make_leaves());
    std::vector<Tensor> inner;
    for (const Tensor& t : program.inner()) {
      if (t.requires_grad()) inner.push_back(t);
    }
    const Gradients together = gradients(program.output(), inner, true);
    for (size_t i = 0; i < together.size(); ++i) {
      ASSERT_EQ(gradients(program.output(), {inner[i]}, true)[0], together[i]) << i;
    }
  });
}

TEST_P(RandomProgram, ThreadsShareAGraph) {
  for_each_seed([](unsigned seed) {
    if (seed % 10 != 0) return;
    const std::vector<Tensor> leaves = make_leaves();
    const Program program(seed, leaves);
    const Gradients alone = gradients(program.output(), leaves, true);
    std::vector<Gradients> found(4);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < found.size(); ++i) {
      threads.emplace_back([&, i] {
        found[i] = i % 2 == 0 ? gradients(program.output(), leaves, true)
                              : gradients(Program(seed, leaves).output(), leaves);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Gradients& one : found) ASSERT_EQ(one, alone);
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgram, testing::Range(0U, 40U));

}  // namespace
}  // namespace eagre::test
