// The public C++ interface of Eagre.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "Eagre needs C++20: compile with -std=c++20"
#elif !__has_include(<source_location>)
#error "Eagre needs <source_location>: g++ 11, clang 16 with its library, or newer"
#else

// IWYU pragma: begin_exports
#include <eagre/api/accessor.h>
#include <eagre/api/autograd.h>
#include <eagre/api/checkpoint.h>
#include <eagre/api/custom_op.h>
#include <eagre/api/default_engine.h>
#include <eagre/api/dtype_names.h>
#include <eagre/api/factory.h>
#include <eagre/api/forward_ad.h>
#include <eagre/api/func.h>
#include <eagre/api/function.h>
#include <eagre/api/function_context.h>
#include <eagre/api/function_hooks.h>
#include <eagre/api/functional.h>
#include <eagre/api/functions.h>
#include <eagre/api/generator_ref.h>
#include <eagre/api/gradcheck.h>
#include <eagre/api/gradcheck_options.h>
#include <eagre/api/indexing.h>
#include <eagre/api/located_index.h>
#include <eagre/api/located_operand.h>
#include <eagre/api/nested_numbers.h>
#include <eagre/api/op_record.h>
#include <eagre/api/op_signature.h>
#include <eagre/api/op_value.h>
#include <eagre/api/print.h>
#include <eagre/api/random.h>
#include <eagre/api/register_op.h>
#include <eagre/api/saved_variable.h>
#include <eagre/api/tensor.h>
#include <eagre/api/tensor_facts.h>
#include <eagre/api/tensor_handle.h>
#include <eagre/api/vmap.h>
#include <eagre/autograd/engine/anomaly.h>
#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/log.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_pool.h>
#include <eagre/base/version.h>
#include <eagre/base/warn.h>
#include <eagre/core/complex.h>
#include <eagre/core/current_device.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/half.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/memory_stats.h>
#include <eagre/core/operand.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/stream.h>
// IWYU pragma: end_exports

#endif
