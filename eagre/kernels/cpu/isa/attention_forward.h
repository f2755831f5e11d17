// Attention in tiles: scores of a block of queries and a block of keys are turned into their part
// of the result while they are in the cache, so no matrix of all scores is ever in memory. Rows
// keep their largest score and the sum of exponentials so far (Milakov and Gimelshein, 2018); the
// backward recomputes scores from the logarithm of that sum (Dao et al., 2022).
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/base/interrupt.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/cpu/isa/gemm_panels.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>
#include <eagre/kernels/scalar/exp.h>
#include <eagre/kernels/scalar/log.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

constexpr int64_t kQueryBlock = 60;  // whole tiles of every isa
constexpr int64_t kKeyBlock = 128;
constexpr int64_t kQueryChunk = 480;  // queries of a task, for which keys are packed once

// One head of a tensor (N, heads, rows, columns).
template <class T>
Matrix<T> head_of(const TensorView& view, int64_t batch, int64_t head) {
  const T* data = view.as<const T>() + batch * view.strides[0] + head * view.strides[1];
  return {data, view.sizes[2], view.sizes[3], view.strides[2], view.strides[3]};
}
// What is allowed, or added to scores: a tensor (N, heads, queries, keys) of bools or numbers, or
// none; and nothing behind the diagonal.
struct ScoreMask {
  const TensorView& view;
  bool is_causal;

  // Keys [0, limit) are all that queries before `query` see.
  int64_t limit(int64_t query, int64_t keys) const {
    return is_causal ? std::min(query, keys) : keys;
  }

  template <class T>
  void apply(T* scores, int64_t batch, int64_t head, int64_t query, int64_t key,
             int64_t count) const {
    constexpr T kNone = -std::numeric_limits<T>::infinity();
    if (view.data != nullptr) {
      const int64_t offset = batch * view.strides[0] + head * view.strides[1] +
                             query * view.strides[2] + key * view.strides[3];
      const int64_t stride = view.strides[3];
      if (view.dtype == DType::kBool) {
        const uint8_t* allowed = view.as<const uint8_t>() + offset;
        for (int64_t i = 0; i < count; ++i) {
          scores[i] = allowed[i * stride] != 0 ? scores[i] : kNone;
        }
      } else {
        const T* more = view.as<const T>() + offset;
        for (int64_t i = 0; i < count; ++i) scores[i] += more[i * stride];
      }
    }
    if (is_causal) {
      for (int64_t i = std::max<int64_t>(query - key + 1, 0); i < count; ++i) scores[i] = kNone;
    }
  }
};

template <class T>
T* attention_room(Scratch use, int64_t numel) {
  return static_cast<T*>(scratch(use, static_cast<size_t>(numel) * sizeof(T)));
}

// A chunk of the queries of one head.
template <class T>
class AttentionChunk {
 public:
  AttentionChunk(const Matrix<T>& queries, const Matrix<T>& keys, const Matrix<T>& values,
                 const ScoreMask& mask, T scale, int64_t batch, int64_t head)
      : queries_(queries),
        keys_(keys),
        values_(values),
        mask_(mask),
        scale_(scale),
        batch_(batch),
        head_(head) {}

