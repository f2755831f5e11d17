// Functions with a gradient of their own.
#include <cmath>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_impl.h>

#include "cpp/custom_nodes.h"

namespace eagre::test {
namespace {

using autograd::AutogradContext;
using autograd::Function;
using autograd::grad;
using autograd::tensor_list;

struct MulConstant : Function<MulConstant> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double factor, const Tensor& y) {
    ctx->save_for_backward({x, y});
    ctx->saved_data["factor"] = factor;
    return x * factor + x * y;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    const double factor = ctx->saved_data["factor"].toDouble();
    return {grads[0] * factor + grads[0] * saved[1], Tensor(), grads[0] * saved[0]};
  }
};

// Row: PyTorch K1, PyTorch K3, PyTorch K20
TEST(CustomFunction, ForwardAndBackward) {
  const Tensor x = leaf({2, 3}), y = leaf({5, 7});
  const Tensor result = MulConstant::apply(x, 2.0, y);
  EXPECT_EQ(values(result), (Values{14, 27}));
  EXPECT_EQ(result.grad_fn()->name(), "MulConstantBackward");
  result.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{7, 9}));
  EXPECT_EQ(values(y.grad()), (Values{2, 3}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { result.sum().backward(); }), {"second time"});
}

// Row: PyTorch K12
TEST(CustomFunction, SecondOrder) {
  const Tensor x = leaf({2}), y = leaf({5});
  for (int round = 0; round < 2; ++round) {
    const Tensor gx = grad({MulConstant::apply(x, 3.0, y)}, {x}, {}, {}, true)[0];
    EXPECT_EQ(values(grad({gx}, {y})[0]), (Values{1}));
  }
}

struct Exp : Function<Exp> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor y = exp(x);
    ctx->save_for_backward({y, Tensor()});
    return y;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    const auto saved = ctx->get_saved_variables();
    EXPECT_FALSE(saved[1].defined());
    return {grads[0] * saved[0], Tensor(), Tensor()};  // more of nothing is ignored
  }
};

// Row: PyTorch K3, PyTorch K10, PyTorch K12
TEST(CustomFunction, SavedOutput) {
  const Tensor x = leaf({0});
  const Tensor y = Exp::apply(x);
  const Tensor g = grad({y}, {x}, {}, {}, true)[0];
  EXPECT_EQ(values(grad({g}, {x}, {}, {}, true)[0]), (Values{1}));
  y.mul_(2);
  expect_parts(error_of(ErrorKind::kAutograd, [&] { y.backward(); }), {"modified", "mul_"});
}

struct Flexible : Function<Flexible> {
  using Backward = std::function<tensor_list(AutogradContext*, tensor_list)>;
  using Forward = std::function<tensor_list(AutogradContext*, const Tensor&, const Tensor&)>;
  static tensor_list forward(AutogradContext* ctx, const Tensor& a, const Tensor& b,
                             const Forward& f, const Backward& g) {
    ctx->saved_data["backward"] = g;
    return f(ctx, a, b);
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    auto results = ctx->saved_data["backward"].to<Backward>()(ctx, std::move(grads));
    if (results.size() == 2) results.resize(4);
    return results;
  }
};
tensor_list sum_of_products(AutogradContext*, const Tensor& a, const Tensor& b) { return {a * b}; }
tensor_list hand_on(AutogradContext*, const tensor_list& grads) { return {grads[0], grads[0]}; }

// Row: PyTorch K10
TEST(CustomFunction, WrongGradientsAreErrors) {
  const Tensor x = leaf({2, 5});
  const auto with = [&](const tensor_list& results) {
    const Tensor y =
        Flexible::apply(x, x, sum_of_products, [&](auto*, const auto&) { return results; })[0];
    return error_of(ErrorKind::kAutograd, [&] { y.sum().backward(); });
  };
  const Tensor one = tensor({1.0F, 1.0F});
  expect_parts(with({one, one, Tensor()}), {"incorrect number", "expected 4", "got 3"});
  expect_parts(with({one, one, Tensor(), Tensor(), one}), {"incorrect number", "got 5"});
  expect_parts(with({one, one, one, Tensor()}), {"position 2", "not a tensor"});
  expect_parts(with({tensor({1.0F, 2.0F, 3.0F}), one}), {"shape", "[3]", "[2]"});
  // Errors name the line of apply().
  expect_parts(with({one}), {"FlexibleBackward", "custom_function_test.cpp"});
}

