// Waiting for another thread: a binding must let go of its lock meanwhile.
#pragma once

#include <eagre/base/export.h>

namespace eagre {

struct BlockingHandlers {
  void* (*before)() = nullptr;  // its result is handed to `after`
  void (*after)(void*) = nullptr;
};
EAGRE_API void set_blocking_handlers(BlockingHandlers handlers);

class EAGRE_API BlockingSection {
 public:
  BlockingSection();
  ~BlockingSection();
  BlockingSection(const BlockingSection&) = delete;
  BlockingSection& operator=(const BlockingSection&) = delete;

 private:
  void* state_ = nullptr;
};

}  // namespace eagre
