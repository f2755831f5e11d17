// Functions with a gradient of their own under forward mode and vmap.
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include <eagre/autograd/function/custom_vmap.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/eagre.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::AutogradContext;
using autograd::BatchDims;
using autograd::Function;
using autograd::tensor_list;
using autograd::VmapInfo;
using autograd::forward_ad::DualLevel;
using autograd::forward_ad::ForwardMode;
using autograd::forward_ad::make_dual;
using autograd::forward_ad::unpack_dual;
using Tensors = std::vector<Tensor>;
using SingleFunction = std::function<Tensor(const Tensor&)>;

Tensor vector(const std::vector<double>& numbers) { return tensor(numbers, kFloat64); }
Tensor tangent(const Tensor& dual) { return unpack_dual(dual).tangent; }
Tensor range(std::initializer_list<int64_t> sizes) {
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  return arange(1, count + 1, 1, kFloat64).reshape(sizes) / 4;
}
Tensor one_by_one(const SingleFunction& f, const Tensor& batch) {
  Tensors results;
  for (const Tensor& sample : batch.unbind(0)) results.push_back(f(sample));
  return stack(results, 0);
}

// x^n * w, which knows everything.
struct Power : Function<Power> {
  static constexpr bool generate_vmap_rule = true;  // NOLINT: the name that Function looks for
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double n, const Tensor& w) {
    EXPECT_FALSE(ForwardMode::is_enabled() && tangent_is_seen(x));
    ctx->save_for_backward({x, w});
    ctx->save_for_forward({x, w});
    ctx->saved_data["n"] = n;
    return x.pow(n) * w;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const double n = ctx->saved_data["n"].toDouble();
    return {grads[0] * slope(saved, n), Tensor(), grads[0] * saved[0].pow(n)};
  }
  static tensor_list jvp(AutogradContext* ctx, tensor_list tangents) {
    const auto saved = ctx->get_saved_variables();
    const double n = ctx->saved_data["n"].toDouble();
    EXPECT_EQ(tangents.size(), 3U);
    EXPECT_FALSE(tangents[1].defined());
    return {tangents[0] * slope(saved, n) + tangents[2] * saved[0].pow(n)};
  }
  static Tensor slope(const tensor_list& saved, double n) {
    return saved[0].pow(n - 1) * n * saved[1];
  }
  static bool tangent_is_seen(const Tensor& x) { return autograd::are_transformed(x); }
};
// The same of operators.
Tensor power(const Tensor& x, double n, const Tensor& w) { return x.pow(n) * w; }

// exp(x) by setup_context, with a batch rule of its own that says how often it was asked.
struct Exp : Function<Exp> {
  static inline int calls = 0;
  static Tensor forward(const Tensor& x) { return exp(x); }
  static void setup_context(AutogradContext* ctx, const Tensor&, const Tensor& output) {
    ctx->save_for_backward({output});
    ctx->save_for_forward({output});
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    return {grads[0] * ctx->get_saved_variables()[0]};
  }
  static tensor_list jvp(AutogradContext* ctx, tensor_list tangents) {
    return {tangents[0] * ctx->get_saved_variables()[0]};
  }
  static std::pair<Tensor, BatchDims> vmap(const VmapInfo& info, const BatchDims& in_dims,
                                           const Tensor& x) {
    ++calls;
    EXPECT_EQ(info.batch_size, x.size(in_dims[0].value_or(-1)));
    return {Exp::apply(x), in_dims};
  }
};

// Row: PyTorch K14
TEST(CustomTransforms, JvpGivesTheTangent) {
  const Tensor x = vector({1, 2}), v = vector({10, 100}), w = vector({3, 4});
  const DualLevel level;
  const Tensor y = Power::apply(make_dual(x, v), 3.0, w);
  EXPECT_EQ(values(unpack_dual(y).primal), (Values{3, 32}));
  EXPECT_EQ(values(tangent(y)), (Values{90, 4800}));
  EXPECT_EQ(values(tangent(Power::apply(x, 3.0, make_dual(w, v)))), (Values{10, 800}));
  expect_close(tangent(Exp::apply(make_dual(x, v))), v * x.exp());
  const ForwardMode off(false);
  EXPECT_FALSE(tangent(Power::apply(make_dual(x, v), 3.0, w)).defined());
}

// Row: PyTorch K2
TEST(CustomTransforms, SetupContext) {
  const Tensor x = vector({1, 2}).requires_grad_();
  const Tensor y = Exp::apply(x);
  EXPECT_EQ(y.grad_fn()->name(), "ExpBackward");
  const Tensor g = autograd::grad({y}, {x}, {ones({2}, kFloat64)}, {}, true)[0];
  expect_close(g.detach(), x.detach().exp());
  expect_close(autograd::grad({g.sum()}, {x})[0], x.detach().exp());
}

