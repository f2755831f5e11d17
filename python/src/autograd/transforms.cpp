// Levels of forward mode and vmap, opened and closed by the functions of eagre.func and
// eagre.autograd.forward_ad, and tensors that carry something for a level.
#include <memory>
#include <string_view>
#include <vector>

#include <eagre/api/forward_ad.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/autograd/transforms/dependence.h>
#include <eagre/autograd/transforms/forward_mode.h>

#include "functions.h"
#include "method.h"

namespace eagre::python {
namespace {

namespace forward_ad = autograd::forward_ad;
using autograd::Level;
using autograd::LevelScope;

// Those that this thread has opened, the innermost last.
thread_local std::vector<std::unique_ptr<LevelScope>> open_levels;

PyObject* open(IntrusivePtr<Level> level) {
  open_levels.push_back(std::make_unique<LevelScope>(std::move(level)));
  return PyLong_FromUnsignedLongLong(open_levels.back()->level().id());
}

Level& level_of(const Arguments& a, size_t i) {
  const auto id = static_cast<uint64_t>(a.integer(i));
  for (const auto& scope : open_levels) {
    if (scope->level().id() == id) return scope->level();
  }
  raise(ErrorKind::kAutograd,
        concat("level ", id, " is not open in this thread: it was closed, or is another thread's"));
}

PyObject* open_dual(PyObject*, PyObject*) {
  return guarded([] { return open(IntrusivePtr<Level>::adopt(new Level(Level::Kind::kDual))); });
}

constexpr Parameter kOpenBatchParameters[] = {{"size"}, {"randomness"}};
constexpr Signature kOpenBatch{"vmap", kOpenBatchParameters, 2};

PyObject* open_batch(const Arguments& a) {
  const std::string_view name = a.text(1);
  EAGRE_CHECK(name == "error" || name == "different" || name == "same", kAutograd,
              "Only allowed values for randomness are 'error', 'different', or 'same'. Got ", name);
  const auto randomness = name == "error"  ? autograd::Randomness::kError
                          : name == "same" ? autograd::Randomness::kSame
                                           : autograd::Randomness::kDifferent;
  return open(Level::batch(a.integer(0), randomness));
}

constexpr Parameter kCloseParameters[] = {{"level"}};
constexpr Signature kClose{"close_level", kCloseParameters, 1};

PyObject* close(const Arguments& a) {
  const Level& level = level_of(a, 0);
  EAGRE_CHECK(&open_levels.back()->level() == &level, kAutograd,
              "close_level(): only the level that was opened last can be closed: that is ",
              open_levels.back()->level().id(), ", but got ", level.id());
  open_levels.pop_back();
  Py_RETURN_NONE;
}

constexpr Parameter kMakeDualParameters[] = {{"tensor"}, {"tangent"}, {"level"}};
constexpr Signature kMakeDual{"make_dual", kMakeDualParameters, 3};

PyObject* make_dual(const Arguments& a) {
  return wrap(forward_ad::make_dual(a.tensor(0), a.tensor(1), level_of(a, 2)));
}

constexpr Parameter kUnpackDualParameters[] = {{"tensor"}, {"level"}};
constexpr Signature kUnpackDual{"unpack_dual", kUnpackDualParameters, 2};

PyObject* unpack_dual(const Arguments& a) {
  const auto [primal, tangent] = forward_ad::unpack_dual(a.tensor(0), level_of(a, 1));
  const Ref value(checked(wrap(primal)));
  const Ref direction(checked(wrap(tangent)));
  return PyTuple_Pack(2, value.get(), direction.get());
}

constexpr Parameter kAddBatchParameters[] = {{"tensor"}, {"dim"}, {"level"}};
constexpr Signature kAddBatch{"vmap", kAddBatchParameters, 3};

PyObject* add_batch(const Arguments& a) {
  return wrap(autograd::batched(a.tensor(0), a.integer(1), level_of(a, 2)));
}

constexpr Parameter kTakeBatchParameters[] = {{"tensor"}, {"level"}};
constexpr Signature kTakeBatch{"vmap", kTakeBatchParameters, 2};

// All samples, in dimension 0; None for a tensor that is the same for every sample.
PyObject* take_batch(const Arguments& a) {
  Level& level = level_of(a, 1);
  const autograd::Carried* carried = autograd::carried_by(a.tensor(0).get());
  if (carried == nullptr || carried->batch_level.get() != &level) Py_RETURN_NONE;
  return wrap(autograd::whole_batch(a.tensor(0), level));
}

PyObject* without_history(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType, "expected a Tensor, but got ", describe_type(tensor));
    return wrap(autograd::without_history(tensor_of(tensor)));
  });
}

PyObject* recorded(PyObject*, PyObject* tensor) {
  return guarded([&] {
    return PyBool_FromLong(is_tensor(tensor) && autograd::is_recorded(tensor_of(tensor)));
  });
}

constexpr Parameter kDependParameters[] = {{"outputs"}, {"inputs"}};
constexpr Signature kDepend{"grad", kDependParameters, 2};

// Were the outputs made of leaves that are none of these inputs?
PyObject* depend_on_others(const Arguments& a) {
  return PyBool_FromLong(autograd::depend_on_others(a.tensors(0), a.tensors(1)));
}

PyObject* is_forward_mode_enabled(PyObject*, PyObject*) {
  return PyBool_FromLong(!thread_state.modes.tangents_off);
}
PyObject* set_forward_mode_enabled(PyObject*, PyObject* enabled) {
  const int value = PyObject_IsTrue(enabled);
  if (value < 0) return nullptr;
  thread_state.modes.tangents_off = value == 0;
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kTransformFunctions[] = {
    {"_open_dual_level", open_dual, METH_NOARGS, nullptr},
    with_keywords<kOpenBatch, open_batch, false>("_open_batch_level", nullptr),
    with_keywords<kClose, close, false>("_close_level", nullptr),
    with_keywords<kMakeDual, make_dual, false>("_make_dual", nullptr),
    with_keywords<kUnpackDual, unpack_dual, false>("_unpack_dual", nullptr),
    with_keywords<kAddBatch, add_batch, false>("_add_batch", nullptr),
    with_keywords<kTakeBatch, take_batch, false>("_take_batch", nullptr),
    {"_without_history", without_history, METH_O, nullptr},
    {"_is_recorded", recorded, METH_O, nullptr},
    with_keywords<kDepend, depend_on_others, false>("_depend_on_others", nullptr),
    {"_is_fwd_grad_enabled", is_forward_mode_enabled, METH_NOARGS, nullptr},
    {"_set_fwd_grad_enabled", set_forward_mode_enabled, METH_O, nullptr},
    {}};

}  // namespace eagre::python
