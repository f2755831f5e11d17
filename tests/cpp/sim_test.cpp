// The pretend device: kernels, fallback, copies, gradients, faults.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

TEST_F(Sim, NamesAndIndices) {
  EXPECT_EQ(to_string(Device("sim")), "sim:0");
  EXPECT_EQ(to_string(Device("sim:1")), "sim:1");
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { Device d("simm"); }),
               {"'simm'", "cpu", "sim"});
  for (const char* bad : {"sim:2", "sim:9999"}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { tensor({1.0F}).to(bad); }),
                 {bad, "2 device(s)"});
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { full({1}, 1.0, eagre::device(bad)); }),
                 {bad});
    error_of(ErrorKind::kInvalidArgument, [&] { synchronize(bad); });
  }
}

// Row: Paddle A12
TEST_F(Sim, CopiesBothWays) {
  for (DType dtype : {kBool, kInt64, kFloat32, kFloat64}) {
    const Tensor t = (arange_of({2, 3, 4}) * (dtype == kBool ? 0.0 : 1.0)).to(dtype);
    for (const Tensor& source :
         {t, t.transpose(0, 2), t.unsqueeze(1).expand({2, 5, 3, 4}), full({0, 3}, 1, dtype)}) {
      const Tensor there = source.to("sim:1");
      EXPECT_EQ(to_string(there.device()), "sim:1");
      EXPECT_EQ(values(there), values(source));
      EXPECT_EQ(values(there.to("sim:0")), values(source));
      EXPECT_EQ(there.dtype(), dtype);
    }
  }
}

TEST_F(Sim, StridedTensorsComeBack) {
  const Tensor there = arange_of({2, 3}).to("sim");
  EXPECT_EQ(values(there.transpose(0, 1)), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values(there.unsqueeze(0).expand({2, 2, 3})),
            (Values{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(values(there.transpose(0, 1).unsqueeze(1).expand({3, 2, 2})),
            (Values{0, 3, 0, 3, 1, 4, 1, 4, 2, 5, 2, 5}));
  EXPECT_EQ(values(there.unsqueeze(0).expand({0, 2, 3})), Values{});
}

TEST_F(Sim, RunsAdd) {
  set_flag("kernel_fallback", false);
  const Tensor host = arange_of({2, 3}), row = arange_of({3});
  const Tensor a = host.to("sim"), b = row.to("sim");
  const int64_t calls = device().kernel_calls();
  const Tensor sum = a + b;
  EXPECT_EQ(device().kernel_calls(), calls + 1);
  EXPECT_EQ(to_string(sum.device()), "sim:0");
  EXPECT_EQ(values(sum), values(host + row));
  EXPECT_EQ(values(a.add(b, 3)), values(host.add(row, 3)));
  EXPECT_EQ(values(a + 2), values(host + 2));
  EXPECT_EQ(values(a.add(2.5, 2)), values(host.add(2.5, 2)));
  EXPECT_EQ(values(a.transpose(0, 1) + b.unsqueeze(1)),
            values(host.transpose(0, 1) + row.unsqueeze(1)));
  EXPECT_EQ(values(a.sum_to_size({2, 3}) + a.unsqueeze(0).expand({4, 2, 3})),
            values(host + host.unsqueeze(0).expand({4, 2, 3})));
  EXPECT_EQ(values(full({0}, 1.0).to("sim") + 1), Values{});
  EXPECT_TRUE(heard().empty());
}

// Row: Paddle A2
TEST_F(Sim, ZeroDimCpuTensorsJoin) {
  set_flag("kernel_fallback", false);
  const Tensor a = arange_of({3}).to("sim:1");
  EXPECT_EQ(values(a + tensor(2.0F)), (Values{2, 3, 4}));
  EXPECT_EQ(values(tensor(2.0F) + a), (Values{2, 3, 4}));
  EXPECT_EQ(to_string((tensor(2.0F) + a).device()), "sim:1");
  a.add_(tensor(1.0F));
  EXPECT_EQ(values(a), (Values{1, 2, 3}));
}

TEST_F(Sim, ZeroDimCpuTargetDoesNotJoin) {
  const Tensor host = tensor(1.0F), there = tensor(2.0F).to("sim");
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { host.add_(there); }),
               {"add_()", "cpu", "sim:0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { host.mul_(there); }),
               {"mul_()", "cpu", "sim:0"});
  EXPECT_EQ(values(host), (Values{1}));
}

// Row: Paddle A2
TEST_F(Sim, MixedDevicesAreAnError) {
  const Tensor host = arange_of({3}), zero = host.to("sim:0"), one = host.to("sim:1");
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { host + zero; }),
               {"add(): argument 'other'", "cpu", "sim:0", ".to(device)", "sim_test.cpp"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { zero + one; }), {"sim:0", "sim:1"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { zero* host; }),
               {"mul()", "cpu", "sim:0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { matmul(host, zero); }),
               {"matmul()", "cpu", "sim:0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { zero.add_(host); }),
               {"add", "cpu", "sim:0"});
}

// Row: Paddle A2
TEST_F(Sim, AutoTransferMovesToTheFirstAccelerator) {
  set_flag("auto_transfer", true);
  const Tensor host = arange_of({3}).requires_grad_(), zero = arange_of({3}).to("sim:0"),
               one = arange_of({3}).to("sim:1");
  const Tensor product = host * zero;
  EXPECT_EQ(to_string(product.device()), "sim:0");
  EXPECT_EQ(values(product), (Values{0, 1, 4}));
  EXPECT_EQ(to_string((host + one + zero).device()), "sim:1");
  EXPECT_EQ(to_string(cat({host, zero}).device()), "sim:0");
  EXPECT_EQ(to_string(matmul(host, one).device()), "sim:1");
  product.sum().backward();
  EXPECT_EQ(to_string(host.grad().device()), "cpu");
  EXPECT_EQ(values(host.grad()), (Values{0, 1, 2}));
  // What is written stays where it is.
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { host.detach().add_(zero); }),
               {"add_()", "cpu", "sim:0"});
  EXPECT_EQ(values(zero.clone().add_(one)), (Values{0, 2, 4}));
  error_of(ErrorKind::kInvalidArgument, [&] { zero + arange_of({3}).to("meta"); });
  set_flag("auto_transfer", false);
}