void expect_same(const std::function<SingleFunction(SingleFunction)>& transform, const Tensor& at) {
  const Tensor w = vector({2, 3});
  const SingleFunction custom = [&](const Tensor& x) {
    return (Power::apply(x, 3.0, w) * Exp::apply(x)).sum();
  };
  const SingleFunction plain = [&](const Tensor& x) { return (power(x, 3.0, w) * exp(x)).sum(); };
  expect_close(transform(custom)(at), transform(plain)(at));
}

// Row: PyTorch K14, PyTorch K15
TEST(CustomTransforms, AllTransformsCompose) {
  const auto vmapped = [](const SingleFunction& f) { return func::vmap(f); };
  const auto single = [](auto transform) {
    return [=](const SingleFunction& f) { return SingleFunction(transform(f)); };
  };
  const auto grad = single([](const SingleFunction& f) { return func::grad(f); });
  const auto jacfwd = single([](const SingleFunction& f) { return func::jacfwd(f); });
  const auto jacrev = single([](const SingleFunction& f) { return func::jacrev(f); });
  const auto summed = [](const SingleFunction& f) -> SingleFunction {
    return [f](const Tensor& x) { return f(x).sum(); };
  };
  const Tensor x = vector({0.5, 1.5}), batch = range({3, 2}), more = range({2, 3, 2});
  expect_same(grad, x);
  expect_same(jacfwd, x);
  expect_same([&](const auto& f) { return jacfwd(grad(f)); }, x);
  expect_same([&](const auto& f) { return jacrev(grad(f)); }, x);
  expect_same([&](const auto& f) { return jacfwd(jacfwd(f)); }, x);
  expect_same([&](const auto& f) { return jacrev(jacfwd(f)); }, x);
  expect_same(vmapped, batch);
  expect_same([&](const auto& f) { return vmapped(grad(f)); }, batch);
  expect_same([&](const auto& f) { return vmapped(jacfwd(f)); }, batch);
  expect_same([&](const auto& f) { return vmapped(jacfwd(grad(f))); }, batch);
  expect_same([&](const auto& f) { return vmapped(jacrev(grad(f))); }, batch);
  expect_same([&](const auto& f) { return grad(summed(vmapped(f))); }, batch);
  expect_same([&](const auto& f) { return jacfwd(grad(summed(vmapped(f)))); }, batch);
  expect_same([&](const auto& f) { return jacrev(grad(summed(vmapped(f)))); }, batch);
  expect_same([&](const auto& f) { return jacfwd(vmapped(f)); }, batch);
  expect_same([&](const auto& f) { return jacfwd(vmapped(grad(f))); }, batch);
  expect_same([&](const auto& f) { return jacrev(vmapped(jacfwd(f))); }, batch);
  expect_same([&](const auto& f) { return vmapped(vmapped(f)); }, more);
  expect_same([&](const auto& f) { return vmapped(vmapped(grad(f))); }, more);
  expect_same([&](const auto& f) { return vmapped(grad(summed(vmapped(f)))); }, more);
  expect_same([&](const auto& f) { return grad(summed(vmapped(vmapped(f)))); }, more);
  expect_same([&](const auto& f) { return vmapped(jacfwd(summed(vmapped(f)))); }, more);
}

// Row: PyTorch K15
TEST(CustomTransforms, GradientsOfWhatIsTheSameForAllSamples) {
  const Tensor batch = range({3, 2});
  const Tensor w = vector({2, 3}).requires_grad_(), plain = vector({2, 3}).requires_grad_();
  func::vmap([&](const Tensor& x) { return Power::apply(x, 2.0, w); }, 0, 1)(batch)
      .sum()
      .backward();
  func::vmap([&](const Tensor& x) { return power(x, 2.0, plain); }, 0, 1)(batch).sum().backward();
  expect_close(w.grad(), plain.grad());
}

// A gradient has the shape of the result where backward leaves the sum to the engine.
TEST(CustomTransforms, GradientsOfBroadcastArgumentsInABatch) {
  const Tensor batch = range({2, 2});
  const auto gradient = [&](auto f) {
    const Tensor w = vector({2, 3}).requires_grad_();
    const Tensors mapped =
        func::vmap([&](const Tensors& in) { return Tensors{f(in[0], 2.0, in[1])}; })({batch, w});
    mapped[0].sum().backward();
    return w.grad();
  };
  expect_close(gradient([](const auto&... in) { return Power::apply(in...); }), gradient(power));
}

