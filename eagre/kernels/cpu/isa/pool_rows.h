// The walk of pooling: rows of results, one after the other, by any of the operations in
// pool_ops.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include <eagre/kernels/cpu/isa/pool_ops.h>
#include <eagre/kernels/cpu/pool_geometry.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// How far the next row of windows is: what it reads is fetched meanwhile, as rows are too short,
// and their streams too many, for the processor to see.
inline int64_t rows_ahead(const PoolGeometry& g) {
  if (g.height.adapts && g.channels_last) return 0;  // so many rows do not fit in the cache
  const int64_t rows = g.height.adapts ? g.height.in / g.height.out : g.height.stride;
  return (rows < g.height.in ? rows : 0) * g.width.in;
}

// The folded columns of a row, with room for its padding: where the input begins, and how long it
// is.
struct RowRoom {
  int64_t left = 0, length;
  int64_t starts;  // at most so many rows belong to a window
  int64_t ahead;
  bool is_regular;  // all windows are alike, counted with padding

  explicit RowRoom(const PoolGeometry& g)
      : length(g.width.in * g.inner),
        starts(g.depth.most_elements() * g.height.most_elements()),
        ahead(rows_ahead(g)),
        is_regular(!g.channels_last && g.width.is_regular()) {
    if (!is_regular) return;
    left = g.width.padding;
    const int64_t reach = (g.width.out - 1) * g.width.stride + g.width.extent();
    length = reach > left + length ? reach : left + length;
  }
  // Loads and stores of whole vectors go beyond the end.
  template <class T>
  int64_t with_margin() const {
    return length + 4 * Lanes<T>::kCount;
  }
};

// A row of elements, and of places if there are any.
template <class Op>
typename Op::Row row_of_room(const RowRoom& room) {
  using T = typename Op::Element;
  const int64_t count = room.with_margin<T>();
  auto* const values =
      static_cast<T*>(scratch(Scratch::kRow, static_cast<size_t>(count) * sizeof(T)));
  typename Op::Row row{};
  row.values = values;
  if constexpr (requires { row.places; }) {
    row.places = static_cast<Place<T>*>(
        scratch(Scratch::kSums, static_cast<size_t>(count) * sizeof(Place<T>)));
  }
  const auto nothing = Op::start();
  for (int64_t i = 0; i < count; i += Lanes<T>::kCount) {
    if (i + Lanes<T>::kCount > count) i = count - Lanes<T>::kCount;
    Op::save(row.at(i), nothing, Lanes<T>::kCount);
  }
  return row;
}

// Where rows of a window begin in their plane.
struct RowStarts {
  const int64_t* first;
  const int64_t* last;
};

EAGRE_INLINE RowStarts row_starts(const PoolGeometry& g, const RowRoom& room, int64_t d,
                                  int64_t h) {
  auto* const starts = static_cast<int64_t*>(
      scratch(Scratch::kPanel, static_cast<size_t>(room.starts) * sizeof(int64_t)));
  int64_t* last = starts;
  g.each_input_row(d, h, [&](int64_t first) { *last++ = first; });
  return {starts, last};
}

// Folds the rows that begin there, column by column.
template <class Op>
EAGRE_INLINE void fold_rows(typename Op::Row to, const typename Op::Element* plane,
                            const RowStarts& starts, int64_t count, int64_t inner, int64_t ahead) {
  constexpr int kCount = Lanes<typename Op::Element>::kCount;
  const auto [first, last] = starts;
  int64_t x = 0;
  for (; x + kCount <= count; x += kCount) {
    auto cell = Op::start();
    for (const int64_t* at = first; at != last; ++at) {
      __builtin_prefetch(plane + (*at + ahead) * inner + x);
      Op::fold_row(cell, Op::of_row(plane + *at * inner + x, kCount, *at));
    }
    Op::save(to.at(x), cell, kCount);
  }
  if (x == count) return;
  const int rest = static_cast<int>(count - x);
  auto cell = Op::start();
  for (const int64_t* at = first; at != last; ++at) {
    Op::fold_row(cell, Op::of_row(plane + *at * inner + x, rest, *at));
  }
  Op::save(to.at(x), cell, rest);
}

