// log_determinant: see determinant.h.
#pragma once

#include <eagre/kernels/cpu/typed/determinant.h>
