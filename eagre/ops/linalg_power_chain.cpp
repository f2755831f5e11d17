// Products of many matrices, in the order that takes the fewest multiplications.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/chain_matmul.h>
#include <eagre/ops/linalg_multi_dot.h>
#include <eagre/ops/matmul.h>
#include <eagre/ops/squeeze.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

// For all stretches of matrices, where the last product cuts them (T. Cormen et al., "Introduction
// to Algorithms", "Matrix-chain multiplication").
class Order {
 public:
  explicit Order(const TensorVector& matrices) : count_(matrices.size()), cuts_(count_ * count_) {
    std::vector<double> sizes;
    for (const TensorBase& matrix : matrices) {
      sizes.push_back(static_cast<double>(matrix.sizes()[0]));
    }
    sizes.push_back(static_cast<double>(matrices.back().sizes()[1]));
    std::vector<double> costs(count_ * count_);
    for (size_t length = 2; length <= count_; ++length) {
      for (size_t first = 0; first + length <= count_; ++first) {
        const size_t last = first + length - 1;
        double least = std::numeric_limits<double>::infinity();
        for (size_t cut = first; cut < last; ++cut) {
          const double cost = costs[first * count_ + cut] + costs[(cut + 1) * count_ + last] +
                              sizes[first] * sizes[cut + 1] * sizes[last + 1];
          if (cost >= least) continue;
          least = cost;
          cuts_[first * count_ + last] = cut;
        }
        costs[first * count_ + last] = least;
      }
    }
  }

  // Without recursion: there may be many matrices.
  TensorBase multiply(TensorVector matrices, CallSite at) const {
    struct Stretch {
      size_t first, last;
      bool is_open;
    };
    std::vector<Stretch> todo = {{0, count_ - 1, true}};
    while (!todo.empty()) {
      const Stretch next = todo.back();
      todo.pop_back();
      if (next.first == next.last) continue;
      const size_t cut = cuts_[next.first * count_ + next.last];
      if (next.is_open) {
        todo.push_back({next.first, next.last, false});
        todo.push_back({next.first, cut, true});
        todo.push_back({cut + 1, next.last, true});
        continue;
      }
      // What a stretch came to is where it begins.
      matrices[next.first] = matmul(matrices[next.first], matrices[cut + 1], at);
    }
    return matrices[0];
  }

 private:
  size_t count_;
  std::vector<size_t> cuts_;
};

void check_inner(const char* op, const TensorVector& matrices) {
  for (size_t i = 0; i + 1 < matrices.size(); ++i) {
    EAGRE_CHECK(matrices[i].sizes()[1] == matrices[i + 1].sizes()[0], kInvalidArgument, op,
                "(): tensors ", i, " and ", i + 1, " with shapes ", matrices[i].sizes(), " and ",
                matrices[i + 1].sizes(), " cannot be multiplied");
  }
}

}  // namespace

TensorBase linalg_multi_dot(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_multi_dot";
  const size_t count = tensors.size();
  EAGRE_CHECK(count >= 2, kInvalidArgument, op,
              "(): expected at least 2 tensors but argument 'tensors' has ", count);
  TensorVector matrices(tensors.begin(), tensors.end());
  const auto rank = [&](size_t i) { return int64_t{matrices[i].get(op, "tensors").key.rank}; };
  for (size_t i = 0; i < count; ++i) {
    const bool may_be_vector = i == 0 || i == count - 1;
    EAGRE_CHECK(rank(i) == 2 || (may_be_vector && rank(i) == 1), kInvalidArgument, op,
                "(): tensor ", i, " must be ", may_be_vector ? "1D or 2D" : "2D", " but got ",
                rank(i), "D");
  }
  const bool is_row = rank(0) == 1, is_column = rank(count - 1) == 1;
  if (is_row) matrices[0] = unsqueeze(matrices[0], 0, at);
  if (is_column) matrices[count - 1] = unsqueeze(matrices[count - 1], -1, at);
  check_inner(op, matrices);
  const Order order(matrices);
  TensorBase result = order.multiply(std::move(matrices), at);
  if (is_column) result = squeeze(result, -1, at);
  return is_row ? squeeze(result, 0, at) : result;
}

TensorBase chain_matmul(TensorList given, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "chain_matmul";
  EAGRE_CHECK(!given.empty(), kInvalidArgument, op, "(): Expecting at least one matrix");
  TensorVector matrices(given.begin(), given.end());
  for (const TensorBase& matrix : matrices) {
    EAGRE_CHECK(matrix.get(op, "matrices").key.rank == 2, kInvalidArgument, op,
                "(): Tensor dimension is ", matrix.dim(), ", expected 2 instead, in 'matrices'");
  }
  if (matrices.size() == 1) return matrices[0];
  check_inner(op, matrices);
  const Order order(matrices);
  return order.multiply(std::move(matrices), at);
}

}  // namespace eagre::ops
