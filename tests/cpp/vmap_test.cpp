// vmap: batches through operators, views, writes and random numbers, and its mixture with the
// other transforms. That the rule of every operator is right,
// tests/python/ops/test_batch_rules.py shows.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include <eagre/autograd/tape/level.h>
#include <eagre/eagre.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using func::Randomness;
using func::vmap;
using func::VmapOptions;
using Tensors = std::vector<Tensor>;

Tensor range(std::initializer_list<int64_t> sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return arange(count, kFloat64).reshape(sizes);
}

bool same_rows(const Tensor& matrix) {
  return values(matrix.select(0, 0)) == values(matrix.select(0, 1));
}

// f of every sample by itself.
Tensor one_by_one(const std::function<Tensor(const Tensor&)>& f, const Tensor& batch) {
  Tensors results;
  for (const Tensor& sample : batch.unbind(0)) results.push_back(f(sample));
  return stack(results, 0);
}

void expect_mapped(const std::function<Tensor(const Tensor&)>& f, const Tensor& batch) {
  expect_close(vmap(f)(batch), one_by_one(f, batch));
}

TEST(Vmap, OperatorsSeeOneSample) {
  const Tensor batch = range({4, 2, 3});
  expect_mapped([](const Tensor& x) { return x * 2 + x.sum(); }, batch);
  expect_mapped([](const Tensor& x) { return x.sum(0).exp(); }, batch / 10);
  expect_mapped([](const Tensor& x) { return x.matmul(x.transpose(0, 1)); }, batch);
  expect_mapped([](const Tensor& x) { return x.select(0, 1) - x.select(-2, 0); }, batch);
  expect_mapped([](const Tensor& x) { return x.reshape({3, -1}).softmax(-1); }, batch);
  vmap([](const Tensor& x) {
    EXPECT_EQ(x.sizes(), Dims({2, 3}));
    EXPECT_EQ(x.dim(), 2);
    EXPECT_EQ(x.numel(), 6);
    return x;
  })(batch);
}

TEST(Vmap, DimensionsOfArgumentsAndResults) {
  const Tensor a = range({2, 3}), b = range({3});
  VmapOptions options;
  options.in_dims = {1, std::nullopt};
  options.out_dims = {-1, 0};
  const auto f = vmap(
      [](const Tensors& in) {
        return Tensors{in[0] + in[1].sum(), in[1]};
      },
      options);
  const Tensors results = f({a, b});
  expect_close(results[0], a + 3);
  expect_close(results[1], stack({b, b, b}, 0));  // the same for all
  EXPECT_EQ(vmap([](const Tensor& x) { return x.sum(); }, 1)(a).sizes(), Dims({3}));
}

TEST(Vmap, BadArgumentsAreRefused) {
  const auto same = [](const Tensor& x) { return x; };
  const auto refused = [](auto call, std::initializer_list<std::string> parts) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, call), parts);
  };
  refused([&] { vmap(same)(tensor(1.0, kFloat64)); }, {"in_dim=0", "dimensionality 0"});
  refused([&] { vmap(same, 2)(range({2, 2})); }, {"in_dim=2", "dimensionality 2"});
  refused([&] { vmap(same)(zeros({0, 2})); }, {"no samples"});
  refused([&] { vmap(same, 0, 2)(range({2, 2})); }, {"out_dims", "got 2"});
  refused(
      [&] {
        vmap([](const Tensors& in) { return in; })({range({2}), range({3})});
      },
      {"same size", "2 and 3"});
  VmapOptions none;
  none.in_dims = {std::nullopt};
  refused([&] { vmap(same, none)(range({2})); }, {"no argument is mapped over"});
  VmapOptions three;
  three.in_dims = {0, 0, 0};
  refused([&] { vmap([](const Tensors& in) { return in; }, three)({range({2})}); },
          {"in_dims has 3", "1 arguments"});
  refused([&] { vmap([](const Tensor&) { return Tensor(); })(range({2})); }, {"undefined"});
}

TEST(Vmap, ValuesAreNotSeen) {
  Tensor kept;
  vmap([&](const Tensor& x) {
    EXPECT_THROW((void)x.item<double>(), Error);
    EXPECT_THROW((void)x.nonzero(), Error);
    EXPECT_THROW((void)x.data_ptr(), Error);
    EXPECT_NE(to_string(x).find("BatchedTensor"), std::string::npos);
    kept = x * 1;
    return x;
  })(range({2, 1}));
  // Nor afterwards.
  expect_parts(error_of(ErrorKind::kAutograd, [&] { (void)(kept + kept); }), {"add()", "vmap"});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { (void)kept.exp(); }), {"exp()", "vmap"});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { (void)kept.select(0, 0).exp(); }), {"vmap"});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { range({1}).copy_(kept); }), {"vmap"});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { kept.add_(1); }), {"vmap"});
}

