// Transposing a small square of memory, so that what lay in columns lies in rows.
#pragma once

#include <cstdint>

#include <eagre/base/export.h>

namespace eagre::kernels::cpu {

constexpr int64_t kTileEdge = 64;  // elements

struct TileSize {
  int64_t width, height;  // of the result; at most kTileEdge each
};

// result[j][i] = source[i][j]: rows of the result are kTileEdge elements apart, those of the source
// `source_stride` bytes; `item` is the size of an element: 1, 2, 4, 8 or 16.
void transpose_tile(void* result, const void* source, int64_t source_stride, TileSize size,
                    int64_t item);

}  // namespace eagre::kernels::cpu
