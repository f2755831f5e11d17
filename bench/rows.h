// The command line that benchmark programs share: `<program> <row> <iterations>` runs one row.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ratio>

#include "peer.h"  // IWYU pragma: export

using Clock = std::chrono::steady_clock;

inline double nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

template <class Body>
double time_each(long iterations, Body body) {
  const auto start = Clock::now();
  for (long i = 0; i < iterations; ++i) body();
  return nanoseconds(Clock::now() - start) / static_cast<double>(iterations);
}

struct Row {
  const char* name;
  double (*run)(long iterations);
};

template <size_t kCount>
int run_row(const Row (&rows)[kCount], const char* program, int argc, char** argv) {
  const long iterations = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (iterations > 0) {
    for (const Row& row : rows) {
      if (std::strcmp(row.name, argv[1]) != 0) continue;
      lib::manual_seed(0);
      set_one_thread();
      std::printf("%.3f\n", row.run(iterations));
      return 0;
    }
  }
  std::fprintf(stderr, "usage: %s <row> <iterations>, where <row> is one of\n", program);
  for (const Row& row : rows) std::fprintf(stderr, "  %s\n", row.name);
  return 2;
}
