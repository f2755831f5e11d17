// libtorch's values and helpers as its programs write them: shapes, texts, devices, numbers.
#include <eagre/torch.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp/support.h"

namespace {

using torch::indexing::Slice;

using Shape = std::vector<int64_t>;

TEST(LibtorchShapes, OneNumberIsAShape) {
  const int64_t n = 4;
  EXPECT_EQ(torch::zeros(3).sizes().vec(), Shape{3});
  EXPECT_EQ(torch::randn(n).sizes().vec(), Shape{4});
  EXPECT_EQ(torch::full(2, 0.5).sum().item<double>(), 1);
  const torch::Tensor x = torch::arange(6.0).reshape({2, 3});
  EXPECT_EQ(x.view(-1).sizes().vec(), Shape{6});
  EXPECT_EQ(x.reshape(6)[5].item<double>(), 5);
  EXPECT_EQ(x.flip(0)[0][0].item<double>(), 3);
  EXPECT_EQ(x.new_zeros(2).sizes().vec(), Shape{2});
  EXPECT_EQ(torch::ones(1).expand(6).sizes().vec(), Shape{6});
  EXPECT_EQ(torch::layer_norm(x, 3).sizes().vec(), (Shape{2, 3}));
  EXPECT_TRUE(torch::equal(torch::einsum("ij->ji", x), x.t()));
  EXPECT_EQ(torch::IntArrayRef(5).vec(), Shape{5});
  EXPECT_EQ(torch::rand(3, torch::kFloat64).scalar_type(), torch::kDouble);
}

TEST(LibtorchShapes, ListsHaveTheMembersOfArrayRef) {
  const torch::Tensor x = torch::zeros({2, 3, 4});
  EXPECT_EQ(x.sizes().front(), 2);
  EXPECT_EQ(x.sizes().slice(1, 2).vec(), (Shape{3, 4}));
  EXPECT_TRUE(x.sizes().equals({2, 3, 4}));
}

// A 0 is neither a device, nor a text, nor an option, and where a tensor belongs a number is none.
template <class T>
constexpr bool kZeroMakes = requires {
  T(0);
};
static_assert(!kZeroMakes<torch::Device> && !kZeroMakes<torch::TensorOptions>);
static_assert(!kZeroMakes<eagre::Text>);
template <class T>
constexpr bool kTakesZero = requires(const T& x) {
  x.to(0);
}
|| requires(const T& x) { x.new_zeros({2}, 0); }
|| requires(const T& x) { torch::zeros_like(x, 0); }
|| requires(const T& x) { torch::mse_loss(x, x, 0); }
|| requires(const T& x) { torch::nll_loss(x, x, {}, 1); }
|| requires(const T& x) { torch::gelu(x, 0); };
static_assert(!kTakesZero<torch::Tensor>);
template <class T>
constexpr bool kMultipliesByTwo = requires(const T& x) {
  2 * x;
}
|| requires(const T& x) { ~x; };
static_assert(!kMultipliesByTwo<torch::Scalar>);
template <class T>
constexpr bool kHasAccessorOfTemporary = requires(const T& x) {
  (x * 2).template accessor<float, 2>();
};
static_assert(!kHasAccessorOfTemporary<torch::Tensor>);
template <class T>
constexpr bool kHasOrder = requires(const T& x) {
  x < x;
};
static_assert(!kHasOrder<torch::Device>);

TEST(LibtorchTexts, ReductionsAreNamedOrWritten) {
  const torch::Tensor logs = torch::tensor({{-1.0, -2.0}, {-3.0, -4.0}}),
                      target = torch::tensor({0, 1});
  EXPECT_EQ(torch::nll_loss(logs, target, {}, torch::Reduction::Sum).item<double>(), 5);
  EXPECT_EQ(torch::nll_loss(logs, target, {}, "sum", 1).item<double>(), 1);
  EXPECT_EQ(torch::mse_loss(logs, logs, at::Reduction::None).dim(), 2);
  EXPECT_EQ(logs.norm(0).item<double>(), 4);
  EXPECT_EQ(torch::norm(logs, 0).item<double>(), 4);
  EXPECT_EQ(torch::eye(2, 3).size(1), 3);
}

TEST(LibtorchOptionals, OptionalTensorsMayBeLeftOut) {
  const torch::Tensor x = torch::ones({2, 3}), weight = torch::ones({4, 3});
  c10::optional<torch::Tensor> bias;
  EXPECT_EQ(torch::linear(x, weight, bias).sum().item<double>(), 24);
  bias = torch::ones(4);
  EXPECT_EQ(torch::linear(x, weight, bias).sum().item<double>(), 32);
  EXPECT_EQ(torch::linear(x, weight, c10::nullopt).sum().item<double>(), 24);
  EXPECT_EQ(torch::linear(x, weight, {}).sum().item<double>(), 24);
  EXPECT_EQ(torch::layer_norm(x, 3, c10::nullopt, c10::nullopt).sum().item<double>(), 0);
  EXPECT_EQ(x.sum(c10::nullopt).item<double>(), 6);
}

TEST(LibtorchNumbers, ScalarsStandWhereNumbersDo) {
  const torch::Tensor x = torch::tensor({1.0, 2.0, 3.0});
  EXPECT_EQ((torch::Scalar(2) * x).sum().item<double>(), 12);
  EXPECT_EQ((torch::Scalar(2) + x).sum().item<double>(), 12);
  EXPECT_EQ((2 < x).sum().item<int64_t>(), 1);
  EXPECT_EQ((2.0 >= x).sum().item<int64_t>(), 2);
  const torch::Scalar sum = x.sum().item();
  EXPECT_EQ(sum.toDouble(), 6);
  EXPECT_EQ(sum.toInt(), 6);
  EXPECT_EQ(sum.toLong(), 6);
  EXPECT_TRUE(sum.isFloatingPoint() && !sum.isIntegral(true) && sum.type() == torch::kDouble);
  EXPECT_TRUE(torch::Scalar(true).isIntegral(true) && torch::Scalar(true).isBoolean());
}

TEST(LibtorchNumbers, SmallIntegersKeepTheirDtype) {
  EXPECT_EQ(torch::tensor(std::vector<uint8_t>{1, 2}).scalar_type(), torch::kByte);
  EXPECT_EQ(torch::tensor(std::vector<int16_t>{1, 2}).scalar_type(), torch::kShort);
  EXPECT_EQ(torch::tensor({int8_t{1}}).scalar_type(), torch::kChar);
  EXPECT_EQ(torch::tensor(std::vector<int>{1, 2}).scalar_type(), torch::kLong);
  EXPECT_EQ(torch::tensor(7).scalar_type(), torch::kLong);
}

TEST(LibtorchDevices, KindsAndDevicesConvert) {
  torch::DeviceType kind = torch::kCPU;
  EXPECT_EQ(kind, torch::DeviceType::CPU);
  const torch::Device device(kind, 0);
  EXPECT_TRUE(device == torch::kCPU && device.type() == torch::kCPU && !device.is_cuda());
  EXPECT_FALSE(device == torch::kCUDA);
  EXPECT_TRUE(torch::kCUDA != device.type());
  EXPECT_EQ(device.index(), 0);
  EXPECT_EQ(device.str(), "cpu");
  EXPECT_EQ(torch::ones(2, torch::TensorOptions().device(torch::kCPU, 0)).device(), device);
  EXPECT_EQ(torch::ones(2, "meta").device().type(), torch::DeviceType::Meta);
}

TEST(LibtorchDtypes, ScalarTypesHaveBothSpellings) {
  switch (torch::zeros(1).scalar_type()) {
    case at::ScalarType::Float: break;
    default: ADD_FAILURE();
  }
  EXPECT_EQ(at::ScalarType::Half, torch::kHalf);
  EXPECT_EQ(torch::typeMetaToScalarType(torch::zeros(1).dtype()), torch::kFloat);
  EXPECT_TRUE(torch::is_floating_point(torch::zeros(1)));
  EXPECT_TRUE(torch::TensorOptions(torch::kInt).has_dtype());
  EXPECT_FALSE(torch::TensorOptions(torch::kInt).device_opt().has_value());
}

TEST(LibtorchIndexing, EntriesStandInLists) {
  const torch::Tensor x = torch::arange(6.0).reshape({2, 3});
  const std::vector<torch::indexing::TensorIndex> entries{0, Slice(1, 3)};
  EXPECT_EQ(x.index(entries).sum().item<double>(), 3);
  EXPECT_EQ(x.index({c10::nullopt, 0}).sizes().vec(), (Shape{1, 3}));
}

TEST(LibtorchKernels, HalvesCompute) {
  for (const auto dtype : {torch::kHalf, torch::kFloat, torch::kBFloat16}) {
    const torch::Tensor x = torch::ones(3, dtype), y = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(),
                                    "twice", [&] {
                                      const auto* from = x.data_ptr<scalar_t>();
                                      auto* to = y.data_ptr<scalar_t>();
                                      for (const auto i : c10::irange(x.numel())) {
                                        to[i] = from[i] * 2;
                                        to[i] += 1;
                                      }
                                    });
    EXPECT_EQ(y.sum().item<double>(), 9);
  }
  AT_DISPATCH_INDEX_TYPES(torch::kLong, "size", [&] { EXPECT_EQ(sizeof(index_t), 8U); });
}