// Row: Paddle A7, Paddle A21
TEST_F(Sim, OutGetsTheResultOfAFallback) {
  const Tensor a = arange_of({2, 3}).to("sim:1");
  const Tensor total = zeros({3}).to("sim:1");
  sum_out(total, a, {0});
  EXPECT_EQ(values(total), (Values{3, 5, 7}));
  const Tensor sorted = zeros({2, 3}).to("sim:1"), order = zeros({2, 3}, kInt64).to("sim:1");
  sort_out(sorted, order, a, -1, true);
  EXPECT_EQ(values(sorted), (Values{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(values(order), (Values{2, 1, 0, 2, 1, 0}));
  expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { sum_out(zeros({3}), a, {0}); }),
               {"sum()", "'out' is on cpu", "sim:1"});
}

TEST_F(Sim, MemoryGrows) {
  const Tensor x = (arange_of({2, 3}) + 1).to("sim:1");
  const Tensor part = x.select(0, 0);
  x.resize_({3, 100});
  EXPECT_EQ(x.sizes(), Dims({3, 100}));
  EXPECT_EQ(values(x.select(0, 0).narrow(0, 0, 6)), (Values{1, 2, 3, 4, 5, 6}));
  x.select(0, 0).fill_(9);
  EXPECT_EQ(values(part), (Values{9, 9, 9})) << "the storage is still shared";
  EXPECT_EQ(x.resize_({2}).sizes(), Dims({2}));
  const Tensor out = zeros({2}).to("sim:1");
  add_out(out, arange_of({2, 3}).to("sim:1"), arange_of({2, 3}).to("sim:1"));
  EXPECT_EQ(values(out), (Values{0, 2, 4, 6, 8, 10}));
}

// A resize that fails has changed neither the geometry nor the values.
TEST_F(Sim, MemoryThatCannotGrowIsAsItWas) {
  const Tensor x = (arange_of({2, 3}) + 1).to("sim:1");
  device().fail_allocation(1);
  error_of(ErrorKind::kOutOfMemory, [&] { x.resize_({100}); });
  device().fail_allocation(0);
  device().fail_copy(1);
  error_of(ErrorKind::kDeviceLost, [&] { x.resize_({100}); });
  device().forgive();
  EXPECT_EQ(live(), before_ + 1);
  EXPECT_EQ(x.sizes(), Dims({2, 3}));
  EXPECT_EQ(x.version(), 0U);
  EXPECT_EQ(values(x), (Values{1, 2, 3, 4, 5, 6}));
}

// Row: Paddle A7
TEST_F(Sim, FallsBackWithOneWarning) {
  const Tensor a = arange_of({2, 2}).to("sim:1");
  for (int i = 0; i < 3; ++i) {
    const Tensor e = a.exp();
    EXPECT_EQ(to_string(e.device()), "sim:1");
    EXPECT_EQ(values(e), values(a.cpu().exp()));
  }
  static bool said_before = false;  // when the test is repeated in one process
  ASSERT_EQ(heard().size(), said_before ? 0U : 1U);
  if (!std::exchange(said_before, true))
    expect_parts(heard()[0], {"exp()", "float32", "sim:1", "CPU", "kernel_fallback"});
  EXPECT_EQ(values(matmul(a, a)), values(matmul(a.cpu(), a.cpu())));
  EXPECT_EQ(values(a.sum(0)), values(a.cpu().sum(0)));
  EXPECT_EQ(values(a * a.transpose(0, 1)), values(a.cpu() * a.cpu().transpose(0, 1)));
  EXPECT_EQ(values(a.to(kFloat64) + 1), values(a.cpu() + 1));  // add, but not for float64
  manual_seed(3);
  const Tensor there = randn({5}, eagre::device("sim"));
  manual_seed(3);
  EXPECT_EQ(values(there), values(randn({5})));
}

// Row: Paddle A7
TEST_F(Sim, WithoutFallbackTheErrorSaysWhatExists) {
  const Tensor a = arange_of({2}).to("sim");
  set_flag("kernel_fallback", false);
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { a.exp(); }),
               {"exp()", "float32 on sim:0", "kernel_fallback is off",
                "cpu (float16, bfloat16, float32, float64, complex64, complex128, complex32)"});
  expect_parts(error_of(ErrorKind::kUnimplemented,
                        [&] {
                          a + tensor(1.0, kFloat64);
                          a.to(kFloat64);
                        }),
               {"cast()"});
  set_flag("kernel_fallback", true);
  const Tensor wide = a.to(kFloat64);
  set_flag("kernel_fallback", false);
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { wide + wide; }),
               {"float64", "sim (float32)"});
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { matmul(a, a); }), {"matmul()"});
  expect_parts(error_of(ErrorKind::kUnimplemented, [&] { full({2}, 1.0, eagre::device("sim")); }),
               {"full()"});
}

