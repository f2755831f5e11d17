// The flag check_nan_inf: results of kernels are searched for NaN and infinities.
#pragma once

#include <atomic>

#include <eagre/core/tensor_base.h>
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {

// Waits for the device. False for dtypes that have no NaN, and on `meta`, where nothing is.
EAGRE_API bool has_nan(const TensorBase& tensor);
EAGRE_API bool has_nan_or_inf(const TensorBase& tensor);

EAGRE_API extern std::atomic<bool> checking_values;
EAGRE_COLD void look_at_values(const OpEntry& op, TensorImpl& result);

// After a kernel. Fast paths do not come here: while the flag is on there are none.
inline void check_values(const OpEntry& op, TensorImpl& result) {
  if (checking_values.load(std::memory_order_relaxed)) [[unlikely]]
    look_at_values(op, result);
}

}  // namespace eagre::dispatch
