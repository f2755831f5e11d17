// Operators from outside of the library: calls, derivatives, devices.
#include <complex>
#include <stdexcept>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::grad;
using autograd::gradcheck;
using autograd::gradgradcheck;
using Tensors = std::vector<Tensor>;

OpResults scaled_add_kernel(const OpCall& call) {
  return call.tensor("input") + call.tensor("other") * call.real("scale");
}

// test::scaled_add has everything; the others one thing that is special.
const Op kScaledAdd =
    register_op("test::scaled_add")
        .signature("(Tensor input, Tensor other, *, float scale=1.0) -> Tensor")
        .doc("input + scale * other")
        .check([](const OpCall& call) {
          if (call.tensor("input").sizes() != call.tensor("other").sizes()) {
            call.fail("other", concat("of shape ", call.tensor(0).sizes()),
                      concat("one of shape ", call.tensor(1).sizes()), "expand it");
          }
        })
        .meta([](const OpCall& call) { return meta_like(call.tensor("input")); })
        .kernel("cpu", scaled_add_kernel)
        .grad([](const GradCall& call) -> OpResults {
          return {call.grad(), call.grad() * call.real("scale")};
        })
        .jvp([](const JvpCall& call) -> OpResults {
          return call.tangent("input") + call.tangent("other") * call.real("scale");
        })
        .batch([](const BatchCall& call) -> BatchResults {
          return {call.tensor(0) + call.tensor(1), {call.batch_dim("input")}};
        })
        .add();

// Saves an argument and both results.
const Op kProductAndExp =
    register_op("test::product_and_exp")
        .signature("(Tensor a, Tensor b) -> (Tensor product, Tensor exponential)")
        .kernel("cpu",
                [](const OpCall& call) -> OpResults {
                  return {call.tensor("a") * call.tensor("b"), call.tensor("a").exp()};
                })
        .saves({"a", "b", "exponential"})
        .grad([](const GradCall& call) -> OpResults {
          const Tensor by_a = call.grad("product") * call.tensor("b") +
                              call.grad("exponential") * call.result("exponential");
          return {by_a, call.needs_grad("b") ? call.grad(0) * call.tensor("a") : Tensor()};
        })
        .add();

TEST(CustomOp, IsCalledByNameByHandleAndByTypes) {
  const Tensor a = tensor({1.0F, 2.0F}), b = tensor({10.0F, 20.0F});
  const Values expected{21, 42};
  EXPECT_EQ(values(call_op("test::scaled_add", {a, b, 2.0})), expected);
  EXPECT_EQ(values(call_op("test::scaled_add", {a, b, named("scale", 2)})), expected);
  EXPECT_EQ(values(call_op("test::scaled_add",
                           {named("scale", 2), named("other", b), named("input", a)})),
            expected);
  const Op scaled_add = find_op("test::scaled_add");
  EXPECT_EQ(scaled_add.name(), "test::scaled_add");
  const Tensor y = scaled_add(a, b, 2.0);
  EXPECT_EQ(values(y), expected);
  EXPECT_EQ(values(scaled_add(a, b)), (Values{11, 22}));
  EXPECT_EQ(values(scaled_add(a, b, named("scale", 0.5))), (Values{6, 12}));
  const auto typed = find_op<Tensor(const Tensor&, const Tensor&, double)>("test::scaled_add");
  EXPECT_EQ(values(typed(a, b, 2)), expected);
  EXPECT_EQ(values(find_op<Tensor(Tensor, Tensor)>("test::scaled_add")(a, b)), (Values{11, 22}));
  const auto both = find_op<std::tuple<Tensor, Tensor>(Tensor, Tensor)>("test::product_and_exp");
  const auto [product, exponential] = both(a, b);
  EXPECT_EQ(values(product), (Values{10, 40}));
  EXPECT_FLOAT_EQ(values(exponential)[0], std::exp(1.0F));
  EXPECT_EQ(kScaledAdd.record().doc, "input + scale * other");
  const std::vector<std::string> names = registered_ops();
  EXPECT_NE(std::find(names.begin(), names.end(), "test::scaled_add"), names.end());
}

