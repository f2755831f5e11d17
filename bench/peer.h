// The library under test: one benchmark source compiles against Eagre and against libtorch.
#pragma once

#ifdef BENCH_LIBTORCH
#include <torch/torch.h>
namespace lib = torch;
#else
#include <eagre/eagre.h>
namespace lib = eagre;
#endif
