// Instruction sets of CPU kernels: which exist, and which one this process uses.
#pragma once

#include <cstddef>
#include <string_view>

#include <eagre/base/export.h>

namespace eagre::kernels::cpu {

// Kernels are compiled for the first three. The last adds products of bfloat16 to the third; with
// it, files that end in _bf16 are compiled once more.
enum class Isa : unsigned char { kBaseline, kAvx2, kAvx512, kAvx512Bf16 };
constexpr size_t kIsaCount = 4;

EAGRE_API Isa best_isa();  // of this machine

// The best of this machine, or the one EAGRE_CPU_ISA names (baseline, avx2, avx512, avx512_bf16) if
// the machine has it. Found once.
EAGRE_API Isa current_isa();
EAGRE_API std::string_view to_string(Isa isa);

}  // namespace eagre::kernels::cpu