// Row: Paddle A21
TEST_F(Sim, InPlace) {
  const Tensor a = arange_of({2, 3}).to("sim");
  a.add_(a.detach(), 2);
  EXPECT_EQ(values(a), (Values{0, 3, 6, 9, 12, 15}));
  a.transpose(0, 1).add_(arange_of({2}).to("sim"));
  EXPECT_EQ(values(a), (Values{0, 3, 6, 10, 13, 16}));
  a.mul_(2);  // by fallback
  EXPECT_EQ(values(a), (Values{0, 6, 12, 20, 26, 32}));
  a.transpose(0, 1).mul_(0.5);
  EXPECT_EQ(values(a), (Values{0, 3, 6, 10, 13, 16}));
  const Tensor whole = tensor({1, 2}).to("sim");
  whole.add_(tensor({1, 1}).to("sim"));
  EXPECT_EQ(values(whole), (Values{2, 3}));
  const Tensor narrow = tensor({1.0F, 2.0F}).to("sim");
  narrow.add_(tensor({0.5, 0.5}, kFloat64).to("sim"));  // computed as float64, stored as float32
  EXPECT_EQ(values(narrow), (Values{1.5, 2.5}));
  EXPECT_EQ(narrow.dtype(), kFloat32);
}

TEST_F(Sim, InPlaceOfAStridedColumn) {
  const Tensor wide = tensor({1.0F, 2.0F}).to("sim");
  const Tensor doubles = tensor({1.0, 2.0}, kFloat64).to("sim");
  doubles.add_(wide);
  EXPECT_EQ(values(doubles), (Values{2, 4}));
}

