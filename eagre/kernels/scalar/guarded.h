// Results of functions that need another method for few inputs. A branch per element would keep
// compilers from vectorising a loop, so the loop is told which elements to compute again.
#pragma once

#include <eagre/kernels/scalar/host_device.h>

namespace eagre::scalar {

// `value` holds unless `rare`, in which case Slow gives the result from the same input.
template <class T, auto Slow>
struct Guarded {
  T value;
  bool rare;

  static T slow(T input) { return Slow(input); }
};

#ifdef __CUDACC__
#define EAGRE_GUARDED(T, slow, value, rare, input) ((rare) ? slow(input) : (value))
#else
#define EAGRE_GUARDED(T, slow, value, rare, input) (Guarded<T, slow>{value, rare})
#endif

}  // namespace eagre::scalar
