// Checkpoints of Python functions (python/eagre/utils/checkpoint.py), by the segments of
// eagre/api/checkpoint.h.
#include <eagre/api/checkpoint.h>

#include <cstddef>
#include <memory>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>

#include "autograd/saved_hooks.h"
#include "autograd/tables.h"
#include "autograd/tensor_function.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/size.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

using autograd::CheckpointGroup;
using autograd::CheckpointProblem;
using autograd::CheckpointSegment;

// {"shape": …, "dtype": …, "device": …}
PyObject* look_object(const autograd::SavedLook& look) {
  return Py_BuildValue("{s:N,s:O,s:N}", "shape", checked(new_size(Dims(look.sizes))), "dtype",
                       dtype_object(look.dtype), "device", checked(new_device_object(look.device)));
}

const char* name_of(CheckpointProblem::Kind kind) {
  switch (kind) {
    case CheckpointProblem::Kind::kMore: return "more";
    case CheckpointProblem::Kind::kNumber: return "number";
    case CheckpointProblem::Kind::kLooks: return "looks";
    case CheckpointProblem::Kind::kUsedTwice: return "used twice";
  }
  return "";
}

// An object of Python with the methods run(*tensors), note_saved(tensor, again) and refuse(…), and
// the exception that ends a run.
class PythonFunction final : public autograd::CheckpointedFunction {
 public:
  PythonFunction(PyObject* object, PyObject* stop, bool notes)
      : object_(object), stop_(stop), notes_(notes) {}

  void run_again(const Tensors& inputs) override {
    const GilHeld gil;
    const Ref run(checked(PyObject_GetAttrString(object_.get(), "run")));
    call_with_tensors(run.get(), inputs);
  }
  void stop() override {
    const GilHeld gil;
    PyErr_SetNone(stop_.get());
    throw PythonError::take();
  }
  bool may_use_twice() const override { return false; }
  void note_saved(const TensorBase& tensor, bool again) override {
    if (!notes_) return;
    const GilHeld gil;
    const Ref done(checked(PyObject_CallMethod(object_.get(), "note_saved", "NO",
                                               checked(wrap(tensor)), again ? Py_True : Py_False)));
  }
  void refuse(const CheckpointProblem& problem) override {
    const GilHeld gil;
    const Ref differences(tuple_of(problem.differences.size(), [&](size_t i) {
      const CheckpointProblem::Difference& difference = problem.differences[i];
      return Py_BuildValue("(nNN)", static_cast<Py_ssize_t>(difference.index),
                           checked(look_object(difference.first)),
                           checked(look_object(difference.second)));
    }));
    const Ref raised(checked(PyObject_CallMethod(
        object_.get(), "refuse", "snnOO", name_of(problem.kind),
        static_cast<Py_ssize_t>(problem.first), static_cast<Py_ssize_t>(problem.second),
        differences.get(), problem.is_shared ? Py_True : Py_False)));
    raise(ErrorKind::kInternal, "refuse() of a checkpoint returned");
  }

 private:
  Held object_, stop_;
  bool notes_;
};

// --- segments and groups as capsules ---

template <class T>
PyObject* capsule_of(std::shared_ptr<T> value, const char* name) {
  auto owned = std::make_unique<std::shared_ptr<T>>(std::move(value));
  PyObject* capsule = checked(PyCapsule_New(owned.get(), name, [](PyObject* self) {
    delete static_cast<std::shared_ptr<T>*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
  }));
  static_cast<void>(owned.release());  // NOLINT: the capsule owns it now
  return capsule;
}

template <class T>
const std::shared_ptr<T>& in_capsule(PyObject* capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule, name);
  if (pointer == nullptr) throw PythonError::take();
  return *static_cast<std::shared_ptr<T>*>(pointer);
}

constexpr const char* kSegmentName = "checkpoint segment";
constexpr const char* kGroupName = "checkpoint group";

constexpr Parameter kNewParameters[] = {
    {"function"},          {"stop"},       {"inputs"}, {"preserve_rng_state"},
    {"determinism_check"}, {"early_stop"}, {"notes"}};
constexpr Signature kNew{"checkpoint", kNewParameters, 7};

PyObject* new_segment(const Arguments& a) {
  autograd::CheckpointOptions options;
  options.preserve_rng_state = a.boolean(3);
  options.determinism_check = a.boolean(4);
  options.early_stop = a.boolean(5);
  auto function = std::make_shared<PythonFunction>(a[0], a[1], a.boolean(6));
  return capsule_of(CheckpointSegment::make(std::move(function), list_of(a.tensors(2)), options),
                    kSegmentName);
}

PyObject* push_segment(PyObject*, PyObject* segment) {
  return guarded([&]() -> PyObject* {
    push_saved_hooks(in_capsule<CheckpointSegment>(segment, kSegmentName));
    Py_RETURN_NONE;
  });
}

PyObject* complete_segment(PyObject*, PyObject* segment) {
  return guarded([&]() -> PyObject* {
    in_capsule<CheckpointSegment>(segment, kSegmentName)->complete();
    Py_RETURN_NONE;
  });
}

PyObject* new_group(PyObject*, PyObject*) {
  return guarded([] { return capsule_of(autograd::new_checkpoint_group(), kGroupName); });
}

// None: none. False if this thread has another one, which stays.
PyObject* set_group(PyObject*, PyObject* group) {
  return guarded([&]() -> PyObject* {
    std::shared_ptr<CheckpointGroup> wanted;
    if (group != Py_None) wanted = in_capsule<CheckpointGroup>(group, kGroupName);
    const auto before = autograd::set_checkpoint_group(wanted);
    if (wanted == nullptr || before == nullptr) Py_RETURN_TRUE;
    autograd::set_checkpoint_group(before);
    Py_RETURN_FALSE;
  });
}

}  // namespace

const PyMethodDef kCheckpointFunctions[] = {
    with_keywords<kNew, new_segment, false>("_new_checkpoint_segment", nullptr),
    {"_push_checkpoint_segment", push_segment, METH_O, nullptr},
    {"_complete_checkpoint_segment", complete_segment, METH_O, nullptr},
    {"_new_checkpoint_group", new_group, METH_NOARGS, nullptr},
    {"_set_checkpoint_group", set_group, METH_O, nullptr},
    {}};

}  // namespace eagre::python
