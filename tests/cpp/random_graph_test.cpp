// Random graphs: backward(), grad() and differences must agree, whatever the shape of the graph.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include "cpp/support.h"

namespace eagre::test {
namespace {

struct Graph {
  std::vector<Tensor> inner;
  Tensor output;
};

// The same operators for the same seed; every value stays near 1.
Graph build(unsigned seed, const std::vector<Tensor>& leaves) {
  std::mt19937 random(seed);
  std::vector<Tensor> pool = leaves;
  const auto any = [&]() -> const Tensor& {
    return pool[std::uniform_int_distribution<size_t>(0, pool.size() - 1)(random)];
  };
  const auto square = [](const Tensor& t) { return t.dim() == 2 ? t : t.expand({3, 3}); };
  Graph graph;
  for (int step = 0; step < 12; ++step) {
    const Tensor &a = any(), &b = any();
    Tensor next;
    switch (random() % 9) {
      case 0: next = a * b * 0.5; break;
      case 1: next = a.add(b, -0.5); break;
      case 2: next = (a * -0.3).exp(); break;
      case 3: next = square(a).transpose(0, 1) * 0.7; break;
      case 4: next = matmul(square(a), square(b)) * 0.2; break;
      case 5: next = square(a).sum(1) * 0.3; break;
      case 6: next = a + a; break;
      case 7: {
        next = square(a) * 0.9;
        next.mul_(b);
        next = next * 0.5;
        break;
      }
      default: next = square(a).sum(0, true).expand({3, 3}) * 0.3; break;
    }
    pool.push_back(next);
    graph.inner.push_back(next);
  }
  graph.output = pool.back().sum();
  for (int i = 0; i < 4; ++i) graph.output = graph.output + any().sum() * 0.5;
  return graph;
}

std::vector<Tensor> make_leaves(bool needs_grad = true) {
  const auto options = TensorOptions(kFloat64).requires_grad(needs_grad);
  return {make({3}, {0.5, -0.2, 0.9}, options),
          make({3, 3}, {0.1, 0.2, 0.3, -0.4, 0.5, -0.6, 0.7, 0.8, -0.9}, options),
          make({}, {0.6}, options)};
}

class RandomGraph : public testing::TestWithParam<unsigned> {};

TEST_P(RandomGraph, BackwardAndGradAgree) {
  const std::vector<Tensor> leaves = make_leaves();
  const Graph graph = build(GetParam(), leaves);
  graph.output.backward({}, true);
  const auto results = autograd::grad({graph.output}, leaves, {}, true, false, true);
  for (size_t i = 0; i < leaves.size(); ++i) {
    ASSERT_EQ(leaves[i].grad().defined(), results[i].defined());
    if (!results[i].defined()) continue;
    EXPECT_EQ(values(leaves[i].grad()), values(results[i]));
  }
  // All inner tensors at once, and each alone.
  const auto together = autograd::grad({graph.output}, graph.inner, {}, true, false, true);
  for (size_t i = 0; i < graph.inner.size(); ++i) {
    const Tensor alone = autograd::grad({graph.output}, {graph.inner[i]}, {}, true, false, true)[0];
    ASSERT_EQ(alone.defined(), together[i].defined());
    if (!alone.defined()) continue;
    EXPECT_EQ(values(alone), values(together[i]));
  }
}

TEST_P(RandomGraph, Numeric) {
  const std::vector<Tensor> leaves = make_leaves();
  const auto exact =
      autograd::grad({build(GetParam(), leaves).output}, leaves, {}, false, false, true);
  const double h = 1e-6;
  for (size_t which = 0; which < leaves.size(); ++which) {
    const Values start = values(leaves[which]);
    for (size_t i = 0; i < start.size(); ++i) {
      double side[2];
      for (int s : {0, 1}) {
        std::vector<Tensor> moved = make_leaves(false);
        Values list = start;
        list[i] += s == 0 ? -h : h;
        moved[which] = make(leaves[which].sizes(), list, kFloat64);
        side[s] = build(GetParam(), moved).output.item<double>();
      }
      const double numeric = (side[1] - side[0]) / (2 * h);
      const double got = exact[which].defined() ? values(exact[which])[i] : 0;
      ASSERT_NEAR(got, numeric, 1e-5 * std::max(1.0, std::abs(numeric))) << which << " " << i;
    }
  }
}

TEST_P(RandomGraph, SecondOrderIsSymmetric) {
  // d²f/(da db) by way of either leaf.
  const std::vector<Tensor> leaves = make_leaves();
  const Tensor output = build(GetParam(), leaves).output;
  const auto first = autograd::grad({output}, leaves, {}, true, true, true);
  if (!first[0].defined() || !first[2].defined()) return;
  const auto through = [&](const Tensor& gradient, const Tensor& leaf) {
    if (!gradient.requires_grad()) return 0.0;
    const Tensor g = autograd::grad({gradient.sum()}, {leaf}, {}, true, false, true)[0];
    return g.defined() ? g.sum().item<double>() : 0.0;
  };
  const double one_way = through(first[0], leaves[2]);
  EXPECT_NEAR(one_way, through(first[2], leaves[0]), 1e-9 * std::max(1.0, std::abs(one_way)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraph, testing::Range(0U, 40U));

}  // namespace
}  // namespace eagre::test
