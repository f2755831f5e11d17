// vmap; levels of forward mode, opened and closed by eagre.autograd.forward_ad; and tensors that
// carry something for a level.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <eagre/api/forward_ad.h>
#include <eagre/api/vmap.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>

#include "autograd/randomness.h"
#include "autograd/tables.h"
#include "autograd/tensor_function.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "types/tensor.h"
#include "types/tuple.h"

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
  for (Level* level = autograd::innermost_level(); level != nullptr; level = level->outer()) {
    if (level->id() == id) return *level;  // one that a function of C++ has opened
  }
  raise(ErrorKind::kAutograd,
        concat("level ", id, " is not open in this thread: it was closed, or is another thread's"));
}

PyObject* open_dual(PyObject*, PyObject*) {
  return guarded([] { return open(IntrusivePtr<Level>::adopt(new Level(Level::Kind::kDual))); });
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

// Does it stand for all samples of the innermost vmap?
PyObject* is_batched(PyObject*, PyObject* object) {
  const autograd::TransformMeta* meta =
      is_tensor(object) ? autograd::transform_meta_of(tensor_of(object).get()) : nullptr;
  const Level* level = meta == nullptr ? nullptr : meta->batch_level.get();
  return PyBool_FromLong(level != nullptr && level == autograd::innermost_level());
}

// Of a sequence of ints and None.
std::vector<func::BatchDim> dims_in(PyObject* object) {
  const Ref list(checked(PySequence_Fast(object, "vmap(): expected a list of dimensions")));
  std::vector<func::BatchDim> dims;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.get()); ++i) {
    PyObject* element = PySequence_Fast_GET_ITEM(list.get(), i);
    int64_t dim = 0;
    if (element == Py_None) {
      dims.emplace_back();
    } else {
      EAGRE_CHECK(to_integer(element, dim), kType, "vmap(): expected a dimension, but got ",
                  describe_type(element));
      dims.emplace_back(dim);
    }
  }
  return dims;
}

constexpr Parameter kVmapParameters[] = {
    {"func"}, {"inputs"}, {"in_dims"}, {"randomness"}, {"chunk_size"}};
constexpr Signature kVmap{"vmap", kVmapParameters, 5};

// func(*samples) returns a tuple of tensors and a list of the dimensions where samples stand.
PyObject* vmap(const Arguments& a) {
  func::VmapOptions options;
  options.in_dims = dims_in(a[2]);
  options.randomness = randomness_of(a.text(3));
  options.chunk_size = a.optional_integer(4);
  const func::PlacedFunction function = [&](const Tensors& samples) {
    const GilHeld gil;
    const Ref pair = call_with_tensors(a[0], samples);
    PyObject *tensors = nullptr, *dims = nullptr;
    if (PyArg_ParseTuple(pair.get(), "OO", &tensors, &dims) == 0) throw PythonError::take();
    return func::PlacedResults{tensors_returned(tensors), dims_in(dims)};
  };
  const Tensors results =
      func::map_samples(function, list_of(a.tensors(1)), options, CallSite::language_frame());
  return tensor_tuple(vector_of(results)).give();
}

// Without its tangent of the innermost level.
PyObject* primal_of(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType, "expected a Tensor, but got ", describe_type(tensor));
    return wrap(forward_ad::unpack_dual(tensor_of(tensor)).primal);
  });
}

// The number of the innermost level of forward mode, whoever opened it, or None.
PyObject* innermost_dual_level(PyObject*, PyObject*) {
  for (const Level* level = autograd::innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) return PyLong_FromUnsignedLongLong(level->id());
  }
  Py_RETURN_NONE;
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
    with_keywords<kClose, close, false>("_close_level", nullptr),
    with_keywords<kMakeDual, make_dual, false>("_make_dual", nullptr),
    with_keywords<kUnpackDual, unpack_dual, false>("_unpack_dual", nullptr),
    {"_innermost_dual_level", innermost_dual_level, METH_NOARGS, nullptr},
    {"_is_batched", is_batched, METH_O, nullptr},
    with_keywords<kVmap, vmap, false>("_vmap", nullptr),
    {"_primal_of", primal_of, METH_O, nullptr},
    {"_is_fwd_grad_enabled", is_forward_mode_enabled, METH_NOARGS, nullptr},
    {"_set_fwd_grad_enabled", set_forward_mode_enabled, METH_O, nullptr},
    {}};

}  // namespace eagre::python