// Row: PyTorch A18, PyTorch D13
TEST_F(Sim, Gradients) {
  const Tensor x = leaf({1, 2});
  const Tensor there = x.to("sim");
  EXPECT_TRUE(there.requires_grad());
  (there + there).cpu().sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
  EXPECT_TRUE(x.grad().device().is_cpu());
  const Tensor w = leaf({3, 4}, eagre::device("sim:1"));
  for (int i = 0; i < 3; ++i) (w.add(x.to("sim:1"), 2) + 1).exp().sum().backward();
  EXPECT_EQ(to_string(w.grad().device()), "sim:1");
  const Values e = values((w.cpu().add(x, 2) + 1).exp() * 3);
  const Values got = values(w.grad());
  for (size_t i = 0; i < e.size(); ++i) EXPECT_NEAR(got[i], e[i], 1e-6 * e[i]);
}

// Row: PyTorch C8
TEST_F(Sim, GradientsOfZeroDimPartners) {
  const Tensor s = tensor(2.0F, requires_grad());
  const Tensor there = arange_of({3}).to("sim");
  (s + there).sum().backward();
  EXPECT_EQ(s.grad().item<double>(), 3);
  EXPECT_TRUE(s.grad().device().is_cpu());
}

TEST_F(Sim, SecondOrder) {
  const Tensor x = leaf({3}, eagre::device("sim"));
  const Tensor first = autograd::grad({x * x * x}, {x}, {}, true, true)[0];
  EXPECT_EQ(values(autograd::grad({first}, {x})[0]), (Values{18}));
}

// Row: PyTorch A8, PyTorch C5
TEST_F(Sim, GradientMustBeOnTheDevice) {
  const Tensor x = leaf({1, 2}, eagre::device("sim"));
  const Tensor y = x + 1;
  expect_parts(error_of(ErrorKind::kAutograd,
                        [&] {
                          y.backward(tensor({1.0F, 1.0F}), true);
                        }),
               {"cpu", "sim:0"});
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [&] {
                          x.set_grad(tensor({1.0F, 1.0F}));
                        }),
               {"device", "sim:0"});
  y.backward(tensor({1.0F, 1.0F}).to("sim"));
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST_F(Sim, SlowStreamKeepsTheOrder) {
  device().slow_down(2000);
  Tensor a = tensor({1.0F}).to("sim");
  for (int i = 0; i < 10; ++i) a = a + a;  // memory is freed while work may be waiting
  EXPECT_EQ(values(a), (Values{1024}));
  const Tensor b = a + 1;
  synchronize("sim");
  EXPECT_EQ(values(b), (Values{1025}));
}

TEST_F(Sim, Threads) {
  in_threads(3, [&](int i) {
    const Device device = i % 2 == 0 ? "sim:0" : "sim:1";
    const Tensor x = leaf({1, 2}, TensorOptions().device(device));
    for (int k = 0; k < 20; ++k) (x + x).sum().backward();
    EXPECT_EQ(values(x.grad()), (Values{40, 40}));
  });
}

