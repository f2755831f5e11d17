// Asking the processor which instruction sets it has.
#include <eagre/kernels/cpu/levels.h>

#include <cstdlib>

namespace eagre::kernels::cpu {

Level best_level() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return Level::kAvx512;
  }
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Level::kAvx2
                                                                         : Level::kBaseline;
}

std::string_view to_string(Level level) {
  constexpr std::string_view kNames[kLevelCount] = {"baseline", "avx2", "avx512"};
  return kNames[static_cast<size_t>(level)];
}

Level current_level() {
  static const Level level = [] {
    const Level best = best_level();
    const char* wanted = std::getenv("EAGRE_CPU_LEVEL");
    if (wanted == nullptr) return best;
    for (Level candidate : {Level::kBaseline, Level::kAvx2, Level::kAvx512}) {
      if (candidate <= best && to_string(candidate) == wanted) return candidate;
    }
    return best;
  }();
  return level;
}

}  // namespace eagre::kernels::cpu
