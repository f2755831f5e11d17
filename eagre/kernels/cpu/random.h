// Random fills: the loops of `kernel: {random: …}`.
//
// Contract: `out` and the inputs are contiguous; element i is a function of (seed, start + i / N)
// and i % N alone, where N numbers come from one Philox block. So results are the same for any
// number of threads and with every isa, and a stretch of `numel` numbers is enough, also for
// complex ones: a block has two of them, or one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <eagre/base/thread_pool.h>
#include <eagre/core/generator.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/random_inputs.h>
#include <eagre/kernels/cpu/random_words.h>
#include <eagre/kernels/scalar/random_ops.h>

namespace eagre::kernels::cpu {
namespace {

// Elements [begin, end) of the whole, of which `begin` is the first of a block. (By value: nothing
// that is written can then be a number of `op`.)
template <class Op, class Number, class... Inputs>
void fill_stretch(Op op, Number* here, RandomStretch random, int64_t begin, int64_t end,
                  const Inputs*... inputs) {
  using Draw = typename Op::Draw;
  constexpr int64_t kPerBlock = Draw::kPerBlock;
  const uint64_t first = random.start + static_cast<uint64_t>(begin / kPerBlock);
  const int64_t blocks = (end - begin) / kPerBlock;
#pragma GCC ivdep
  for (int64_t i = 0; i < blocks; ++i) {
    typename Draw::Number drawn[kPerBlock];
    Draw::draw(scalar::philox(random.seed, first + static_cast<uint64_t>(i)), drawn);
    for (int64_t k = 0; k < kPerBlock; ++k) {
      here[i * kPerBlock + k] = op.finish(drawn[k], inputs[begin + i * kPerBlock + k]...);
    }
  }
  const int64_t done = blocks * kPerBlock;
  if (done == end - begin) return;
  typename Draw::Number last[kPerBlock];
  Draw::draw(scalar::philox(random.seed, first + static_cast<uint64_t>(blocks)), last);
  for (int64_t i = done; i < end - begin; ++i) {
    here[i] = op.finish(last[i - done], inputs[begin + i]...);
  }
}

// Halves are made of floats, a piece at a time.
template <class Op, class T>
void fill_halves(const Op& op, T* data, RandomStretch random, int64_t begin, int64_t end) {
  constexpr int64_t kPiece = 512;
  float piece[kPiece];
  for (int64_t i = begin; i < end; i += kPiece) {
    const int64_t count = std::min(kPiece, end - i);
    fill_stretch(op, piece, random, i, i + count);
    for (int64_t j = 0; j < count; ++j) data[i + j] = T(piece[j]);
  }
}

// Raises for the first element that the operation cannot use.
template <class Op, class T, class... More>
void check_inputs(int64_t count, const T* first, const More*... more) {
  for (int64_t i = 0; i < count; ++i) {
    const int refused = Op::refused(first[i], more[i]...);
    if (refused < 0) [[likely]]
      continue;
    const T values[] = {first[i], more[i]...};
    refuse_random_input(Op::kOperator, Op::input(refused), values[refused]);
  }
}

template <class T, class Op, class... Inputs>
void fill(const Op& op, const TensorView& out, RandomStretch random, const Inputs&... inputs) {
  using Number = Real<T>;
  constexpr bool kIsHalf = !std::is_same_v<scalar::RandomNumber<T>, Number>;  // computed wider
  if constexpr (sizeof...(inputs) != 0) {
    check_inputs<Op>(out.numel, inputs.template as<const T>()...);
  }
  auto* data = reinterpret_cast<Number*>(out.as<T>());
  const int64_t numel = out.numel * static_cast<int64_t>(sizeof(T) / sizeof(Number));
  parallel_for(0, numel, kRandomGrain / Op::kCost, [&](int64_t begin, int64_t end) {
    if constexpr (kIsHalf) {
      fill_halves(op, data, random, begin, end);
    } else {
      fill_stretch(op, data + begin, random, begin, end, inputs.template as<const T>()...);
    }
  });
}

// What a record gives to a kernel is, in this order, the inputs, the numbers that the operation
// begins with, and the generator.
template <template <class> class Op, class T, class... Given>
void random(const TensorView& out, Given... given) {
  constexpr size_t kInputs = (std::is_same_v<Given, const TensorView&> + ... + 0);
  const std::tuple<Given...> all(given...);
  const Op<T> op = [&]<size_t... i>(std::index_sequence<i...>) {
    return Op<T>(std::get<kInputs + i>(all)...);
  }
  (std::make_index_sequence<sizeof...(Given) - kInputs - 1>());
  [&]<size_t... i>(std::index_sequence<i...>) {
    fill<T>(op, out, std::get<sizeof...(Given) - 1>(all), std::get<i>(all)...);
  }
  (std::make_index_sequence<kInputs>());
}

}  // namespace
}  // namespace eagre::kernels::cpu
