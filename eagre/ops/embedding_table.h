// What the operators of embeddings ask of their table.
#pragma once

#include <cstdint>
#include <optional>

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// The row of the table that gets no gradient, from a number that may count from the end.
std::optional<int64_t> checked_padding(const char* op, std::optional<int64_t> padding,
                                       const TensorBase& weight);

// Rows that are named and whose norm is greater than `most` are scaled to it, in the table itself.
void limit_rows(const TensorBase& weight, const TensorBase& indices, double most, double order,
                const char* op, CallSite at);

}  // namespace eagre::ops
