// Libraries of operators, good and bad ones: CASE_<what> says which.
#include <stdexcept>  // IWYU pragma: keep: some cases throw

#include <eagre/eagre.h>

namespace {

using eagre::OpBuilder;
using eagre::OpCall;

constexpr const char* kUnary = "(Tensor input) -> Tensor";

[[maybe_unused]] eagre::OpResults twice(const OpCall& call) { return call.tensor("input") * 2; }

#if defined(CASE_good_static) || defined(CASE_bad_static)
// Registered while the library is being loaded.
const bool kTwice = [] {
  const eagre::Op op =
      eagre::register_op("from_static::twice").signature(kUnary).kernel("cpu", twice).add();
  return static_cast<bool>(op);
}();
#endif
#ifdef CASE_bad_static
const bool kBad = [] {
  const eagre::Op op =
      eagre::register_op("from_static::bad").signature(kUnary).kernel("sim:1", twice).add();
  return static_cast<bool>(op);
}();
#endif

#ifdef CASE_nested_static
const bool kLoaded = [] {
  eagre::load_library("another.so");
  return true;
}();
#endif

[[maybe_unused]] void add(OpBuilder&& builder) {
  builder.signature(kUnary).kernel("cpu", twice).no_grad().add();
}

}  // namespace

#if !defined(CASE_no_function) && !defined(CASE_good_static)
void eagre_register_ops(eagre::OpLibrary& library) {
#ifdef CASE_none
  add(library.register_op("from_library::twice"));
  add(library.register_op("from_library::again"));
#elif defined(CASE_bad_signature)
  add(library.register_op("from_bad::good"));
  library.register_op("from_bad::bad").signature("(Tenser x) -> Tensor").kernel("cpu", twice).add();
#elif defined(CASE_taken)
  add(library.register_op("from_taken::one"));
  add(library.register_op("from_taken::one"));
#elif defined(CASE_throws)
  throw std::runtime_error("no licence for " + library.path());
#elif defined(CASE_nested)
  eagre::load_library(library.path());
#else
  add(library.register_op("from_static::other"));
#endif
}
#endif
