// A test on the pretend device: it is loaded, and afterwards nothing may be left or out of place.
#pragma once

#include <dlfcn.h>

#include <mutex>

#include "cpp/custom_nodes.h"  // IWYU pragma: export
#include "sim/sim_control.h"

namespace eagre::test {

using sim::KernelFault;

inline const std::string kPlugins = EAGRE_TEST_PLUGINS;

// Warnings since the test began.
inline std::vector<std::string>& heard() {
  static std::vector<std::string> warnings;
  return warnings;
}

class Sim : public testing::Test {
 protected:
  void SetUp() override {
    const LoadedPlugin loaded = load_device_plugin(kPlugins + "/sim.so");
    EXPECT_EQ(loaded.device_name, "sim");
    EXPECT_EQ(loaded.device_count, 2);
    EXPECT_EQ(loaded.refused, "");
    void* library = dlopen((kPlugins + "/sim.so").c_str(), RTLD_NOW);
    ASSERT_NE(library, nullptr);
    control_ = reinterpret_cast<const sim::Control* (*)()>(dlsym(library, "sim_control"))();
    dlclose(library);
    before_ = control_->live_allocations(-1);
    EXPECT_EQ(before_, 0);
    heard().clear();
    set_warning_handler([](const std::string& text) {
      static std::mutex mutex;  // threads of devices warn too
      std::lock_guard lock(mutex);
      heard().push_back(text);
    });
  }
  void TearDown() override {
    set_warning_handler(nullptr);
    set_flag("kernel_fallback", true);
    control_->fail_allocation(0);
    control_->fail_copy(0);
    control_->fail_kernel(KernelFault::kNone);
    control_->fail_nth_kernel(0, KernelFault::kNone);
    control_->slow_down(0);
    control_->open_gate();
    control_->forgive();
    EXPECT_EQ(control_->live_allocations(-1), before_) << "memory of the device leaked";
    EXPECT_EQ(control_->live_events(), 0);
    EXPECT_EQ(control_->bad_accesses(), 0) << "memory was used that is not there";
  }
  const sim::Control& device() const { return *control_; }
  int64_t live() const { return control_->live_allocations(-1); }

  const sim::Control* control_ = nullptr;
  int64_t before_ = 0;
};

}  // namespace eagre::test
