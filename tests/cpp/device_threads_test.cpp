// Backward over accelerators: nodes of a device run in its thread, on the streams of their forward.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/engine/device_threads.h>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

using autograd::set_multithreading_enabled;

// Which threads ran what.
class ThreadLog {
 public:
  void note(const std::string& what) {
    std::lock_guard lock(mutex_);
    threads_[what].insert(std::this_thread::get_id());
  }
  std::set<std::thread::id> of(const std::string& what) {
    std::lock_guard lock(mutex_);
    return threads_[what];
  }
  bool only_here(const std::string& what) {
    return of(what) == std::set{std::this_thread::get_id()};
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::set<std::thread::id>> threads_;
};

class DeviceThreads : public Sim {
 protected:
  void TearDown() override {
    set_multithreading_enabled(true);
    Sim::TearDown();
  }
  // The hook sees the gradient of `tensor` in the thread that runs the tensor's node.
  void watch(const Tensor& tensor, const std::string& name) {
    tensor.register_hook([this, name](const Tensor&) { log_.note(name); });
  }
  ThreadLog log_;
};

Tensor on(const char* device, const Values& list) {
  const Tensor result = leaf(list).detach().to(device);
  result.requires_grad_();
  return result;
}

// Row: PyTorch D13
TEST_F(DeviceThreads, CpuNodesRunInTheCallersThreadAndDeviceNodesInTheirOwn) {
  const Tensor x = leaf({1, 2, 3});
  const Tensor before = x * 2;
  const Tensor there = before.to("sim") * 3;
  const Tensor other = there.to("sim:1") * 5;
  const Tensor back = other.cpu() * 7;
  watch(before, "cpu");
  watch(there, "sim:0");
  watch(other, "sim:1");
  watch(back, "cpu");
  back.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{210, 210, 210}));
  EXPECT_TRUE(log_.only_here("cpu"));
  ASSERT_EQ(log_.of("sim:0").size(), 1U);
  ASSERT_EQ(log_.of("sim:1").size(), 1U);
  EXPECT_NE(log_.of("sim:0"), log_.of("sim:1"));
  EXPECT_FALSE(log_.only_here("sim:0"));
  EXPECT_FALSE(log_.only_here("sim:1"));
}

TEST_F(DeviceThreads, OneThreadPerDeviceServesAllCallers) {
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      const Tensor x = on("sim", {1, 2});
      const Tensor y = x * x;
      watch(y, "sim");
      y.sum().backward();
      EXPECT_EQ(values(x.grad()), (Values{2, 4}));
    }).join();
  }
  EXPECT_EQ(log_.of("sim").size(), 1U);
}

// Row: PyTorch D12
TEST_F(DeviceThreads, SwitchedOffAllNodesRunInTheCallersThread) {
  set_multithreading_enabled(false);
  EXPECT_FALSE(autograd::is_multithreading_enabled());
  const Tensor x = leaf({1, 2});
  const Tensor y = x.to("sim") * 3;
  const Tensor z = y.to("sim:1") * 2;
  watch(y, "all");
  watch(z, "all");
  watch(x, "all");
  z.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
  EXPECT_TRUE(log_.only_here("all"));
  std::thread([] { EXPECT_TRUE(autograd::is_multithreading_enabled()); }).join();  // per thread
}

TEST_F(DeviceThreads, GradOfDeviceInputsAndInteriorTensors) {
  const Tensor x = on("sim", {1, 2}), w = leaf({3, 4});
  const Tensor inner = x * w.to("sim");
  const Tensor out = (inner * inner).cpu().sum();
  const auto grads = autograd::grad({out}, {x, w, inner});
  EXPECT_EQ(values(grads[0]), (Values{18, 64}));
  EXPECT_EQ(values(grads[1]), (Values{6, 32}));
  EXPECT_EQ(values(grads[2]), (Values{6, 16}));
  EXPECT_EQ(grads[0].device(), Device("sim"));
  EXPECT_FALSE(x.grad().defined());
}

