// The gradients of attention, in tiles: scores are computed again from queries and keys.
#pragma once

#include <algorithm>
#include <cstdint>

#include <eagre/kernels/cpu/isa/attention_forward.h>
#include <eagre/kernels/cpu/isa/row_sums.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
struct AttentionViews {
  const TensorView &g, &query, &key, &value, &mask, &out, &log_sum;
  const ScoreMask& rules;
  T scale;
};

// Gradients of one head of keys and values, and of the heads of queries that share it.
template <class T>
class AttentionGradient {
 public:
  AttentionGradient(const AttentionViews<T>& views, int64_t batch, int64_t key_head)
      : views_(views),
        keys_(head_of<T>(views.key, batch, key_head)),
        values_(head_of<T>(views.value, batch, key_head)),
        batch_(batch) {
    const int64_t depth = keys_.columns, width = values_.columns;
    const int64_t sizes[] = {Panels<T>::room(depth, kKeyBlock),
                             Panels<T>::room(width, kKeyBlock),
                             Panels<T>::room(kKeyBlock, depth),
                             Panels<T>::room(kQueryBlock, depth),
                             Panels<T>::room(kQueryBlock, width),
                             kQueryBlock * kKeyBlock,
                             kQueryBlock * kKeyBlock};
    int64_t total = 0;
    for (const int64_t size : sizes) total += size;
    T* room = attention_room<T>(Scratch::kBlock, total);
    for (int i = 0; i < kParts; ++i) {
      parts_[i] = room;
      room += sizes[i];
    }
  }

  // The gradients of this head's keys and values are added up over heads of queries.
  void run(int64_t head, T* grad_query, T* grad_key, T* grad_value) {
    const Matrix<T> queries = head_of<T>(views_.query, batch_, head);
    const Matrix<T> grads = head_of<T>(views_.g, batch_, head);
    const Matrix<T> results = head_of<T>(views_.out, batch_, head);
    const int64_t count = queries.rows, depth = keys_.columns, width = values_.columns;
    const T* log_sums = static_cast<const T*>(views_.log_sum.data) +
                        (batch_ * views_.query.sizes[1] + head) * count;
    T* slopes = attention_room<T>(Scratch::kRow, count);
    for (int64_t i = 0; i < count; ++i) {
      slopes[i] =
          sum_terms<T>(width, [&](int64_t j) { return *grads.at(i, j) * *results.at(i, j); });
    }
    for (int64_t key = 0; key < keys_.rows; key += kKeyBlock) {
      const int64_t n = std::min(kKeyBlock, keys_.rows - key);
      const Matrix<T> k = rows_of(keys_, key, n), v = rows_of(values_, key, n);
      const auto keys_across = Panels<T>::pack(parts_[0], turned(k));
      const auto values_across = Panels<T>::pack(parts_[1], turned(v));
      const auto keys_down = Panels<T>::pack(parts_[2], k);
      T *weights = parts_[5], *changes = parts_[6];
      for (int64_t query = 0; query < count; query += kQueryBlock) {
        const int64_t m = std::min(kQueryBlock, count - query);
        if (views_.rules.limit(query + m, keys_.rows) <= key) continue;
        const Matrix<T> q = rows_of(queries, query, m), g = rows_of(grads, query, m);
        multiply_panels(weights, kKeyBlock, q, keys_across, views_.scale, false);
        multiply_panels(changes, kKeyBlock, g, values_across, T{1}, false);
        for (int64_t i = 0; i < m; ++i) {
          T* p = weights + i * kKeyBlock;
          T* change = changes + i * kKeyBlock;
          const T base = log_sums[query + i], slope = slopes[query + i];
          views_.rules.apply(p, batch_, head, query + i, key, n);
#pragma GCC ivdep
          for (int64_t j = 0; j < n; ++j) {
            p[j] = scalar::exp(p[j] - base);
            change[j] = p[j] * (change[j] - slope);
          }
        }
        const auto g_down = Panels<T>::pack(parts_[4], g);
        const auto q_down = Panels<T>::pack(parts_[3], q);
        const Matrix<T> p{weights, m, n, kKeyBlock, 1}, d{changes, m, n, kKeyBlock, 1};
        multiply_panels(grad_value + key * width, width, turned(p), g_down, T{1}, true);
        multiply_panels(grad_key + key * depth, depth, turned(d), q_down, views_.scale, true);
        multiply_panels(grad_query + query * depth, depth, d, keys_down, views_.scale, true);
      }
      poll_interrupt(count * n * (depth + width));
    }
  }

 private:
  static constexpr int kParts = 7;

  const AttentionViews<T>& views_;
  const Matrix<T> keys_, values_;
  int64_t batch_;
  T* parts_[kParts];
};

// The gradients are contiguous.
template <class T>
void attention_backward(const TensorView& grad_query, const TensorView& grad_key,
                        const TensorView& grad_value, const AttentionViews<T>& views) {
  std::fill_n(grad_query.as<T>(), grad_query.numel, T{});
  std::fill_n(grad_key.as<T>(), grad_key.numel, T{});
  std::fill_n(grad_value.as<T>(), grad_value.numel, T{});
  if (views.g.numel == 0) return;
  const TensorView &query = views.query, &key = views.key;
  const int64_t heads = query.sizes[1], key_heads = key.sizes[1], shared = heads / key_heads;
  const int64_t depth = query.sizes[3], width = views.value.sizes[3];
  const int64_t work = 3 * shared * query.sizes[2] * key.sizes[2] * (depth + width + 1);
  share_steps(
      query.sizes[0] * key_heads, 1, work, kSharedProducts, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
          const int64_t batch = task / key_heads, key_head = task % key_heads;
          AttentionGradient<T> gradient(views, batch, key_head);
          for (int64_t i = 0; i < shared; ++i) {
            const int64_t head = key_head * shared + i;
            gradient.run(head, grad_query.as<T>() + (batch * heads + head) * query.sizes[2] * depth,
                         grad_key.as<T>() + task * key.sizes[2] * depth,
                         grad_value.as<T>() + task * key.sizes[2] * width);
          }
        }
      });
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
