// Several results of an operator, from the inner handles to the user's.
#pragma once

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include <eagre/api/tensor.h>

namespace eagre::detail {

template <size_t N>
auto to_tuple(std::array<TensorBase, N> results) {
  return [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::make_tuple(Tensor(std::move(results[kIndex]))...);
  }
  (std::make_index_sequence<N>());
}

inline std::vector<Tensor> to_tensors(TensorVector results) {
  return {std::make_move_iterator(results.begin()), std::make_move_iterator(results.end())};
}

}  // namespace eagre::detail