TEST_F(DeviceThreads, SecondOrderThroughDevices) {
  const Tensor x = leaf({2, 3});
  const Tensor y = x.to("sim");
  const Tensor z = (y * y * y).to("sim:1").cpu().sum();
  const Tensor first = autograd::grad({z}, {x}, {}, true, true)[0];
  EXPECT_EQ(values(first), (Values{12, 27}));
  first.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{12, 18}));
}

// Sums of one slot are made in the order of a single thread, whichever device is faster.
TEST_F(DeviceThreads, SumsRepeatBitForBit) {
  const auto gradient = [&] {
    const Tensor x = leaf({1, 2, 3}, kFloat32);
    Tensor sum;
    for (int i = 0; i < 24; ++i) {
      const char* const places[] = {"sim:0", "sim:1", "cpu"};
      const Tensor term = ((x * (0.1 + 0.37 * i)).to(places[i % 3]) * 1.1).cpu();
      sum = sum.defined() ? sum + term : term;
    }
    sum.sum().backward();
    return values(x.grad());
  };
  set_multithreading_enabled(false);
  const Values expected = gradient();
  set_multithreading_enabled(true);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(gradient(), expected);
}

// Row: PyTorch D8
TEST_F(DeviceThreads, AnErrorOfADeviceNodeReachesTheCallerWithItsType) {
  struct Unusual : std::runtime_error {
    using runtime_error::runtime_error;
  };
  const int64_t before = live();
  {
    const Tensor x = on("sim", {1, 2});
    const Tensor y = x * 2;
    const Tensor z = (y * 3).to("sim:1") * 4;
    y.register_hook([](const Tensor&) { throw Unusual("from the hook"); });
    try {
      z.sum().backward();
      FAIL() << "no error";
    } catch (const Unusual& error) {
      EXPECT_STREQ(error.what(), "from the hook");
    }
    EXPECT_FALSE(x.grad().defined());
  }
  EXPECT_EQ(live(), before);
  const Tensor fine = on("sim", {1});
  (fine * 2).sum().backward();
  EXPECT_EQ(values(fine.grad()), (Values{2}));
}

TEST_F(DeviceThreads, AFailingKernelNamesNodeAndLine) {
  const Tensor x = on("sim", {1, 2});
  const Tensor y = (x * x).sum();
  device().fail_nth_kernel(1, KernelFault::kRefuses);
  const std::string text = error_of(ErrorKind::kDeviceLost, [&] { y.backward(); });
  expect_parts(text, {"in the backward of", "device_threads_test.cpp"});
}

// Row: PyTorch D8
TEST_F(DeviceThreads, TheFirstErrorStopsTheOthers) {
  const Tensor x = leaf({1, 2});
  std::atomic<int> later{0};
  const Tensor a = counted(x, later);
  const Tensor b = a.to("sim") * 2;
  b.register_hook([](const Tensor&) { throw std::runtime_error("stop"); });
  EXPECT_THROW(b.sum().backward(), std::runtime_error);
  EXPECT_EQ(later, 0);
}

// Row: PyTorch D10, PyTorch J8
TEST_F(DeviceThreads, ModesStreamsAndDeviceOfTheCallerAreTheWorkers) {
  const Stream side{Device("sim:1")};
  const StreamGuard guard(side);
  const DeviceGuard device_guard(Device("sim:1"));
  const Tensor x = on("sim", {1, 2});
  const Tensor y = x * 2;
  bool grad_mode = true;
  Device made;
  int stream = -1;
  y.register_hook([&](const Tensor&) {
    grad_mode = GradMode::is_enabled();
    made = default_device();
    stream = current_stream("sim:1").id();
  });
  y.sum().backward({}, true);
  EXPECT_FALSE(grad_mode);
  EXPECT_EQ(made, Device("sim:1"));
  EXPECT_EQ(stream, side.id());
  y.sum().backward({}, true, true);
  EXPECT_TRUE(grad_mode);
}

// A nested call in the thread of a device stays in it, and does not wait for it.
// Row: PyTorch D4, PyTorch D13
TEST_F(DeviceThreads, AHookOfADeviceNodeCanCallBackward) {
  const Tensor inner = on("sim", {5}), x = on("sim", {1, 2});
  const Tensor y = x * 2;
  y.register_hook([&](const Tensor&) {
    log_.note("outer");
    const AutoGradMode on(true);
    const Tensor nested = (inner * inner).to("sim:1") * 2;
    watch(nested, "nested");
    nested.sum().backward();
  });
  y.sum().backward();
  EXPECT_EQ(values(inner.grad()), (Values{20}));
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
  EXPECT_EQ(log_.of("nested"), log_.of("outer"));
}

