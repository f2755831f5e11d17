// Registering operators: by a program for itself, or by a shared library that a program loads.
#pragma once

#include <initializer_list>
#include <memory>

#include <eagre/api/custom_op.h>
#include <eagre/base/error.h>

namespace eagre {

struct PendingOps;

// Collects what is known about an operator; add() registers it. Mistakes are errors of add(), so
// that there is one place to catch them.
class OpBuilder {
 public:
  [[nodiscard]] EAGRE_API OpBuilder& signature(std::string_view text);
  [[nodiscard]] EAGRE_API OpBuilder& doc(std::string text);
  // Looks at the arguments before anything else, and throws; call.fail() words it.
  [[nodiscard]] EAGRE_API OpBuilder& check(OpRecord::Check function);
  // Shape and dtype of the result, or of each: a TensorMetadata or a list of them. Serves the
  // device `meta`, and is compared with what kernels return.
  template <class F>
  [[nodiscard]] OpBuilder& meta(F function) {
    if constexpr (std::is_convertible_v<std::invoke_result_t<F, const OpCall&>, TensorMetadata>) {
      return set_meta([function = std::move(function)](const OpCall& call) {
        return std::vector<TensorMetadata>{function(call)};
      });
    } else {
      return set_meta(std::move(function));
    }
  }
  // Computes the results on a device, whose name is without index. Other devices use the CPU's.
  [[nodiscard]] EAGRE_API OpBuilder& kernel(std::string_view device, OpRecord::Kernel function);
  // One gradient for each tensor among the arguments, undefined where there is none. Written with
  // operators, it can be differentiated again.
  [[nodiscard]] EAGRE_API OpBuilder& grad(OpRecord::Grad function);
  // The tensors that grad() needs: names of arguments and results. Numbers are there anyway.
  [[nodiscard]] EAGRE_API OpBuilder& saves(std::initializer_list<std::string_view> names);
  // The results are constants. (Without this and without grad(), backward is an error.)
  [[nodiscard]] EAGRE_API OpBuilder& no_grad();
  // The tangents of the results.
  [[nodiscard]] EAGRE_API OpBuilder& jvp(OpRecord::Jvp function);
  // The results of a call whose tensors have a batch dimension.
  [[nodiscard]] EAGRE_API OpBuilder& batch(OpRecord::Batch function);

  EAGRE_API Op add();

  EAGRE_API ~OpBuilder();
  OpBuilder(const OpBuilder&) = delete;
  OpBuilder& operator=(const OpBuilder&) = delete;

 private:
  friend EAGRE_API OpBuilder register_op(std::string, CallSite);
  friend class OpLibrary;
  OpBuilder(std::string name, PendingOps* target, CallSite at);
  EAGRE_API OpBuilder& set_meta(OpRecord::Meta function);
  void note(std::string problem);
  void check_whole();
  template <class Function>
  OpBuilder& set(Function& place, Function function, const char* what);

  std::unique_ptr<OpRecord> record_;
  std::vector<std::string> saved_names_;
  PendingOps* target_;  // of the library that is being loaded, or null
  CallSite at_;
  bool has_signature_ = false;
  std::string problem_;
};

// `name` is "namespace::operator".
[[nodiscard]] EAGRE_API OpBuilder register_op(std::string name,
                                              CallSite at = std::source_location::current());

// What a library that is being loaded registers its operators with. All of them are there when
// the library is loaded; after an error none.
class OpLibrary {
 public:
  [[nodiscard]] EAGRE_API OpBuilder register_op(std::string name,
                                                CallSite at = std::source_location::current());
  const std::string& path() const { return path_; }

 private:
  friend EAGRE_API void load_library(const std::string&, CallSite);
  OpLibrary(std::string path, PendingOps& ops) : path_(std::move(path)), ops_(ops) {}

  std::string path_;
  PendingOps& ops_;
};

// Loads operators from a shared library, which is never unloaded. Loading it again does nothing.
EAGRE_API void load_library(const std::string& path, CallSite at = std::source_location::current());

}  // namespace eagre

// The function that such a library defines. What it throws is thrown by load_library().
extern "C" EAGRE_API void eagre_register_ops(eagre::OpLibrary& library);
