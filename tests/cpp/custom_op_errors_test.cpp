// Mistakes in calls of custom operators, in their kernels and in their gradients.
#include <complex>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp/support.h"

namespace eagre::test {
namespace {

using Tensors = std::vector<Tensor>;

TEST(CustomOpErrors, BadCalls) {
  const Op scaled_add = find_op("test::scaled_add"),
           product_and_exp = find_op("test::product_and_exp");
  const Tensor a = tensor({1.0F, 2.0F});
  const auto type_error = [&](const std::vector<OpArgument>& arguments) {
    return error_of(ErrorKind::kType, [&] { call_op("test::scaled_add", arguments); });
  };
  expect_parts(type_error({a}), {"test::scaled_add()", "'other' is missing", "(Tensor input,"});
  expect_parts(type_error({a, a, 1, 2}), {"at most 3", "got 4"});
  expect_parts(type_error({a, a, named("size", 1)}), {"no argument 'size'"});
  expect_parts(type_error({a, a, named("input", a)}), {"'input' is given twice"});
  expect_parts(type_error({named("other", a), a}), {"without a name after"});
  expect_parts(type_error({a, 1.5}), {"'other' must be a Tensor, but got the number 1.5"});
  expect_parts(type_error({a, a, "x"}), {"'scale' must be a real number", "the text 'x'"});
  expect_parts(type_error({a, a, std::complex<double>(1, 2)}), {"'scale' must be a real number"});
  expect_parts(type_error({a, Tensor()}), {"'other' must be a Tensor", "undefined"});
  expect_parts(type_error({a, Tensors{a}}), {"a list of Tensors"});

  const std::string wrong =
      error_of(ErrorKind::kInvalidArgument, [&] { scaled_add(a, tensor({1.0F})); });
  expect_parts(wrong,
               {"test::scaled_add(): argument 'other' must be of shape [2]", "one of shape [1]",
                "Hint: expand it", "called at", "custom_op_errors_test.cpp"});
  expect_parts(error_of(ErrorKind::kNotFound, [] { find_op("nowhere::op"); }),
               {"'nowhere::op'", "not loaded"});
  expect_parts(error_of(ErrorKind::kNotFound, [] { call_op("test::nothing", {}); }),
               {"'test::nothing'", "test::scaled_add", "custom_op_errors_test.cpp"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { Op()(1); }), {"not there"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { static_cast<void>(Tensor(product_and_exp(a, a))); }),
               {"2 results"});
  EXPECT_THROW(find_op<Tensor(Tensor)>("test::scaled_add"), Error);
  EXPECT_THROW(find_op<Tensor(Tensor, double)>("test::scaled_add"), Error);
  expect_parts(
      error_of(ErrorKind::kType,
               [] { find_op<std::tuple<Tensor, Tensor>(Tensor, Tensor)>("test::scaled_add"); }),
      {"(Tensor, Tensor) -> 2 tensors", "-> Tensor"});
}

// An operator whose functions a test gives.
Op op_with(const char* name, OpRecord::Kernel kernel, OpRecord::Grad grad = nullptr) {
  OpBuilder builder = register_op(name);
  OpBuilder& with = builder.signature("(Tensor a, int n=1, Tensor? b=None) -> Tensor");
  static_cast<void>(with.meta([](const OpCall& call) { return metadata_of(call.tensor(0)); }));
  static_cast<void>(with.kernel("cpu", std::move(kernel)));
  if (grad) static_cast<void>(with.grad(std::move(grad)));
  return builder.add();
}

const Op kLists = register_op("bad::lists")
                      .signature("(Tensor[] list) -> Tensor")
                      .kernel("cpu", [](const OpCall& call) { return call.tensors(0)[0]; })
                      .add();

TEST(CustomOpErrors, BadKernels) {
  const Tensor x = tensor({1.0F, 2.0F});
  const auto fails = [&](const char* name, const OpRecord::Kernel& kernel,
                         ErrorKind kind = ErrorKind::kInvalidArgument) {
    const Op op = op_with(name, kernel);
    return error_of(kind, [&] { op(x); });
  };
  expect_parts(fails("bad::two",
                     [&](const OpCall&) -> OpResults {
                       return {x, x};
                     }),
               {"the kernel of bad::two() for cpu returned 2 tensors", "1 results"});
  expect_parts(fails("bad::undefined", [](const OpCall&) { return Tensor(); }),
               {"returned an undefined tensor as 'result'"});
  expect_parts(fails("bad::device", [](const OpCall&) { return empty({2}, device(kMeta)); }),
               {"returned 'result' on meta"});
  expect_parts(fails("bad::shape", [](const OpCall&) { return zeros({3}); }),
               {"disagree", "float32 of shape [3]", "float32 of shape [2]", "called at"});
  expect_parts(fails("bad::dtype", [](const OpCall&) { return zeros({2}, kInt64); }),
               {"disagree", "int64 of shape [2]"});
  expect_parts(fails("bad::nested", [&](const OpCall&) { return x + zeros({3}); }),
               {"add()", "in the kernel of bad::nested() for cpu", "called at"});
  expect_parts(
      fails(
          "bad::asks", [](const OpCall& call) { return call.tensor("n"); }, ErrorKind::kType),
      {"bad::asks(): argument 'n' is of type int, but was asked for as Tensor"});
  expect_parts(fails("bad::name", [](const OpCall& call) { return call.tensor("c"); }),
               {"there is no argument 'c'"});
  expect_parts(
      fails(
          "bad::position", [](const OpCall& call) { return call.tensor(3); }, ErrorKind::kIndex),
      {"there is no argument 3"});
  const Op foreign = op_with("bad::foreign", [](const OpCall&) -> OpResults {
    throw std::runtime_error("a kernel's own exception");
  });
  EXPECT_THROW(foreign(x), std::runtime_error) << "passes as it is";
  expect_parts(error_of(ErrorKind::kType,
                        [&] {
                          kLists(Tensors{x, Tensor()});
                        }),
               {"bad::lists()", "with an undefined one at position 1"});
}

TEST(CustomOpErrors, CallsMadeByHand) {
  const OpRecord& record = find_op("test::scaled_add").record();
  const Tensor x = ones({1});
  const auto call = [&](std::vector<OpValue> values) {
    return OpCall(record, std::move(values), CallSite::none());
  };
  expect_parts(error_of(ErrorKind::kType, [&] { call({x}); }), {"3 arguments, but 1 values"});
  expect_parts(error_of(ErrorKind::kType, [&] { call({x, 1, 1}); }), {"'other' must be a Tensor"});
  EXPECT_EQ(call({x, x, 2}).real("scale"), 2.0);
  EXPECT_THROW(static_cast<void>(call({x, x, 2}).tensor("")), Error);
  EXPECT_EQ(OpValue(static_cast<const char*>(nullptr)).kind(), ValueKind::kNone);
  expect_parts(error_of(ErrorKind::kType,
                        [&] {
                          call({x, x, 2}).tensor_position("scale");
                        }),
               {"'scale' is no tensor"});
  const OpCall empty(kLists.record(), {Tensors()}, CallSite::none());
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { empty.tensor_position("list"); }),
               {"no tensors in argument 'list'"});
  expect_parts(error_of(ErrorKind::kIndex, [&] { OpResults({x})[1]; }), {"number 1"});
}

