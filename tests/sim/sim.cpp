// A pretend device for tests: two devices with memory that the host cannot read (sim_memory.h),
// streams that are threads (sim_stream.h), a kernel of each sort (sim_kernels.cpp), and faults to
// order (sim_control.h). Here is the interface that Eagre sees.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include <eagre/base/export.h>
#include <eagre/dispatch/device_plugin.h>

#include "sim_control.h"
#include "sim_kernels.h"
#include "sim_memory.h"
#include "sim_stream.h"

namespace {

using namespace eagre::sim;  // NOLINT: all of it is the pretend device

constexpr int32_t kDeviceCount = 2;
constexpr int32_t kOutOfMemory = 2, kBadAddress = 3, kCopyFault = 4, kNoDevice = 6;

std::atomic<int64_t> copy_count{0}, live_event_count{0};
std::atomic<int64_t> failing_allocation{0}, failing_copy{0};

// True for the call that was ordered to fail.
bool is_ordered(std::atomic<int64_t>& nth) {
  int64_t left = nth.load();
  while (left > 0 && !nth.compare_exchange_weak(left, left - 1)) {
  }
  return left == 1;
}

struct Streams {
  std::mutex mutex;
  std::vector<Stream*> all;
};
Streams& streams() {
  static Streams& instance = *new Streams;
  return instance;
}

// --- the device interface ---

bool exists(int32_t device) { return device >= 0 && device < kDeviceCount; }

int32_t device_count(int32_t* count) {
  *count = kDeviceCount;
  return 0;
}
int32_t allocate(int32_t device, size_t bytes, void** address) {
  if (!exists(device)) return kNoDevice;
  if (is_ordered(failing_allocation) || bytes > (size_t{1} << 30)) return kOutOfMemory;
  *address = memory().allocate(device, bytes);
  return 0;
}
int32_t free_memory(int32_t device, void* address) {
  if (memory().free(device, address)) return 0;
  ++bad_access_count;
  return kBadAddress;
}
int32_t create_stream(int32_t device, void** stream) {
  if (!exists(device)) return kNoDevice;
  auto* fresh = new Stream;
  std::lock_guard lock(streams().mutex);
  streams().all.push_back(fresh);
  *stream = fresh;
  return 0;
}
int32_t destroy_stream(int32_t, void* stream) {
  auto* old = static_cast<Stream*>(stream);
  {
    std::lock_guard lock(streams().mutex);
    std::erase(streams().all, old);
  }
  delete old;
  return 0;
}
int32_t synchronize_stream(int32_t, void* stream) {
  return static_cast<Stream*>(stream)->synchronize();
}

int32_t create_event(int32_t device, void** event) {
  if (!exists(device)) return kNoDevice;
  *event = new Event;
  ++live_event_count;
  return 0;
}
int32_t destroy_event(int32_t, void* event) {
  delete static_cast<Event*>(event);
  --live_event_count;
  return 0;
}
int32_t record_event(int32_t, void* event, void* stream) {
  static_cast<Event*>(event)->record(static_cast<Stream*>(stream));
  return 0;
}
int32_t wait_event(int32_t, void* event, void* stream) {
  static_cast<Event*>(event)->hold_up(static_cast<Stream*>(stream));
  return 0;
}
int32_t synchronize_event(int32_t, void* event) {
  return static_cast<Event*>(event)->synchronize();
}
int32_t query_event(int32_t, void* event, int32_t* done) {
  *done = static_cast<Event*>(event)->is_done() ? 1 : 0;
  return 0;
}

int32_t copy(int32_t device, void* stream, void* to, const void* from, size_t bytes,
             int32_t direction) {
  ++copy_count;
  const bool fails = is_ordered(failing_copy);
  static_cast<Stream*>(stream)->push([=]() -> int32_t {
    if (fails) return kCopyFault;
    char* target =
        direction == EAGRE_DEVICE_TO_HOST ? static_cast<char*>(to) : memory_at(device, to, bytes);
    const char* source = direction == EAGRE_HOST_TO_DEVICE ? static_cast<const char*>(from)
                                                           : memory_at(device, from, bytes);
    if (target == nullptr || source == nullptr) return kBadAddress;
    std::memcpy(target, source, bytes);
    return 0;
  });
  return 0;
}

// --- control ---

void forgive() {
  std::lock_guard lock(streams().mutex);
  for (Stream* stream : streams().all) {
    stream->synchronize();
    stream->forgive();
  }
}

}  // namespace

extern "C" EAGRE_API const eagre::sim::Control* sim_control() {
  static const eagre::sim::Control control = {
      [](int32_t device) { return memory().count(device); },
      [] { return live_event_count.load(); },
      eagre::sim::kernel_calls,
      [] { return copy_count.load(); },
      [] { return eagre::sim::bad_access_count.load(); },
      [](int64_t nth) { failing_allocation = nth; },
      [](int64_t nth) { failing_copy = nth; },
      eagre::sim::set_kernel_fault,
      eagre::sim::set_nth_kernel_fault,
      [](int64_t microseconds) { delay_microseconds = microseconds; },
      [](bool shut) { gate().set_shut(shut); },
      [] { gate().open(); },
      forgive,
  };
  return &control;
}

extern "C" EAGRE_API int32_t eagre_plugin_init(const EagreHost* host, EagreDeviceApi* api) {
  if (host->version != EAGRE_PLUGIN_ABI_VERSION || api->struct_size < sizeof(EagreDeviceApi))
    return 1;
  *api = {sizeof(EagreDeviceApi),
          EAGRE_PLUGIN_ABI_VERSION,
          "sim",
          device_count,
          allocate,
          free_memory,
          create_stream,
          destroy_stream,
          synchronize_stream,
          copy,
          create_event,
          destroy_event,
          record_event,
          wait_event,
          synchronize_event,
          query_event};
  return eagre::sim::register_kernels(host);
}