TEST_F(Sim, AllocationFaults) {
  const Tensor host = arange_of({3});
  const Tensor a = host.to("sim");
  for (int64_t nth = 1; nth <= 4; ++nth) {
    device().fail_allocation(nth);
    try {
      const Tensor x = leaf({1, 2, 3}, eagre::device("sim"));
      const Tensor y = (x + a).exp();
      y.sum().backward();
      EXPECT_GT(nth, 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory) << error.message();
      expect_parts(error.message(), {"out of memory on sim:0"});
    }
    device().fail_allocation(0);
    EXPECT_EQ(device().live_allocations(-1), before_ + 1);
  }
  error_of(ErrorKind::kOutOfMemory,
           [&] { tensor({1.0F}).to("sim").expand({int64_t{1} << 33}) + 1; });
}

TEST_F(Sim, CopyFaults) {
  const Tensor a = arange_of({3}).to("sim");
  for (int64_t nth = 1; nth <= 3; ++nth) {
    device().fail_copy(nth);
    expect_parts(error_of(ErrorKind::kDeviceLost, [&] { (a * a).cpu(); }), {"sim:0", "code 4"});
    device().forgive();
    EXPECT_EQ(device().live_allocations(-1), before_ + 1);
  }
  device().fail_copy(1);
  error_of(ErrorKind::kDeviceLost, [&] { arange_of({3}).to("sim:1"); });
  device().forgive();
  EXPECT_EQ(values(a), (Values{0, 1, 2}));
}

TEST_F(Sim, KernelFaults) {
  const Tensor a = arange_of({3}).to("sim:1");
  device().fail_kernel(KernelFault::kRefuses);
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { a + a; }),
               {"add(): the kernel on sim:1 failed with code 5: ordered to fail on device 1",
                "sim_test.cpp"});
  device().fail_kernel(KernelFault::kFailsSilently);
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { a.add_(1); }), {"code 5"});
  EXPECT_EQ(a.version(), 0U);
  device().fail_kernel(KernelFault::kFailsLater);
  {
    const Tensor b = a + a;
    expect_parts(error_of(ErrorKind::kDeviceLost, [&] { synchronize("sim:1"); }),
                 {"sim:1", "code 5"});
    error_of(ErrorKind::kDeviceLost, [&] { b.cpu(); });
  }
  device().fail_kernel(KernelFault::kNone);
  device().forgive();
  EXPECT_EQ(values(a + a), (Values{0, 2, 4}));
}

TEST_F(Sim, FaultsInBackward) {
  const Tensor x = leaf({1, 2}, eagre::device("sim"));
  const Tensor y = (x + x).sum();
  device().fail_kernel(KernelFault::kRefuses);
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { y.backward({}, true); }),
               {"ordered to fail"});
  device().fail_kernel(KernelFault::kNone);
  y.backward({}, true);
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

// --- loading ---

TEST_F(Sim, LoadingTwiceIsTheSameDevice) {
  EXPECT_EQ(load_device_plugin(kPlugins + "/sim.so").device_name, "sim");
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] { load_device_plugin(kPlugins + "/broken_second_sim.so"); }),
               {"another plug-in", "'sim'"});
  EXPECT_EQ(values(tensor({1.0F}).to("sim") + 1), (Values{2}));
}

TEST(Plugins, BrokenOnesAreRefused) {
  const auto message = [](const std::string& name, ErrorKind kind = ErrorKind::kInvalidArgument) {
    const std::string path = kPlugins + "/broken_" + name + ".so";
    const std::string text = error_of(kind, [&] { load_device_plugin(path); });
    expect_parts(text, {path});
    return text;
  };
  expect_parts(message("no_init"), {"not a device plug-in", "eagre_plugin_init"});
  expect_parts(message("wrong_version"), {"version 99", "version 1"});
  expect_parts(message("small_api"), {"too small"});
  expect_parts(message("failing_init"), {"code 42"});
  expect_parts(message("no_name"), {"no device name"});
  expect_parts(message("cpu_name"), {"'cpu' is taken"});
  expect_parts(message("colon_name"), {"a:b"});
  expect_parts(message("missing_function"), {"required function"});
  expect_parts(message("no_device"), {"has 0 devices", "from 1 to 32767"});
  expect_parts(message("failing_stream"), {"stream on device 1", "code 7"});
  message("is_not_there", ErrorKind::kNotFound);
  // None of them left a device behind.
  expect_parts(error_of(ErrorKind::kInvalidArgument, [] { Device d("broken"); }), {"'broken'"});
}