TEST(CustomOp, Gradients) {
  const Tensor a = leaf({1, 2}), b = leaf({10, 20});
  const Tensor y = kScaledAdd(a, b, 3.0);
  EXPECT_EQ(y.grad_fn()->name(), "test::ScaledAddBackward");
  y.sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
  EXPECT_EQ(values(b.grad()), (Values{3, 3}));

  const TensorOptions varied = dtype(kFloat64).requires_grad();
  const Tensor x = make({2}, {0.5, -1}, varied), z = make({2}, {2, 3}, varied);
  const auto function = [](const Tensors& t) -> Tensors { return kProductAndExp(t[0], t[1]); };
  EXPECT_TRUE(gradcheck(function, {x, z}));
  EXPECT_TRUE(gradgradcheck(function, {x, z}));
  const OpResults results = kProductAndExp(x, z);
  const Tensor first = grad({results[1].sum()}, {x}, {}, true, true)[0];
  EXPECT_TRUE(first.requires_grad());
  EXPECT_EQ(values(grad({first.sum()}, {x})[0]), values(x.exp()));
}

TEST(CustomOp, GradModes) {
  const Tensor a = leaf({1, 2});
  {
    const NoGradGuard no_grad;
    EXPECT_FALSE(Tensor(kScaledAdd(a, a)).requires_grad());
  }
  EXPECT_FALSE(Tensor(kScaledAdd(a.detach(), a.detach())).requires_grad());
  const Tensor y = kScaledAdd(a, a.detach());
  EXPECT_TRUE(y.requires_grad());
  y.sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
}

// Row: Paddle defect 11
TEST(CustomOp, ASecondBackwardNeedsTheGraph) {
  const Tensor a = leaf({1, 2});
  const OpResults results = kProductAndExp(a, a);
  results[0].sum().backward(TensorBase(), true);
  results[0].sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{4, 8}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { results[0].sum().backward(); }),
               {"second time"});
}

TEST(CustomOp, WrittenSavedTensorsAreErrors) {
  const Tensor a = leaf({1, 2});
  const Tensor b = a * 2;
  const OpResults results = kProductAndExp(a, b);
  b.mul_(2);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { results[0].sum().backward(); }),
               {"modified", "mul_", "test::ProductAndExpBackward", "custom_op_test.cpp"});
}

TEST(CustomOp, ArgumentsOfEveryType) {
  const Op op = register_op("test::types")
                    .signature(
                        "(Tensor? maybe, Tensor[] list, int n, float f, bool flag, str mode, "
                        "Scalar s, int[] dims, dtype to, float? limit=None) -> Tensor")
                    .kernel("cpu",
                            [](const OpCall& call) -> OpResults {
                              EXPECT_EQ(call.has("maybe"), call.tensor("maybe").defined());
                              EXPECT_EQ(call.has("limit"), false);
                              double sum = static_cast<double>(call.integer("n")) + call.real("f");
                              sum += call.boolean("flag") ? 100 : 0;
                              sum += static_cast<double>(call.text("mode").size()) * 1000;
                              sum += call.scalar("s").to<double>() + call.scalar("n").to<double>();
                              for (const int64_t dim : call.ints(7))
                                sum += static_cast<double>(dim);
                              for (const Tensor& t : call.tensors("list")) sum += t.item<double>();
                              return full({}, sum, dtype(call.dtype("to")));
                            })
                    .no_grad()
                    .add();
  const Tensor one = tensor(1.0);
  const Tensor y = op(std::nullopt, Tensors{one, one}, 1, 0.5F, true, "ab", Scalar(0.25),
                      std::vector<int64_t>{3, 4}, kFloat64);
  EXPECT_EQ(y.item<double>(), 1 + 0.5 + 100 + 2000 + 0.25 + 1 + 7 + 2);
  EXPECT_EQ(y.dtype(), kFloat64);
  const auto typed =
      find_op<Tensor(std::optional<Tensor>, Tensors, int64_t, double, bool, std::string, Scalar,
                     std::vector<int64_t>, DType)>("test::types");
  EXPECT_EQ(typed(one, {}, 0, 0, false, "", 2, {}, kInt64).item<int64_t>(), 2);
}

