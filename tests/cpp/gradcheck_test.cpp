// gradcheck finds wrong gradients and lets right ones pass.
#include <eagre/api/gradcheck.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::AutogradContext;
using autograd::gradcheck;
using autograd::GradcheckError;
using autograd::GradcheckOptions;
using autograd::gradgradcheck;
using autograd::tensor_list;
using autograd::functional::Tensors;

Tensor random(Dims sizes, DType dtype = kFloat64) {
  manual_seed(7);
  return randn(sizes, dtype).requires_grad_();
}

// x * x with a factor that is wrong unless it is 2, and other faults.
struct Square : autograd::Function<Square> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor, double extra) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    ctx->saved_data["extra"] = extra;
    return x * x;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    static double calls = 0;
    const double extra = ctx->saved_data["extra"].toDouble();
    const Tensor slope = ctx->get_saved_variables()[0] * ctx->saved_data["factor"].toDouble();
    if (extra > 0) return {grads[0] * slope + extra * ++calls, Tensor(), Tensor()};
    if (extra < 0) return {slope, Tensor(), Tensor()};
    return {grads[0] * slope, Tensor(), Tensor()};
  }
};
auto square(double factor, double extra = 0) {
  return [=](const Tensors& in) { return Tensors{Square::apply(in[0], factor, extra)}; };
}

std::string complaint(const std::function<void()>& check) {
  try {
    check();
  } catch (const GradcheckError& error) {
    return error.message();
  }
  ADD_FAILURE() << "nothing was found";
  return "";
}

// Row: PyTorch N4
TEST(Gradcheck, RightGradientsPass) {
  for (const bool fast : {false, true}) {
    const GradcheckOptions options{.fast_mode = fast};
    EXPECT_TRUE(gradcheck(square(2), {random({3})}, options));
    EXPECT_TRUE(gradgradcheck(square(2), {random({3})}, {}, options));
    const auto mixed = [](const Tensors& in) {
      return Tensors{in[0].exp() * in[1], in[0].sum(), in[1] > 0, in[2] * 3};
    };
    const Tensors inputs{random({2, 2}), random({2}), ones({2})};
    EXPECT_TRUE(gradcheck(mixed, inputs, options));
    EXPECT_TRUE(gradgradcheck(mixed, inputs, {}, options));
    EXPECT_TRUE(
        gradcheck([](const Tensors& in) { return Tensors{in[0] * 2}; }, {random({0})}, options));
  }
}

// Row: PyTorch N4
TEST(Gradcheck, ComplexNumbersCountAsPairs) {
  const auto mixed = [](const Tensors& in) {
    return Tensors{in[0] * in[0] * in[1], abs(in[0]), in[0].conj() * 2};
  };
  const Tensors inputs{random({3}, kComplex128), random({3})};
  for (const bool fast : {false, true}) {
    EXPECT_TRUE(gradcheck(mixed, inputs, {.fast_mode = fast}));
    EXPECT_TRUE(gradgradcheck(mixed, inputs, {}, {.fast_mode = fast}));
  }
  EXPECT_FALSE(gradcheck(square(1), {random({2}, kComplex128)}, {.raise_exception = false}));
}

// Row: PyTorch N4
TEST(Gradcheck, WrongGradientsAreShown) {
  const Tensor x = tensor({1.0, 2.0}, requires_grad());
  expect_parts(complaint([&] { gradcheck(square(3), {x}); }),
               {"Jacobian mismatch for output 0 with respect to input 0", "numerical:tensor([[2.",
                "analytical:tensor([[3., 0.],"});
  expect_parts(complaint([&] { gradcheck(square(3), {x}, {.fast_mode = true}); }),
               {"Jacobian mismatch", "fast mode", "analytical:tensor([[3., 0.],"});
  EXPECT_FALSE(gradcheck(square(3), {x}, {.raise_exception = false}));
  expect_parts(complaint([&] { gradcheck(square(2, -1), {tensor({1.0}, requires_grad())}); }),
               {"not multiplied by grad_output"});
  EXPECT_EQ(values(x), (Values{1, 2}));
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch N4
TEST(Gradcheck, GradientsThatDoNotRepeatAreFound) {
  const Tensor x = tensor({1.0}, requires_grad());
  expect_parts(complaint([&] { gradcheck(square(2, 1e-9), {x}); }), {"Backward is not reentrant"});
}

// Row: PyTorch N4
TEST(Gradcheck, AMissingGradientIsFound) {
  const auto cut = [](const Tensors& in) { return Tensors{in[0] * in[0].detach()}; };
  EXPECT_FALSE(gradcheck(cut, {random({2})}, {.raise_exception = false}));
  const auto lost = [](const Tensors& in) { return Tensors{in[0].detach() * 2}; };
  EXPECT_FALSE(gradcheck(lost, {random({2})}, {.raise_exception = false}));
  EXPECT_FALSE(gradcheck(lost, {random({2})}, {.raise_exception = false, .fast_mode = true}));
}

// Row: PyTorch N5
TEST(Gradcheck, WrongSecondGradientsAreFound) {
  const auto once = [](const Tensors& in) {
    return Tensors{Square::apply(in[0], 2, 0) * 0 + in[0] * in[0].detach() * 0 +
                   in[0] * in[0] * in[0].detach()};
  };
  EXPECT_FALSE(gradgradcheck(once, {random({2})}, {}, {.raise_exception = false}));
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] {
                          gradgradcheck(square(2), {random({2})}, {ones({2}), ones({2})});
                        }),
               {"gradgradcheck()", "2 gradients", "1 outputs"});
}

// Row: PyTorch N4
TEST(Gradcheck, InputsThatCannotBeVariedAreRefused) {
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { gradcheck(square(2), {ones({2})}); }),
               {"at least one input tensor to require gradient"});
  const Tensor expanded = tensor({1.0}).expand({3}).requires_grad_();
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { gradcheck(square(2), {expanded}); }),
               {"input 0", "stride 0", "clone()"});
}

TEST(Gradcheck, ErrorsOfTheFunctionAreItsOwn) {
  const auto bad = [](const Tensors& in) { return Tensors{in[0] + ones({2, 3})}; };
  EXPECT_EQ(static_cast<int>(ErrorKind::kInvalidArgument), [&] {
    try {
      gradcheck(bad, {random({2})}, {.raise_exception = false});
    } catch (const Error& error) {
      return static_cast<int>(error.kind());
    }
    return -1;
  }());
}

}  // namespace
}  // namespace eagre::test
