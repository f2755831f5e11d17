// Products with Jacobians and Hessians, and these matrices.
#include <vector>

#include <eagre/api/func.h>
#include <eagre/api/functional.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using namespace autograd::functional;  // NOLINT: what this file is about

Tensor vector(const std::vector<double>& numbers) { return tensor(numbers, kFloat64); }

// Two outputs of three inputs, the last of which is not used by the first.
Tensors sample(const Tensors& in) { return {in[0] * in[1], (in[1] * in[1]).sum() * in[2]}; }

// Row: PyTorch N1
TEST(Functional, VjpAndJvp) {
  const Tensors inputs{vector({1, 2}), vector({3, 4}), vector({5})};
  const Product left = vjp(sample, inputs, {vector({1, 10}), vector({100})});
  EXPECT_EQ(values(left.outputs[0]), (Values{3, 8}));
  EXPECT_FALSE(left.outputs[0].requires_grad());
  EXPECT_EQ(values(left.product[0]), (Values{3, 40}));
  EXPECT_EQ(values(left.product[1]), (Values{3001, 4020}));
  EXPECT_EQ(values(left.product[2]), (Values{2500}));

  const Product right = jvp(sample, inputs, {vector({1, 10}), vector({0, 1}), vector({2})});
  EXPECT_EQ(values(right.product[0]), (Values{3, 42}));
  EXPECT_EQ(values(right.product[1]), (Values{90}));
}

// Row: PyTorch N1
TEST(Functional, TheVectorMayBeLeftOutForOneElement) {
  const auto square = [](const Tensors& in) { return Tensors{(in[0] * in[0]).sum()}; };
  EXPECT_EQ(values(vjp(square, {vector({1, 2})}).product[0]), (Values{2, 4}));
  EXPECT_EQ(values(jvp(square, {vector({3})}).product[0]), (Values{6}));
  expect_parts(
      error_of(ErrorKind::kInvalidArgument,
               [&] {
                 jvp(square, {vector({1, 2})});
               }),
      {"jvp()", "input to the user-provided function is a single Tensor", "single element"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] {
                          vjp(sample, {vector({1}), vector({1}), vector({1})});
                        }),
               {"vjp()", "function returns a single Tensor"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          vjp(square, {vector({1, 2})}, {vector({1, 2})});
                        }),
               {"vjp()", "[2]", "[]"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          vjp(square, {vector({1})}, {vector({1}), vector({1})});
                        }),
               {"The given v should contain a single Tensor", "one output, but got 2"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { vjp(square, {Tensor()}); }),
               {"input 0", "undefined"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] { vjp([](const Tensors&) { return Tensors(); }, {vector({1})}); }),
               {"returned nothing"});
}

// Row: PyTorch N1
TEST(Functional, WhatDoesNotDependIsZeroOrAnErrorIfStrict) {
  const auto constant = [](const Tensors& in) {
    return Tensors{in[0] * 2, ones({2}), in[1].detach()};
  };
  const Tensors inputs{vector({1}), vector({2})};
  const Tensors v{vector({1}), ones({2}), vector({1})};
  const Product product = vjp(constant, inputs, v);
  EXPECT_EQ(values(product.product[0]), (Values{2}));
  EXPECT_EQ(values(product.product[1]), (Values{0}));
  EXPECT_EQ(values(jvp(constant, inputs, {vector({1}), vector({1})}).product[1]), (Values{0, 0}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { vjp(constant, inputs, v, {.strict = true}); }),
               {"vjp()", "Output 1", "strict"});
  const auto one = [](const Tensors& in) { return Tensors{in[0] * 2}; };
  expect_parts(
      error_of(ErrorKind::kAutograd, [&] { vjp(one, inputs, {vector({1})}, {.strict = true}); }),
      {"input 1", "strict"});
  expect_parts(
      error_of(
          ErrorKind::kAutograd,
          [&] { vjp(one, {vector({1})}, {vector({1})}, {.create_graph = true, .strict = true}); }),
      {"independent of input 0", "create_graph"});
}

