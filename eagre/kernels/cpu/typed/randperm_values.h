// randperm: the numbers from 0 on in random order, which is the order of a random word for each. So
// any device makes the same, by whatever way it sorts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/cpu/scratch.h>
#include <eagre/kernels/cpu/sort_entries.h>

namespace eagre::kernels::cpu::typed {

// So many numbers share a bucket on average, which is sorted by comparing.
constexpr int64_t kBucketEntries = 16;
// More buckets than this are more places in memory than a processor keeps track of.
constexpr int kMostBucketBits = 14;

// Words are evenly spread, so their first bits lead close to where they belong.
template <class T>
void randperm_values(const TensorView& out, RandomStretch random) {
  const int64_t count = out.numel;
  if (count == 0) return;
  const auto wanted = static_cast<uint64_t>(count / kBucketEntries);
  const int bits = std::clamp(static_cast<int>(std::bit_width(wanted)), 1, kMostBucketBits);
  const int64_t buckets = int64_t{1} << bits;
  const auto bytes = [](int64_t n, size_t size) { return static_cast<size_t>(n) * size; };
  auto* ends = static_cast<int64_t*>(scratch(Scratch::kSums, bytes(buckets + 1, sizeof(int64_t))));
  auto* entries =
      static_cast<WideEntry*>(scratch(Scratch::kBlock, bytes(count, sizeof(WideEntry))));
  const auto each_word = [&](const auto& f) {
    for (int64_t begin = 0; begin < count; begin += kRandomGrain) {
      poll_interrupt(kRandomGrain);
      for_random_words(random, begin, std::min(begin + kRandomGrain, count), f);
    }
  };
  std::fill_n(ends, buckets + 1, 0);
  each_word([&](int64_t, uint64_t word) { ++ends[(word >> (64 - bits)) + 1]; });
  for (int64_t i = 0; i < buckets; ++i) ends[i + 1] += ends[i];
  // ends[i] is where bucket i begins; each entry moves it on.
  each_word([&](int64_t i, uint64_t word) {
    entries[ends[word >> (64 - bits)]++] = WideEntry::make(word, i);
  });
  T* data = out.as<T>();
  const int64_t grain = std::max<int64_t>(1, kEntryGrain / (count / buckets + 1));
  parallel_for(0, buckets, grain, [&](int64_t begin, int64_t end) {
    int64_t first = begin == 0 ? 0 : ends[begin - 1];
    for (int64_t bucket = begin; bucket < end; ++bucket) {
      std::sort(entries + first, entries + ends[bucket]);
      for (; first < ends[bucket]; ++first) data[first] = static_cast<T>(entries[first].place());
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
