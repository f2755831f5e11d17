// Registering operators: what is refused, signatures, and libraries of operators.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::gradcheck;
using autograd::gradgradcheck;
using Tensors = std::vector<Tensor>;

std::string refused(OpBuilder&& builder) {
  return error_of(ErrorKind::kInvalidArgument, [&] { builder.add(); });
}

TEST(RegisterOp, BadRegistrations) {
  const auto kernel = [](const OpCall& call) { return call.tensor(0); };
  const auto with = [&](const char* name = "refused::op") { return register_op(name); };
  const char* const unary = "(Tensor x) -> Tensor";
  for (const char* name : {"op", "", "a::", "::b", "a::b::c", "a:b", "a b::c", "1a::b", "ä::b"}) {
    OpBuilder builder = register_op(name);
    expect_parts(refused(std::move(builder.signature(unary).kernel("cpu", kernel))),
                 {"namespace::operator", concat("\"", name, "\""), "register_op_test.cpp"});
  }
  with("test::taken").signature(unary).kernel("cpu", kernel).add();
  expect_parts(refused(std::move(with("test::taken").signature(unary).kernel("cpu", kernel))),
               {"test::taken", "already"});
  expect_parts(refused(std::move(with().kernel("cpu", kernel))), {"no signature()"});
  expect_parts(refused(std::move(with().signature(unary))), {"no kernel()"});
  expect_parts(refused(std::move(with().signature(unary).signature(unary).kernel("cpu", kernel))),
               {"signature() is given twice"});
  expect_parts(
      refused(std::move(with().signature(unary).kernel("cpu", kernel).kernel("cpu", kernel))),
      {"kernel(\"cpu\") is given twice"});
  expect_parts(refused(std::move(with().signature(unary).kernel("cpu", nullptr))), {"empty"});
  expect_parts(refused(std::move(with().signature(unary).kernel("cpu:0", kernel))),
               {"all devices of a kind", "cpu:0"});
  expect_parts(refused(std::move(with().signature(unary).kernel("meta", kernel))), {"use meta()"});
  const auto gradient = [](const GradCall& call) { return call.grad(); };
  const auto whole = [&](OpBuilder& builder) -> OpBuilder& {
    return builder.signature("(Tensor x, int n) -> Tensor").kernel("cpu", kernel);
  };
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).grad(gradient).no_grad())), {"both"});
  }
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).grad(gradient).grad(gradient))), {"twice"});
  }
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).grad(nullptr))), {"grad() is an empty function"});
  }
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).saves({"x"}))), {"no grad()"});
  }
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).grad(gradient).saves({"y"}))), {"'y'"});
  }
  {
    OpBuilder builder = with();
    expect_parts(refused(std::move(whole(builder).grad(gradient).saves({"n"}))), {"always there"});
  }
  EXPECT_THROW(find_op("refused::op"), Error);
  OpBuilder twice = register_op("test::added_twice");
  whole(twice).no_grad().add();
  expect_parts(refused(std::move(twice)), {"add() was called already"});
}

TEST(RegisterOp, BadSignatures) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "where '(' should be"},
      {"(Tensor x", "its end where ',' should be"},
      {"(Tensor x)", "where '->' should be"},
      {"(Tensor x) ->", "no type of a result"},
      {"(Tensor x) -> int", "must be of type Tensor"},
      {"(Tensor x) -> Tensor[]", "must be of type Tensor"},
      {"(Tensor x) -> ()", "no type of a result"},
      {"(Tensor x) -> Tensor and more", "after its end"},
      {"(Tensor x) -> (Tensor a, Tensor)", "either all results have names"},
      {"(Tensor x) -> (Tensor a, Tensor a)", "'a' is there twice"},
      {"(Tensor x) -> (Tensor x, Tensor y)", "'x' is there twice"},
      {"(Tensor result) -> Tensor", "'result' is there twice"},
      {"(Tensor x, Tensor x) -> Tensor", "'x' is there twice"},
      {"(Tenser x) -> Tensor", "unknown type 'Tenser'"},
      {"(float[] x) -> Tensor", "unknown type 'float[]'"},
      {"(Tensor) -> Tensor", "no name of an argument"},
      {"(Tensor 1x) -> Tensor", "no name of an argument"},
      {"(Tensor x, *) -> Tensor", "no argument comes after '*'"},
      {"(*, *, int n) -> Tensor", "a second '*'"},
      {"(int n=1, Tensor x) -> Tensor", "'x' without a default after"},
      {"(int n=1.5) -> Tensor",
       "position 7: the default of 'n' must be an int, but is the number 1.5"},
      {"(int n=None) -> Tensor", "default of 'n'"},
      {"(int n='x') -> Tensor", "the text 'x'"},
      {"(bool b=1) -> Tensor", "must be a bool"},
      {"(str s=1) -> Tensor", "must be a str"},
      {"(str s='a) -> Tensor", "without an end"},
      {"(int[] n=[1, x]) -> Tensor", "a list is of integers"},
      {"(int[] n=[1) -> Tensor", "a list is of integers"},
      {"(dtype d=float31) -> Tensor", "'float31'"},
      {"(float f=fast) -> Tensor", "'fast'"},
      {"(Tensor x=1) -> Tensor", "must be a Tensor"},
      {"(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int "
       "m, int n, int o, int p, int q) -> Tensor",
       "at most 16"},
  };
  for (const auto& [text, part] : cases) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { parse_signature(text); }), {part});
  }
  const OpSignature good = parse_signature(
      "( Tensor x,int[] n=[1, -2], * , str s=\"a, b\", dtype d=int64, Scalar c=1e-3, bool b=True, "
      "Tensor[]? l=None,float f=2)->(Tensor,Tensor)");
  EXPECT_EQ(good.parameters.size(), 8U);
  EXPECT_EQ(*good.parameters[1].missing.get<std::vector<int64_t>>(), (Sizes{1, -2}));
  EXPECT_EQ(*good.parameters[2].missing.get<std::string>(), "a, b");
  EXPECT_EQ(good.parameters[7].missing.get<Scalar>()->category(), DTypeCategory::kFloating);
  EXPECT_EQ(good.results, (std::vector<std::string>{"result0", "result1"}));
  EXPECT_EQ(parse_signature("() -> Tensor").parameters.size(), 0U);
}

