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

  int64_t count() const { return end <= begin ? 0 : (end - begin - 1) / grain + 1; }
};
using ChunkFunction = void (*)(void* context, int64_t begin, int64_t end);

// Runs every chunk, in the calling thread and in workers, and returns when all have ended. The
// first exception is thrown here then; chunks that have not begun by that time are left out.
// A call from inside a chunk does everything itself. Any number of threads may call at once.
EAGRE_API void run_chunks(const ChunkedRange& range, ChunkFunction function, void* context);

// f(begin, end) for each chunk.
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
