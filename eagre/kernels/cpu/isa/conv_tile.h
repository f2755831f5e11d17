// The innermost steps of convolutions: tiles of the result that are held in registers while all
// terms of their sums go by.
#pragma once

#include <cstdint>

#include <eagre/kernels/cpu/isa/gemm_tile.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
constexpr int64_t kLineOf = Ahead::kLine / static_cast<int64_t>(sizeof(T));

// kRows channels times kVectors vectors of places: sum over terms k of weight k of each channel
// (packed, kRows together) times the places that follow terms[k]. Meanwhile the weights that are
// needed `next` are asked for, a line with each term.
template <class T, int kRows, int kVectors>
void sum_terms_of(T* sums, const T* weights, const T* stripe, const int64_t* terms, int64_t count,
                  bool accumulate, const T* next) {
  using L = Lanes<T>;
  typename L::Vector tile[kRows][kVectors] = {};
  for (int64_t k = 0; k < count; ++k, weights += kRows) {
    const T* places = stripe + terms[k];
    __builtin_prefetch(next, 0, 2);
    next += kLineOf<T>;
    typename L::Vector columns[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) columns[v] = L::load(places + v * L::kCount);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const typename L::Vector weight = L::splat(weights[r]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        tile[r][v] = L::multiply_add(weight, columns[v], tile[r][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      T* place = sums + (r * kVectors + v) * L::kCount;
      L::store(place, accumulate ? tile[r][v] + L::load(place) : tile[r][v]);
    }
  }
}

// Rows of places in stripes of several blocks.
struct PlaceRows {
  int64_t blocks, block_length, rows, row_length, columns;
};

// kRows terms times kVectors vectors of channels: sums over places of what the terms find there
// times the gradients of the channels, which lie together, kVectors vectors at each place.
template <class T, int kRows, int kVectors>
void sum_places_of(T* sums, int64_t sums_row, const T* stripe, const int64_t* terms, const T* grads,
                   const PlaceRows& places) {
  using L = Lanes<T>;
  typename L::Vector tile[kRows][kVectors];
  const T* from[kRows];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    from[r] = stripe + terms[r];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      tile[r][v] = L::load(sums + r * sums_row + v * L::kCount);
    }
  }
  for (int64_t row = 0; row < places.blocks * places.rows; ++row) {
    const int64_t first =
        row / places.rows * places.block_length + row % places.rows * places.row_length;
    for (int64_t i = first; i < first + places.columns; ++i) {
      typename L::Vector channels[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) channels[v] = L::load(grads + v * L::kCount);
      grads += kVectors * L::kCount;
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const typename L::Vector element = L::splat(from[r][i]);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
          tile[r][v] = L::multiply_add(element, channels[v], tile[r][v]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      L::store(sums + r * sums_row + v * L::kCount, tile[r][v]);
    }
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