// Row: PyTorch K15
TEST(CustomTransforms, TheRuleOfTheUserIsAsked) {
  Exp::calls = 0;
  const Tensor batch = range({3, 2});
  expect_close(func::vmap([](const Tensor& x) { return Exp::apply(x); }, 1, 1)(batch), batch.exp());
  EXPECT_EQ(Exp::calls, 1);
  const SingleFunction total = [](const Tensor& x) { return Exp::apply(x).sum(); };
  expect_close(func::vmap(func::grad(total))(batch), batch.exp());
  EXPECT_EQ(Exp::calls, 2);
}

struct Fixed : Function<Fixed> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x * 2; }
  static tensor_list backward(AutogradContext*, tensor_list grads) { return {grads[0] * 2}; }
};

// Row: PyTorch K13, PyTorch K14, PyTorch K15
TEST(CustomTransforms, MissingRulesAreErrors) {
  const Tensor x = vector({1, 2});
  expect_parts(
      error_of(ErrorKind::kAutograd,
               [&] { func::vmap([](const Tensor& each) { return Fixed::apply(each); })(x); }),
      {"tried to vmap over Fixed", "does not have vmap support", "generate_vmap_rule"});
  const DualLevel level;
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { Fixed::apply(make_dual(x, x)); }),
               {"forward AD with Fixed that does not support it", "must implement the jvp"});
  EXPECT_EQ(values(Fixed::apply(x)), (Values{2, 4}));  // nothing to differentiate
}

// Whatever a test wants.
struct Flexible : Function<Flexible> {
  static constexpr bool generate_vmap_rule = true;  // NOLINT
  using Forward = std::function<tensor_list(AutogradContext*, const Tensor&)>;
  using Linear = std::function<tensor_list(AutogradContext*, tensor_list)>;
  static tensor_list forward(AutogradContext* ctx, const Tensor& x, const Forward& f,
                             const Linear& backward, const Linear& jvp) {
    ctx->saved_data["backward"] = backward;
    ctx->saved_data["jvp"] = jvp;
    return f(ctx, x);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    auto results = ctx->saved_data["backward"].to<Linear>()(ctx, std::move(grads));
    results.resize(4);
    return results;
  }
  static tensor_list jvp(AutogradContext* ctx, tensor_list tangents) {
    return ctx->saved_data["jvp"].to<Linear>()(ctx, std::move(tangents));
  }
};
tensor_list twice(AutogradContext*, const tensor_list& in) { return {in[0] * 2}; }

// Row: PyTorch K14
TEST(CustomTransforms, WrongTangentsAreErrors) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4}));
  const auto complaint = [&](const Flexible::Forward& forward, const tensor_list& results) {
    const auto jvp = [&](AutogradContext*, const tensor_list&) { return results; };
    return error_of(ErrorKind::kAutograd, [&] { Flexible::apply(dual, forward, twice, jvp); });
  };
  const auto doubled = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x * 2}; };
  expect_parts(complaint(doubled, {}), {"Flexible", "number of tangents", "expected 1", "got 0"});
  expect_parts(complaint(doubled, {vector({1})}), {"shape", "[1]", "[2]"});
  expect_parts(complaint(doubled, {ones({2}, kFloat32)}), {"dtype", "float32", "float64"});
  const auto seen = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x.view({2})}; };
  expect_parts(complaint(seen, {vector({1, 2})}), {"not returning a view", "output 0", "input 0"});
  const auto same = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x}; };
  expect_parts(complaint(same, {vector({1, 2})}), {"not returning a view", "as-is"});
  const auto writes = [](AutogradContext* ctx, const Tensor& x) -> tensor_list {
    ctx->mark_dirty({x});
    return {x.mul_(2)};
  };
  expect_parts(complaint(writes, {vector({1, 2})}), {"not modifying the forward mode gradients"});
}

