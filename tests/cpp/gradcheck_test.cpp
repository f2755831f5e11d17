// gradcheck finds wrong gradients and lets right ones pass.
#include <functional>
#include <optional>
#include <string>

#include <eagre/api/gradcheck.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/core/tensor_impl.h>

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
  const Tensor x = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  expect_parts(complaint([&] { gradcheck(square(3), {x}); }),
               {"Jacobian mismatch for output 0 with respect to input 0", "numerical:tensor([[2.",
                "analytical:tensor([[3., 0.],"});
  expect_parts(complaint([&] { gradcheck(square(3), {x}, {.fast_mode = true}); }),
               {"Jacobian mismatch", "fast mode", "analytical:tensor([[3., 0.],"});
  EXPECT_FALSE(gradcheck(square(3), {x}, {.raise_exception = false}));
  expect_parts(complaint([&] {
                 gradcheck(square(2, -1), {tensor({1.0}, dtype(kFloat64).requires_grad())});
               }),
               {"not multiplied by grad_output"});
  EXPECT_EQ(values(x), (Values{1, 2}));
  EXPECT_FALSE(x.grad().defined());
}

// Row: PyTorch N4
TEST(Gradcheck, GradientsThatDoNotRepeatAreFound) {
  const Tensor x = tensor({1.0}, dtype(kFloat64).requires_grad());
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
  const Tensor expanded = tensor({1.0}, kFloat64).expand({3}).requires_grad_();
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { gradcheck(square(2), {expanded}); }),
               {"input 0", "stride 0", "clone()"});
}

// x * x with faults that only one of the checks finds.
struct Faulty : autograd::Function<Faulty> {
  static constexpr bool generate_vmap_rule = true;  // NOLINT: the name that Function looks for
  enum Fault {
    kNone,
    kTangent,
    kUndefinedRaises,
    kUndefinedIsOne,
    kBatch,
    kTangentBatch,
    kSecondTangent
  };
  static Tensor forward(AutogradContext* ctx, const Tensor& x, int fault) {
    ctx->save_for_backward({x});
    ctx->save_for_forward({x});
    ctx->saved_data["fault"] = fault;
    ctx->set_materialize_grads(false);
    return x * x;
  }
  static bool is_in_batch(const Tensor& tensor) {
    return tensor.impl()->key.kind == TensorKind::kBatched;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto fault = ctx->saved_data["fault"].to<int>();
    const Tensor x = ctx->get_saved_variables()[0];
    if (!grads[0].defined()) {
      if (fault == kUndefinedRaises) return {grads[0] * x, Tensor()};
      return {fault == kUndefinedIsOne ? ones_like(x) : Tensor(), Tensor()};
    }
    const double more = fault == kBatch && is_in_batch(grads[0]) ? 3 : 2;
    const Tensor factor = fault == kSecondTangent ? x.detach() : x;
    return {grads[0] * factor * more, Tensor()};
  }
  static tensor_list jvp(AutogradContext* ctx, tensor_list tangents) {
    const auto fault = ctx->saved_data["fault"].to<int>();
    const Tensor x = ctx->get_saved_variables()[0];
    if (!tangents[0].defined()) return {Tensor()};
    const bool is_wrong = fault == kTangent || (fault == kTangentBatch && is_in_batch(tangents[0]));
    return {tangents[0] * x * (is_wrong ? 3 : 2)};
  }
};
auto faulty(int fault) {
  return [=](const Tensors& in) { return Tensors{Faulty::apply(in[0], fault), in[0].exp()}; };
}

// Row: PyTorch N4, PyTorch M7
TEST(Gradcheck, EveryOptionFindsItsFault) {
  const Tensor x = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  for (const bool fast : {false, true}) {
    const GradcheckOptions all{.check_grad_dtypes = true,
                               .check_batched_grad = true,
                               .check_batched_forward_grad = true,
                               .check_forward_ad = true,
                               .fast_mode = fast};
    EXPECT_TRUE(gradcheck(faulty(Faulty::kNone), {x}, all));
    const auto found = [&](int fault) {
      return complaint([&] { gradcheck(faulty(fault), {x}, all); });
    };
    expect_parts(found(Faulty::kTangent),
                 {"computed with forward mode mismatch for output 0 with respect to input 0",
                  "numerical:tensor([[2.", "analytical:tensor([[3., 0.],"});
    expect_parts(found(Faulty::kUndefinedRaises), {"handle undefined output grads", "undefined"});
    expect_parts(found(Faulty::kUndefinedIsOne), {"undefined or zero", "input 0"});
    expect_parts(found(Faulty::kBatch),
                 {"batched gradients", "output 0", "for input 0", "batched:"});
    expect_parts(found(Faulty::kTangentBatch), {"batched forward gradients", "for output 0"});
    // Nobody looks, nobody finds.
    EXPECT_TRUE(gradcheck(faulty(Faulty::kTangent), {x}, {.fast_mode = fast}));
    EXPECT_TRUE(gradcheck(faulty(Faulty::kBatch), {x}, {.fast_mode = fast}));
    EXPECT_TRUE(gradcheck(faulty(Faulty::kUndefinedIsOne), {x},
                          {.check_undefined_grad = false, .fast_mode = fast}));
    EXPECT_FALSE(gradcheck(faulty(Faulty::kTangent), {x},
                           {.raise_exception = false,
                            .check_forward_ad = true,
                            .check_backward_ad = false,
                            .fast_mode = fast}));
  }
}

