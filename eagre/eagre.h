// The public C++ interface of Eagre.
#pragma once

#include <eagre/api/autograd.h>
#include <eagre/api/checkpoint.h>
#include <eagre/api/dtype_names.h>
#include <eagre/api/factory.h>
#include <eagre/api/func.h>
#include <eagre/api/function.h>
#include <eagre/api/functional.h>
#include <eagre/api/functions.h>
#include <eagre/api/gradcheck.h>
#include <eagre/api/indexing.h>
#include <eagre/api/print.h>
#include <eagre/api/random.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/base/flags.h>
#include <eagre/base/log.h>
#include <eagre/base/thread_pool.h>
#include <eagre/base/warn.h>
#include <eagre/core/current_device.h>
#include <eagre/core/generator.h>
#include <eagre/core/memory_stats.h>
#include <eagre/core/options.h>
#include <eagre/core/promotion.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/stream.h>
