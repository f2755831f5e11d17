// What libtorch's programs write means the same here: each form compiles, and does what it says.
#include "cpp/support.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

using namespace eagre;

namespace {

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool says_where(const std::string& message) {
  return message.find("called at") != std::string::npos &&
         message.find("libtorch_forms_test.cpp") != std::string::npos;
}

TEST(LibtorchAssignment, TemporariesAreWrittenThrough) {
  Tensor t = zeros({2, 3});
  t[0] = 5;
  EXPECT_EQ(t[0].sum().item<float>(), 15);
  t[1] = tensor({1, 2, 3});
  EXPECT_TRUE(equal(t[1], tensor({1.0, 2.0, 3.0})));
  t.select(1, 0) = tensor({7, 8});
  EXPECT_EQ(t[1][0].item<float>(), 8);
  t.index({indexing::Slice(), 2}) = t.index({indexing::Slice(), 0});
  EXPECT_EQ(t[0][2].item<float>(), 7);
  t[0][1] = true;
  EXPECT_EQ(t[0][1].item<float>(), 1);
  t[0] = t[1] = 2;
  EXPECT_EQ(t.sum().item<float>(), 12);
}

TEST(LibtorchAssignment, NamedTensorsAreBoundAnew) {
  Tensor t = zeros({2}), old = t;
  t = ones({2});
  EXPECT_EQ(old.sum().item<float>(), 0);
  t = old[0];
  EXPECT_EQ(t.dim(), 0);
  static_assert(!std::is_assignable_v<Tensor&, int>);
  static_assert(std::is_nothrow_move_assignable_v<Tensor>);
}

TEST(LibtorchAssignment, OperatorsWriteThroughTemporaries) {
  Tensor t = ones({2, 2});
  t[0] += 4;
  t[1] *= tensor({2.0, 3.0});
  t[0][0] -= 1;
  t[1][1] /= 3;
  EXPECT_TRUE(equal(t, tensor({{4.0, 5.0}, {2.0, 1.0}})));
}

TEST(LibtorchAssignment, IsRecordedAndSaysWhere) {
  const Tensor x = ones({3}, requires_grad());
  Tensor t = zeros({2, 3});
  t[1] = x * 2;
  t.sum().backward();
  EXPECT_TRUE(equal(x.grad(), full({3}, 2.0)));
  EXPECT_TRUE(says_where(message_of([&] { t[0] = ones({4}); })));
}

TEST(LibtorchOverloads, NumbersAreDimensionsAndBoolsAreFlags) {
  const Tensor x = arange(6, kFloat32).reshape({2, 3});
  EXPECT_EQ(x.std(0).sizes(), Dims({3}));
  EXPECT_EQ(x.var(1).sizes(), Dims({2}));
  EXPECT_EQ(eagre::std(x, 0).sizes(), Dims({3}));
  EXPECT_EQ(eagre::var(x, 0).sizes(), Dims({3}));
  EXPECT_EQ(x.std(false).dim(), 0);
  EXPECT_EQ(x.var({0}, false, true).sizes(), Dims({1, 3}));
  // A number behind the dimension is a correction, also one that is no 0 or 1.
  EXPECT_TRUE(allclose(x.var(1, 0), x.var(1, false)));
  EXPECT_TRUE(allclose(x.var(1, 2), x.var(1, 1) * 2));
  EXPECT_EQ(std::get<0>(var_mean(x, 0)).sizes(), Dims({3}));
}

TEST(LibtorchOverloads, SortTakesStableFirst) {
  const Tensor x = tensor({{3, 1, 2}, {6, 5, 4}});
  const auto [values, indices] = sort(x, true, 0, true);
  EXPECT_TRUE(equal(values[0], tensor({6, 5, 4})));
  EXPECT_TRUE(equal(std::get<0>(x.sort(true, 1, false)), std::get<0>(x.sort(1))));
  EXPECT_TRUE(equal(argsort(x, true, 1, true), x.argsort(1, true)));
  EXPECT_TRUE(equal(std::get<0>(x.sort(0, true)), values));
  EXPECT_TRUE(equal(std::get<0>(x.sort(true)), std::get<0>(x.sort())));
}

TEST(LibtorchOverloads, DtypesComeAlone) {
  const Tensor x = ones({2, 2});
  EXPECT_EQ(x.sum(kFloat64).dtype(), kFloat64);
  EXPECT_EQ(sum(x, kFloat64).dtype(), kFloat64);
  EXPECT_EQ(x.mean(kFloat64).dtype(), kFloat64);
  EXPECT_EQ(x.prod(std::optional<DType>()).dtype(), kFloat32);
  EXPECT_EQ(x.norm(2, kFloat64).dtype(), kFloat64);
}

TEST(LibtorchOverloads, OptionsComeInParts) {
  EXPECT_EQ(zeros({2, 3}, kFloat64, kCPU).dtype(), kFloat64);
  EXPECT_EQ(zeros({2, 3}, kFloat64, kStrided, kCPU, false).dtype(), kFloat64);
  EXPECT_EQ(ones({2}, std::nullopt, std::nullopt, std::nullopt, std::nullopt).dtype(), kFloat32);
  EXPECT_EQ(zeros_like(ones({2}), kInt64).dtype(), kInt64);
  EXPECT_TRUE(zeros_like(ones({1, 2, 3, 3}), {}, MemoryFormat::ChannelsLast)
                  .is_contiguous(MemoryFormat::ChannelsLast));
  const Tensor like = ones({2}, TensorOptions().dtype(kFloat64).layout(kStrided));
  EXPECT_EQ(like.new_zeros({3}, kInt32, kStrided, kCPU, false).dtype(), kInt32);
  EXPECT_THROW(zeros({2}, kFloat32, kStrided, kCPU, true), Error);
}

TEST(LibtorchOverloads, GeneratorsAreGivenAsTheyAre) {
  Generator one(7), other(7);
  EXPECT_TRUE(equal(rand({4}, one), rand({4}, &other)));
  EXPECT_EQ(randn({4}, one, kFloat64).dtype(), kFloat64);
  EXPECT_EQ(randperm(4, std::nullopt).numel(), 4);
  EXPECT_EQ(ones({2}).bernoulli(one).numel(), 2);
}

TEST(LibtorchNames, AliasesAndResultsInPlace) {
  Tensor x = tensor({-1.0, 2.0});
  EXPECT_TRUE(equal(x.absolute(), absolute(x)));
  EXPECT_TRUE(equal(x.multiply(2), multiply(x, 2)));
  EXPECT_TRUE(equal(concat({x, x}), cat({x, x})));
  EXPECT_TRUE(equal(ones({2, 3}).swapaxes(0, 1), ones({3, 2})));
  Tensor& same = x.add_(1);
  EXPECT_EQ(&same, &x);
  EXPECT_TRUE(equal(x.clip(0, 1), x.clamp(0, 1)));
}

TEST(LibtorchNames, DefaultDtypeOfNumbers) {
  EXPECT_EQ(tensor(1.5).dtype(), kFloat32);
  EXPECT_EQ(tensor({1.5}).dtype(), kFloat32);
  EXPECT_EQ(tensor({{1.5, 2.0}}).dtype(), kFloat32);
  EXPECT_EQ(tensor(std::vector<double>{1, 2}).dtype(), kFloat32);
  EXPECT_EQ(tensor(1.5, kFloat64).dtype(), kFloat64);
  EXPECT_EQ(tensor({1, 2}).dtype(), kInt64);
  set_default_dtype(kFloat64);
  EXPECT_EQ(get_default_dtype(), kFloat64);
  EXPECT_EQ(tensor({1.5F}).dtype(), kFloat64);
  set_default_dtype(kFloat32);
}

TEST(LibtorchNames, WhatATensorSaysOfItself) {
  Tensor x = ones({2, 3}, kFloat64);
  const ScalarType type = x.scalar_type();
  EXPECT_EQ(type, kDouble);
  EXPECT_EQ(x.nbytes(), 48U);
  EXPECT_EQ(x.itemsize(), 8U);
  EXPECT_EQ(x.stride(0), 3);
  EXPECT_EQ(x.stride(-1), 1);
  EXPECT_EQ(x.ndimension(), 2);
  EXPECT_TRUE(x.is_floating_point());
  EXPECT_TRUE(x.is_cpu());
  EXPECT_FALSE(x.is_cuda());
  EXPECT_FALSE(x.is_sparse());
  EXPECT_EQ(x.layout(), kStrided);
  EXPECT_TRUE(x.t()._base().is_same(x));
  EXPECT_FALSE(x._base().defined());
  EXPECT_EQ(x._version(), 0);
  x.add_(1);
  EXPECT_EQ(x._version(), 1);
  EXPECT_EQ(x.use_count(), 1U);
  EXPECT_TRUE(x[0].is_alias_of(x));
  EXPECT_TRUE(x.is_set_to(x.view({2, 3})));
  EXPECT_EQ(x.const_data_ptr<double>()[0], 2);
  EXPECT_EQ(x.mutable_data_ptr<double>(), x.data_ptr());
  x.reset();
  EXPECT_FALSE(x.defined());
}

TEST(LibtorchNames, Conversions) {
  const Tensor x = ones({2, 3});
  EXPECT_TRUE(x.to(kFloat32).is_same(x));
  EXPECT_FALSE(x.to(kFloat32, false, true).is_same(x));
  EXPECT_EQ(x.to(kCPU, kFloat64).dtype(), kFloat64);
  EXPECT_EQ(x.to(tensor(1)).dtype(), kInt64);
  EXPECT_EQ(x.type_as(tensor(1)).dtype(), kInt64);
  EXPECT_EQ(x.to(TensorOptions().dtype(kInt32), true, true).dtype(), kInt32);
  EXPECT_EQ(x.to("cpu").dtype(), kFloat32);
  EXPECT_TRUE(ones({1, 2, 3, 3})
                  .to(kFloat32, false, false, MemoryFormat::ChannelsLast)
                  .is_contiguous(MemoryFormat::ChannelsLast));
  const Scalar number = tensor(2.5).item();
  EXPECT_EQ(number.to<double>(), 2.5);
  EXPECT_EQ(tensor(3).item().to<int>(), 3);
}

TEST(LibtorchNames, Indexing) {
  Tensor x = zeros({2, 2});
  x.index_put_({tensor({0, 0}), 1}, tensor({1.0, 2.0}), true);
  EXPECT_EQ(x[0][1].item<float>(), 3);
  x.index_put_({0, indexing::Slice()}, 1, true);
  EXPECT_EQ(x[0].sum().item<float>(), 5);
  EXPECT_EQ(x.index_put({0}, 9).sum().item<float>(), 18);
  EXPECT_EQ(x.sum().item<float>(), 5);
  EXPECT_EQ(x[tensor(0)][Scalar(1)].item<float>(), 4);
  EXPECT_EQ(x.split_with_sizes({1, 1}, 1).size(), 2U);
}

TEST(LibtorchNames, Gradients) {
  Tensor x = ones({2});
  x.set_requires_grad(true);
  (x * x).sum().backward();
  x.mutable_grad().zero_();
  EXPECT_EQ(x.grad().sum().item<float>(), 0);
  x.mutable_grad() = ones({2});
  EXPECT_EQ(x.grad().sum().item<float>(), 2);
  x.mutable_grad().reset();
  EXPECT_FALSE(x.grad().defined());
}

TEST(LibtorchErrors, SayWhereTheyWereCalled) {
  const Tensor x = ones({2, 3});
  EXPECT_TRUE(says_where(message_of([&] { x[7]; })));
  EXPECT_TRUE(says_where(message_of([&] { x[tensor(1.5)]; })));
  EXPECT_TRUE(says_where(message_of([&] { x.item(); })));
  EXPECT_TRUE(says_where(message_of([&] { x.item<int>(); })));
  EXPECT_TRUE(says_where(message_of([&] { x.to("cuda"); })));
  EXPECT_TRUE(says_where(message_of([&] { x.cuda(); })));
  EXPECT_TRUE(says_where(message_of([&] { zeros({2}, device("cuda")); })));
  EXPECT_TRUE(says_where(message_of([&] { x.data_ptr<double>(); })));
  EXPECT_TRUE(says_where(message_of([&] { x.accessor<float, 3>(); })));
  EXPECT_TRUE(says_where(message_of([&] { x.accessor<double, 2>(); })));
  EXPECT_TRUE(says_where(message_of([&] { from_blob(nullptr, {2}); })));
  EXPECT_TRUE(says_where(message_of([&] { from_blob(nullptr, {-2}); })));
}

struct WeightedSum : autograd::Function<WeightedSum> {
  static Tensor forward(autograd::AutogradContext* ctx, TensorList tensors,
                        const std::optional<Tensor>& weight, double factor) {
    ctx->saved_data["factor"] = factor;
    ctx->saved_data["count"] = tensors.size();
    Tensor total = zeros_like(Tensor(tensors[0]));
    for (const TensorBase& tensor : tensors) total = total + Tensor(tensor);
    if (weight) total = total * *weight;
    return total * factor;
  }
  static autograd::tensor_list backward(autograd::AutogradContext* ctx,
                                        autograd::tensor_list gradients) {
    autograd::tensor_list results;
    for (int64_t i = 0; i < ctx->saved_data["count"].toInt(); ++i) {
      results.push_back(gradients[0] * ctx->saved_data["factor"].toDouble() * (i + 1));
    }
    results.resize(results.size() + 2);  // neither for the weight nor for the factor
    return results;
  }
};

TEST(LibtorchFunction, ListsAndOptionalTensorsHaveGradients) {
  const std::vector<Tensor> inputs = {ones({2}, requires_grad()), ones({2}, requires_grad())};
  const Tensor y =
      WeightedSum::apply(TensorList(inputs), std::optional<Tensor>(full({2}, 2.0)), 3.0);
  EXPECT_EQ(y.sum().item<float>(), 24);
  EXPECT_TRUE(y.requires_grad());
  y.sum().backward();
  EXPECT_EQ(inputs[0].grad()[0].item<float>(), 3);
  EXPECT_EQ(inputs[1].grad()[0].item<float>(), 6);
  EXPECT_TRUE(WeightedSum::apply(inputs, std::optional<Tensor>(), 1.0).requires_grad());
}

}  // namespace
