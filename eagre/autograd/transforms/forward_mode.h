// Forward mode: tangents of results from tangents of arguments. The rule of every operator is
// generated from its record (gen/ops in the build tree) of these pieces.
#pragma once

#include <functional>

#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>

namespace eagre::autograd {

// The tangent of a tensor at a level, undefined if it has none. A view has that of its base, seen
// the same way.
EAGRE_API TensorBase tangent_of(const TensorBase& tensor, Level& level);
inline TensorBase tangent_of(const Operand& operand, Level& level) {
  return operand.is_tensor() ? tangent_of(operand.tensor(), level) : TensorBase();
}
EAGRE_API TensorBase tangent_or_zeros(const TensorBase& tensor, Level& level, CallSite at);
EAGRE_API TensorVector tangents_or_zeros(eagre::TensorList tensors, Level& level, CallSite at);
// One that may be looked at through views: nobody else has it.
EAGRE_API TensorBase own_tangent(const TensorBase& tensor, Level& level, CallSite at);
// One that may be written: zeros, if there is none yet, for the base of a view as well. `values`,
// if there are some to be written, may differ from sample to sample though the tangent does not
// yet.
EAGRE_API TensorBase written_tangent(const TensorBase& tensor, Level& level, CallSite at,
                                     const TensorBase& values = {});

EAGRE_API void set_tangent(const TensorBase& tensor, Level& level, TensorBase tangent);

// For operators that convert their argument.
EAGRE_API TensorBase in_dtype_of(const TensorBase& result, TensorBase tangent, CallSite at);
// One term of a sum.
EAGRE_API void add_tangent(TensorBase& sum, TensorBase term, CallSite at);
// The tangent of a new result: of its shape and dtype, and in memory that is no argument's.
EAGRE_API void give_tangent(const TensorBase& result, const TransformedInputs& arguments,
                            Level& level, TensorBase tangent, CallSite at);
EAGRE_API void give_tangents(eagre::TensorList results, Level& level, const TensorVector& tangents);

// Runs `rule(level)` for every dual level that the arguments have tangents of, inside of their
// batch, with what lies outside of the level in sight. The outermost is first.
template <class Rule>
void for_dual_levels(const TransformedInputs& arguments, Level* level, Level* end,
                     const Rule& rule) {
  if (level == end) return;
  for_dual_levels(arguments, level->outer(), end, rule);
  if (!level->is_dual() || !arguments.have_tangents(*level)) return;
  const SeenLevels below(level->outer());
  rule(*level);
}
template <class Rule>
void for_dual_levels(const TransformedInputs& arguments, const Rule& rule) {
  if (arguments.empty() || thread_state.modes.tangents_off) return;
  for_dual_levels(arguments, innermost_level(), arguments.batch_level(), rule);
}

// Is the tensor, or what it carries, a part of a graph?
EAGRE_API bool is_recorded(const TensorBase& tensor);

// For operators without a rule: J t by two backward calls, since what backward computes is linear
// in the gradients it is given. `inputs` are those that have tangents.
EAGRE_API TensorVector
by_transposition(const TensorVector& inputs, const TensorVector& tangents,
                 const std::function<TensorVector(eagre::TensorList)>& function, CallSite at);

}  // namespace eagre::autograd