TEST_F(DeviceThreads, AHookOfACpuNodeCanCallBackwardOnADevice) {
  const Tensor inner = on("sim", {5}), x = leaf({1, 2});
  const Tensor y = x * 2;
  y.register_hook([&](const Tensor&) {
    const AutoGradMode on(true);
    (inner * inner).sum().backward();
  });
  (y.to("sim") * 3).sum().backward();
  EXPECT_EQ(values(inner.grad()), (Values{10}));
  EXPECT_EQ(values(x.grad()), (Values{6, 6}));
}

TEST_F(DeviceThreads, DeeplyNestedCallsOnADevice) {
  const Tensor x = on("sim", {1});
  int depth = 0;
  std::function<void()> nest = [&] {
    const AutoGradMode on(true);
    const Tensor y = x * 1;
    y.register_hook([&](const Tensor&) {
      if (++depth < 150) nest();
    });
    y.sum().backward();
  };
  nest();
  EXPECT_EQ(depth, 150);
  EXPECT_EQ(values(x.grad()), (Values{150}));
}

// Row: PyTorch D7
TEST_F(DeviceThreads, FinalCallbacksOfADeviceNodeRunInTheCallersThread) {
  const Tensor x = on("sim", {1, 2});
  const Tensor y = x * 2;
  Values seen;
  y.register_hook([&](const Tensor&) {
    autograd::queue_callback([&] {
      log_.note("callback");
      seen = values(x.grad());
    });
  });
  y.sum().backward();
  EXPECT_EQ(seen, (Values{2, 2}));
  EXPECT_TRUE(log_.only_here("callback"));
  y.register_hook(
      [&](const Tensor&) { autograd::queue_callback([] { throw std::runtime_error("late"); }); });
  EXPECT_THROW((y * 1).sum().backward(), std::runtime_error);
}

TEST_F(DeviceThreads, QueriesWorkInADevicesThread) {
  const Tensor x = on("sim", {1, 2});
  const Tensor y = x * 2;
  int64_t id = -1;
  std::string name;
  y.register_hook([&](const Tensor&) {
    id = autograd::current_graph_task_id();
    name = std::string(autograd::current_node()->name());
    error_of(ErrorKind::kAutograd, [] { autograd::current_graph_task_execution_order(); });
  });
  y.sum().backward();
  EXPECT_GE(id, 0);
  EXPECT_EQ(name, "MulBackward0");
  EXPECT_EQ(autograd::current_graph_task_id(), -1);
}

// The forward ran on another stream than the one backward() is called on.
// Row: PyTorch D14
TEST_F(DeviceThreads, BackwardRunsOnTheStreamOfTheForward) {
  const Stream side{Device("sim")};
  const Tensor x = on("sim", {1, 2});
  Tensor y;
  {
    const StreamGuard guard(side);
    y = x * x;
  }
  side.synchronize();
  int stream = -1;
  y.register_hook([&](const Tensor&) { stream = current_stream("sim").id(); });
  y.sum().backward();
  EXPECT_EQ(stream, side.id());
  EXPECT_EQ(values(x.grad()), (Values{2, 4}));
  EXPECT_EQ(current_stream("sim").id(), 0);
}

// Gradients cross from stream to stream and back while every stream is slow.
// Row: PyTorch D14
TEST_F(DeviceThreads, GradientsAreOrderedAcrossStreams) {
  const Stream a{Device("sim")}, b{Device("sim")};
  const auto hop = [](const Stream& from, const Stream& to) {
    Event event;
    event.record(from);
    event.wait(to);
  };
  const Tensor x = on("sim", {1, 2, 3});
  Tensor y, left, right, sum;
  {
    const StreamGuard guard(a);
    left = x * 2;
  }
  {
    const StreamGuard guard(b);
    right = x * 5;
  }
  const Stream home = current_stream("sim");
  hop(a, home);
  hop(b, home);
  sum = left * right;
  const Tensor gradient = make({3}, {1, 1, 1}).to("sim");
  device().slow_down(2000);
  sum.backward(gradient);
  const Tensor doubled = x.grad() * 1;  // on the caller's stream, without waiting
  device().slow_down(0);
  EXPECT_EQ(values(doubled), (Values{20, 40, 60}));
}

