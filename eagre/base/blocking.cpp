// The handlers around a wait.
#include <eagre/base/blocking.h>

namespace eagre {
namespace {
BlockingHandlers handlers;  // set once, when a language loads the library
}

void set_blocking_handlers(BlockingHandlers fresh) { handlers = fresh; }

BlockingSection::BlockingSection() {
  if (handlers.before != nullptr) state_ = handlers.before();
}
BlockingSection::~BlockingSection() {
  if (handlers.after != nullptr) handlers.after(state_);
}

}  // namespace eagre
