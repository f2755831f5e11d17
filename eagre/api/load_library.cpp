// Operators from shared libraries.
#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/op_registry.h>
#include <eagre/api/register_op.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/base/thread_state.h>

namespace eagre {
namespace {

using RegisterOps = void (*)(OpLibrary&);

struct Libraries {
  ForkMutex mutex{ForkMutex::Order::kOuter};
  std::vector<void*> loaded;
};
Libraries& libraries() {
  static Libraries& instance = *new Libraries;
  return instance;
}
const MadeAtLoad kLibrariesAtLoad(libraries);

// While in scope, what static initialisers register waits in `ops`.
class Loading {
 public:
  explicit Loading(PendingOps& ops) { ops_of_loading_library() = &ops; }
  ~Loading() { ops_of_loading_library() = nullptr; }
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
};

void* open_library(const std::string& path, PendingOps& ops) {
  const Loading loading(ops);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    raise(ErrorKind::kNotFound, concat("load_library(): cannot load '", path, "': ", dlerror()));
  }
  return library;
}

constinit thread_local bool is_registering = false;

// Its end, however it comes, is the end of the registration.
class Registering {
 public:
  Registering() { is_registering = true; }
  ~Registering() { is_registering = false; }
  Registering(const Registering&) = delete;
  Registering& operator=(const Registering&) = delete;
};

}  // namespace

void load_library(const std::string& path, CallSite at) {
  const SiteScope here(at);
  const std::string nested = concat("load_library(): '", path,
                                    "' cannot be loaded while another library registers its "
                                    "operators");
  EAGRE_CHECK(!is_registering, kInvalidArgument, nested);
  if (PendingOps* outer = ops_of_loading_library()) {  // a static initialiser must not throw
    if (!outer->problem) outer->problem = Error(ErrorKind::kInvalidArgument, nested);
    return;
  }
  Libraries& all = libraries();
  const std::lock_guard lock(all.mutex);
  PendingOps ops;
  void* library = open_library(path, ops);
  if (std::find(all.loaded.begin(), all.loaded.end(), library) != all.loaded.end()) return;

  const auto fail = [&](ErrorKind kind, const std::string& why) {
    thread_state.site = at;
    raise(kind, concat("load_library(): '", path, "': ", why));
  };
  if (ops.problem) fail(ops.problem->kind(), ops.problem->message());
  const auto function = reinterpret_cast<RegisterOps>(dlsym(library, "eagre_register_ops"));
  if (function == nullptr && ops.ops.empty()) {
    fail(ErrorKind::kInvalidArgument,
         "it registers no operators: it has no function eagre_register_ops");
  }
  try {
    const Registering scope;
    OpLibrary offered(path, ops);
    if (function != nullptr) function(offered);
    add_ops(std::move(ops.ops));
  } catch (const Error& error) {
    fail(error.kind(), error.message());
  } catch (const std::runtime_error& error) {
    fail(ErrorKind::kInvalidArgument, error.what());
  }
  all.loaded.push_back(library);
}

}  // namespace eagre
