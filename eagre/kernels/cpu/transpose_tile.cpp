// Tiles by the size of their elements; four by four words at once where the size is usual.
#include <eagre/kernels/cpu/transpose_tile.h>

#include <cstring>

namespace eagre::kernels::cpu {
namespace {

struct Wide {
  uint64_t low, high;
};

template <class Word>
Word load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The processor cannot foresee a jump to the next row, so rows are asked for some time before they
// are read.
constexpr int64_t kRowsAhead = 4, kCacheLine = 64;
void ask_for_row(const char* row, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(row + at);
}

// Rows [first, last) of the source.
template <class Word>
void turn_rows(Word* result, const char* source, int64_t stride, int64_t first, int64_t last,
               int64_t height) {
  for (int64_t i = first; i < last; ++i) {
    const char* row = source + i * stride;
    if (i + kRowsAhead < last) {
      ask_for_row(row + kRowsAhead * stride, height * static_cast<int64_t>(sizeof(Word)));
    }
    for (int64_t j = 0; j < height; ++j) {
      result[j * kTileEdge + i] = load<Word>(row + j * static_cast<int64_t>(sizeof(Word)));
    }
  }
}

template <class Word>
void turn(Word* result, const char* source, int64_t stride, TileSize size) {
  turn_rows(result, source, stride, 0, size.width, size.height);
}

using Four = uint32_t __attribute__((vector_size(16)));

// Four rows of four words are four registers; two rounds of interleaving turn them.
template <>
void turn(uint32_t* result, const char* source, int64_t stride, TileSize size) {
  int64_t i = 0;
  for (; i + 4 <= size.width; i += 4) {
    const char* row = source + i * stride;
    if (i + 4 + kRowsAhead <= size.width) {
      for (int64_t k = 0; k < 4; ++k) {
        ask_for_row(row + (k + kRowsAhead) * stride, size.height * 4);
      }
    }
    int64_t j = 0;
    for (; j + 4 <= size.height; j += 4) {
      const auto a = load<Four>(row + j * 4), b = load<Four>(row + stride + j * 4);
      const auto c = load<Four>(row + 2 * stride + j * 4), d = load<Four>(row + 3 * stride + j * 4);
      const Four ac_low = __builtin_shuffle(a, c, Four{0, 4, 1, 5});
      const Four ac_high = __builtin_shuffle(a, c, Four{2, 6, 3, 7});
      const Four bd_low = __builtin_shuffle(b, d, Four{0, 4, 1, 5});
      const Four bd_high = __builtin_shuffle(b, d, Four{2, 6, 3, 7});
      const Four turned[] = {__builtin_shuffle(ac_low, bd_low, Four{0, 4, 1, 5}),
                             __builtin_shuffle(ac_low, bd_low, Four{2, 6, 3, 7}),
                             __builtin_shuffle(ac_high, bd_high, Four{0, 4, 1, 5}),
                             __builtin_shuffle(ac_high, bd_high, Four{2, 6, 3, 7})};
      for (int64_t k = 0; k < 4; ++k) {
        std::memcpy(result + (j + k) * kTileEdge + i, &turned[k], sizeof(Four));
      }
    }
    for (; j < size.height; ++j) {
      for (int64_t k = 0; k < 4; ++k) {
        result[j * kTileEdge + i + k] = load<uint32_t>(row + k * stride + j * 4);
      }
    }
  }
  turn_rows(result, source, stride, i, size.width, size.height);
}

}  // namespace

void transpose_tile(void* result, const void* source, int64_t source_stride, TileSize size,
                    int64_t item) {
  const auto* from = static_cast<const char*>(source);
  switch (item) {
    case 1: return turn(static_cast<uint8_t*>(result), from, source_stride, size);
    case 2: return turn(static_cast<uint16_t*>(result), from, source_stride, size);
    case 4: return turn(static_cast<uint32_t*>(result), from, source_stride, size);
    case 8: return turn(static_cast<uint64_t*>(result), from, source_stride, size);
    default: return turn(static_cast<Wide*>(result), from, source_stride, size);
  }
}

}  // namespace eagre::kernels::cpu
