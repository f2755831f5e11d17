// Loading device plug-ins and talking to them.
#include <eagre/dispatch/plugin.h>

#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/core/complex.h>
#include <eagre/core/device.h>
#include <eagre/core/device_allocators.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/device_plugin.h>
#include <eagre/dispatch/plugin_device.h>
#include <eagre/dispatch/registry.h>

namespace eagre {
namespace {

using dispatch::Plugin;

struct Plugins {
  ForkMutex mutex{ForkMutex::Order::kOuter};
  std::vector<std::unique_ptr<Plugin>> loaded;
  std::atomic<Plugin*> by_kind[kMaxDeviceKinds] = {};
};
constinit std::atomic<bool> is_any_loaded{false};

Plugins& plugins() {
  static Plugins& instance = *new Plugins;
  return instance;
}
void lose_plugins() {
  for (const auto& plugin : plugins().loaded) plugin->lost_in_fork = true;
}
const MadeAtLoad kPluginsAtLoad([] {
  plugins();
  at_fork_in_child(&lose_plugins);
});

// One kernel as the plug-in offered it; registered once the plug-in turned out to be good.
struct OfferedKernel {
  dispatch::OpEntry* op;
  DType dtype;
  EagreKernel kernel;
};
struct Offers {
  std::vector<OfferedKernel> kernels;
  std::string refused;
};

int32_t offer_kernel(void* self, const char* op_name, int32_t dtype, uint64_t signature,
                     EagreKernel kernel) {
  if (self == nullptr) return 1;  // not what the plug-in was given
  auto& offers = *static_cast<Offers*>(self);
  const auto refuse = [&](const char* why) {
    offers.refused.append(offers.refused.empty() ? "" : "; ");
    offers.refused.append(op_name == nullptr ? "(no name)" : op_name).append(": ").append(why);
    return 1;
  };
  if (op_name == nullptr || kernel == nullptr) return refuse("a name and a kernel are required");
  dispatch::OpEntry* op = dispatch::find_op(op_name);
  if (op == nullptr) return refuse("there is no such operator");
  if (dtype < 0 || dtype >= static_cast<int32_t>(kDTypeCount)) return refuse("unknown dtype");
  if (signature != eagre_signature_hash(op->signature)) {
    offers.refused.append(offers.refused.empty() ? "" : "; ");
    offers.refused.append(concat(op_name, ": its signature here is ", op->signature));
    return 1;
  }
  for (const OfferedKernel& other : offers.kernels) {
    if (other.op == op && other.dtype == static_cast<DType>(dtype)) return refuse("offered twice");
  }
  offers.kernels.push_back({op, static_cast<DType>(dtype), kernel});
  return 0;
}

void check_api(const std::string& path, const EagreDeviceApi& api) {
  const auto fail = [&](const auto&... why) {
    raise(ErrorKind::kInvalidArgument, concat("device plug-in '", path, "': ", why...));
  };
  if (api.version != EAGRE_PLUGIN_ABI_VERSION) {
    fail("it was built for version ", api.version, " of the interface, this library has version ",
         EAGRE_PLUGIN_ABI_VERSION);
  }
  if (api.struct_size < EAGRE_DEVICE_API_SMALLEST) fail("its EagreDeviceApi is too small");
  if (api.name == nullptr || *api.name == '\0') fail("it gives no device name");
  if (std::strcmp(api.name, "cpu") == 0) fail("the name 'cpu' is taken");
  if (std::strchr(api.name, ':') != nullptr) {
    fail("the device name '", api.name, "' contains a colon, which begins an index");
  }
  const bool complete = api.device_count != nullptr && api.allocate != nullptr &&
                        api.free != nullptr && api.create_stream != nullptr &&
                        api.destroy_stream != nullptr && api.synchronize_stream != nullptr &&
                        api.copy != nullptr;
  if (!complete) fail("a required function of EagreDeviceApi is missing");
  const bool events[] = {api.create_event != nullptr,      api.destroy_event != nullptr,
                         api.record_event != nullptr,      api.wait_event != nullptr,
                         api.synchronize_event != nullptr, api.query_event != nullptr};
  for (bool there : events) {
    if (there != events[0]) fail("it has some of the functions for events, but not all");
  }
}

std::unique_ptr<Plugin> open_plugin(const std::string& path, Offers& offers) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    raise(ErrorKind::kNotFound, concat("cannot load device plug-in '", path, "': ", dlerror()));
  }
  auto init = reinterpret_cast<EagrePluginInit>(dlsym(library, "eagre_plugin_init"));
  EAGRE_CHECK(init != nullptr, kInvalidArgument, "'", path,
              "' is not a device plug-in: it has no function eagre_plugin_init");
  const EagreHost host{sizeof(EagreHost), EAGRE_PLUGIN_ABI_VERSION, &offers, &offer_kernel};
  auto plugin = std::make_unique<Plugin>();
  plugin->path = path;
  plugin->api.struct_size = sizeof(EagreDeviceApi);
  const int32_t code = init(&host, &plugin->api);
  EAGRE_CHECK(code == 0, kInvalidArgument, "device plug-in '", path, "' failed to start with code ",
              code);
  check_api(path, plugin->api);
  const int32_t count_code = plugin->api.device_count(&plugin->device_count);
  EAGRE_CHECK(count_code == 0 && plugin->device_count > 0 && plugin->device_count <= INT16_MAX,
              kInvalidArgument, "device plug-in '", path, "' has ", plugin->device_count,
              " devices, but from 1 to ", INT16_MAX, " are possible");
  for (int32_t device = 0; device < plugin->device_count; ++device) {
    const int32_t stream_code = plugin->add_context();
    EAGRE_CHECK(stream_code == 0, kInvalidArgument, "device plug-in '", path,
                "': cannot make a stream on device ", device, " (code ", stream_code, ")");
  }
  return plugin;
}

