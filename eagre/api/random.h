// The state of random number generators as tensors, to be saved and loaded like others.
#pragma once

#include <eagre/api/tensor.h>
#include <eagre/core/generator.h>

namespace eagre {

// A uint8 tensor from which set_rng_state() goes on at the same place.
EAGRE_API Tensor get_rng_state(const Generator& generator = default_generator());
EAGRE_API void set_rng_state(const Tensor& state, Generator& generator = default_generator());

}  // namespace eagre
