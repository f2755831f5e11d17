// From the tensors of a call to its kernel: the key, what is converted on the way, and what is not.
#include <cstdint>

#include <eagre/dispatch/registry.h>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

class Dispatch : public Sim {};

// Row: Paddle D1
TEST(Recording, NeedsTheModeAndAnyInput) {
  const Tensor x = leaf({1, 2}), plain = tensor({3.0F, 4.0F});
  EXPECT_TRUE((x + plain).requires_grad());
  EXPECT_TRUE((plain + x).requires_grad());
  EXPECT_FALSE((plain + plain).requires_grad());
  EXPECT_TRUE(cat({plain, plain, x}, 0).requires_grad());  // not only the first of a list
  NoGradGuard no_grad;
  EXPECT_FALSE((x + plain).requires_grad());
}

// Row: PyTorch A3, Paddle D2, Paddle B1
TEST(Recording, ResultsRequireGradUnlessTheyCannot) {
  const Tensor x = leaf({2, 1});
  EXPECT_TRUE((x * 2).requires_grad());
  EXPECT_FALSE((x > 1).requires_grad());
  EXPECT_FALSE(x.argsort(0).requires_grad());
  EXPECT_FALSE((x * 2).detach().requires_grad());
}

// Row: Paddle A1, Paddle defect 14
TEST_F(Dispatch, TheKeyComesFromListsAndOptionalsToo) {
  const Tensor host = arange_of({2, 3}), there = host.to("sim:1");
  EXPECT_EQ(to_string(cat({there, there}, 0).device()), "sim:1");
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          cat({there, there, host}, 0);
                        }),
               {"cat()", "'tensors'", "cpu", "sim:1"});
  error_of(ErrorKind::kInvalidArgument, [&] { cat(TensorVector(), 0); });
  const Tensor ones = full({3}, 1.0);
  EXPECT_EQ(to_string(layer_norm(there, {3}, ones.to("sim:1")).device()), "sim:1");
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { layer_norm(there, {3}, ones); }),
               {"layer_norm", "'weight'", "cpu", "sim:1"});
}

// Row: Paddle A6
TEST_F(Dispatch, KernelsAreFoundByNameDeviceAndDtype) {
  dispatch::OpEntry* add = dispatch::find_op("add");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(dispatch::find_op("frobnicate"), nullptr);
  const Device sim("sim");
  EXPECT_NE(dispatch::find_kernel(*add, sim.kind, kFloat32), nullptr);
  EXPECT_EQ(dispatch::find_kernel(*add, sim.kind, kFloat64), nullptr);
  EXPECT_NE(dispatch::select_kernel(*add, Device(), kFloat64), nullptr);
  const dispatch::Kernel kernel = dispatch::find_kernel(*add, sim.kind, kFloat32);
  EXPECT_FALSE(dispatch::add_kernel(*add, sim.kind, kFloat32, kernel));  // there is one already
}

// Row: Paddle A11
TEST_F(Dispatch, WhatIsConvertedAndWhatIsNot) {
  const Tensor there = arange_of({2, 3}).to("sim");
  const int64_t calls = device().kernel_calls();
  EXPECT_EQ(values(there.transpose(0, 1).repeat({1, 1})), (Values{0, 3, 1, 4, 2, 5}));  // layout
  EXPECT_EQ(device().kernel_calls(), calls + 1);
  EXPECT_EQ((there + there.to(kFloat64)).dtype(), kFloat64);  // dtype, by promotion
  // An index keeps its kind and a mask its dtype, whatever the others are.
  const Tensor index = tensor({1, 0}).to("sim");
  EXPECT_EQ(values(there.index_select(0, index)), (Values{3, 4, 5, 0, 1, 2}));
  error_of(ErrorKind::kType, [&] { there.masked_fill(there, 1); });
  EXPECT_EQ(there.dtype(), kFloat32);
}

// Row: Paddle A12, Paddle defect 16
TEST_F(Dispatch, InputsStayWhereTheyAre) {
  const Tensor number = tensor(2.0F), there = arange_of({3}).to("sim:1");
  const void* address = number.data_ptr<float>();
  (there + number).mul_(number);
  EXPECT_TRUE(number.device().is_cpu());
  EXPECT_EQ(number.data_ptr<float>(), address);
  EXPECT_EQ(values(there), (Values{0, 1, 2}));
}

// Row: Paddle A16, Paddle A17
TEST_F(Dispatch, MetaTensorsAreCheckedAsAllOthers) {
  const Tensor host = arange_of({2, 3});
  const Tensor shapes = host.to("meta"), there = host.to("sim");
  const Tensor product = matmul(shapes, shapes.transpose(0, 1));
  EXPECT_EQ(list(product.sizes()), (Sizes{2, 2}));
  EXPECT_TRUE(product.device().is_meta());
  EXPECT_EQ(list(cat({shapes, shapes}, 1).sizes()), (Sizes{2, 6}));
  const auto message = [](const Tensor& t) {
    return error_of(ErrorKind::kInvalidArgument, [&] { matmul(t, t); });
  };
  const auto text = [](const std::string& message) {
    return message.substr(0, message.find(" at "));
  };
  EXPECT_EQ(text(message(shapes)), text(message(host)));
  EXPECT_EQ(text(message(there)), text(message(host)));
}

// Row: Paddle A10
TEST_F(Dispatch, WithoutTensorsTheCurrentPlaceCounts) {
  const DeviceGuard guard(Device("sim:1"));
  EXPECT_EQ(to_string(full({2}, 1.0).device()), "sim:1");
  EXPECT_EQ(to_string(randn({2}).device()), "sim:1");
  EXPECT_EQ(to_string(full({2}, 1.0, eagre::device("sim:0")).device()), "sim:0");
}

// Row: Paddle A21
TEST_F(Dispatch, FallbackWritesBackThroughStrides) {
  const Tensor there = arange_of({3, 4}).to("sim");
  there.transpose(0, 1).slice(0, 1, 4, 2).mul_(10);  // columns 1 and 3
  EXPECT_EQ(values(there), (Values{0, 10, 2, 30, 4, 50, 6, 70, 8, 90, 10, 110}));
  const Tensor turned = arange_of({2, 3}).transpose(0, 1).to("sim");
  EXPECT_EQ(list((turned * 2).strides()), list(turned.strides()));
}

}  // namespace
}  // namespace eagre::test
