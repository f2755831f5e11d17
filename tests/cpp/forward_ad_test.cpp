// Forward mode: dual levels, tangents through operators, views and writes, and its mixture with
// backward. That the rule of every operator is right, tests/python/ops/test_jvp_rules.py shows.
#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include <eagre/autograd/tape/level.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/eagre.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::forward_ad::DualLevel;
using autograd::forward_ad::ForwardMode;
using autograd::forward_ad::make_dual;
using autograd::forward_ad::unpack_dual;
using Tensors = std::vector<Tensor>;

Tensor vector(const std::vector<double>& numbers) { return tensor(numbers, kFloat64); }
Tensor range_matrix() { return arange(6, kFloat64).reshape({2, 3}); }
Tensor tangent(const Tensor& dual) { return unpack_dual(dual).tangent; }

// Row: PyTorch M1, PyTorch M2
TEST(ForwardMode, TangentsFollowTheChainRule) {
  const Tensor x = vector({1, 2}), v = vector({10, 100});
  const DualLevel level;
  const Tensor dual = make_dual(x, v);
  EXPECT_EQ(dual.data_ptr(), x.data_ptr());
  EXPECT_EQ(values(tangent(dual)), (Values{10, 100}));
  const Tensor y = dual * dual + 3 * dual;
  EXPECT_EQ(values(unpack_dual(y).primal), (Values{4, 10}));
  EXPECT_EQ(values(tangent(y)), (Values{50, 700}));
  EXPECT_FALSE(tangent(x).defined());
  EXPECT_FALSE(tangent(unpack_dual(y).primal).defined());
}

// Row: PyTorch M1
TEST(ForwardMode, TheEndOfALevelClearsTangents) {
  const Tensor x = vector({1, 2});
  Tensor v = vector({1, 1});
  TensorImpl* impl = v.impl();
  Tensor kept;
  {
    const DualLevel level;
    kept = make_dual(x, v).exp();
    kept = make_dual(x, v);
    EXPECT_GT(impl->refs.load(), 1u);
  }
  EXPECT_EQ(impl->refs.load(), 1u);
  const DualLevel another;
  EXPECT_FALSE(tangent(kept).defined());
  EXPECT_FALSE(tangent(kept * 2).defined());
}

// Row: PyTorch M2
TEST(ForwardMode, BadPairsAreRefused) {
  const Tensor x = vector({1, 2});
  expect_parts(error_of(ErrorKind::kAutograd, [&] { make_dual(x, x); }), {"no level exists"});
  const DualLevel level;
  const auto refused = [&](ErrorKind kind, const Tensor& primal, const Tensor& with,
                           std::initializer_list<std::string> parts) {
    expect_parts(error_of(kind, [&] { make_dual(primal, with); }), parts);
  };
  refused(ErrorKind::kInvalidArgument, x, vector({1}), {"different size", "[2]", "[1]"});
  refused(ErrorKind::kInvalidArgument, x, x.to(kFloat32), {"dtype", "float64", "float32"});
  refused(ErrorKind::kInvalidArgument, ones({2}, kInt64), x, {"Expected primal", "int64"});
  refused(ErrorKind::kInvalidArgument, x, ones({2}, kInt64), {"Expected tangent", "int64"});
  refused(ErrorKind::kAutograd, x, make_dual(x, x), {"has a forward gradient at the same level"});
  refused(ErrorKind::kInvalidArgument, x, Tensor(), {"make_dual()", "'tangent'", "undefined"});
}

// Row: PyTorch M3
TEST(ForwardMode, ViewsSeeTheTangentOfTheirBase) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2, 3, 4}), vector({5, 6, 7, 8})).clone();
  const Tensor view = dual.view({2, 2}).select(0, 1);
  EXPECT_EQ(values(tangent(view)), (Values{7, 8}));
  view.mul_(10);
  EXPECT_EQ(values(tangent(view)), (Values{70, 80}));
  EXPECT_EQ(values(tangent(dual)), (Values{5, 6, 70, 80}));
  dual.mul_(2);
  EXPECT_EQ(values(tangent(view)), (Values{140, 160}));
  EXPECT_EQ(values(unpack_dual(view).primal), (Values{60, 80}));
}

