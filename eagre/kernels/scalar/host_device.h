// How scalar maths is declared: once for host and device, inlined into every loop, with internal
// linkage so that code compiled for one instruction set cannot stand in for another. Members of
// operations (`kernel: {random: …}`) are inlined too, but cannot be static.
#pragma once

#ifdef __CUDACC__
#define EAGRE_SCALAR static __host__ __device__ __forceinline__
#define EAGRE_SCALAR_MEMBER __host__ __device__ __forceinline__
#else
#define EAGRE_SCALAR static inline __attribute__((always_inline))
#define EAGRE_SCALAR_MEMBER inline __attribute__((always_inline))
#endif