// Row: Paddle A6, Paddle A18
TEST(Plugins, BadKernelsAreRefusedOneByOne) {
  const LoadedPlugin odd = load_device_plugin(kPlugins + "/broken_odd_kernels.so");
  EXPECT_EQ(odd.device_name, "odd");
  expect_parts(odd.refused, {"add: ", "twice", "exp: its signature here is exp(Tensor)->Tensor",
                             "frobnicate: there is no such operator", "mul: unknown dtype",
                             "mul: a name and a kernel are required", "(no name)"});
  const Tensor t = tensor({1.0F}).to("odd");
  EXPECT_EQ(values(t.exp() * 0 + t.to(kFloat64)), (Values{1}));
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { t + 1; }), {"odd:0", "code 1"});
}

TEST(Plugins, TheExampleOfTheDocs) {
  const LoadedPlugin example = load_device_plugin(kPlugins + "/example_plugin.so");
  EXPECT_EQ(example.device_name, "attic");
  EXPECT_EQ(example.refused, "");
  set_flag("kernel_fallback", false);
  const Tensor x = leaf({1, 2}).to("attic");
  EXPECT_EQ(values(x * x), (Values{1, 4}));
  EXPECT_EQ(values(x.unsqueeze(1) * x * 2), (Values{2, 4, 4, 8}));
  set_flag("kernel_fallback", true);
  (x * x).sum().backward();
}

// As in PyTorch: what is looked for may be named on the host, but not the other way round.
TEST_F(Sim, IndicesMayBeOnTheHost) {
  const Tensor there = arange_of({4, 3}).to("sim");
  const Tensor rows = tensor({2, 0}), mask = tensor({true, false, false, true});
  EXPECT_EQ(values(there.index({rows})), (Values{6, 7, 8, 0, 1, 2}));
  EXPECT_EQ(values(there.index({mask})), (Values{0, 1, 2, 9, 10, 11}));
  EXPECT_EQ(values(there.index({indexing::Slice(), rows})), (Values{2, 0, 5, 3, 8, 6, 11, 9}));
  there.index_put_({rows}, -1);
  EXPECT_EQ(values(there.index({mask})), (Values{-1, -1, -1, 9, 10, 11}));
  const Tensor leaf = arange_of({3}).to("sim").requires_grad_();
  leaf.index({tensor({0, 0, 2})}).sum().backward();
  EXPECT_EQ(values(leaf.grad()), (Values{2, 0, 1}));
  expect_parts(
      error_of(ErrorKind::kInvalidArgument, [&] { arange_of({3}).index({tensor({0}).to("sim")}); }),
      {"sim:0", "cpu"});
}

TEST_F(Sim, Transforms) {
  const Tensor batch = arange_of({2, 3}).to("sim");
  const auto cubes = [](const Tensor& x) { return (x * x * x).sum(); };
  const Tensor gradients = func::vmap(func::grad(cubes))(batch);
  EXPECT_EQ(gradients.device(), batch.device());
  EXPECT_EQ(values(gradients), (Values{0, 3, 12, 27, 48, 75}));
  EXPECT_EQ(values(func::hessian(cubes)(batch.select(0, 0))), (Values{0, 0, 0, 0, 6, 0, 0, 0, 12}));
  const auto [value, tangent] =
      func::jvp([](const std::vector<Tensor>& in) { return std::vector{in[0] * in[0]}; }, {batch},
                {ones_like(batch)});
  EXPECT_EQ(tangent[0].device(), batch.device());
  EXPECT_EQ(values(tangent[0]), (Values{0, 2, 4, 6, 8, 10}));
}

}  // namespace
}  // namespace eagre::test