// Row: PyTorch M3, PyTorch M6
TEST(ForwardMode, WritesGiveATangentToWhatHadNone) {
  const DualLevel level;
  const Tensor target = zeros({2, 2}, kFloat64);
  const Tensor before = target.select(1, 0);
  const Tensor part = target.select(0, 1);
  part.copy_(make_dual(vector({1, 2}), vector({3, 4})));
  EXPECT_EQ(values(tangent(part)), (Values{3, 4}));
  EXPECT_EQ(values(tangent(target)), (Values{0, 0, 3, 4}));
  EXPECT_EQ(values(tangent(before)), (Values{0, 3}));
  const Tensor wide = zeros({2, 2}, kFloat64);
  wide.copy_(make_dual(vector({1, 2}), vector({3, 4})));
  EXPECT_EQ(values(tangent(wide)), (Values{3, 4, 3, 4}));
  wide.copy_(ones({2, 2}, kFloat64));
  EXPECT_EQ(values(tangent(wide)), (Values{0, 0, 0, 0}));
}

// A sum with a number has the tangent of its argument: writing one must not change the other.
TEST(ForwardMode, TensorsThatShareATangentDoNotShareWrites) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4}));
  const Tensor sum = dual + 1;
  const Tensor view = sum.select(0, 0);
  sum.mul_(10);
  EXPECT_EQ(values(tangent(sum)), (Values{30, 40}));
  EXPECT_EQ(values(tangent(view)), (Values{30}));
  EXPECT_EQ(values(tangent(dual)), (Values{3, 4}));
}

// The same with views: writes reach the base and other views, and nobody else.
TEST(ForwardMode, ViewsOfSharedTangents) {
  const DualLevel level;
  const auto fresh = [] { return make_dual(vector({1, 2}), vector({3, 4})).clone(); };
  {
    const Tensor dual = fresh(), view = dual.select(0, 0), other = dual.view({2, 1});
    const Tensor sum = view + 1;
    view.mul_(10);
    EXPECT_EQ(values(tangent(view)), (Values{30}));
    EXPECT_EQ(values(tangent(dual)), (Values{30, 4}));
    EXPECT_EQ(values(tangent(other)), (Values{30, 4}));
    EXPECT_EQ(values(tangent(sum)), (Values{3}));
  }
  {
    const Tensor dual = fresh(), view = dual.select(0, 0);
    const Tensor sum = dual + 1;
    view.mul_(10);
    EXPECT_EQ(values(tangent(dual)), (Values{30, 4}));
    EXPECT_EQ(values(tangent(sum)), (Values{3, 4}));
    const Tensor next = dual + 1;
    dual.mul_(2);
    EXPECT_EQ(values(tangent(view)), (Values{60}));
    EXPECT_EQ(values(tangent(next)), (Values{30, 4}));
  }
}

// Operators that take their argument apart in the order of memory, or have a short way.
TEST(ForwardMode, ResultsMadeInAnotherOrderKeepTheirTangents) {
  const DualLevel level;
  const Tensor dual = make_dual(range_matrix(), range_matrix() * 10).transpose(0, 1).clone();
  EXPECT_FALSE(dual.is_contiguous());
  EXPECT_EQ(values(tangent(flip(dual, {0}))), values(flip(tangent(dual), {0})));
  EXPECT_EQ(values(tangent(cat({dual, dual * 2}, 0))),
            values(cat({tangent(dual), tangent(dual) * 2}, 0)));
}

// Row: PyTorch M4, PyTorch J7, PyTorch H6
TEST(ForwardMode, DetachStopsTangentsAndNoGradDoesNot) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4}));
  EXPECT_FALSE(tangent(dual.detach()).defined());
  {
    const NoGradGuard no_grad;
    EXPECT_EQ(values(tangent(dual * 2)), (Values{6, 8}));
  }
  {
    const ForwardMode off(false);
    EXPECT_FALSE(ForwardMode::is_enabled());
    EXPECT_FALSE(tangent(dual * 2).defined());
  }
  Tensor out = zeros({2}, kFloat64);
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { mul_out(out, dual, dual); }),
               {"mul()", "is an out= function", "forward AD"});
  const Tensor product = dual * 2;
  product.detach_();
  EXPECT_FALSE(tangent(product).defined());
}

// Row: PyTorch M5
TEST(ForwardMode, OperatorsOutsideCalculusHaveNoTangent) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4}));
  EXPECT_FALSE(tangent(dual > 1).defined());
  EXPECT_FALSE(tangent(dual.argmax()).defined());
  EXPECT_EQ(values(tangent(dual.floor())), (Values{0, 0}));
}

// Row: PyTorch M4
TEST(ForwardMode, ForwardOverReverse) {
  // f = sum(exp(x) * x); H = diag(exp(x) (2 + x))
  const Tensor x = vector({0.5, 1}), v = vector({2, 3});
  const DualLevel level;
  const Tensor dual = make_dual(x, v).requires_grad_();
  EXPECT_TRUE(dual.is_leaf());
  const Tensor y = (dual.exp() * dual).sum();
  const Tensor gradient = autograd::grad({y}, {dual})[0];
  EXPECT_FALSE(gradient.requires_grad());
  expect_close(unpack_dual(gradient).primal, x.exp() * (x + 1));
  expect_close(tangent(gradient), v * x.exp() * (x + 2));
}