// Windows that begin every kStride columns.
template <class Op, int kStride, class Put>
EAGRE_INLINE void slide(typename Op::Row row, const PoolAxis& axis, int64_t left, const Put& put) {
  constexpr int kCount = Lanes<typename Op::Element>::kCount;
  for (int64_t o = 0; o < axis.out; o += kCount) {
    int64_t x = o * kStride;
    auto cell = Op::template columns<kStride>(row.at(x), x - left);
    for (int64_t k = 1; k < axis.kernel; ++k) {
      x += axis.dilation;
      Op::fold(cell, Op::template columns<kStride>(row.at(x), x - left));
    }
    put(o, cell, axis.out - o < kCount ? static_cast<int>(axis.out - o) : kCount);
  }
}

// Windows anywhere, one after the other: of single columns, or of channels.
template <class Op, class Put>
EAGRE_INLINE void visit(typename Op::Row row, const PoolGeometry& g, int64_t left, int64_t from,
                        int64_t to, const Put& put) {
  constexpr int kCount = Lanes<typename Op::Element>::kCount;
  const PoolAxis& axis = g.width;
  for (int64_t o = from; o < to; ++o) {
    const int64_t begin = axis.begin(o), end = axis.end(o);
    if (g.inner == 1) {
      typename Op::One one;
      for (int64_t x = begin; x < end; x += axis.dilation) one.fold(row.at(left + x), x);
      put(o, one.cell(), 1);
      continue;
    }
    for (int64_t c = 0; c < g.inner; c += kCount) {
      auto cell = Op::start();
      for (int64_t x = begin; x < end; x += axis.dilation) {
        Op::fold(cell, Op::channels(row.at((left + x) * g.inner + c), x));
      }
      put(o * g.inner + c, cell, g.inner - c < kCount ? static_cast<int>(g.inner - c) : kCount);
    }
  }
}

// The same for channels, a few windows at a time: their columns stay in the nearest cache.
template <class Op, class Put>
EAGRE_INLINE void visit_channels(typename Op::Row row, const PoolGeometry& g,
                                 const typename Op::Element* plane, const RowStarts& starts,
                                 int64_t ahead, const Put& put) {
  constexpr int64_t kNear = 8192 / sizeof(typename Op::Element);
  const PoolAxis& axis = g.width;
  const int64_t step = axis.adapts ? axis.in / axis.out + 1 : axis.stride;
  const int64_t few = kNear / (g.inner * step) + 1;
  for (int64_t o = 0; o < axis.out; o += few) {
    const int64_t last = o + few < axis.out ? o + few : axis.out;
    int64_t begin = axis.begin(o), end = axis.end(last - 1);
    // With gaps in windows, one that begins in the padding may reach the first column later than
    // the next one does.
    for (int64_t other = o; axis.dilation > 1 && other < last; ++other) {
      begin = axis.begin(other) < begin ? axis.begin(other) : begin;
      end = axis.end(other) > end ? axis.end(other) : end;
    }
    if (begin < end) {
      fold_rows<Op>(row.at(begin * g.inner), plane + begin * g.inner, starts,
                    (end - begin) * g.inner, g.inner, ahead);
    }
    visit<Op>(row, g, 0, o, last, put);
  }
}

// put(place, cell, count) for all elements of one row of results, from rows of a plane of the
// input.
template <class Op, class Put>
EAGRE_INLINE void pool_row(const PoolGeometry& g, const RowRoom& room, typename Op::Row row,
                           const typename Op::Element* plane, int64_t d, int64_t h,
                           const Put& put) {
  const RowStarts starts = row_starts(g, room, d, h);
  if (g.channels_last) return visit_channels<Op>(row, g, plane, starts, room.ahead, put);
  fold_rows<Op>(row.at(room.left), plane, starts, g.width.in, 1, room.ahead);
  if (!room.is_regular || g.width.stride > 2) {
    return visit<Op>(row, g, room.left, 0, g.width.out, put);
  }
  if (g.width.stride == 1) return slide<Op, 1>(row, g.width, room.left, put);
  slide<Op, 2>(row, g.width, room.left, put);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