TEST(Vmap, MemoryOfSamplesIsNotExchanged) {
  const auto refused = [](const std::function<void(const Tensor&)>& f) {
    const auto call = [&] {
      vmap([&](const Tensor& x) {
        f(x);
        return x;
      })(range({2, 2}));
    };
    expect_parts(error_of(ErrorKind::kAutograd, call), {"vmap", "all samples"});
  };
  refused([](const Tensor& x) { zeros({2}, kFloat64).set_data(x); });
  refused([](const Tensor& x) { x.set_data(zeros({2}, kFloat64)); });
  refused([](const Tensor& x) { x.set_(zeros({2}, kFloat64)); });
  refused([](const Tensor& x) { x.resize_({1}); });
}

TEST(Vmap, NumbersOfSamplesPromoteAsNumbers) {
  const Tensor batch = arange(3, kInt64);
  const Tensor sum = vmap([](const Tensor& x) { return x + ones({2}, kInt32); })(batch);
  EXPECT_EQ(sum.dtype(), kInt32);
  const Tensor floats =
      vmap([](const Tensor& x) { return ones({2}, kFloat32) * x; })(arange(3, kFloat64));
  EXPECT_EQ(floats.dtype(), kFloat32);
  EXPECT_EQ(floats.sizes(), Dims({3, 2}));
}

TEST(Vmap, WritesInPlace) {
  expect_mapped(
      [](const Tensor& x) {
        const Tensor y = zeros_like(x);
        y.select(0, 1).copy_(x.sum(0));
        y.mul_(2).add_(x);
        return y;
      },
      range({4, 2, 3}));
  expect_parts(error_of(ErrorKind::kAutograd,
                        [] {
                          const Tensor outside = zeros({3}, kFloat64);
                          vmap([&](const Tensor& x) { return outside.add_(x); })(range({2, 3}));
                        }),
               {"same for all samples", "zeros_like"});
  const Tensor batch = range({2, 2});
  vmap([](const Tensor& x) { return x.mul_(3); })(batch);  // the argument itself
  EXPECT_EQ(values(batch), (Values{0, 3, 6, 9}));
}

TEST(Vmap, NestsWithItself) {
  const Tensor a = range({2, 3}), b = range({4, 3}) / 7;
  const Tensor outer_product = vmap(
      [&](const Tensor& x) { return vmap([&](const Tensor& y) { return (x * y).sum(); })(b); })(a);
  expect_close(outer_product, a.matmul(b.transpose(0, 1)));
}

TEST(Vmap, GradientsOfEverySample) {
  const Tensor batch = range({4, 3}) / 5;
  const auto f = [](const Tensor& x) { return (x.sin() * x.sum()).sum(); };
  expect_close(vmap(func::grad(f))(batch), one_by_one(func::grad(f), batch));
  expect_close(vmap(func::hessian(f))(batch), one_by_one(func::hessian(f), batch));
  // A gradient through a vmap.
  const auto total = [&](const Tensor& x) { return vmap(f)(x).sum(); };
  expect_close(func::grad(total)(batch), one_by_one(func::grad(f), batch));
  const Tensor leaf = batch.clone().requires_grad_();
  vmap(f)(leaf).sum().backward();
  expect_close(leaf.grad(), one_by_one(func::grad(f), batch));
}

TEST(Vmap, GradientsThroughWritesToViews) {
  expect_mapped(func::grad([](const Tensor& x) {
                  const Tensor y = x * 1;
                  y.select(0, 0).mul_(x.select(0, 1));
                  return (y * y).sum();
                }),
                range({4, 3}) / 5);
}

TEST(Vmap, TangentsOfEverySample) {
  const Tensor batch = range({4, 3}) / 5;
  const auto directional = [](const Tensor& x) {
    const auto f = [](const Tensors& in) { return Tensors{in[0].exp() * in[0].sum()}; };
    return func::jvp(f, {x}, {ones_like(x)}).second[0];
  };
  expect_mapped(directional, batch);
}