// Row: PyTorch M2, PyTorch M4
TEST(ForwardMode, ReverseOverForward) {
  const Tensor x = vector({0.5, 1}).requires_grad_(), v = vector({2, 3}).requires_grad_();
  const DualLevel level;
  const Tensor y = make_dual(x, v).exp();
  const auto gradients = autograd::grad({tangent(y).sum()}, {x, v});
  expect_close(gradients[0], v.detach() * x.detach().exp());
  expect_close(gradients[1], x.detach().exp());
  expect_close(autograd::grad({unpack_dual(make_dual(x, v).exp()).primal.sum()}, {x})[0],
               x.detach().exp());
}

TEST(ForwardMode, LevelsNest) {
  // d/da d/db of (a b)^3 in one variable: x^3 twice by x.
  const Tensor x = vector({2});
  const auto cube = [](const Tensors& in) { return Tensors{in[0] * in[0] * in[0]}; };
  const auto slope = [&](const Tensors& in) {
    return func::jvp(cube, in, {ones_like(in[0])}).second;
  };
  const auto [first, second] = func::jvp(slope, {x}, {vector({1})});
  EXPECT_EQ(values(first[0]), (Values{12}));
  EXPECT_EQ(values(second[0]), (Values{12}));
}

TEST(ForwardMode, TransformsCompose) {
  const auto f = [](const Tensor& x) { return (x.sin() * x * x).sum(); };
  const Tensor x = vector({0.3, 0.7, -1.2});
  const Tensor wanted = autograd::functional::hessian(f, x);
  expect_close(func::hessian(f)(x), wanted);
  expect_close(func::jacfwd(func::jacfwd(f))(x), wanted);
  expect_close(func::jacrev(func::jacfwd(f))(x), wanted);
  expect_close(func::jacrev(func::jacrev(f))(x), wanted);
  expect_close(func::jacfwd(func::grad(f))(x), wanted);
}

// Tangents of a batch go where there were none, or one for all samples; also through views.
TEST(ForwardMode, BatchesOfTangentsAreWritten) {
  const auto expect_same = [](const std::function<Tensor(const Tensor&)>& f) {
    const Tensor x = vector({0.3, 0.7, -1.2});
    expect_close(func::jacfwd(f)(x), func::jacrev(f)(x));
    const auto total = [&](const Tensor& in) { return (f(in) * in).sum(); };
    const Tensor wanted = func::jacrev(func::grad(total))(x);
    expect_close(func::jacfwd(func::grad(total))(x), wanted);
    expect_close(func::jacfwd(func::jacfwd(total))(x), wanted);
  };
  expect_same([](const Tensor& x) {
    const Tensor y = zeros({2, 3}, kFloat64), before = y.select(1, 2);
    y.select(0, 1).copy_(x * x);
    return y.select(0, 1) * y.select(0, 1) + before.sum();
  });
  expect_same([](const Tensor& x) {
    const Tensor y = x * 1.5, part = y.select(0, 1);
    y.mul_(y);
    return y * part;
  });
  expect_same([](const Tensor& x) {
    const Tensor y = x * 1.5;
    y.narrow(0, 1, 2).mul_(x.narrow(0, 0, 2));
    return y;
  });
}

// The history of a view is made anew while forward mode is on: of tensors that have tangents, in a
// batch.
TEST(ForwardMode, StaleViewsInABatch) {
  const auto f = [](const Tensor& x) {
    const Tensor y = x * 2, part = y.select(0, 1), again = part.view({1});
    y.mul_(x);
    return (part * again * y).sum();
  };
  const Tensor x = vector({0.3, 0.7, -1.2});
  const Tensor wanted = func::jacrev(func::grad(f))(x);
  expect_close(func::hessian(f)(x), wanted);
  expect_close(func::vmap(func::hessian(f))(stack({x, x}, 0)), stack({wanted, wanted}, 0));
  expect_close(func::jacrev(func::jacfwd(f))(x), wanted);
}