TEST(CustomOp, ListsHaveGradients) {
  const Op op = register_op("test::weighted_sum")
                    .signature("(Tensor[] list, Tensor? weight=None) -> Tensor")
                    .kernel("cpu",
                            [](const OpCall& call) -> OpResults {
                              const auto& list = call.tensors("list");
                              Tensor sum = list[0];
                              for (size_t i = 1; i < list.size(); ++i) sum = sum + list[i];
                              return call.has("weight") ? sum * call.tensor("weight") : sum * 1;
                            })
                    .saves({"list", "weight"})
                    .grad([](const GradCall& call) -> OpResults {
                      const bool weighted = call.tensor("weight").defined();
                      const Tensor each =
                          weighted ? call.grad() * call.tensor("weight") : call.grad();
                      Tensors grads(call.tensors("list").size(), each);
                      grads.emplace_back();
                      EXPECT_EQ(call.meta("list").sizes.size(), 1U);
                      if (weighted) {
                        grads.back() = call.tensors("list")[0] * call.grad();
                        for (size_t i = 1; i + 1 < grads.size(); ++i) {
                          grads.back() = grads.back() + call.tensors("list")[i] * call.grad();
                        }
                      }
                      return grads;
                    })
                    .add();
  const TensorOptions varied = dtype(kFloat64).requires_grad();
  const Tensor a = make({2}, {1, 2}, varied), b = make({2}, {3, 4}, varied),
               w = make({2}, {5, 6}, varied);
  const auto function = [&](const Tensors& t) -> Tensors {
    return op(Tensors{t[0], t[1], t[0]}, t[2]);
  };
  EXPECT_TRUE(gradcheck(function, {a, b, w}));
  EXPECT_TRUE(gradgradcheck(function, {a, b, w}));
  const Tensor y = op(Tensors{a, b});
  y.sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
}

TEST(CustomOp, ResultsThatAreConstantsOrHaveNoGradient) {
  const auto kernel = [](const OpCall& call) { return call.tensor(0) * 2; };
  const char* const unary = "(Tensor input) -> Tensor";
  const Op constant =
      register_op("test::constant").signature(unary).kernel("cpu", kernel).no_grad().add();
  const Op none = register_op("test::none").signature(unary).kernel("cpu", kernel).add();
  const Tensor x = leaf({1});
  EXPECT_FALSE(Tensor(constant(x)).requires_grad());
  const Tensor y = none(x);
  EXPECT_TRUE(y.requires_grad());
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }),
               {"test::none() has no gradient", "grad()", "no_grad()", "custom_op_test.cpp"});
}

TEST(CustomOp, AnInputMayComeBack) {
  const Op same = register_op("test::same")
                      .signature("(Tensor input) -> Tensor")
                      .kernel("cpu", [](const OpCall& call) { return call.tensor(0); })
                      .grad([](const GradCall& call) { return call.grad() * 3; })
                      .add();
  const Tensor x = leaf({2});
  const Tensor y = same(x);
  EXPECT_FALSE(y.is_same(x));
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{3}));
}

TEST(CustomOp, MetaDevice) {
  const Tensor a = empty({2, 3}, device(kMeta)), b = empty({2, 3}, device(kMeta));
  a.requires_grad_();
  const Tensor y = kScaledAdd(a, b);
  EXPECT_TRUE(y.device().is_meta());
  EXPECT_EQ(list(y.sizes()), (Sizes{2, 3}));
  y.sum().backward();
  EXPECT_TRUE(a.grad().device().is_meta());
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          kScaledAdd(a, empty({3, 2}, device(kMeta)));
                        }),
               {"test::scaled_add()", "'other'"});
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { kProductAndExp(a, b); }),
               {"test::product_and_exp()", "meta"});
}