// --- libraries ---

// Row: Paddle X3
TEST(OpLibrary, TheExample) {
  for (int round = 0; round < 2; ++round) load_library(kPlugins + "/ema.so");
  const auto ema = find_op<Tensor(Tensor, double)>("filters::ema");
  EXPECT_EQ(values(ema(ones({3}), 0.5)), (Values{0.5, 0.75, 0.875}));
  const Tensor x = randn({2, 4}, dtype(kFloat64).requires_grad());
  const auto function = [&](const Tensors& t) -> Tensors { return {ema(t[0], 0.7)}; };
  EXPECT_TRUE(gradcheck(function, {x}));
  EXPECT_TRUE(gradgradcheck(function, {x}));
  EXPECT_EQ(ema(ones({2}, kBFloat16), 0.5).dtype(), kBFloat16);
  EXPECT_EQ(list(ema(empty({2, 0}), 0.5).sizes()), (Sizes{2, 0}));
  EXPECT_EQ(list(ema(empty({2, 5}, device(kMeta)), 0.5).sizes()), (Sizes{2, 5}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { ema(x, 1); }),
               {"filters::ema(): argument 'decay'", "register_op_test.cpp"});
  const OpRecord& record = find_op("filters::ema").record();
  const OpCall call(record, {ones({3, 2}), 0.5}, CallSite::none());
  const BatchResults batched = record.batch(BatchCall(call, {1}, 2));
  EXPECT_EQ(list(batched.results[0].sizes()), (Sizes{2, 3}));
  EXPECT_EQ(values(record.jvp(JvpCall(call, {}, {ones({1})}))), (Values{0.5}));
}

TEST(OpLibrary, RegistersByFunctionOrStatically) {
  load_library(kPlugins + "/ops_none.so");
  EXPECT_EQ(values(call_op("from_library::twice", {ones({1})})), (Values{2}));
  load_library(kPlugins + "/ops_good_static.so");
  EXPECT_EQ(values(call_op("from_static::twice", {ones({1})})), (Values{2}));
}

TEST(OpLibrary, BadOnesRegisterNothing) {
  const auto fails = [](const std::string& name, ErrorKind kind = ErrorKind::kInvalidArgument) {
    const std::string text = error_of(kind, [&] { load_library(kPlugins + "/" + name); });
    expect_parts(text, {"load_library()", name, "register_op_test.cpp"});
    return text;
  };
  fails("not_there.so", ErrorKind::kNotFound);
  expect_parts(fails("ops_no_function.so"), {"no function eagre_register_ops"});
  expect_parts(fails("ops_bad_signature.so"), {"from_bad::bad", "'Tenser'", "library.cpp"});
  EXPECT_THROW(find_op("from_bad::good"), Error);
  expect_parts(fails("ops_taken.so"), {"from_taken::one", "already"});
  EXPECT_THROW(find_op("from_taken::one"), Error);
  expect_parts(fails("ops_throws.so"), {"no licence"});
  expect_parts(fails("ops_bad_static.so"), {"from_static::bad", "sim:1"});
  EXPECT_THROW(find_op("from_static::other"), Error);
  for (const char* name : {"ops_nested.so", "ops_nested_static.so"}) {
    expect_parts(fails(name), {"while another library registers"});
  }
}

}  // namespace
}  // namespace eagre::test
