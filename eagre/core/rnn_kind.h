// The kinds of recurrent cells, as operators hand them to kernels.
#pragma once

#include <cstdint>

namespace eagre {

enum class RnnKind : int64_t { kTanh, kRelu, kLstm, kGru };

// How many vectors of the hidden size a step computes from its input.
constexpr int64_t gate_count(RnnKind kind) {
  return kind == RnnKind::kLstm ? 4 : kind == RnnKind::kGru ? 3 : 1;
}
// Is the result of a step all that its gradient needs?
constexpr bool is_plain(RnnKind kind) { return gate_count(kind) == 1; }

}  // namespace eagre