// Row: PyTorch K3
TEST(CustomFunction, SavedInputsAreTheTensorsThemselves) {
  const Tensor x = leaf({2});
  const auto forward = [](AutogradContext* ctx, const Tensor& a, const Tensor&) -> tensor_list {
    ctx->save_for_backward({a});
    return {a * a};
  };
  // A backward that differentiates on its own.
  const auto backward = [&](AutogradContext* ctx, const tensor_list& grads) -> tensor_list {
    const Tensor saved = ctx->get_saved_variables()[0];
    EXPECT_TRUE(saved.is_same(x));
    const AutoGradMode recording(true);
    return {grad({saved * saved}, {saved}, {grads[0]})[0], Tensor()};
  };
  Flexible::apply(x, x, forward, backward)[0].backward();
  EXPECT_EQ(values(x.grad()), (Values{4}));
}

// Row: PyTorch K4
TEST(CustomFunction, NeedsInputGrad) {
  const Tensor x = leaf({2}), y = leaf({3}), c = tensor({4.0F});
  std::vector<bool> seen;
  const auto forward = [&](AutogradContext* ctx, const Tensor& a, const Tensor& b) -> tensor_list {
    seen = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    EXPECT_THROW(ctx->needs_input_grad(2), Error);
    return {a * b};
  };
  const auto backward = [&](AutogradContext* ctx, const tensor_list& grads) -> tensor_list {
    seen = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    return {grads[0], grads[0]};
  };
  Tensor z = Flexible::apply(x, c, forward, backward)[0];
  EXPECT_EQ(seen, (std::vector<bool>{true, false}));
  z = Flexible::apply(x, y, forward, backward)[0];
  EXPECT_EQ(seen, (std::vector<bool>{true, true}));
  grad({z}, {y});
  EXPECT_EQ(seen, (std::vector<bool>{false, true})) << "only what this call needs";
}

// Row: PyTorch K16
TEST(CustomFunction, ForwardIsNotRecordedAndFollowsTheMode) {
  const Tensor x = leaf({2});
  bool was_on = true;
  const auto forward = [&](AutogradContext*, const Tensor& a, const Tensor&) -> tensor_list {
    was_on = GradMode::is_enabled();
    return {a * 2};
  };
  EXPECT_TRUE(Flexible::apply(x, x, forward, hand_on)[0].requires_grad());
  EXPECT_FALSE(was_on);
  const NoGradGuard no_grad;
  const Tensor y = Flexible::apply(x, x, forward, hand_on)[0];
  EXPECT_FALSE(y.requires_grad());
  EXPECT_TRUE(y.is_leaf());
}

// Row: PyTorch K5, PyTorch K17
TEST(CustomFunction, MarkDirty) {
  const auto doubles = [](AutogradContext* ctx, const Tensor& a, const Tensor&) -> tensor_list {
    a.mul_(2);
    ctx->mark_dirty({a});
    return {a};
  };
  const auto twice = [](AutogradContext*, const tensor_list& grads) -> tensor_list {
    return {grads[0] * 2, Tensor()};
  };
  const Tensor x = leaf({3});
  const Tensor y = x * 1, one = tensor({1.0F});
  const Tensor z = Flexible::apply(y, one, doubles, twice)[0];
  EXPECT_TRUE(z.is_same(y));
  EXPECT_EQ(y.grad_fn()->name(), "FlexibleBackward");
  z.backward();
  EXPECT_EQ(values(x.grad()), (Values{2}));

  expect_parts(error_of(ErrorKind::kAutograd, [&] { Flexible::apply(x, one, doubles, twice); }),
               {"leaf Variable"});
  const auto forgets = [](AutogradContext* ctx, const Tensor& a, const Tensor&) -> tensor_list {
    ctx->mark_dirty({a});
    return {a * 1};
  };
  expect_parts(error_of(ErrorKind::kAutograd, [&] { Flexible::apply(y, one, forgets, twice); }),
               {"marked as dirty", "not returned"});
}

// Row: PyTorch K5
TEST(CustomFunction, MarkDirtyOfAView) {
  const auto doubles = [](AutogradContext* ctx, const Tensor& a, const Tensor& b) -> tensor_list {
    a.mul_(2);
    ctx->mark_dirty({a});
    if (b.item<float>() > 0) return {a};
    return {a, b * 2};
  };
  const auto twice = [](AutogradContext*, const tensor_list& grads) -> tensor_list {
    return {grads[0] * 2, Tensor()};
  };
  const Tensor x = leaf({3, 4});
  const Tensor base = x * 1;
  Flexible::apply(base[0], tensor({1.0F}), doubles, twice);
  base.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 1}));
  expect_parts(error_of(ErrorKind::kAutograd,
                        [&] { Flexible::apply(base[0], tensor({-1.0F}), doubles, twice); }),
               {"modifies a view in place"});
}

