// Python functions as hooks on saved tensors. What `pack` returns may be any object: the library
// keeps it as the owner of an empty tensor's memory.
#include "autograd/saved_hooks.h"

#include <cstdint>
#include <memory>
#include <utility>

#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

#include "autograd/tables.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/held.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

TensorBase box(PyObject* object) {
  Held held(object);
  auto storage = IntrusivePtr<Storage>::adopt(new_foreign_storage(
      nullptr, 0, Device(),
      {[](void* entry) { release_later(static_cast<HeldEntry*>(entry)); }, held.give()}));
  const int64_t none = 0, one = 1;
  return TensorBase::adopt(new_tensor_on(std::move(storage), {&none, 1}, {&one, 1}, kFloat32));
}

PyObject* boxed(const TensorBase& tensor) {
  return static_cast<HeldEntry*>(tensor.get().storage->foreign->context)->object;
}

class PythonFunctions final : public autograd::PackHooks {
 public:
  PythonFunctions(PyObject* pack, PyObject* unpack) : pack_(pack), unpack_(unpack) {}

  TensorBase pack(const TensorBase& tensor) override {
    GilHeld gil;
    const Ref argument(checked(wrap(tensor)));
    return box(call(pack_, argument.get()).get());
  }
  TensorBase unpack(const TensorBase& packed) override {
    GilHeld gil;
    const Ref result = call(unpack_, boxed(packed));
    EAGRE_CHECK(
        is_tensor(result.get()), kType,
        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type ",
        describe_type(result.get()));
    return tensor_of(result.get());
  }
  PyObject* unpack_function() const { return unpack_.get(); }

 private:
  static Ref call(const Held& function, PyObject* argument) {
    struct KeepSite {
      CallSite site = thread_state.site;
      ~KeepSite() { thread_state.site = site; }
    } keep;
    return Ref(checked(AsleepAtExit().returned(PyObject_CallOneArg(function.get(), argument))));
  }

  Held pack_, unpack_;
};

// Scopes of this thread since its innermost backward call began, the innermost last.
SavedHookScopes& scopes() {
  thread_local SavedHookScopes stack;
  return stack;
}
constinit thread_local int calls_under_way = 0;

void make_current(void* scope) {
  thread_state.modes.saved_tensor_hooks = scope;
  if (scope == nullptr) {
    thread_state.modes.unusual &= ~uint64_t{kSavedTensorHooks};
  } else {
    thread_state.modes.unusual |= kSavedTensorHooks;
  }
}

PyObject* push(PyObject*, PyObject* functions) {
  return guarded([&]() -> PyObject* {
    PyObject *pack = nullptr, *unpack = nullptr;
    if (PyArg_ParseTuple(functions, "OO", &pack, &unpack) == 0) throw PythonError::take();
    push_saved_hooks(new_saved_hooks("saved_tensors_hooks", pack, unpack));
    Py_RETURN_NONE;
  });
}

PyObject* pop(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    if (scopes().empty() && calls_under_way > 0) {
      make_current(nullptr);  // until the call ends
      Py_RETURN_NONE;
    }
    EAGRE_CHECK(!scopes().empty(), kAutograd,
                "saved_tensors_hooks: the block ends in a thread that did not begin it");
    scopes().pop_back();
    Py_RETURN_NONE;
  });
}

const PythonFunctions* python_functions(const autograd::SavedTensor::Kept& kept) {
  return dynamic_cast<const PythonFunctions*>(kept.hooks.get());
}

}  // namespace

std::shared_ptr<autograd::PackHooks> new_saved_hooks(const char* op, PyObject* pack,
                                                     PyObject* unpack) {
  EAGRE_CHECK(PyCallable_Check(pack) && PyCallable_Check(unpack), kType, op,
              "(): both hooks must be functions, but got ", describe_type(pack), " and ",
              describe_type(unpack));
  return std::make_shared<PythonFunctions>(pack, unpack);
}

void push_saved_hooks(std::shared_ptr<autograd::PackHooks> hooks) {
  scopes().push_back(std::make_unique<autograd::SavedTensorHookScope>(std::move(hooks)));
}

PyObject* packed_object(const autograd::SavedTensor::Kept& kept) {
  return python_functions(kept) == nullptr ? wrap(kept.value) : Py_NewRef(boxed(kept.value));
}

PyObject* unpack_function(const autograd::SavedTensor::Kept& kept) {
  const PythonFunctions* functions = python_functions(kept);
  return Py_NewRef(functions == nullptr ? Py_None : functions->unpack_function());
}

SavedHooksOfCall::SavedHooksOfCall()
    : before_(std::exchange(scopes(), {})), current_before_(thread_state.modes.saved_tensor_hooks) {
  ++calls_under_way;
}

SavedHooksOfCall::~SavedHooksOfCall() {
  --calls_under_way;
  while (!scopes().empty()) scopes().pop_back();
  scopes() = std::move(before_);
  make_current(current_before_);
}

const PyMethodDef kSavedHookFunctions[] = {
    {"_push_saved_tensor_hooks", push, METH_VARARGS, nullptr},
    {"_pop_saved_tensor_hooks", pop, METH_NOARGS, nullptr},
    {}};

}  // namespace eagre::python
