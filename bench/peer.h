// The library under test: one benchmark source compiles against Eagre and against libtorch.
#pragma once

#ifdef BENCH_LIBTORCH
#include <torch/torch.h>  // IWYU pragma: export
namespace lib = torch;
inline torch::Tensor classification_loss(const torch::Tensor& input, const torch::Tensor& target) {
  return torch::cross_entropy_loss(input, target);
}
inline void set_one_thread() { torch::set_num_threads(1); }
#else
#include <eagre/eagre.h>  // IWYU pragma: export
namespace lib = eagre;
inline eagre::Tensor classification_loss(const eagre::Tensor& input, const eagre::Tensor& target) {
  return eagre::cross_entropy(input, target);
}
inline void set_one_thread() { eagre::set_num_threads(1); }
#endif