// Row: PyTorch N1
TEST(Functional, CreateGraphReachesTheInputs) {
  const auto cube = [](const Tensors& in) { return Tensors{in[0] * in[0] * in[0]}; };
  const Tensor x = tensor({2.0}, dtype(kFloat64).requires_grad());
  const Product left = vjp(cube, {x}, {vector({1})}, {.create_graph = true});
  EXPECT_EQ(values(autograd::grad({left.product[0]}, {x})[0]), (Values{12}));
  const Product right = jvp(cube, {x}, {vector({1})}, {.create_graph = true});
  EXPECT_EQ(values(autograd::grad({right.product[0]}, {x})[0]), (Values{12}));
  EXPECT_FALSE(vjp(cube, {x}, {vector({1})}).product[0].requires_grad());
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch N2
TEST(Functional, Jacobian) {
  const Tensors inputs{vector({1, 2}), vector({3, 4}), vector({5})};
  const Matrix all = jacobian(sample, inputs);
  ASSERT_EQ(all.size(), 2U);
  ASSERT_EQ(all[0].size(), 3U);
  EXPECT_EQ(values(all[0][0]), (Values{3, 0, 0, 4}));
  EXPECT_EQ(values(all[0][1]), (Values{1, 0, 0, 2}));
  EXPECT_EQ(all[0][2].sizes(), (Dims{2, 1}));
  EXPECT_EQ(values(all[0][2]), (Values{0, 0}));
  EXPECT_EQ(all[1][1].sizes(), (Dims{1, 2}));
  EXPECT_EQ(values(all[1][1]), (Values{30, 40}));

  const Tensor one = jacobian([](const Tensor& x) { return exp(x).sum(); }, zeros({2, 2}));
  EXPECT_EQ(one.sizes(), (Dims{2, 2}));
  EXPECT_EQ(values(one), (Values{1, 1, 1, 1}));
  const Tensor none = jacobian([](const Tensor& x) { return x * 2; }, zeros({0}));
  EXPECT_EQ(none.sizes(), (Dims{0, 0}));
  const NoGradGuard no_grad;  // does not stop it
  EXPECT_EQ(values(jacobian([](const Tensor& x) { return x * x; }, vector({3}))), (Values{6}));
}

// Row: PyTorch N3
TEST(Functional, HessianAndItsProducts) {
  const auto energy = [](const Tensors& in) {
    return Tensors{(in[0] * in[0] * in[1]).sum() + in[1].sum()};
  };
  const Tensors inputs{vector({1, 2}), vector({3, 4})};
  const Matrix all = hessian(energy, inputs);
  EXPECT_EQ(values(all[0][0]), (Values{6, 0, 0, 8}));
  EXPECT_EQ(values(all[0][1]), (Values{2, 0, 0, 4}));
  EXPECT_EQ(values(all[1][0]), (Values{2, 0, 0, 4}));
  EXPECT_EQ(values(all[1][1]), (Values{0, 0, 0, 0}));
  const Tensors v{vector({1, 0}), vector({0, 1})};
  for (const auto& product : {vhp(energy, inputs, v), hvp(energy, inputs, v)}) {
    EXPECT_EQ(values(product.outputs[0]), (Values{26}));
    EXPECT_EQ(values(product.product[0]), (Values{6, 4}));
    EXPECT_EQ(values(product.product[1]), (Values{2, 0}));
  }
  EXPECT_EQ(values(hessian([](const Tensor& x) { return (x * x).sum(); }, vector({1, 2}))),
            (Values{2, 0, 0, 2}));
  // Linear functions have none, and what is not used has none either.
  const auto linear = [](const Tensors& in) { return Tensors{in[0].sum()}; };
  EXPECT_EQ(values(hessian(linear, inputs)[0][1]), (Values{0, 0, 0, 0}));
  EXPECT_EQ(values(hvp(linear, inputs, v).product[1]), (Values{0, 0}));
  EXPECT_EQ(values(vhp(linear, inputs, v).product[0]), (Values{0, 0}));
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          hessian(sample, {vector({1}), vector({1}), vector({1})});
                        }),
               {"hessian()", "should return a single Tensor"});
}

// Row: PyTorch N3
TEST(Functional, ThirdOrder) {
  const auto cube = [](const Tensor& x) { return (x * x * x).sum(); };
  const auto curvature = [&](const Tensor& x) { return hessian(cube, x, {.create_graph = true}); };
  const Tensor third = jacobian(curvature, vector({1, 2}));
  EXPECT_EQ(third.sizes(), (Dims{2, 2, 2}));
  EXPECT_EQ(values(third), (Values{6, 0, 0, 0, 0, 0, 0, 6}));
}

TEST(Transforms, Compose) {
  const func::SingleFunction cube = [](const Tensor& x) { return (x * x * x).sum(); };
  const Tensor x = vector({1, 2});
  EXPECT_EQ(values(func::grad(cube)(x)), (Values{3, 12}));
  EXPECT_FALSE(func::grad(cube)(x).requires_grad());
  EXPECT_EQ(values(func::hessian(cube)(x)), (Values{6, 0, 0, 12}));
  EXPECT_EQ(values(func::jacrev(func::jacrev(cube))(x)), (Values{6, 0, 0, 12}));
  const Tensor point = vector({2});
  EXPECT_EQ(values(func::grad(func::grad(func::grad(cube)))(point)), (Values{6}));
  const auto [value, slope] = func::value_and_grad(cube)(x);
  EXPECT_EQ(values(value), (Values{9}));
  EXPECT_EQ(values(slope), (Values{3, 12}));
  const func::TensorFunction product = [](const Tensors& in) { return Tensors{in[0] * in[1]}; };
  EXPECT_EQ(values(func::grad(product)({point, vector({5})})[0]), (Values{5}));
}

TEST(Transforms, GradientsReachWhatSurroundsThem) {
  const Tensor w = tensor({3.0}, dtype(kFloat64).requires_grad()),
               x = tensor({2.0}, dtype(kFloat64).requires_grad());
  const func::SingleFunction f = [&](const Tensor& in) { return w * in * in; };
  const Tensor slope = func::grad(f)(x);
  const auto found = autograd::grad({slope}, {w, x});
  EXPECT_EQ(values(found[0]), (Values{4}));
  EXPECT_EQ(values(found[1]), (Values{6}));
}

}  // namespace
}  // namespace eagre::test
