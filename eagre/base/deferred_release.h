// Destruction in constant stack: objects of a graph are put on a list instead of being destroyed
// from inside each other's destructors, so a chain of ten million nodes dies without recursion.
#pragma once

#include <atomic>

#include <eagre/base/export.h>

namespace eagre {

class Releasable {
 public:
  // Destroys now, or puts it on this thread's list if a destruction is already running here.
  [[gnu::nonnull]] EAGRE_API static void release_later(Releasable* object) noexcept;

 protected:
  Releasable() = default;
  virtual ~Releasable() = 0;  // abstract: a compiler need not ask whether it is this one
  Releasable(const Releasable&) = delete;
  Releasable& operator=(const Releasable&) = delete;

  // Free for the owner's use until the object is released, then the link of the list.
  std::atomic<void*> link_{nullptr};
};

inline Releasable::~Releasable() = default;

}  // namespace eagre