TEST(LibtorchChecks, CompareAndExplain) {
  TORCH_CHECK_EQ(1 + 1, 2);
  try {
    TORCH_CHECK_LT(3, 2);
    ADD_FAILURE();
  } catch (const c10::Error& error) {
    EXPECT_NE(error.msg().find("Check failed: 3 < 2 (3 vs. 2)"), std::string::npos);
  }
  EXPECT_THROW(AT_ERROR("no ", 1), c10::Error);
  EXPECT_EQ(c10::str("a", 1, torch::zeros(1).sizes()), "a1[1]");
  int64_t sum = 0;
  for (const auto i : c10::irange(2, 5)) sum += i;
  EXPECT_EQ(sum, 9);
  for (const auto i : c10::irange(5, 2)) sum += i;
  EXPECT_EQ(sum, 9);
}

// A type of the program's own stays what it is.
struct WithVec {
  int x = 7;
  std::vector<int64_t> vec() const { return {1}; }
};

struct Remembers : torch::autograd::Function<Remembers> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x) {
    ctx->saved_data["sizes"] = x.sizes();
    ctx->saved_data["list"] = torch::TensorList(x);
    ctx->saved_data["nothing"] = c10::optional<int64_t>();
    ctx->saved_data["some"] = c10::optional<int64_t>(3);
    ctx->saved_data["name"] = "x";
    ctx->saved_data["scalar"] = torch::Scalar(2);
    ctx->saved_data["vector"] = WithVec{};
    return x * 1;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    EXPECT_EQ(ctx->saved_data["sizes"].toIntVector(), (Shape{2, 3}));
    EXPECT_EQ(ctx->saved_data["list"].toTensorVector().size(), 1U);
    EXPECT_TRUE(ctx->saved_data["nothing"].isNone());
    EXPECT_EQ(ctx->saved_data["nothing"].toOptional<int64_t>(), std::nullopt);
    EXPECT_EQ(ctx->saved_data["scalar"].toScalar().toInt(), 2);
    EXPECT_EQ(ctx->saved_data["scalar"].toInt(), 2);
    EXPECT_EQ(ctx->saved_data["vector"].to<WithVec>().x, 7);
    EXPECT_TRUE(ctx->saved_data["some"].isInt() && ctx->saved_data["name"].isString());
    return {grads[0]};
  }
};

TEST(LibtorchFunction, SavedListsAreCopies) {
  const torch::Tensor w = torch::ones({2, 3}, torch::requires_grad());
  torch::Tensor y = Remembers::apply(w * 2);
  const torch::Tensor other = torch::ones({6, 1});  // may lie where the argument was
  y.sum().backward();
  EXPECT_EQ(w.grad().sum().item<double>(), 12);
}

}  // namespace
