// Work on several processors: one pool of threads for the process.
#pragma once

#include <cstdint>
#include <type_traits>

#include <eagre/base/export.h>

namespace eagre {

// The chunks of [begin, end), each of `grain` but the last. Their borders depend on these numbers
// alone, so what is computed per chunk is the same for any number of threads.
struct ChunkedRange {
  int64_t begin, end, grain;

  // Without sign: a range may be longer than the largest int64_t.
  uint64_t length() const {
    return end <= begin ? 0 : static_cast<uint64_t>(end) - static_cast<uint64_t>(begin);
  }
  uint64_t count() const {
    const auto step = static_cast<uint64_t>(grain);
    // Without a division where it can be: it takes longer than the rest of a short range.
    if (length() <= step) return end <= begin ? 0 : 1;
    return (length() - 1) / step + 1;
  }
  ChunkedRange chunk(uint64_t i) const {
    const auto step = static_cast<uint64_t>(grain);
    const auto from = static_cast<int64_t>(static_cast<uint64_t>(begin) + i * step);
    const uint64_t left = static_cast<uint64_t>(end) - static_cast<uint64_t>(from);
    return {from, left <= step ? end : from + grain, grain};
  }
};
using ChunkFunction = void (*)(void* context, int64_t begin, int64_t end);

// Runs every chunk, in the calling thread and in workers, and returns when all have ended. The
// first exception is thrown here then; chunks that have not begun by that time are left out.
// A call from inside a chunk does everything itself. Any number of threads may call at once.
EAGRE_API void run_chunks(const ChunkedRange& range, ChunkFunction function, void* context);

// f(begin, end) for each chunk. With a grain of 0 there are up to 64 of about the same size; a
// negative one is an error.
template <class F>
EAGRE_INLINE void parallel_for(int64_t begin, int64_t end, int64_t grain, const F& f) {
  run_chunks(
      {begin, end, grain},
      [](void* context, int64_t from, int64_t to) { (*static_cast<const F*>(context))(from, to); },
      const_cast<F*>(&f));
}

// How many threads one call uses, the caller among them. At the start: EAGRE_NUM_THREADS or
// OMP_NUM_THREADS, else the processors we may use.
EAGRE_API int get_num_threads();
EAGRE_API void set_num_threads(int64_t count);

// Is this thread inside a chunk?
EAGRE_API bool in_parallel_region();

}  // namespace eagre