  // Queries [first, last) into rows of `out` and `log_sum`.
  void run(T* out, T* log_sum, int64_t first, int64_t last) const {
    const int64_t width = values_.columns, depth = queries_.columns;
    T* rows = attention_room<T>(Scratch::kRow, 2 * kQueryChunk);
    T *largest = rows, *sums = rows + kQueryChunk;
    std::fill_n(largest, last - first, -std::numeric_limits<T>::infinity());
    std::fill_n(sums, last - first, T{});
    std::fill_n(out, (last - first) * width, T{});
    const int64_t key_room = Panels<T>::room(depth, kKeyBlock);
    const int64_t value_room = Panels<T>::room(kKeyBlock, width);
    T* room = attention_room<T>(Scratch::kBlock, key_room + value_room + kQueryBlock * kKeyBlock);
    T* scores = room + key_room + value_room;
    const int64_t seen = mask_.limit(last, keys_.rows);
    for (int64_t key = 0; key < seen; key += kKeyBlock) {
      const int64_t count = std::min(kKeyBlock, seen - key);
      const auto k = Panels<T>::pack(room, turned(rows_of(keys_, key, count)));
      const auto v = Panels<T>::pack(room + key_room, rows_of(values_, key, count));
      for (int64_t query = first; query < last; query += kQueryBlock) {
        const int64_t n = std::min(kQueryBlock, last - query);
        if (mask_.limit(query + n, keys_.rows) <= key) continue;
        multiply_panels(scores, kKeyBlock, rows_of(queries_, query, n), k, scale_, false);
        const int64_t at = query - first;
        for (int64_t i = 0; i < n; ++i) {
          fold_in(scores + i * kKeyBlock, query + i, key, count, largest[at + i], sums[at + i],
                  out + (at + i) * width);
        }
        multiply_panels(out + at * width, width, {scores, n, count, kKeyBlock, 1}, v, T{1}, true);
      }
      poll_interrupt((last - first) * count * (depth + width));
    }
    for (int64_t i = 0; i < last - first; ++i) {
      const T inverse = sums[i] == 0 ? T{} : 1 / sums[i];
      for (int64_t j = 0; j < width; ++j) out[i * width + j] *= inverse;
      log_sum[i] =
          sums[i] == 0 ? std::numeric_limits<T>::infinity() : largest[i] + scalar::log(sums[i]);
    }
  }

 private:
  // Scores of a query become exponentials; what its row holds is scaled to their largest.
  void fold_in(T* scores, int64_t query, int64_t key, int64_t count, T& largest, T& sum,
               T* out) const {
    mask_.apply(scores, batch_, head_, query, key, count);
    const T peak = fold_row<scalar::Largest<T>>(scores, 1, count, T{});
    const T top = peak > largest || peak != peak ? peak : largest;
    // A row without a key so far stays empty.
    const T base = top == -std::numeric_limits<T>::infinity() ? T{} : top;
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) scores[i] = scalar::exp(scores[i] - base);
    const T shrink = scalar::exp(largest - base);
    sum = sum * shrink + fold_row<scalar::Sum<T>>(scores, 1, count, T{});
    if (top != largest) {
      for (int64_t j = 0; j < values_.columns; ++j) out[j] *= shrink;
    }
    largest = top;
  }

  const Matrix<T> queries_, keys_, values_;
  const ScoreMask& mask_;
  T scale_;
  int64_t batch_, head_;
};

// out and log_sum are contiguous. Several heads of queries may share one of keys and values.
template <class T>
void attention(const TensorView& out, const TensorView& log_sum, const TensorView& query,
               const TensorView& key, const TensorView& value, const TensorView& mask,
               bool is_causal, double scale) {
  if (out.numel == 0 && log_sum.numel == 0) return;
  const int64_t heads = query.sizes[1], shared = heads / key.sizes[1];
  const int64_t queries = query.sizes[2], width = value.sizes[3];
  const ScoreMask rules{mask, is_causal};
  const int64_t chunks = (queries - 1) / kQueryChunk + 1;
  const int64_t work = std::min(queries, kQueryChunk) * key.sizes[2] * (query.sizes[3] + width + 1);
  share_steps(
      query.sizes[0] * heads * chunks, 1, work, kSharedProducts, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
          const int64_t batch = task / chunks / heads, head = task / chunks % heads;
          const int64_t first = task % chunks * kQueryChunk;
          const int64_t last = std::min(first + kQueryChunk, queries);
          const int64_t row = (batch * heads + head) * queries + first;
          AttentionChunk<T>(head_of<T>(query, batch, head), head_of<T>(key, batch, head / shared),
                            head_of<T>(value, batch, head / shared), rules, static_cast<T>(scale),
                            batch, head)
              .run(out.as<T>() + row * width, log_sum.as<T>() + row, first, last);
        }
      });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