// x * y, which cannot deal with a tangent that is not there.
struct Product : autograd::Function<Product> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& y, bool raises) {
    ctx->save_for_backward({x, y});
    ctx->save_for_forward({x, y});
    ctx->saved_data["raises"] = raises;
    ctx->set_materialize_grads(false);
    return x * y;
  }
  static tensor_list backward(AutogradContext*, const tensor_list&) { return {}; }
  static tensor_list jvp(AutogradContext* ctx, tensor_list tangents) {
    const auto saved = ctx->get_saved_variables();
    const bool is_missing = !tangents[0].defined() || !tangents[1].defined();
    if (is_missing && !ctx->saved_data["raises"].toBool()) return {ones_like(saved[0])};
    return {tangents[0] * saved[1] + tangents[1] * saved[0]};
  }
};

// Row: PyTorch N4
TEST(Gradcheck, MissingTangentsMustCountAsZeros) {
  const Tensors inputs{random({2}), random({2})};
  for (const bool fast : {false, true}) {
    const auto found = [&](bool raises) {
      return complaint([&] {
        gradcheck([&](const Tensors& in) { return Tensors{Product::apply(in[0], in[1], raises)}; },
                  inputs,
                  {.check_forward_ad = true, .check_backward_ad = false, .fast_mode = fast});
      });
    };
    expect_parts(found(true), {"forward mode to handle tangents that are not there"});
    expect_parts(found(false),
                 {"that is not there as zeros", "output 0", "input 0", "with zeros:"});
  }
}

// Row: PyTorch N4
TEST(Gradcheck, AFunctionWithoutJvpCannotBeChecked) {
  const Tensor x = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  EXPECT_TRUE(gradcheck(square(2), {x}, {.check_batched_grad = true}));  // by its operators
  // An error of the function itself, no wrong gradient.
  expect_parts(
      error_of(
          ErrorKind::kUnimplemented,
          [&] { gradcheck(square(2), {x}, {.raise_exception = false, .check_forward_ad = true}); }),
      {"forward AD with Square"});
}

// Row: PyTorch N4
TEST(Gradcheck, DtypesOfGradients) {
  const Tensor x = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  autograd::set_grad_dtype(x, std::nullopt);  // or the engine would convert it
  const auto narrow = [&](const Tensors& in) {
    const Tensor result = in[0].detach() * 2;
    record({in[0]}, {result}, [](autograd::BackwardCall& call) {
      if (call.grad(0).defined()) call.set(0, (Tensor(call.grad(0)) * 2).to(kFloat32));
    });
    return Tensors{result};
  };
  EXPECT_TRUE(gradcheck(narrow, {x}));
  expect_parts(complaint([&] { gradcheck(narrow, {x}, {.check_grad_dtypes = true}); }),
               {"gradient of input 0 is float32", "float64"});
}

// Row: PyTorch N4
TEST(Gradcheck, ForwardModeOfManyOperators) {
  const GradcheckOptions all{
      .check_batched_grad = true, .check_batched_forward_grad = true, .check_forward_ad = true};
  const auto mixed = [](const Tensors& in) {
    return Tensors{in[0].exp() * in[1], in[0].matmul(in[0]), in[1] > 0, in[1].softmax(0), in[2]};
  };
  const Tensors inputs{random({2, 2}), random({2}), ones({2})};
  EXPECT_TRUE(gradcheck(mixed, inputs, all));
  const auto of_complex = [](const Tensors& in) {
    return Tensors{in[0] * in[0] * in[1], abs(in[0]), in[0].conj() * 2};
  };
  EXPECT_TRUE(gradcheck(of_complex, {random({3}, kComplex128), random({3})}, all));
}

// Row: PyTorch N5
TEST(Gradcheck, SecondDerivativesByForwardMode) {
  const Tensor x = tensor({1.0, 2.0}, dtype(kFloat64).requires_grad());
  for (const bool fast : {false, true}) {
    for (const bool non_contiguous : {false, true}) {
      GradcheckOptions options{.fast_mode = fast,
                               .gen_non_contig_grad_outputs = non_contiguous,
                               .check_fwd_over_rev = true};
      EXPECT_TRUE(gradgradcheck(faulty(Faulty::kNone), {x}, {}, options));
    }
    expect_parts(
        complaint([&] {
          gradgradcheck(
              faulty(Faulty::kSecondTangent), {x}, {},
              {.fast_mode = fast, .check_fwd_over_rev = true, .check_rev_over_rev = false});
        }),
        {"forward mode mismatch", "numerical:", "analytical:"});
    EXPECT_TRUE(gradgradcheck(faulty(Faulty::kTangent), {x}, {}, {.fast_mode = fast}));
  }
}

// Row: PyTorch N4
TEST(Gradcheck, OptionsThatContradictEachOtherAreErrors) {
  const auto refused = [](const GradcheckOptions& options, ErrorKind kind, const char* part) {
    expect_parts(error_of(kind, [&] { gradcheck(square(2), {random({2})}, options); }), {part});
  };
  refused({.check_backward_ad = false}, ErrorKind::kInvalidArgument, "at least one of");
  refused({.check_batched_grad = true, .check_forward_ad = true, .check_backward_ad = false},
          ErrorKind::kInvalidArgument, "check_batched_grad=True requires");
  refused({.check_batched_forward_grad = true}, ErrorKind::kInvalidArgument,
          "check_batched_forward_grad=True requires");
  refused({.masked = true}, ErrorKind::kUnimplemented, "sparse");
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
