// Errors name the operator, what came, and the user's line.
#include <cstdint>
#include <exception>
#include <string>

#include <eagre/autograd/tape/node.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

std::string here(int line) { return "errors_test.cpp:" + std::to_string(line); }

TEST(Errors, NameTheCallersLine) {
  const Tensor a = tensor({1.0, 2.0}, kFloat64), b = tensor({1.0, 2.0, 3.0}, kFloat64);
  Tensor target = a.clone();
  struct Row {
    int line;
    void (*call)(Tensor&, const Tensor&);
  };
  const Row rows[] = {
      {__LINE__, [](Tensor& x, const Tensor& y) { x + y; }},
      {__LINE__, [](Tensor& x, const Tensor& y) { y* x; }},
      {__LINE__, [](Tensor& x, const Tensor& y) { x.add(y); }},
      {__LINE__, [](Tensor& x, const Tensor& y) { add(x, y); }},
      {__LINE__, [](Tensor& x, const Tensor& y) { x += y; }},
      {__LINE__, [](Tensor& x, const Tensor& y) { x.mul_(y); }},
      {__LINE__, [](Tensor& x, const Tensor& y) { matmul(x, y); }},
      {__LINE__, [](Tensor& x, const Tensor&) { x.expand({5}); }},
      {__LINE__, [](Tensor&, const Tensor&) { full({-1}, 2); }},
  };
  for (const Row& row : rows) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { row.call(target, b); }),
                 {here(row.line)});
  }
  EXPECT_EQ(values(target), values(a));
}

TEST(Errors, CompositesAreNamedBesideTheOperatorsInThem) {
  const auto begins = [](const std::string& text, const std::string& start) {
    EXPECT_TRUE(text.starts_with(start)) << text;
  };
  const Tensor a = ones({2, 3});
  const auto bad = ErrorKind::kInvalidArgument;
  const Tensor other = ones({4});
  begins(error_of(bad, [&] { true_divide(a, other); }), "true_divide(): in div(): ");
  begins(error_of(bad, [&] { a.true_divide(other); }), "true_divide(): in div(): ");
  begins(error_of(bad, [&] { a.true_divide_(other); }), "true_divide(): in div(): ");
  begins(error_of(bad, [&] { true_divide_out(a, a, other); }), "true_divide(): in div(): ");
  begins(error_of(bad, [&] { full_like(ones({1}, kUInt8), 300); }), "full_like(): in fill(): ");
  begins(error_of(ErrorKind::kIndex,
                  [&] {
                    take_along_dim(a, full({2, 1}, 7), 1);
                  }),
         "take_along_dim(): in gather(): ");
  // A complaint of the composite itself, and one that names no operator.
  begins(error_of(bad, [&] { addmm(a, a, ones({3})); }), "addmm(): argument 'mat2'");
  begins(error_of(bad, [&] { a.addmm_(a, ones({3})); }), "addmm(): argument 'mat2'");
  begins(error_of(ErrorKind::kOutOfMemory, [] { zeros({int64_t{1} << 50}); }),
         "out of host memory");
}

TEST(Errors, BroadcastMessage) {
  const std::string text = error_of(ErrorKind::kInvalidArgument, [] {
    tensor({1.0, 2.0}, kFloat64) + tensor({1.0, 2.0, 3.0}, kFloat64);
  });
  expect_parts(text, {"add(): The size of tensor a (2) must match the size of tensor b (3)",
                      "shapes [2] and [3] do not broadcast", "Hint"});
}

TEST(Errors, AreStandardExceptions) {
  try {
    tensor({1.0}, kFloat64).sum(5);
    FAIL();
  } catch (const std::exception& error) {
    expect_parts(error.what(), {"sum(): Dimension out of range"});
  }
}

TEST(Errors, BackwardNamesTheForwardLine) {
  const Tensor x = leaf({1, 2});
  const int line = __LINE__ + 1;
  const Tensor y = x * x;
  y.sum().backward();
  const std::string text = error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  expect_parts(text, {"second time", "MulBackward0", "retain_graph", here(line)});
}

// Row: PyTorch F3, PyTorch L8
TEST(Errors, ModifiedTensorNamesOpAndLine) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x.exp();
  const int product = __LINE__ + 1;
  const Tensor z = y * y;
  const int change = __LINE__ + 1;
  y.detach().add_(1);
  const std::string text = error_of(ErrorKind::kAutograd, [&] { z.sum().backward(); });
  expect_parts(text,
               {"modified by an inplace operation", "float32 tensor of shape [2]", "MulBackward0",
                "version 1", "expected version 0", "add_()", here(change), here(product)});
}

TEST(Errors, LineOfAHooksOwnCallsDoesNotStick) {
  const Tensor x = leaf({1, 2});
  const int line = __LINE__ + 1;
  const Tensor y = x * x;
  y.register_hook([](const Tensor& g) { (void)(g + 1); });
  x.detach().add_(1);
  const std::string text = error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  expect_parts(text, {"recorded at", here(line)});
  EXPECT_EQ(text.find(here(line + 1)), std::string::npos) << text;
}

// Row: PyTorch B18
TEST(Errors, AMissingDerivativeIsAnErrorOfBackward) {
  const Tensor x = leaf({1, 2}), y = x.detach().clone();
  record({x}, {y}, [](autograd::BackwardCall&) {
    raise(ErrorKind::kUnimplemented, "the derivative for 'mine' is not implemented");
  });
  EXPECT_TRUE(y.requires_grad());  // the forward has worked
  const std::string text = error_of(ErrorKind::kUnimplemented, [&] { y.sum().backward(); });
  expect_parts(text, {"the derivative for 'mine' is not implemented", "FunctionNode"});
  EXPECT_FALSE(x.grad().defined());
}

}  // namespace
}  // namespace eagre::test