// Row: PyTorch K6, PyTorch K7
TEST(CustomFunction, NonDifferentiableAndMissingGradients) {
  for (const bool materialize : {true, false}) {
    const auto forward = [&](AutogradContext* ctx, const Tensor& a,
                             const Tensor& b) -> tensor_list {
      const Tensor mask = a * 0 + 1, unused = b * 1;
      ctx->mark_non_differentiable({mask});
      ctx->set_materialize_grads(materialize);
      return {a * b, mask, unused, a.to(kInt64)};
    };
    const auto backward = [&](AutogradContext*, const tensor_list& grads) -> tensor_list {
      EXPECT_EQ(grads.size(), 4U);
      EXPECT_TRUE(grads[0].defined());
      for (size_t i = 1; i < 4; ++i) EXPECT_EQ(grads[i].defined(), materialize) << i;
      if (materialize) {
        EXPECT_EQ(values(grads[2]), (Values{0}));
      }
      return {grads[0], grads[0]};
    };
    const Tensor x = leaf({2});
    const auto results = Flexible::apply(x, x, forward, backward);
    EXPECT_TRUE(results[0].requires_grad());
    EXPECT_FALSE(results[1].requires_grad());
    EXPECT_TRUE(results[2].requires_grad());
    EXPECT_FALSE(results[3].requires_grad());
    results[0].backward();
  }
}

// Row: PyTorch K8, PyTorch K9, PyTorch I8
TEST(CustomFunction, InputsAndTheSameTensorTwiceAreReturned) {
  const auto same = [](AutogradContext*, const Tensor& a, const Tensor& b) -> tensor_list {
    const Tensor c = b * 3;
    return {a, c, c};
  };
  const auto backward = [](AutogradContext*, const tensor_list& grads) -> tensor_list {
    return {grads[0] * 5, (grads[1] + grads[2]) * 3};
  };
  const Tensor x = leaf({2}), y = leaf({1});
  const auto results = Flexible::apply(x, y, same, backward);
  EXPECT_FALSE(results[0].is_same(x));
  EXPECT_TRUE(x.is_leaf());
  EXPECT_TRUE(results[1].is_same(results[2]));
  (results[0] + results[1] + results[2]).backward();
  EXPECT_EQ(values(x.grad()), (Values{5}));
  EXPECT_EQ(values(y.grad()), (Values{6}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { results[0].mul_(2); }),
               {"mul_()", "custom Function"});
}

TEST(CustomFunction, ANewLeafIsReturned) {
  const Tensor x = leaf({2});
  const auto forward = [](AutogradContext*, const Tensor& a, const Tensor&) -> tensor_list {
    return {a.clone().requires_grad_()};
  };
  const Tensor y = Flexible::apply(x, x, forward, hand_on)[0];
  EXPECT_FALSE(y.is_leaf());
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

struct Once : Function<Once> {
  static constexpr bool once_differentiable = true;  // NOLINT: the name that Function looks for
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    ctx->save_for_backward({x});
    return x * x;
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    EXPECT_FALSE(GradMode::is_enabled());
    return {grads[0] * ctx->get_saved_variables()[0] * 2};
  }
};

// Row: PyTorch K11
TEST(CustomFunction, OnceDifferentiable) {
  const Tensor x = leaf({3}), v = leaf({1});
  const Tensor g = grad({Once::apply(x)}, {x}, {v}, {}, true)[0];
  EXPECT_EQ(values(g), (Values{6}));
  expect_parts(error_of(ErrorKind::kAutograd, [&] { g.backward(); }),
               {"differentiate twice", "OnceBackward", "custom_function_test.cpp"});
}

struct Lists : Function<Lists> {
  static std::tuple<Tensor, Tensor> forward(AutogradContext* ctx, const tensor_list& list, int n,
                                            const std::optional<Tensor>& more,
                                            const std::string& text) {
    ctx->saved_data["n"] = n;
    ctx->saved_data["text"] = text;
    ctx->save_for_backward(list);
    return {list[0] * n + list[1], more ? *more * 2 : list[0] * 0};
  }
  static tensor_list backward(AutogradContext* ctx, tensor_list grads) {
    EXPECT_EQ(ctx->saved_data["text"].toStringRef(), "text");
    EXPECT_EQ(ctx->get_saved_variables().size(), 2U);
    const auto n = ctx->saved_data["n"].to<int>();
    expect_parts(error_of(ErrorKind::kType, [&] { ctx->saved_data["n"].toTensor(); }),
                 {"saved_data", "long", "Tensor"});
    expect_parts(error_of(ErrorKind::kType, [&] { ctx->saved_data["nothing"].toInt(); }),
                 {"not there"});
    return {grads[0] * n, grads[0], Tensor(), grads[1] * 2, Tensor()};
  }
};