// The buffer of a gradient ends while another stream still reads it.
// Row: PyTorch D14
TEST_F(DeviceThreads, BuffersThatCrossStreamsStayAlive) {
  const Stream side{Device("sim")};
  const Tensor x = on("sim", {1, 2, 3});
  for (int round = 0; round < 5; ++round) {
    Tensor y = x;
    for (int i = 0; i < 8; ++i) {
      Event event;
      event.record(current_stream("sim"));
      event.wait(side);
      const StreamGuard guard(i % 2 == 0 ? side : Stream::default_of("sim"));
      y = y * 1.5;
      side.synchronize();
    }
    device().slow_down(300);
    y.sum().backward();
    device().slow_down(0);
  }
  const double each = 5 * 25.62890625;
  EXPECT_EQ(values(x.grad()), (Values{each, each, each}));
}

// Row: PyTorch D11
TEST_F(DeviceThreads, ManyThreadsShareTheThreadsOfDevices) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 10; ++i) {
        const Tensor x = leaf({1.0 * t, 2});
        const Tensor y = (x.to("sim") * 2).to("sim:1") * x.to("sim:1");
        y.sum().backward();
        EXPECT_EQ(values(x.grad()), (Values{4.0 * t, 8}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Row: PyTorch D11
TEST_F(DeviceThreads, ASharedGraphOnADeviceFromManyThreads) {
  const Tensor x = on("sim", {1, 2});
  const Tensor y = (x * x).to("sim:1") * 3;
  const Tensor z = y.sum();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { z.backward({}, true); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(values(x.grad()), (Values{24, 48}));
}

// Random graphs over three devices, from several threads at once, with hooks and second runs: the
// same bits as without threads of devices.
TEST_F(DeviceThreads, RandomGraphsGiveTheSameBitsWithAndWithoutThreads) {
  const auto gradients = [](unsigned seed) {
    std::mt19937 random(seed);
    const auto pick = [&](size_t count) { return static_cast<size_t>(random()) % count; };
    const char* const places[] = {"cpu", "sim:0", "sim:1"};
    const std::vector<Tensor> leaves = {leaf({0.3, -1.7}), on("sim:0", {1.1, 0.9}),
                                        on("sim:1", {-0.2, 2.3})};
    std::vector<Tensor> all = leaves;
    for (int i = 0; i < 20; ++i) {
      const char* place = places[pick(3)];
      const Tensor a = all[pick(all.size())].to(place), b = all[pick(all.size())].to(place);
      all.push_back(pick(2) == 0 ? a + b : a * b * 0.5);
      if (pick(4) == 0) all.back().register_hook([](const Tensor& g) { return g + g; });
    }
    const Tensor loss = (all.back().cpu() + all[all.size() - 2].cpu()).sum();
    loss.backward({}, true);
    loss.backward();
    Values result;
    for (const Tensor& tensor : leaves) {
      const Values part = tensor.grad().defined() ? values(tensor.grad()) : Values{};
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned seed = t * 100; seed < t * 100 + 15; ++seed) {
        set_multithreading_enabled(false);
        const Values expected = gradients(seed);
        set_multithreading_enabled(true);
        EXPECT_EQ(gradients(seed), expected) << seed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Row: PyTorch D1
TEST_F(DeviceThreads, TheExecutionOrderIsKnownWithTheThreadsOff) {
  set_multithreading_enabled(false);
  const Tensor x = leaf({1, 2});
  const Tensor y = x.to("sim") * 3;
  std::vector<std::string> names;
  y.register_hook([&](const Tensor&) {
    for (const auto& node : autograd::current_graph_task_execution_order()) {
      names.emplace_back(node->name());
    }
  });
  y.sum().backward();
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0], "SumBackward0");
  EXPECT_EQ(names[1], "MulBackward0");
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
}

}  // namespace
}  // namespace eagre::test
