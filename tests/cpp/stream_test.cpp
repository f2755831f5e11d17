// Streams and events on the pretend device. Order is shown with a gate, never with time.
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "cpp/sim_fixture.h"

namespace eagre::test {
namespace {

class Streams : public Sim {
 protected:
  // Runs f, whose work on `stream` waits at the gate.
  template <class F>
  void held(const Stream& stream, F f) {
    const StreamGuard guard(stream);
    device().shut_gate(true);
    f();
    device().shut_gate(false);
  }
};

// Row: Paddle A10
TEST_F(Streams, EveryDeviceHasADefaultAndAPool) {
  const Device zero("sim:0"), one("sim:1");
  EXPECT_EQ(current_stream(zero), Stream::default_of(zero));
  EXPECT_EQ(current_stream(zero).id(), 0);
  EXPECT_EQ(to_string(Stream(one).device()), "sim:1");
  const Stream first(zero), second(zero);
  EXPECT_NE(first, second);
  EXPECT_NE(first, Stream::default_of(zero));
  Stream again(zero);
  for (int i = 0; i < Stream::kPoolSize - 2; ++i) again = Stream(zero);
  EXPECT_EQ(again, first);  // in turn
  for (const char* bad : {"sim:2", "sim:99"}) {
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { Stream s{Device(bad)}; }), {bad});
    expect_parts(error_of(ErrorKind::kInvalidArgument, [&] { current_stream(bad); }), {bad});
    error_of(ErrorKind::kInvalidArgument, [&] { Stream::default_of(bad); });
  }
}

TEST_F(Streams, OnTheCpuThereIsNothingToWaitFor) {
  const Stream stream{Device()};
  EXPECT_EQ(stream, current_stream(Device()));
  const StreamGuard guard(stream);
  stream.synchronize();
  Event event;
  EXPECT_TRUE(event.query());
  event.record(stream);
  event.wait(Stream(Device("sim")));
  event.synchronize();
  EXPECT_TRUE(event.query());
}

// Row: Paddle A10
TEST_F(Streams, TheCurrentOneBelongsToDeviceAndThread) {
  const Device zero("sim:0"), one("sim:1");
  const Stream stream(zero);
  {
    const StreamGuard guard(stream);
    EXPECT_EQ(current_stream(zero), stream);
    EXPECT_EQ(current_stream(one), Stream::default_of(one));
    std::thread([&] { EXPECT_EQ(current_stream(zero), Stream::default_of(zero)); }).join();
    const Stream inner(zero);
    {
      const StreamGuard nested(inner);
      EXPECT_EQ(current_stream(zero), inner);
    }
    EXPECT_EQ(current_stream(zero), stream);
  }
  EXPECT_EQ(current_stream(zero), Stream::default_of(zero));
  set_current_stream(stream);
  EXPECT_EQ(current_stream(zero), stream);
  set_current_stream(Stream::default_of(zero));
}

TEST_F(Streams, RunBesideEachOther) {
  const Tensor a = arange_of({3}).to("sim");
  const Stream slow{Device("sim")}, fast{Device("sim")};
  Tensor late, soon;
  held(slow, [&] { late = a + 1; });
  {
    const StreamGuard guard(fast);
    soon = a + 2;
    EXPECT_EQ(values(soon), (Values{2, 3, 4}));  // while the other one still waits
  }
  device().open_gate();
  slow.synchronize();
  EXPECT_EQ(values(late), (Values{1, 2, 3}));
}

TEST_F(Streams, DevicesRunBesideEachOther) {
  const Tensor a = arange_of({2}).to("sim:0"), b = arange_of({2}).to("sim:1");
  Tensor late;
  held(Stream::default_of("sim:0"), [&] { late = a + 1; });
  EXPECT_EQ(values(b + b), (Values{0, 2}));
  device().open_gate();
  EXPECT_EQ(values(late), (Values{1, 2}));
}

TEST_F(Streams, EventsOrderThem) {
  const Tensor a = arange_of({2}).to("sim");
  const Stream first{Device("sim")}, second{Device("sim")};
  Event event;
  EXPECT_TRUE(event.query());  // never recorded
  Tensor sum, after;
  held(first, [&] {
    sum = a + 1;
    event.record(first);
  });
  EXPECT_FALSE(event.query());
  event.wait(second);
  {
    const StreamGuard guard(second);
    after = sum + 10;  // reads what `first` has yet to write
  }
  EXPECT_FALSE(event.query());
  device().open_gate();
  event.synchronize();
  EXPECT_TRUE(event.query());
  second.synchronize();
  EXPECT_EQ(values(after), (Values{11, 12}));
}