TEST(CustomOpErrors, BadGradients) {
  const Tensor x = leaf({1, 2});
  const auto kernel = [](const OpCall& call) { return call.tensor(0) * 2; };
  const auto fails = [&](const char* name, const OpRecord::Grad& gradient) {
    const Tensor y = op_with(name, kernel, gradient)(x);
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  expect_parts(fails("bad_grad::one", [](const GradCall& call) { return call.grad(); }),
               {"incorrect number of gradients (expected 2, got 1)", "bad_grad::OneBackward",
                "custom_op_errors_test.cpp"});
  expect_parts(fails("bad_grad::shape",
                     [](const GradCall&) -> OpResults {
                       return {zeros({3}), Tensor()};
                     }),
               {"bad_grad::ShapeBackward", "[3]", "[2]"});
  expect_parts(fails("bad_grad::unsaved",
                     [](const GradCall& call) -> OpResults {
                       return {call.tensor("a"), Tensor()};
                     }),
               {"bad_grad::unsaved()", "'a', which is not saved", "saves({\"a\"})"});
  expect_parts(fails("bad_grad::result",
                     [](const GradCall& call) -> OpResults {
                       return {call.result(), Tensor()};
                     }),
               {"'result', which is not saved"});
}

}  // namespace
}  // namespace eagre::test
