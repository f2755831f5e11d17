// All hot per-thread state in one small struct, so that a feature that is off costs one branch.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/export.h>

namespace eagre {

class Releasable;

// Bits of ThreadState::unusual: features that are off in almost every call.
enum Unusual : uint64_t {
  kSavedTensorHooks = 1 << 0,
  kWatchedWrites = 1 << 1,
  kTransforms = 1 << 2,
};

struct FreeBlock {
  FreeBlock* next;
};

// The larger per-thread tables, on the heap: static thread-local space is scarce in a library that
// is loaded at run time.
struct ThreadCaches {
  static constexpr size_t kSiteEntries = 64;
  static constexpr size_t kPoolClasses = 80;  // a tensor of 1 KiB is one block

  struct Site {
    uintptr_t key;
    uint32_t id;
  };
  struct Pool {
    FreeBlock* head;
    uint32_t room;  // how many more blocks fit before half of them go to the shared depot
  };
  Pool pools[kPoolClasses];
  Site sites[kSiteEntries];
};

// Shared by threads that have none yet: every list is empty and has no room, so both ways lead to
// the slow path, which makes the thread's own.
EAGRE_API extern ThreadCaches empty_thread_caches;

// What a worker that acts for this thread must inherit.
struct ThreadModes {
  uint64_t unusual = 0;
  bool grad_enabled = true;
  bool tangents_off = false;      // forward mode is switched off
  uint16_t new_tensor_flags = 0;  // of every tensor that is made: TensorImpl::kInference or none
  uint32_t device = 0;  // where new tensors are made; core/current_device.h knows how to read it
  void* saved_tensor_hooks = nullptr;
  void* write_watcher = nullptr;
  void* transforms = nullptr;  // the innermost level, see autograd/tape/level.h
};

struct ThreadState {
  ThreadModes modes;
  CallSite site = CallSite::none();  // the operator call in flight, for errors
  ThreadCaches* caches = &empty_thread_caches;
  uint64_t next_sequence = 1;
  Releasable* dead = nullptr;  // objects waiting to be destroyed, see deferred_release.h
  bool destroying = false;
  uint32_t backward_depth = 0;
};

// initial-exec: one addition to the thread pointer instead of a function call per access.
EAGRE_API extern constinit thread_local ThreadState thread_state
    __attribute__((tls_model("initial-exec")));

// While an operator that is written by hand checks its arguments: errors name its line. (Generated
// operators do the same without an object, as its end would cost them when nothing is thrown.)
class SiteScope {
 public:
  explicit SiteScope(CallSite at) { thread_state.site = at; }
  ~SiteScope() { thread_state.site = CallSite::none(); }
  SiteScope(const SiteScope&) = delete;
  SiteScope& operator=(const SiteScope&) = delete;
};

// Makes this thread's own caches; returns the shared empty ones when the thread is ending.
EAGRE_API EAGRE_COLD ThreadCaches* make_thread_caches();

}  // namespace eagre
