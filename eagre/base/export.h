// Visibility and compiler hints: the only macros besides the checks in error.h.
#pragma once

#define EAGRE_API __attribute__((visibility("default")))
#define EAGRE_COLD __attribute__((cold, noinline))
#define EAGRE_INLINE inline __attribute__((always_inline))
#define EAGRE_NOINLINE __attribute__((noinline))

// What devices call too, in headers that their compilers read.
#ifdef __CUDACC__
#define EAGRE_HOST_DEVICE __host__ __device__
#else
#define EAGRE_HOST_DEVICE
#endif
