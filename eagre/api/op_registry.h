// The registry of custom operators, and what a library registers while it is being loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <eagre/api/custom_op.h>
#include <eagre/base/error.h>

namespace eagre {

using OwnedOp = std::unique_ptr<const OpRecord>;

// Operators that wait until their library is loaded.
struct PendingOps {
  std::vector<OwnedOp> ops;
  std::optional<Error> problem;  // the first one of a static initialiser
};

// Adds them all, or raises and adds none.
void add_ops(std::vector<OwnedOp> ops);
const OpRecord* look_up_op(std::string_view name);

// While this thread is inside of dlopen(): where static initialisers of the library register. They
// must not throw, as nothing could catch it.
PendingOps*& ops_of_loading_library();

}  // namespace eagre