TEST(CustomOp, RulesForOtherModesAreKept) {
  const Tensor a = tensor({1.0F}), b = tensor({2.0F});
  const OpCall call(kScaledAdd.record(), {a, b, 0.5}, CallSite::none());
  EXPECT_EQ(values(kScaledAdd.record().jvp(JvpCall(call, {a}, {b, b}))), (Values{3}));
  const BatchResults batched = kScaledAdd.record().batch(BatchCall(call, {0, std::nullopt}, 1));
  EXPECT_EQ(batched.dims[0], 0);
  EXPECT_FALSE(kProductAndExp.record().jvp);
}

TEST(CustomOp, ManyThreads) {
  in_threads(4, [](int thread) {
    const Op own = register_op(concat("threads::op", thread))
                       .signature("(Tensor input) -> Tensor")
                       .kernel("cpu", [](const OpCall& call) { return call.tensor(0) + 1; })
                       .grad([](const GradCall& call) { return call.grad() * 1; })
                       .add();
    for (int i = 0; i < 20; ++i) {
      const Tensor x = leaf({1, 2});
      kScaledAdd(own(x), call_op(concat("threads::op", thread), {x})).tensors()[0].sum().backward();
      EXPECT_EQ(values(x.grad()), (Values{2, 2}));
      EXPECT_GE(registered_ops().size(), 1U);
    }
  });
}

TEST(CustomOp, ValuesAreLookedAtWhenAskedFor) {
  set_flag("check_nan_inf", true);
  const Tensor big = tensor({1e300});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { kScaledAdd(tensor({INFINITY}), tensor({1.0F})); }),
               {"infinite"});
  set_flag("check_nan_inf", false);
}

// --- mistakes in calls ---

TEST(CustomOp, BadCalls) {
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
      error_of(ErrorKind::kInvalidArgument, [&] { kScaledAdd(a, tensor({1.0F})); });
  expect_parts(wrong, {"test::scaled_add(): argument 'other' must be of shape [2]",
                       "one of shape [1]", "Hint: expand it", "called at", "custom_op_test.cpp"});
  expect_parts(error_of(ErrorKind::kNotFound, [] { find_op("nowhere::op"); }),
               {"'nowhere::op'", "not loaded"});
  expect_parts(error_of(ErrorKind::kNotFound, [] { call_op("test::nothing", {}); }),
               {"'test::nothing'", "test::scaled_add", "custom_op_test.cpp"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { Op()(1); }), {"not there"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { static_cast<void>(Tensor(kProductAndExp(a, a))); }),
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
  static_cast<void>(with.meta([](const OpCall& call) { return meta_like(call.tensor(0)); }));
  static_cast<void>(with.kernel("cpu", std::move(kernel)));
  if (grad) static_cast<void>(with.grad(std::move(grad)));
  return builder.add();
}

TEST(CustomOp, BadKernels) {
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
  const Op lists = register_op("bad::lists")
                       .signature("(Tensor[] list) -> Tensor")
                       .kernel("cpu", [](const OpCall& call) { return call.tensors(0)[0]; })
                       .add();
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          lists(Tensors{x, Tensor()});
                        }),
               {"bad::lists()", "undefined tensor at position 1"});
}