TEST_F(Streams, EventsCanBeRecordedAgainMovedAndDropped) {
  const Stream stream{Device("sim:1")};
  Event event;
  for (int i = 0; i < 3; ++i) {
    event.record(stream);
    event.synchronize();
    EXPECT_TRUE(event.query());
  }
  EXPECT_EQ(device().live_events(), 1);
  Event moved(std::move(event));
  Event other;
  other = std::move(moved);
  EXPECT_EQ(device().live_events(), 1);
  expect_parts(
      error_of(ErrorKind::kInvalidArgument, [&] { other.record(Stream::default_of("sim:0")); }),
      {"sim:1", "sim:0", "Hint"});
  const Tensor a = arange_of({2}).to("sim:1");
  Tensor late;
  held(stream, [&] {
    late = a + 1;
    Event dropped;
    dropped.record(stream);
    dropped.wait(Stream::default_of("sim:1"));
  });
  EXPECT_EQ(device().live_events(), 1);
  device().open_gate();
  synchronize("sim:1");
}

TEST_F(Streams, AnEventOfAnotherDeviceBlocksTheHost) {
  const Stream here{Device("sim:0")}, there{Device("sim:1")};
  const Tensor a = arange_of({2}).to("sim:0");
  device().slow_down(2000);
  Tensor sum;
  {
    const StreamGuard guard(here);
    sum = a + 1;
  }
  Event event;
  event.record(here);
  event.wait(there);
  EXPECT_TRUE(event.query());
}

TEST_F(Streams, SynchronizingTheDeviceWaitsForAllOfThem) {
  const Tensor a = arange_of({2}).to("sim");
  device().slow_down(2000);
  std::vector<Tensor> results;
  for (int i = 0; i < 4; ++i) {
    const StreamGuard guard{Stream(Device("sim"))};
    results.push_back(a + i);
  }
  synchronize("sim");
  Event event;
  event.record(Stream::default_of("sim"));
  device().slow_down(0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(values(results[static_cast<size_t>(i)])[1], 1 + i);
}

TEST_F(Streams, MemoryWaitsForEveryStreamThatMayUseIt) {
  device().slow_down(1000);
  const Stream other{Device("sim")};
  Tensor a = arange_of({64}).to("sim");
  Tensor result;
  {
    const StreamGuard guard(other);
    result = a + 1;
  }
  a = Tensor();  // freed from the default stream; bad_accesses() would tell
  other.synchronize();
  EXPECT_EQ(values(result)[63], 64);
}

TEST_F(Streams, ErrorsStayOnTheirStream) {
  const Tensor a = arange_of({2}).to("sim");
  const Stream bad{Device("sim")}, good{Device("sim")};
  Tensor lost, kept;
  Event event;
  {
    const StreamGuard guard(bad);
    device().fail_nth_kernel(1, KernelFault::kFailsLater);
    lost = a + 1;
    event.record(bad);
  }
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { bad.synchronize(); }), {"sim:0", "code 5"});
  expect_parts(error_of(ErrorKind::kDeviceLost, [&] { event.synchronize(); }), {"event", "code 5"});
  error_of(ErrorKind::kDeviceLost, [&] { synchronize("sim"); });
  {
    const StreamGuard guard(good);
    kept = a + 2;
    EXPECT_EQ(values(kept), (Values{2, 3}));
  }
}

TEST_F(Streams, BackwardUsesTheCurrentOne) {
  const Stream stream{Device("sim")};
  const StreamGuard guard(stream);
  const Tensor x = leaf({1, 2}, eagre::device("sim"));
  ((x + x) + x).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3, 3}));
}

TEST_F(Streams, ThreadsMakeAndUseThem) {
  in_threads(4, [&](int i) {
    for (int k = 0; k < 10; ++k) {
      const StreamGuard guard{Stream(Device(i % 2 == 0 ? "sim:0" : "sim:1"))};
      const Tensor x = arange_of({4}).to(i % 2 == 0 ? "sim:0" : "sim:1");
      EXPECT_EQ(values(x + i)[3], 3 + i);
    }
  });
}

// A plug-in of before there were events: recording one waits.
TEST(OldPlugins, EventsAreSynchronisedStreams) {
  for (const char* name : {"old_api", "no_events"}) {
    const LoadedPlugin old = load_device_plugin(kPlugins + "/broken_" + name + ".so");
    EXPECT_EQ(old.device_count, 2);
    const Device device(old.device_name);
    const Stream stream(device);
    Event event;
    event.record(stream);
    event.wait(Stream::default_of(device));
    event.synchronize();
    EXPECT_TRUE(event.query());
    EXPECT_EQ(values(tensor({1.0F}).to(device)), (Values{1}));
  }
  expect_parts(error_of(ErrorKind::kInvalidArgument,
                        [] { load_device_plugin(kPlugins + "/broken_half_events.so"); }),
               {"events", "not all"});
}

}  // namespace
}  // namespace eagre::test
