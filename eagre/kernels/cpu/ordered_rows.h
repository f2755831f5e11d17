// The rows of a contiguous tensor along a dimension as entries to be put in order, for sort and
// topk.
#pragma once

#include <eagre/base/thread_pool.h>
#include <eagre/core/caching_allocator.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/sort_entries.h>

namespace eagre::kernels::cpu {

template <class T>
using EntryOf = std::conditional_t<sizeof(T) == 8, WideEntry, NarrowEntry>;

// Working memory, from where tensors have theirs.
template <class Entry>
class EntryRoom {
 public:
  explicit EntryRoom(int64_t count)
      : bytes_(static_cast<size_t>(count) * sizeof(Entry)),
        data_(static_cast<Entry*>(CachingAllocator::get().allocate(bytes_, Device()))) {}
  ~EntryRoom() { CachingAllocator::get().free(data_, bytes_, Device()); }
  EntryRoom(const EntryRoom&) = delete;
  EntryRoom& operator=(const EntryRoom&) = delete;

  Entry* data() const { return data_; }

 private:
  const size_t bytes_;
  Entry* const data_;
};

// f(entries, room, row of the input, its stride, row of the results) for each row; the entries are
// in the order of their places and have keys that rise in the order wanted.
template <class Entry, class T, class F>
void for_each_ordered_row(const TensorView& input, int64_t dim, bool descending, const F& f) {
  const Along along(input.sizes, dim);
  const int64_t n = along.size;
  const T* data = input.as<const T>();
  using Key = typename Entry::Key;
  const Key flip = descending ? ~Key{0} : 0;
  parallel_for(0, along.outer * along.inner, 32768 / n + 1, [&](int64_t begin, int64_t end) {
    const EntryRoom<Entry> room(2 * n);
    Entry* entries = room.data();
    for (int64_t row = begin; row < end; ++row) {
      const int64_t outer = row / along.inner, inner = row % along.inner;
      const T* from = data + outer * n * along.inner + inner;
      parallel_for(0, n, kEntryGrain, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
          entries[i] = Entry::make(Key{scalar::order_key(from[i * along.inner])} ^ flip, i);
        }
      });
      f(entries, entries + n, from, outer, inner);
    }
  });
}

}  // namespace eagre::kernels::cpu