// Row: PyTorch K20
TEST(CustomFunction, ListsOptionalsAndOtherArguments) {
  const Tensor x = leaf({2}), y = leaf({3}), z = leaf({4});
  const auto [first, second] = Lists::apply(tensor_list{x, y}, 5, std::optional<Tensor>(z), "text");
  EXPECT_EQ(values(first), (Values{13}));
  (first + second).backward();
  EXPECT_EQ(values(x.grad()), (Values{5}));
  EXPECT_EQ(values(y.grad()), (Values{1}));
  EXPECT_EQ(values(z.grad()), (Values{2}));
  const auto [again, zero] = Lists::apply(tensor_list{x, y}, 5, std::optional<Tensor>(), "text");
  EXPECT_EQ(values(zero), (Values{0}));
  again.backward();
  EXPECT_EQ(values(y.grad()), (Values{2}));
}

// Row: Paddle defect 9
TEST(CustomFunction, HooksListsAndASecondBackward) {
  const Tensor x = leaf({2}), y = leaf({3}), z = leaf({4});
  const auto [first, second] = Lists::apply(tensor_list{x, y}, 5, std::optional<Tensor>(z), "text");
  first.register_hook([](const Tensor& g) { return g * 10; });
  const Tensor sum = first + second;
  sum.backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{50})) << "backward gets what the hook returned";
  EXPECT_EQ(values(y.grad()), (Values{10}));
  EXPECT_EQ(values(z.grad()), (Values{2}));
  sum.backward();
  EXPECT_EQ(values(x.grad()), (Values{100}));
  EXPECT_EQ(values(y.grad()), (Values{20}));
}

struct Count : Function<Count> {
  static Tensor forward(AutogradContext*, int n) { return full({1}, n); }
  static tensor_list backward(AutogradContext*, const tensor_list&) { return {}; }
};

// Row: PyTorch K1
TEST(CustomFunction, NoTensorsAtAll) {
  const Tensor y = Count::apply(7);
  EXPECT_EQ(values(y), (Values{7}));
  EXPECT_FALSE(y.requires_grad());
}

TEST(CustomFunction, ErrorsOfTheUserKeepTheirType) {
  struct Mine : std::exception {};
  const Tensor x = leaf({2});
  const auto bad = [](AutogradContext*, const Tensor&, const Tensor&) -> tensor_list {
    throw Mine();
  };
  EXPECT_THROW(Flexible::apply(x, x, bad, hand_on), Mine);
  EXPECT_TRUE(GradMode::is_enabled());
  const Tensor y = Flexible::apply(x, x, sum_of_products,
                                   [](auto*, const auto&) -> tensor_list { throw Mine(); })[0];
  EXPECT_THROW(y.backward(), Mine);
}

// Row: PyTorch K3
TEST(CustomFunction, SavedTensorHooksSeeWhatIsSaved) {
  const Tensor x = leaf({2});
  int packed = 0;
  Tensor y;
  {
    const autograd::SavedTensorHooks hooks(
        [&](const Tensor& t) {
          ++packed;
          return t * 10;
        },
        [](const Tensor& t) { return t / 10; });
    y = Exp::apply(x);
  }
  EXPECT_EQ(packed, 1);
  y.backward();
  EXPECT_NEAR(x.grad().item<float>(), std::exp(2.0F), 1e-5);
}

// Row: PyTorch K18
TEST(CustomFunction, BackwardOwnsTheGradientsItIsGiven) {
  const Tensor x = leaf({2});
  const auto backward = [](AutogradContext*, tensor_list grads) -> tensor_list {
    const Tensor first = std::move(grads[0]);
    EXPECT_EQ(first.get().refs.load(), 1U) << "nobody else holds it: its memory can be used again";
    return {first * 2, Tensor()};
  };
  const auto forward = [](AutogradContext*, const Tensor& a, const Tensor&) -> tensor_list {
    return {a * 2};
  };
  (Flexible::apply(x, tensor({1.0F}), forward, backward)[0] * 3).backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

// Row: PyTorch K19
TEST(CustomFunction, WhatForwardLeftLivesAsLongAsTheGraph) {
  const auto left = std::make_shared<int>(7);
  const auto forward = [&](AutogradContext* ctx, const Tensor& a, const Tensor&) -> tensor_list {
    ctx->saved_data["left"] = left;
    ctx->save_for_backward({a[0]});  // a view of an argument that is written later
    return {a * 2};
  };
  {
    const Tensor x = leaf({2, 3});
    Tensor y = Flexible::apply(x, x, forward, hand_on)[0];
    EXPECT_EQ(left.use_count(), 2);
    y.sum().backward({}, true);
    EXPECT_EQ(left.use_count(), 2);
    const auto node = IntrusivePtr<GraphObject>::share(y.get().grad_node);
    y = Tensor();
    EXPECT_EQ(left.use_count(), 2);  // the node is still there, though its tensor is not
  }
  EXPECT_EQ(left.use_count(), 1);
}

TEST(CustomFunction, ThousandsDeepAreFreed) {
  const Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < 20000; ++i) y = Exp::apply(y * 0);
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{0}));
}

}  // namespace
}  // namespace eagre::test
