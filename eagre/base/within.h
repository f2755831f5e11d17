// Errors of operators that a user did not call: they name the one that was called as well.
#pragma once

#include <eagre/base/error.h>

namespace eagre {

// Throws an error of an operator that `op` called, "matmul(): …", as "addmm(): in matmul(): …";
// any other one as it is.
[[noreturn]] EAGRE_API EAGRE_COLD void raise_within(const char* op, const Error& error);

// f() in the name of `op`. Costs nothing until there is an error.
template <class F>
EAGRE_INLINE decltype(auto) within(const char* op, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    raise_within(op, error);
  }
}

}  // namespace eagre