// Row: PyTorch K14
TEST(CustomTransforms, ViewsAndWritesOfTangents) {
  const DualLevel level;
  const auto selects = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x[1]}; };
  const auto also = [](AutogradContext*, const tensor_list& in) -> tensor_list {
    return {in[0][1]};
  };
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4})).clone();
  const Tensor part = Flexible::apply(dual, selects, twice, also)[0];
  EXPECT_EQ(values(tangent(part)), (Values{4}));
  dual.mul_(10);
  EXPECT_EQ(values(tangent(part)), (Values{40}));

  const auto writes = [](AutogradContext* ctx, const Tensor& x) -> tensor_list {
    ctx->mark_dirty({x});
    return {x.mul_(2)};
  };
  const auto in_place = [](AutogradContext*, const tensor_list& in) -> tensor_list {
    return {in[0].mul_(2)};
  };
  const Tensor sum = dual + 1;
  Flexible::apply(sum, writes, twice, in_place);
  EXPECT_EQ(values(unpack_dual(sum).primal), (Values{22, 42}));
  EXPECT_EQ(values(tangent(sum)), (Values{60, 80}));
  EXPECT_EQ(values(tangent(dual)), (Values{30, 40}));  // which it was shared with

  const auto same = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x}; };
  const auto hand_on = [](AutogradContext*, const tensor_list& in) { return in[0].view_as(in[0]); };
  const auto identity = [&](AutogradContext* ctx, const tensor_list& in) -> tensor_list {
    return {hand_on(ctx, in)};
  };
  EXPECT_EQ(values(tangent(Flexible::apply(dual, same, twice, identity)[0])), (Values{30, 40}));
}

// Row: PyTorch K14
TEST(CustomTransforms, NonDifferentiableResultsHaveNoTangent) {
  const DualLevel level;
  const auto two = [](AutogradContext* ctx, const Tensor& x) -> tensor_list {
    const Tensor mask = x * 0;
    ctx->mark_non_differentiable({mask});
    return {x * 2, mask, x.to(kInt64)};
  };
  const auto three = [](AutogradContext*, const tensor_list& in) -> tensor_list {
    return {in[0] * 2, Tensor(), Tensor()};
  };
  const auto results =
      Flexible::apply(make_dual(vector({1, 2}), vector({3, 4})), two, twice, three);
  EXPECT_EQ(values(tangent(results[0])), (Values{6, 8}));
  EXPECT_FALSE(tangent(results[1]).defined());
  EXPECT_FALSE(tangent(results[2]).defined());
}

// Row: PyTorch K5, PyTorch K8, PyTorch K15
TEST(CustomTransforms, WritesViewsAndInputsInABatch) {
  const auto writes = [](AutogradContext* ctx, const Tensor& x) -> tensor_list {
    ctx->mark_dirty({x});
    return {x.mul_(2)};
  };
  const auto same = [](AutogradContext*, const Tensor& x) -> tensor_list { return {x}; };
  const auto once = [](AutogradContext*, const tensor_list& in) -> tensor_list { return {in[0]}; };
  const SingleFunction f = [&](const Tensor& x) {
    const Tensor y = x * x;
    const Tensor z = Flexible::apply(y, writes, twice, twice)[0];
    EXPECT_TRUE(z.is_same(y));
    return (Flexible::apply(z, same, once, once)[0] * x).sum();
  };
  const SingleFunction plain = [](const Tensor& x) { return (x * x * 2 * x).sum(); };
  const Tensor batch = range({3, 2});
  expect_close(func::vmap(f)(batch), one_by_one(plain, batch));
  expect_close(func::vmap(func::grad(f))(batch), one_by_one(func::grad(plain), batch));
  const SingleFunction total = [&](const Tensor& x) { return func::vmap(f)(x).sum(); };
  expect_close(func::grad(total)(batch), one_by_one(func::grad(plain), batch));
}

struct BadRule : Function<BadRule> {
  static Tensor forward(const Tensor& x, const BatchDims&) { return x * 2; }
  static void setup_context(AutogradContext*, const Tensor&, const BatchDims&, const Tensor&) {}
  static tensor_list backward(AutogradContext*, tensor_list grads) { return {grads[0], Tensor()}; }
  static std::pair<Tensor, BatchDims> vmap(const VmapInfo&, const BatchDims&, const Tensor& x,
                                           const BatchDims& out_dims) {
    return {x * 2, out_dims};
  }
};

// Row: PyTorch K15
TEST(CustomTransforms, WrongBatchDimensionsAreErrors) {
  const auto complaint = [](const BatchDims& dims) {
    return error_of(ErrorKind::kAutograd, [&] {
      func::vmap([&](const Tensor& x) { return BadRule::apply(x, dims); })(range({3, 2}));
    });
  };
  expect_parts(complaint({}), {"BadRule", "1 outputs", "0 batch dimensions"});
  expect_parts(complaint({2}), {"output 0", "dimension 2", "2 dimensions"});
  expect_parts(complaint({1}), {"dimension 1", "size is 2", "3 samples"});
  const Tensor doubled =
      func::vmap([&](const Tensor& x) { return BadRule::apply(x, BatchDims{-2}); })(range({3, 2}));
  expect_close(doubled, range({3, 2}) * 2);
}

}  // namespace
}  // namespace eagre::test
