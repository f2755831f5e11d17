// Operators from outside of the library: calls, derivatives, devices.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::grad;
using autograd::gradcheck;
using autograd::gradgradcheck;
using autograd::forward_ad::make_dual;
using autograd::forward_ad::unpack_dual;
using Tensors = std::vector<Tensor>;

OpResults scaled_add_kernel(const OpCall& call) {
  return call.tensor("input") + call.tensor("other") * call.real("scale");
}

int batch_calls = 0;

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
        .meta([](const OpCall& call) { return metadata_of(call.tensor("input")); })
        .kernel("cpu", scaled_add_kernel)
        .grad([](const GradCall& call) -> OpResults {
          return {call.grad(), call.grad() * call.real("scale")};
        })
        .jvp([](const JvpCall& call) -> OpResults {
          const Tensor& by_input = call.tangent("input");
          const Tensor& by_other = call.tangent("other");
          if (!by_other.defined()) return by_input;
          const Tensor part = by_other * call.real("scale");
          return by_input.defined() ? by_input + part : part;
        })
        .batch([](const BatchCall& call) -> BatchResults {
          ++batch_calls;
          const auto first = [&](const char* name) {
            const auto dim = call.batch_dim(name);
            return dim ? call.tensor(name).movedim(*dim, 0) : call.tensor(name);
          };
          return {first("input") + first("other") * call.real("scale"), {0}};
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
  const Tensor one = tensor(1.0, kFloat64);
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
                      EXPECT_EQ(call.metadata("list").sizes.size(), 1U);
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

TEST(CustomOp, ForwardMode) {
  const autograd::forward_ad::DualLevel level;
  const Tensor a = make_dual(tensor({1.0, 2.0}, kFloat64), tensor({3.0, 4.0}, kFloat64));
  const Tensor y = kScaledAdd(a, a, 10.0);
  EXPECT_EQ(values(unpack_dual(y).tangent), (Values{33, 44}));
  EXPECT_EQ(values(unpack_dual(kScaledAdd(tensor({0.0, 0.0}, kFloat64), a, 10.0)).tangent),
            (Values{30, 40}));
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { kProductAndExp(a, a); }),
               {"test::product_and_exp()", "no jvp rule"});
}

TEST(CustomOp, Batches) {
  const Tensor rows = arange_of({3, 2}, kFloat64), one = tensor({10.0, 20.0}, kFloat64);
  const auto f = [&](const Tensor& x) -> Tensor { return kScaledAdd(x, one, 2.0); };
  batch_calls = 0;
  expect_close(func::vmap(f)(rows), rows + one * 2);
  expect_close(func::vmap(f, 1, 1)(rows.t().contiguous()), (rows + one * 2).t());
  EXPECT_EQ(batch_calls, 2);
  const auto loss = [&](const Tensor& x) { return Tensor(kScaledAdd(x, x, 2.0)).pow(2).sum(); };
  expect_close(func::vmap(func::grad(loss))(rows), rows * 18);
  // Without a rule: sample by sample.
  const auto product = [&](const Tensor& x) { return kProductAndExp(x, one)[0]; };
  expect_close(func::vmap(product)(rows), rows * one);
  const Op wrong = register_op("test::wrong_batch")
                       .signature("(Tensor input) -> Tensor")
                       .kernel("cpu", [](const OpCall& call) { return call.tensor(0) + 1; })
                       .batch([](const BatchCall& call) -> BatchResults {
                         return {call.tensor(0), {1}};
                       })
                       .no_grad()
                       .add();
  expect_parts(
      error_of(ErrorKind::kInvalidArgument,
               [&] { func::vmap([&](const Tensor& x) -> Tensor { return wrong(x); })(rows); }),
      {"batch rule of test::wrong_batch()", "dimension 1", "3 samples"});
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
  const Tensor big = tensor({1e300}, kFloat64);
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] { kScaledAdd(tensor({INFINITY}, kFloat64), tensor({1.0F})); }),
               {"infinite"});
  set_flag("check_nan_inf", false);
}

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
