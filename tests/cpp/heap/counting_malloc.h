// malloc with a counter and a fuse, in place of the C library's.
#pragma once

#include <cstdint>

namespace eagre::test {

struct HeapCounts {
  uint64_t calls = 0;  // of malloc and its relatives
  int64_t live = 0;    // blocks that were not freed
  uint64_t refused = 0;
};
// Of this thread.
HeapCounts heap_counts();

// The n-th call from now in this thread fails, and all after it until switched off with 0.
void fail_heap_call(uint64_t n);

}  // namespace eagre::test
