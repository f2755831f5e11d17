// One spatial axis of a convolution: which elements of its input each result adds up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

EAGRE_INLINE int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Result j adds up the input at j * step + shift(i), times element tap(i) of the kernel, for all
// taps i, where there is such an input. It stands at place out_first + j * out_step.
//
// Taps whose shifts differ by whole steps read neighbours in one *plane*: the input with every
// step-th element alone. With a step of 1 there is one plane, the input itself.
struct ConvAxis {
  int64_t results = 1, step = 1;
  int64_t taps = 1, first_tap = 0, tap_step = 1;
  int64_t first_shift = 0, shift_step = 0;
  int64_t out_first = 0, out_step = 1;

  int64_t planes = 1;
  int64_t reach = 0;  // how many elements of a plane, beyond its first, one result reads

  // To be called when the above is set.
  void find_planes() {
    planes = std::min(taps, step / std::gcd(shift_step, step));
    reach = highest() - lowest();
    // Taps that lie far apart get a plane each, else their planes would hold what nobody reads.
    constexpr int64_t kFar = 4096;
    is_sparse_ = reach > kFar + 4 * taps;
    if (is_sparse_) {
      planes = taps;
      reach = 0;
    }
  }

  int64_t tap(int64_t i) const { return first_tap + i * tap_step; }
  int64_t shift(int64_t i) const { return first_shift + i * shift_step; }
  int64_t whole_steps(int64_t i) const { return floor_divide(shift(i), step); }
  int64_t plane(int64_t i) const { return i % planes; }
  // Where in its plane a tap finds what the first result needs.
  int64_t offset(int64_t i) const { return is_sparse_ ? 0 : whole_steps(i) - lowest(); }
  // The place of the input that a plane begins with.
  int64_t plane_start(int64_t plane) const {
    const int64_t steps = whole_steps(plane);
    return shift(plane) - (is_sparse_ ? 0 : steps - lowest()) * step;
  }

  // What a convolution adds up.
  static ConvAxis forward(int64_t results, int64_t kernel, int64_t stride, int64_t padding,
                          int64_t dilation) {
    ConvAxis axis;
    axis.results = results;
    axis.step = stride;
    axis.taps = kernel;
    axis.first_shift = -padding;
    axis.shift_step = dilation;
    axis.find_planes();
    return axis;
  }

  // What goes back to every stride-th of `inputs` places, beginning with number `start`: the taps
  // that connect these with results.
  static ConvAxis backward(int64_t inputs, int64_t start, int64_t kernel, int64_t stride,
                           int64_t padding, int64_t dilation) {
    ConvAxis axis;
    axis.results = (inputs - start + stride - 1) / stride;
    axis.out_first = start;
    axis.out_step = stride;
    const int64_t cycle = stride / std::gcd(dilation, stride);
    int64_t first = 0;
    while (first < std::min(cycle, kernel) && (start + padding - first * dilation) % stride != 0) {
      ++first;
    }
    const bool any = first < std::min(cycle, kernel);
    axis.taps = any ? (kernel - first + cycle - 1) / cycle : 0;
    axis.first_tap = first;
    axis.tap_step = cycle;
    axis.first_shift = any ? (start + padding - first * dilation) / stride : 0;
    axis.shift_step = -(cycle * dilation / stride);
    if (any) axis.find_planes();
    return axis;
  }

 private:
  bool is_sparse_ = false;

  int64_t lowest() const { return std::min(whole_steps(0), whole_steps(taps - 1)); }
  int64_t highest() const { return std::max(whole_steps(0), whole_steps(taps - 1)); }
};

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
