// Asking the processor which instruction sets it has.
#include <eagre/kernels/cpu/isa.h>

#include <cstdlib>
#include <string_view>

namespace eagre::kernels::cpu {

Isa best_isa() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return __builtin_cpu_supports("avx512bf16") ? Isa::kAvx512Bf16 : Isa::kAvx512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Isa::kAvx2
                                                                         : Isa::kBaseline;
}

std::string_view to_string(Isa isa) {
  constexpr std::string_view kNames[kIsaCount] = {"baseline", "avx2", "avx512", "avx512_bf16"};
  return kNames[static_cast<size_t>(isa)];
}

Isa current_isa() {
  static const Isa isa = [] {
    const Isa best = best_isa();
    const char* wanted = std::getenv("EAGRE_CPU_ISA");
    if (wanted == nullptr) return best;
    for (Isa candidate : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16}) {
      if (candidate <= best && to_string(candidate) == wanted) return candidate;
    }
    return best;
  }();
  return isa;
}

}  // namespace eagre::kernels::cpu