LoadedPlugin summary_of(const Plugin& plugin) {
  return {plugin.api.name, plugin.device_count, plugin.refused};
}

}  // namespace

LoadedPlugin load_device_plugin(const std::string& path) {
  Plugins& all = plugins();
  std::lock_guard lock(all.mutex);
  for (const auto& plugin : all.loaded) {
    if (plugin->path == path) return summary_of(*plugin);
  }
  Offers offers;
  auto plugin = open_plugin(path, offers);
  plugin->kind = register_device_kind(plugin->api.name);
  auto& entry = all.by_kind[static_cast<size_t>(plugin->kind)];
  EAGRE_CHECK(entry.load() == nullptr, kInvalidArgument, "device plug-in '", path,
              "': another plug-in already provides the device '", plugin->api.name, "'");
  for (const OfferedKernel& offer : offers.kernels) {
    dispatch::add_kernel(*offer.op, plugin->kind, offer.dtype, dispatch::erase(offer.kernel));
  }
  plugin->refused = offers.refused;
  set_allocator(plugin->kind, plugin.get());
  entry = plugin.get();
  is_any_loaded.store(true, std::memory_order_release);
  all.loaded.push_back(std::move(plugin));
  return summary_of(*all.loaded.back());
}

void synchronize(Device device) {
  if (device.is_cpu() || device.is_meta()) return;
  const Plugin& plugin = dispatch::plugin_of(device);
  plugin.check_index(device);
  const int32_t code = plugin.wait_for_all(device);
  EAGRE_CHECK(code == 0, kDeviceLost, device, ": work on a stream failed with code ", code);
}

namespace dispatch {

const Plugin& plugin_of(Device device) {
  const Plugin* plugin = plugins().by_kind[static_cast<size_t>(device.kind)].load();
  EAGRE_CHECK(plugin != nullptr, kNotFound, "there is no device '", device,
              "': its plug-in is not loaded");
  return *plugin;
}

bool any_plugin() { return is_any_loaded.load(std::memory_order_acquire); }

void check_device(Device device) {
  if (!device.is_cpu() && !device.is_meta()) plugin_of(device).check_index(device);
}

void copy_bytes(void* to, Device to_device, const void* from, Device from_device, size_t bytes) {
  const Device device = to_device.is_cpu() ? from_device : to_device;
  plugin_of(device).copy(to, to_device, from, from_device, bytes);
}

EagreArg& PluginArgs::next() {
  EAGRE_INTERNAL_CHECK(count_ < kMaxArgs);
  return args_[count_++];
}

namespace {
EagreTensor describe(const TensorImpl& tensor, Dims sizes, Dims strides) {
  int64_t numel = 1;
  for (int64_t size : sizes) numel *= size;
  return {tensor.data(),
          sizes.data(),
          strides.data(),
          numel,
          static_cast<int32_t>(sizes.size()),
          static_cast<int32_t>(tensor.key.dtype)};
}
}  // namespace

void PluginArgs::add_view(const TensorImpl& tensor, Dims sizes, Dims strides) {
  next().tag = EAGRE_ARG_TENSOR;
  last().value.tensor = describe(tensor, sizes, strides);
}

void PluginArgs::add(const TensorVector& tensors) {
  auto& list = lists_.emplace_back();
  for (const TensorBase& tensor : tensors) {
    const bool given = tensor.defined();
    list.push_back(given ? describe(tensor.get(), tensor.sizes(), tensor.strides())
                         : EagreTensor{nullptr, nullptr, nullptr, 0, -1, 0});
  }
  next().tag = EAGRE_ARG_TENSORS;
  last().value.tensors = {list.data(), static_cast<int64_t>(list.size())};
}

void PluginArgs::add(const Scalar& number) {
  switch (number.category()) {
    case DTypeCategory::kFloating: return add(number.wrapped<double>());
    case DTypeCategory::kComplex: {
      const auto value = number.wrapped<Complex<double>>();
      next().tag = EAGRE_ARG_COMPLEX;
      last().value.real_imaginary[0] = value.real;
      last().value.real_imaginary[1] = value.imag;
      return;
    }
    default: return add(number.wrapped<int64_t>());
  }
}

void PluginArgs::add(std::string_view text) {
  next().tag = EAGRE_ARG_TEXT;
  last().value.text = texts_.emplace_back(text).c_str();
}

void PluginArgs::add(Dims values) {
  next().tag = EAGRE_ARG_INTEGERS;
  last().value.integers = {values.data(), static_cast<int64_t>(values.size())};
}

void PluginArgs::add(const OptionalDims& values) {
  values.given() ? add(values.values()) : add_none();
}

void PluginArgs::add(RandomStretch random) {
  EagreArg& arg = next();
  arg.tag = EAGRE_ARG_RANDOM;
  arg.value.random[0] = random.seed;
  arg.value.random[1] = random.start;
}

void PluginArgs::call(const OpEntry& op, Device device, Kernel kernel) const {
  EagreContext context = {};
  context.struct_size = sizeof context;
  context.device = device.number;
  context.stream = plugin_of(device).stream(device);
  const int32_t code = reinterpret_cast<EagreKernel>(kernel)(&context, args_, count_);
  if (code == 0) return;
  context.error[sizeof context.error - 1] = '\0';
  raise(ErrorKind::kDeviceLost,
        concat(op.public_name, "(): the kernel on ", device, " failed with code ", code,
               *context.error == '\0' ? "" : ": ", context.error));
}

}  // namespace dispatch
}  // namespace eagre
