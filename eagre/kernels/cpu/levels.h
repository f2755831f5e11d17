// Instruction-set levels of CPU kernels: which exist, and which one this process uses.
#pragma once

#include <cstddef>
#include <string_view>

#include <eagre/base/export.h>

namespace eagre::kernels::cpu {

enum class Level : unsigned char { kBaseline, kAvx2, kAvx512 };
constexpr size_t kLevelCount = 3;

EAGRE_API Level best_level();  // of this machine

// The best level of this machine, or the one EAGRE_CPU_LEVEL names (baseline, avx2, avx512) if the
// machine has it. Found once.
EAGRE_API Level current_level();
EAGRE_API std::string_view to_string(Level level);

}  // namespace eagre::kernels::cpu
