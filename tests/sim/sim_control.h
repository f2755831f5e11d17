/* What tests can ask of the pretend device, and which faults they can order. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum SimKernelFault {
  SIM_KERNEL_WORKS = 0,
  SIM_KERNEL_REFUSES = 1,       /* returns a code and a reason at once */
  SIM_KERNEL_FAILS_LATER = 2,   /* is accepted and fails on the stream */
  SIM_KERNEL_FAILS_SILENTLY = 3 /* returns a code and no reason */
};

typedef struct SimControl {
  /* --- counts --- */
  int64_t (*live_allocations)(void);
  int64_t (*kernel_calls)(void);
  int64_t (*copies)(void);
  /* Accesses outside live memory of the right device: always a bug in the library. */
  int64_t (*bad_accesses)(void);
  /* --- faults; 0 switches them off --- */
  void (*fail_allocation)(int64_t nth);    /* the nth from now, once */
  void (*fail_copy)(int64_t nth);          /* the nth from now, once */
  void (*fail_kernel)(int32_t fault);      /* SimKernelFault */
  void (*slow_down)(int64_t microseconds); /* every piece of work waits this long first */
  void (*forgive)(void);                   /* streams forget their errors */
} SimControl;

const SimControl* sim_control(void);

#ifdef __cplusplus
}
#endif
