// A pretend device for tests. Its memory has addresses that no host pointer has, so a stray access
// from the library faults; its streams are threads that work through a queue; it has one kernel,
// add for float32; and faults can be ordered (sim_control.h).
//
// Read first: Memory (addresses), then Stream, then kernel_add.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <eagre/base/export.h>
#include <eagre/dispatch/device_plugin.h>

#include "sim_control.h"

namespace {

using eagre::sim::KernelFault;

constexpr int32_t kDeviceCount = 2;
constexpr int32_t kOutOfMemory = 2, kBadAddress = 3, kCopyFault = 4, kKernelFault = 5,
                  kNoDevice = 6;

std::atomic<int64_t> kernel_count{0}, copy_count{0}, bad_access_count{0};
std::atomic<int64_t> failing_allocation{0}, failing_copy{0}, delay{0};
std::atomic<KernelFault> kernel_fault{KernelFault::kNone};

// True for the call that was ordered to fail.
bool is_ordered(std::atomic<int64_t>& nth) {
  int64_t left = nth.load();
  while (left > 0 && !nth.compare_exchange_weak(left, left - 1)) {
  }
  return left == 1;
}

// Device addresses are not canonical on this architecture: the host cannot read them.
class Memory {
 public:
  void* allocate(int32_t device, size_t bytes) {
    std::lock_guard lock(mutex_);
    const uintptr_t address = next_;
    next_ += (bytes + 4096) / 4096 * 4096 + 4096;  // a gap behind every block
    blocks_[address] = {device, std::vector<char>(bytes)};
    return reinterpret_cast<void*>(address);  // NOLINT: nobody may follow it
  }
  bool free(int32_t device, void* address) {
    std::lock_guard lock(mutex_);
    auto found = blocks_.find(reinterpret_cast<uintptr_t>(address));
    if (found == blocks_.end() || found->second.device != device) return false;
    blocks_.erase(found);
    return true;
  }
  // The host memory behind [address, address + bytes), or null if it is not all in one live block.
  char* at(int32_t device, const void* address, size_t bytes) {
    std::lock_guard lock(mutex_);
    const auto wanted = reinterpret_cast<uintptr_t>(address);
    auto found = blocks_.upper_bound(wanted);
    if (found == blocks_.begin()) return nullptr;
    --found;
    const size_t offset = wanted - found->first;
    Block& block = found->second;
    if (block.device != device || offset + bytes > block.bytes.size()) return nullptr;
    return block.bytes.data() + offset;
  }
  int64_t count() {
    std::lock_guard lock(mutex_);
    return static_cast<int64_t>(blocks_.size());
  }

 private:
  struct Block {
    int32_t device;
    std::vector<char> bytes;
  };
  std::mutex mutex_;
  std::map<uintptr_t, Block> blocks_;
  uintptr_t next_ = 0x5111000000000000;
};

// Never destroyed: tensors and streams may outlive everything.
Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

char* memory_at(int32_t device, const void* address, size_t bytes) {
  char* found = memory().at(device, address, bytes);
  if (found == nullptr) ++bad_access_count;
  return found;
}

// Work in order, on a thread of its own. The first error sticks.
class Stream {
 public:
  Stream() : thread_([this] { run(); }) {}
  ~Stream() {
    {
      std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void push(std::function<int32_t()> work) {
    {
      std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
    }
    changed_.notify_all();
  }
  int32_t synchronize() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty(); });
    return error_;
  }
  void forgive() {
    std::lock_guard lock(mutex_);
    error_ = 0;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ends_ || !queue_.empty(); });
      if (queue_.empty()) return;
      const auto& work = queue_.front();  // stays in its place while others are added
      lock.unlock();
      if (const int64_t wait = delay.load())
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
      const int32_t code = work();
      lock.lock();
      if (error_ == 0) error_ = code;
      queue_.pop_front();  // only now: an empty queue means that all is done
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<int32_t()>> queue_;
  int32_t error_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

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

// --- the kernel ---

// A tensor argument that outlives the call.
struct View {
  void* data = nullptr;
  std::vector<int64_t> sizes, strides;

  explicit View(const EagreTensor& tensor)
      : data(tensor.data),
        sizes(tensor.sizes, tensor.sizes + tensor.rank),
        strides(tensor.strides, tensor.strides + tensor.rank) {}

  // The host memory of element `index`, counted in row-major order.
  float* at(int32_t device, int64_t index) const {
    int64_t place = 0;
    for (size_t d = sizes.size(); d-- > 0;) {
      place += index % sizes[d] * strides[d];
      index /= sizes[d];
    }
    return reinterpret_cast<float*>(
        memory_at(device, static_cast<char*>(data) + place * 4, sizeof(float)));
  }
};

float number(const EagreArg& arg) {
  return arg.tag == EAGRE_ARG_FLOATING ? static_cast<float>(arg.value.floating)
                                       : static_cast<float>(arg.value.integer);
}

// add(out, input, other, alpha): out = input + alpha * other.
int32_t kernel_add(EagreContext* context, const EagreArg* args, int32_t count) {
  ++kernel_count;
  const KernelFault fault = kernel_fault.load();
  if (fault == KernelFault::kRefuses) {
    std::snprintf(context->error, sizeof context->error, "ordered to fail on device %d",
                  context->device);
    return kKernelFault;
  }
  if (fault == KernelFault::kFailsSilently) return kKernelFault;
  if (count != 4 || args[0].tag != EAGRE_ARG_TENSOR || args[1].tag != EAGRE_ARG_TENSOR ||
      args[0].value.tensor.dtype != EAGRE_FLOAT32 || args[1].value.tensor.dtype != EAGRE_FLOAT32) {
    std::snprintf(context->error, sizeof context->error, "unexpected arguments");
    return kKernelFault;
  }
  const View out(args[0].value.tensor), input(args[1].value.tensor);
  const bool has_tensor = args[2].tag == EAGRE_ARG_TENSOR;
  const View other(has_tensor ? args[2].value.tensor : args[1].value.tensor);
  const float constant = has_tensor ? 0 : number(args[2]);
  const float alpha = number(args[3]);
  const int64_t numel = args[0].value.tensor.numel;
  const int32_t device = context->device;
  static_cast<Stream*>(context->stream)->push([=]() -> int32_t {
    if (fault == KernelFault::kFailsLater) return kKernelFault;
    for (int64_t i = 0; i < numel; ++i) {
      float* target = out.at(device, i);
      const float* a = input.at(device, i);
      const float* b = has_tensor ? other.at(device, i) : &constant;
      if (target == nullptr || a == nullptr || b == nullptr) return kBadAddress;
      *target = *a + alpha * *b;
    }
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
      [] { return memory().count(); },
      [] { return kernel_count.load(); },
      [] { return copy_count.load(); },
      [] { return bad_access_count.load(); },
      [](int64_t nth) { failing_allocation = nth; },
      [](int64_t nth) { failing_copy = nth; },
      [](KernelFault fault) { kernel_fault = fault; },
      [](int64_t microseconds) { delay = microseconds; },
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
          copy};
  return host->register_kernel(host->self, "add", EAGRE_FLOAT32,
                               eagre_signature_hash("add(Tensor,Tensor|Scalar,Scalar)->Tensor"),
                               kernel_add);
}
