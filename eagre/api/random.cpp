// Generator states in and out of tensors.
#include <eagre/api/random.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/api/factory.h>
#include <eagre/api/functions.h>  // IWYU pragma: keep: defines Tensor::contiguous()
#include <eagre/api/tensor.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>

namespace eagre {

Tensor get_rng_state(const Generator& generator) {
  const Generator::State bytes = generator.get_state();
  return tensor_from(bytes.data(), kUInt8, {static_cast<int64_t>(bytes.size())}, kUInt8);
}

void set_rng_state(const Tensor& state, Generator& generator) {
  if (!state.defined() || state.dtype() != kUInt8 || !state.device().is_cpu()) {
    raise(ErrorKind::kType, ArgumentProblem{"set_state", "new_state", "a uint8 tensor on the CPU",
                                            state.defined() ? concat("a ", state.dtype(),
                                                                     " tensor on ", state.device())
                                                            : std::string("an undefined tensor"),
                                            "use what get_state() returned"});
  }
  const Tensor bytes = state.contiguous();
  generator.set_state({bytes.data_ptr<uint8_t>(), static_cast<size_t>(bytes.numel())});
}

}  // namespace eagre
