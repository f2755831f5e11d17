// topk: the largest or smallest elements along a dimension, in order, and their places.
#pragma once

#include <vector>

#include <eagre/kernels/cpu/ordered_rows.h>

namespace eagre::kernels::cpu::typed {

// Keeps the smallest `k` of the entries it is given. Most are refused by one comparison with the
// largest that was kept; the rest is gathered and thinned out when there is no more room.
template <class Entry>
class SmallestEntries {
 public:
  SmallestEntries(Entry* room, int64_t k) : entries_(room), k_(k) {}
  // For so many entries the constructor needs room.
  static int64_t room_for(int64_t k) { return 2 * k + 64; }

  void add(Entry entry) {
    if (is_limited_ && !(entry < limit_)) [[likely]]
      return;
    entries_[count_++] = entry;
    if (count_ == room_for(k_)) thin_out();
  }
  // Has it k entries, so that it refuses later ones whose key is not below the limit?
  bool is_limited() const { return is_limited_; }
  typename Entry::Key limit() const { return limit_.key(); }
  // At least the smallest k of those that were added.
  Span<const Entry> kept() const { return {entries_, static_cast<size_t>(count_)}; }
  // In order. Call it once, when all were added.
  const Entry* sorted() {
    if (count_ > k_) thin_out();
    return sort_unordered(entries_, entries_ + k_, count_);
  }

 private:
  void thin_out() {
    std::nth_element(entries_, entries_ + (k_ - 1), entries_ + count_);
    count_ = k_;
    limit_ = entries_[k_ - 1];
    is_limited_ = true;
  }

  Entry* entries_;
  int64_t k_;
  int64_t count_ = 0;
  bool is_limited_ = false;
  Entry limit_{};
};

// May the key of any of some numbers be below the limit? Without branches, as vectors do it: most
// numbers of a long row are refused by this.
constexpr int64_t kGroup = 32;
template <class Key, class T>
bool may_be_below(const T* from, Key flip, Key limit) {
  Key found = 0;
  for (int64_t i = 0; i < kGroup; ++i) {
    const bool is_nan = from[i] != from[i];
    found |= ((Key{scalar::rough_order_key(from[i])} ^ flip) <= limit ? 1 : 0) | (is_nan ? 1 : 0);
  }
  return found != 0;
}

// The first `k` of a row's entries, which are in order, as the results.
template <class Entry, class T>
void store_row(const TensorView& values, const TensorView& indices, const Entry* sorted,
               const T* from, int64_t k, int64_t step, int64_t first) {
  parallel_for(0, k, kEntryGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t place = sorted[i].place();
      indices.as<int64_t>()[first + i * step] = place;
      values.as<T>()[first + i * step] = load_element(from[place * step]);
    }
  });
}

template <class Entry, class T>
void topk_rows(const TensorView& values, const TensorView& indices, const TensorView& input,
               int64_t k, int64_t dim, bool largest) {
  const Along along(input.sizes, dim);
  const int64_t n = along.size, step = along.inner;
  constexpr int64_t kLong = 1 << 20;
  if (n > kLong && k > n / 4) {
    // Choosing among so many takes longer than sorting all by their digits, and cannot be stopped.
    return for_each_ordered_row<Entry, T>(
        input, dim, largest,
        [&](Entry* entries, Entry* room, const T* from, int64_t outer, int64_t inner) {
          const Entry* sorted = sort_entries(entries, room, n);
          store_row(values, indices, sorted, from, k, step, outer * k * step + inner);
        });
  }
  using Key = typename Entry::Key;
  const Key flip = largest ? ~Key{0} : 0;
  // Parts of a long row are searched by themselves, then what they found.
  const int64_t part = std::max<int64_t>(4 * kEntryGrain, 16 * k);
  const int64_t parts = (n - 1) / part + 1, each = SmallestEntries<Entry>::room_for(k);
  const auto range = [&](int64_t begin, int64_t end) {
    const EntryRoom<Entry> room((parts + 1) * each);
    std::vector<Span<const Entry>> found(static_cast<size_t>(parts));
    for (int64_t row = begin; row < end; ++row) {
      const int64_t outer = row / step, inner = row % step;
      const T* from = input.as<const T>() + outer * n * step + inner;
      parallel_for(0, n, part, [&](int64_t first, int64_t last) {
        SmallestEntries<Entry> best(room.data() + first / part * each, k);
        for (int64_t i = first; i < last;) {
          const int64_t stop = std::min(last, i + kEntryGrain);
          poll_interrupt(stop - i);
          while (i < stop) {
            const int64_t end = std::min(stop, i + kGroup);
            const bool is_group = step == 1 && end - i == kGroup && best.is_limited();
            if (is_group && !may_be_below(from + i, flip, best.limit())) {
              i = end;
              continue;
            }
            for (; i < end; ++i)
              best.add(Entry::make(Key{scalar::order_key(from[i * step])} ^ flip, i));
          }
        }
        found[static_cast<size_t>(first / part)] = best.kept();
      });
      SmallestEntries<Entry> best(room.data() + parts * each, k);
      for (const Span<const Entry>& some : found) {
        for (const Entry& entry : some) best.add(entry);
      }
      store_row(values, indices, best.sorted(), from, k, step, outer * k * step + inner);
    }
  };
  parallel_for(0, along.outer * along.inner, 32768 / n + 1, range);
}

template <class T>
void topk(const TensorView& values, const TensorView& indices, const TensorView& input, int64_t k,
          int64_t dim, bool largest) {
  if (values.numel == 0) return;
  if (input.rank() == 0) k = 1;  // the element itself, also where none was asked for
  if (Along(input.sizes, dim).size <= int64_t{UINT32_MAX}) {
    topk_rows<EntryOf<T>, T>(values, indices, input, k, dim, largest);
  } else {
    topk_rows<WideEntry, T>(values, indices, input, k, dim, largest);
  }
}

}  // namespace eagre::kernels::cpu::typed
