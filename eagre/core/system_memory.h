// Blocks of memory from the system, and how much there is.
#pragma once

#include <cstddef>

namespace eagre {

constexpr size_t kBlockAlignment = 64;

// `bytes` aligned to kBlockAlignment with kBlockAlignment more before them, or null. Large ones are
// mapped, aligned to huge pages, and may be of huge pages.
void* map_block(size_t bytes, bool huge_pages) noexcept;
void unmap_block(void* data, size_t bytes) noexcept;

// The memory of the machine or, if that is less, of the container.
size_t total_memory();

}  // namespace eagre