TEST(Vmap, RandomNumbers) {
  const Tensor batch = zeros({3, 2});
  const auto noisy = [](const Tensor& x) { return x + randn({2}); };
  expect_parts(error_of(ErrorKind::kAutograd, [&] { vmap(noisy)(batch); }),
               {"randn()", "randomness"});
  VmapOptions options;
  options.randomness = Randomness::kSame;
  const Tensor same = vmap(noisy, options)(batch);
  EXPECT_TRUE(same_rows(same));
  options.randomness = Randomness::kDifferent;
  const Tensor different = vmap(noisy, options)(batch);
  EXPECT_FALSE(same_rows(different));
  const auto dropped = [](const Tensor& x) { return dropout(x + 1, 0.5, true); };
  const Tensor wide = zeros({2, 64});
  const Tensor masks = vmap(dropped, options)(wide);
  EXPECT_FALSE(same_rows(masks));
  options.randomness = Randomness::kSame;
  const Tensor one_mask = vmap(dropped, options)(wide);
  EXPECT_TRUE(same_rows(one_mask));
}

TEST(Vmap, Chunks) {
  int calls = 0;
  VmapOptions options;
  options.chunk_size = 3;
  options.out_dims = {1};
  const auto f = vmap(
      [&](const Tensor& x) {
        ++calls;
        return x * x;
      },
      options);
  const Tensor batch = range({8, 2});
  expect_close(f(batch), (batch * batch).transpose(0, 1));
  EXPECT_EQ(calls, 3);
  options.chunk_size = 0;
  EXPECT_THROW(vmap([](const Tensor& x) { return x; }, options)(batch), Error);
}

TEST(Vmap, ALoopSaysSoOnce) {
  static std::vector<std::string> warnings;
  const WarningHandler before =
      set_warning_handler([](const std::string& text) { warnings.push_back(text); });
  func::VmapOptions options;
  options.randomness = func::Randomness::kDifferent;
  const auto f =
      func::vmap(func::SingleFunction([](const Tensor&) { return randperm(5); }), options);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(f(range({4, 3})).sizes(), Dims({4, 5}));
  set_warning_handler(before);
  ASSERT_EQ(warnings.size(), 1u);
  expect_parts(warnings[0], {"randperm()", "no batch rule"});
}

TEST(Vmap, MatricesAtOnce) {
  using namespace autograd::functional;  // NOLINT
  const auto f = [](const autograd::functional::Tensors& in) {
    return autograd::functional::Tensors{in[0] * in[1].sum(), (in[0] * in[0]).sum()};
  };
  const autograd::functional::Tensors inputs{range({3}) + 1, range({2})};
  const Matrix plain = jacobian(f, inputs);
  Options options;
  options.vectorize = true;
  for (const Strategy strategy : {Strategy::kReverse, Strategy::kForward}) {
    options.strategy = strategy;
    const Matrix fast = jacobian(f, inputs, options);
    for (size_t i = 0; i < 2; ++i) {
      for (size_t j = 0; j < 2; ++j) expect_close(fast[i][j], plain[i][j]);
    }
  }
  options.strict = true;
  options.strategy = Strategy::kReverse;
  EXPECT_THROW(jacobian(f, inputs, options), Error);
  options = {};
  options.strategy = Strategy::kForward;
  EXPECT_THROW(jacobian(f, inputs, options), Error);
}

TEST(Vmap, GradientsInABatch) {
  const Tensor x = (range({3}) / 5).requires_grad_();
  const Tensor y = x.sin() * x.sum();
  const Tensor rows = autograd::batched_grad({y}, {x}, {eye(3, std::nullopt, kFloat64)})[0];
  expect_close(rows,
               func::jacrev([](const Tensor& at) { return at.sin() * at.sum(); })(x.detach()));
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { autograd::batched_grad({x.sum()}, {x}, {tensor(1.0, kFloat64)}); }),
               {"batched_grad()", "grad_outputs", "dimension 0"});
}

TEST(Vmap, BackwardToALeafFromOutsideIsRefused) {
  const Tensor w = tensor({1.0, 2.0}, kFloat64).requires_grad_();
  expect_parts(error_of(ErrorKind::kAutograd,
                        [&] {
                          vmap([&](const Tensor& x) {
                            (w * x).sum().backward();
                            return x;
                          })(range({3, 2}));
                        }),
               {"backward() inside vmap()", "grad()"});
  EXPECT_FALSE(w.grad().defined());
  (w * 2).sum().backward();
  EXPECT_EQ(values(w.grad()), (Values{2, 2}));
}

}  // namespace
}  // namespace eagre::test