// What hooks keep of saved tensors are values; their tangents are there nevertheless.
TEST(ForwardMode, ForwardOverReverseThroughSavedTensorHooks) {
  const auto f = [](const Tensor& x) { return (x.exp() * x.sin()).tanh().sum(); };
  const Tensor x = vector({0.5, 1, -2});
  const Tensor wanted = func::hessian(f)(x);
  for (const bool copies : {false, true}) {
    const auto hooked = [&](const Tensor& in) {
      const autograd::SavedTensorHooks hooks(
          [=](const Tensor& saved) { return copies ? saved.clone() : saved; },
          [](const Tensor& kept) { return kept; });
      return f(in);
    };
    expect_close(func::hessian(hooked)(x), wanted);
    const auto slope = [&](const Tensors& in) { return Tensors{func::grad(hooked)(in[0])}; };
    expect_close(func::jvp(slope, {x}, {ones_like(x)}).second[0], wanted.sum(1));
  }
}

// What an inner function uses besides its arguments is an argument of the outer one.
TEST(ForwardMode, TransformsReachWhatTheirFunctionUses) {
  const Tensor x = vector({2}).sum(), w = vector({3}).sum();
  const auto slope_by_w = [&](const std::function<Tensor(const Tensor&)>& inner_by_w) {
    return func::grad(inner_by_w)(w).item<double>();
  };
  const auto inner = [&](const Tensor& by) { return [=](const Tensor& y) { return by * y * y; }; };
  EXPECT_EQ(slope_by_w([&](const Tensor& by) { return func::grad(inner(by))(x); }), 4);
  EXPECT_EQ(slope_by_w([&](const Tensor& by) { return func::jacrev(inner(by))(x); }), 4);
  EXPECT_EQ(slope_by_w([&](const Tensor& by) { return func::jacfwd(inner(by))(x); }), 4);
  EXPECT_EQ(slope_by_w([&](const Tensor& by) { return func::hessian(inner(by))(x); }), 2);
  EXPECT_EQ(slope_by_w([&](const Tensor& by) { return func::value_and_grad(inner(by))(x).first; }),
            4);
  EXPECT_EQ(slope_by_w([&](const Tensor& by) {
              const auto f = [&](const Tensors& in) { return Tensors{inner(by)(in[0])}; };
              return func::vjp(f, {x}).second({ones_like(x)})[0];
            }),
            4);
  // A leaf from outside of everything; and in a vmap, where only the batch has a history.
  const Tensor leaf = w.clone().requires_grad_();
  func::grad(inner(leaf))(x).backward();
  EXPECT_EQ(leaf.grad().item<double>(), 4);
  const Tensor leaves = vector({3, 5}).requires_grad_();
  func::vmap([&](const Tensor& by) { return func::grad(inner(by))(x); })(leaves).sum().backward();
  EXPECT_EQ(values(leaves.grad()), (Values{4, 4}));
  // Nobody else is there: nothing is recorded.
  EXPECT_FALSE(func::grad(inner(w))(x).requires_grad());
  EXPECT_FALSE(func::jacrev(inner(w))(x).requires_grad());
  EXPECT_FALSE(func::hessian(inner(w))(x).requires_grad());
}

TEST(ForwardMode, VjpAsAFunction) {
  const auto f = [](const Tensors& in) { return Tensors{in[0] * in[1], in[0].sum()}; };
  const auto [outputs, pull_back] = func::vjp(f, {vector({1, 2}), vector({3, 4})});
  EXPECT_EQ(values(outputs[0]), (Values{3, 8}));
  EXPECT_FALSE(outputs[0].requires_grad());
  const Tensors gradients = pull_back({vector({1, 10}), tensor(100.0, kFloat64)});
  EXPECT_EQ(values(gradients[0]), (Values{103, 140}));
  EXPECT_EQ(values(gradients[1]), (Values{1, 20}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&, back = pull_back] { back({}); }),
               {"vjp()", "2 results"});
}

TEST(ForwardMode, LevelsMayEndInAnyOrder) {
  auto first = std::make_unique<DualLevel>();
  auto second = std::make_unique<DualLevel>();
  const Tensor dual = make_dual(vector({1}), vector({3}));
  first.reset();
  EXPECT_EQ(values(tangent(dual * 2)), (Values{6}));
  second.reset();
  EXPECT_EQ(autograd::innermost_level(), nullptr);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { make_dual(dual, dual); }), {"no level exists"});
}

TEST(ForwardMode, NewMemoryHasNoTangent) {
  const DualLevel level;
  const Tensor dual = make_dual(vector({1, 2}), vector({3, 4})).clone();
  dual.resize_({3});
  EXPECT_FALSE(tangent(dual).defined());
  const Tensor other = make_dual(vector({1, 2}), vector({3, 4})).clone();
  other.set_data(vector({5, 6, 7}));
  EXPECT_FALSE(tangent(other * 2).defined());
}

}  // namespace
}  // namespace eagre::test
