// Other stacks for backward calls that are nested too deeply for this one: threads that are used
// again and again.
#pragma once

#include <eagre/base/export.h>

namespace eagre::autograd {

// Calls work(context), which must not throw, in another thread, and waits for its end. False when
// the system gives us no thread.
bool run_on_spare_stack(void (*work)(void*), void* context);

// How many threads were ever started for this; for tests.
EAGRE_API int spare_stacks_started();

}  // namespace eagre::autograd