TEST(CustomOp, BadGradients) {
  const Tensor x = leaf({1, 2});
  const auto kernel = [](const OpCall& call) { return call.tensor(0) * 2; };
  const auto fails = [&](const char* name, const OpRecord::Grad& gradient) {
    const Tensor y = op_with(name, kernel, gradient)(x);
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  expect_parts(fails("bad_grad::one", [](const GradCall& call) { return call.grad(); }),
               {"incorrect number of gradients (expected 2, got 1)", "bad_grad::OneBackward",
                "custom_op_test.cpp"});
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

// --- mistakes in registrations ---

std::string refused(OpBuilder&& builder) {
  return error_of(ErrorKind::kInvalidArgument, [&] { builder.add(); });
}

TEST(CustomOp, BadRegistrations) {
  const auto kernel = [](const OpCall& call) { return call.tensor(0); };
  const auto with = [&](const char* name = "refused::op") { return register_op(name); };
  const char* const unary = "(Tensor x) -> Tensor";
  for (const char* name : {"op", "", "a::", "::b", "a::b::c", "a:b", "a b::c", "1a::b", "ä::b"}) {
    OpBuilder builder = register_op(name);
    expect_parts(refused(std::move(builder.signature(unary).kernel("cpu", kernel))),
                 {"namespace::operator", concat("\"", name, "\""), "custom_op_test.cpp"});
  }
  expect_parts(refused(std::move(with("test::scaled_add").signature(unary).kernel("cpu", kernel))),
               {"test::scaled_add", "already"});
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

TEST(CustomOp, BadSignatures) {
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
  EXPECT_EQ(*good.parameters[1].missing->get<std::vector<int64_t>>(), (Sizes{1, -2}));
  EXPECT_EQ(*good.parameters[2].missing->get<std::string>(), "a, b");
  EXPECT_EQ(good.parameters[7].missing->get<Scalar>()->category(), DTypeCategory::kFloating);
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
               {"filters::ema(): argument 'decay'", "custom_op_test.cpp"});
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
    expect_parts(text, {"load_library()", name, "custom_op_test.cpp"});
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
  expect_parts(fails("ops_nested.so"), {"while another library registers"});
}

// --- devices ---

TEST_F(Sim, CustomOpsFallBackOrHaveKernels) {
  const Tensor a = tensor({1.0F, 2.0F}).to("sim").requires_grad_();
  const Tensor b = tensor({3.0F, 4.0F}).to("sim");
  const Tensor y = kScaledAdd(a, b, 2.0);
  EXPECT_EQ(y.device(), Device("sim"));
  EXPECT_EQ(values(y), (Values{7, 10}));
  kScaledAdd(a, b);
  int warnings = 0;
  for (const std::string& text : heard()) {
    warnings += text.starts_with("test::scaled_add() has no kernel on sim:0") ? 1 : 0;
  }
  EXPECT_EQ(warnings, 1);
  y.sum().backward();
  EXPECT_EQ(values(a.grad()), (Values{1, 1}));
  EXPECT_EQ(a.grad().device(), Device("sim"));

  set_flag("kernel_fallback", false);
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { kScaledAdd(a, b); }),
               {"no kernel on sim:0", "kernel_fallback is off", "cpu"});
  set_flag("kernel_fallback", true);
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { kScaledAdd(a, b.cpu()); }),
               {"test::scaled_add()", "'other'", "same device"});

  bool on_sim = false;
  const Op both = register_op("test::on_both")
                      .signature("(Tensor x, Tensor factor) -> Tensor")
                      .kernel("cpu", [](const OpCall& call) { return call.tensor(0) * 1; })
                      .kernel("sim",
                              [&](const OpCall& call) {
                                on_sim = call.device() == Device("sim") &&
                                         call.tensor("factor").device() == call.device();
                                return call.tensor(0) + call.tensor(0);
                              })
                      .no_grad()
                      .add();
  const NoGradGuard no_grad;
  EXPECT_EQ(values(both(a, tensor(2.0F))), (Values{2, 4})) << "a 0-dim tensor joins the others";
  EXPECT_TRUE(on_sim);
  on_sim = false;
  both(a.cpu(), tensor(2.0F));
  EXPECT_FALSE(on_sim);
}

}  // namespace
}  // namespace eagre::test
