// A Python function that sees tensors before they are written in place.
#include <eagre/autograd/tape/write_watch.h>

#include <atomic>
#include <memory>

#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

#include "autograd/tables.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

class PythonWatcher final : public autograd::WriteWatcher {
 public:
  explicit PythonWatcher(PyObject* function) : function_(function) {}

  void before_write(const TensorBase& tensor) override {
    GilHeld gil;
    const Ref argument(checked(wrap(tensor)));
    const Ref result(
        checked(AsleepAtExit().returned(PyObject_CallOneArg(function_.get(), argument.get()))));
  }

 private:
  Held function_;
};

struct Watch {
  explicit Watch(PyObject* function) : watcher(function), scope(watcher) {}

  PythonWatcher watcher;
  autograd::WriteWatchScope scope;
};

// Of this thread; there is at most one.
std::unique_ptr<Watch>& current() {
  thread_local std::unique_ptr<Watch> watch;
  return watch;
}

PyObject* begin(PyObject*, PyObject* function) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(PyCallable_Check(function), kType, "expected a function, but got ",
                describe_type(function));
    EAGRE_CHECK(current() == nullptr, kAutograd, "writes of this thread are watched already");
    current() = std::make_unique<Watch>(function);
    Py_RETURN_NONE;
  });
}

PyObject* end(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    current().reset();
    Py_RETURN_NONE;
  });
}

// What the values of a tensor are a part of: the identity of its memory, and its version.
PyObject* memory_and_version(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType, "expected a Tensor, but got ", describe_type(tensor));
    const TensorImpl& impl = tensor_of(tensor).get();
    return Py_BuildValue("(NI)", checked(PyLong_FromVoidPtr(impl.storage)),
                         impl.version->value.load(std::memory_order_relaxed));
  });
}

}  // namespace

const PyMethodDef kWriteWatchFunctions[] = {
    {"_begin_write_watch", begin, METH_O, nullptr},
    {"_end_write_watch", end, METH_NOARGS, nullptr},
    {"_memory_and_version", memory_and_version, METH_O, nullptr},
    {}};

}  // namespace eagre::python
