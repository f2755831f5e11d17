// Devices that come from plug-ins: loading, calling their kernels, moving bytes.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <eagre/base/export.h>
#include <eagre/core/device.h>
#include <eagre/core/generator.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/device_plugin.h>
#include <eagre/dispatch/registry.h>

namespace eagre {

struct LoadedPlugin {
  std::string device_name;
  int device_count = 0;
  // Kernels that were refused, with the reason: the plug-in works without them.
  std::string refused;
};
// Loads a device plug-in from a shared library. Loading it again gives the same device.
EAGRE_API LoadedPlugin load_device_plugin(const std::string& path);

// Waits for all work on all streams of the device.
EAGRE_API void synchronize(Device device);

}  // namespace eagre

namespace eagre::dispatch {

// Raises when the device does not exist.
void check_device(Device device);

// Copies and waits. At least one side is a plug-in's device; both when it is the same device.
void copy_bytes(void* to, Device to_device, const void* from, Device from_device, size_t bytes);

// The arguments of one kernel call, tagged for the border.
class PluginArgs {
 public:
  void add(const TensorImpl& tensor) { add_view(tensor, tensor.sizes(), tensor.strides()); }
  void add(const TensorBase& tensor) { tensor.defined() ? add(tensor.get()) : add_none(); }
  void add_view(const TensorImpl& tensor, Dims sizes, Dims strides);
  void add(const TensorVector& tensors);
  void add(const Scalar& number);
  void add(int64_t value) {
    next().tag = EAGRE_ARG_INTEGER;
    last().value.integer = value;
  }
  void add(bool value) { add(int64_t{value}); }
  void add(double value) {
    next().tag = EAGRE_ARG_FLOATING;
    last().value.floating = value;
  }
  void add(DType dtype) { add(static_cast<int64_t>(dtype)); }
  void add(std::string_view text);
  void add(Dims values);
  void add(const OptionalDims& values);
  void add(RandomStretch random);
  template <class T>
  void add(const std::optional<T>& value) {
    value ? add(*value) : add_none();
  }

  // Runs the kernel on the device's stream; a code other than 0 becomes an exception.
  void call(const OpEntry& op, Device device, Kernel kernel) const;

 private:
  static constexpr int kMaxArgs = 16;
  EagreArg& next();
  EagreArg& last() { return args_[count_ - 1]; }
  void add_none() { next().tag = EAGRE_ARG_NONE; }

  EagreArg args_[kMaxArgs];
  int count_ = 0;
  // What arguments point to.
  std::deque<std::vector<EagreTensor>> lists_;
  std::deque<std::string> texts_;
};

}  // namespace eagre::dispatch
