// Memory for very many small blocks: slabs of 2 MiB, each cut into blocks of one class.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/base/thread_state.h>

namespace eagre {

// Note [Slabs]
// A program that records a long graph holds millions of blocks in memory that nobody has touched
// yet, and the pages of that memory cost more than all the rest: with pages of 4 KiB every tenth
// block is a fault. A slab is one huge page, if the system has some. All slabs lie in one range of
// addresses, so that a block says by its address whether it is of a slab, and of which.

struct BlockRun {
  FreeBlock* first = nullptr;  // a list
  uint32_t count = 0;
};

// At most `count` blocks of a class, which are `stride` bytes apart; none when there is no room for
// slabs.
BlockRun take_from_slabs(size_t pool_class, size_t stride, uint32_t count);
EAGRE_API bool is_in_slab(const void* block);
// A list of blocks of any slabs. Slabs without blocks in use go back to the system.
void return_to_slabs(FreeBlock* list);

}  // namespace eagre
