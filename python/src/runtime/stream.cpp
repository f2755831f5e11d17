// eagre.Stream and eagre.Event, and the functions about them.
#include "runtime/stream.h"

#include <cstddef>
#include <memory>
#include <new>

#include <eagre/base/error.h>
#include <eagre/core/current_device.h>
#include <eagre/core/device.h>
#include <eagre/dispatch/plugin.h>
#include <eagre/dispatch/stream.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "runtime/tables.h"
#include "types/device.h"

namespace eagre::python {
namespace {

struct PyStream {
  PyObject_HEAD Stream stream;
};
struct PyEvent {
  PyObject_HEAD Event* event;
};
extern PyTypeObject stream_type, event_type;

const Stream& stream_of(PyObject* self) { return reinterpret_cast<PyStream*>(self)->stream; }
Event& event_of(PyObject* self) { return *reinterpret_cast<PyEvent*>(self)->event; }

PyObject* new_stream(const Stream& stream) {
  auto* self = PyObject_New(PyStream, &stream_type);
  if (self == nullptr) throw PythonError::take();
  new (&self->stream) Stream(stream);
  return reinterpret_cast<PyObject*>(self);
}

PyObject* new_event() {
  auto event = std::make_unique<Event>();
  auto* self = PyObject_New(PyEvent, &event_type);
  if (self == nullptr) throw PythonError::take();
  self->event = event.release();
  return reinterpret_cast<PyObject*>(self);
}

template <class F>
PyObject* without_gil(const F& f) {
  return guarded([&]() -> PyObject* {
    {
      GilReleased released;
      f();
    }
    Py_RETURN_NONE;
  });
}

Device device_or_default(const Arguments& a, size_t i) {
  return a.has(i) ? a.device(i) : default_device();
}
const Stream& stream_argument(const Arguments& a, size_t i) {
  if (!Py_IS_TYPE(a[i], &stream_type)) a.wrong_type(i, "a Stream");
  return stream_of(a[i]);
}
// The current one of the default device when it was not given.
Stream stream_or_current(const Arguments& a, size_t i) {
  return a.has(i) ? stream_argument(a, i) : current_stream(default_device());
}
Event& event_argument(const Arguments& a, size_t i) {
  if (!Py_IS_TYPE(a[i], &event_type)) a.wrong_type(i, "an Event");
  return event_of(a[i]);
}

// A tuple and a dict as type objects get them, bound to a signature.
template <const Signature& kSignature, BoundFunction kRun>
PyObject* create(PyTypeObject*, PyObject* args, PyObject* keywords) {
  return guarded([&]() -> PyObject* {
    PyObject* given[Arguments::kMax];
    const Py_ssize_t count = PyTuple_GET_SIZE(args);
    const Py_ssize_t named = keywords == nullptr ? 0 : PyDict_GET_SIZE(keywords);
    EAGRE_CHECK(count + named <= static_cast<Py_ssize_t>(Arguments::kMax), kType, kSignature.op,
                "() takes at most ", kSignature.parameters.size(), " arguments");
    for (Py_ssize_t i = 0; i < count; ++i) given[i] = PyTuple_GET_ITEM(args, i);
    const Ref names(checked(PyTuple_New(named)));
    PyObject *name = nullptr, *value = nullptr;
    Py_ssize_t position = 0, at = 0;
    while (keywords != nullptr && PyDict_Next(keywords, &position, &name, &value) != 0) {
      PyTuple_SET_ITEM(names.get(), at, Py_NewRef(name));
      given[count + at++] = value;
    }
    return kRun(Arguments(kSignature, nullptr, given, count, named == 0 ? nullptr : names.get()));
  });
}

// --- streams ---

constexpr Parameter kDeviceParameters[] = {{"device", nullptr, false}};
constexpr Signature kNewStream{"Stream", kDeviceParameters, 1};
PyObject* make_stream(const Arguments& a) { return new_stream(Stream(device_or_default(a, 0))); }

PyObject* synchronize_stream(PyObject* self, PyObject*) {
  return without_gil([&] { stream_of(self).synchronize(); });
}
PyObject* query_stream(PyObject* self, PyObject*) {
  return guarded([&] {
    Event now;
    now.record(stream_of(self));
    return PyBool_FromLong(now.query());
  });
}

constexpr Parameter kWaitEventParameters[] = {{"self"}, {"event"}};
constexpr Signature kWaitEvent{"wait_event", kWaitEventParameters, 2};
PyObject* wait_event(const Arguments& a) {
  const Event& event = event_argument(a, 1);
  event.wait(stream_of(a[0]));
  Py_RETURN_NONE;
}

constexpr Parameter kWaitStreamParameters[] = {{"self"}, {"stream"}};
constexpr Signature kWaitStream{"wait_stream", kWaitStreamParameters, 2};
PyObject* wait_stream(const Arguments& a) {
  Event reached;
  reached.record(stream_argument(a, 1));
  reached.wait(stream_of(a[0]));
  Py_RETURN_NONE;
}

constexpr Parameter kRecordEventParameters[] = {{"self"}, {"event", nullptr, false}};
constexpr Signature kRecordEvent{"record_event", kRecordEventParameters, 2};
PyObject* record_event(const Arguments& a) {
  Ref event(a.has(1) ? Py_NewRef(a[1]) : new_event());
  if (a.has(1)) event_argument(a, 1);
  event_of(event.get()).record(stream_of(a[0]));
  return event.give();
}

PyObject* stream_device(PyObject* self, void*) {
  return guarded([&] { return new_device_object(stream_of(self).device()); });
}
PyObject* stream_id(PyObject* self, void*) { return PyLong_FromLong(stream_of(self).id()); }

PyObject* represent_stream(PyObject* self) {
  return guarded([&] {
    const Stream& stream = stream_of(self);
    return PyUnicode_FromFormat("eagre.Stream device=%s stream_id=%d",
                                to_string(stream.device()).c_str(), stream.id());
  });
}
PyObject* compare_streams(PyObject* self, PyObject* other, int operation) {
  if (!Py_IS_TYPE(other, &stream_type) || (operation != Py_EQ && operation != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  return PyBool_FromLong((stream_of(self) == stream_of(other)) == (operation == Py_EQ));
}
Py_hash_t hash_stream(PyObject* self) {
  const Stream& stream = stream_of(self);
  return (static_cast<Py_hash_t>(stream.device().kind) * 1009 + stream.device().number) * 1009 +
         stream.id();
}
void drop_stream(PyObject* self) { PyObject_Free(self); }

PyMethodDef stream_methods[] = {
    {"synchronize", synchronize_stream, METH_NOARGS,
     "synchronize(): waits until all work on the stream is done"},
    {"query", query_stream, METH_NOARGS, "query(): is all work on the stream done?"},
    with_keywords<kWaitEvent, wait_event>(
        "wait_event", "wait_event(event): later work on the stream waits for the event"),
    with_keywords<kWaitStream, wait_stream>(
        "wait_stream",
        "wait_stream(stream): later work on this stream waits for what is on the other one now"),
    with_keywords<kRecordEvent, record_event>(
        "record_event",
        "record_event(event=None): the event, or a new one, stands for the work so far"),
    {}};
PyGetSetDef stream_properties[] = {
    {"device", stream_device, nullptr, "the device it belongs to", nullptr},
    {"stream_id", stream_id, nullptr, "0 is the device's default stream", nullptr},
    {}};

PyTypeObject stream_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Stream",
    .tp_basicsize = sizeof(PyStream),
    .tp_dealloc = drop_stream,
    .tp_repr = represent_stream,
    .tp_hash = hash_stream,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc =
        "Stream(device=None): work that a device does in order, beside that of other streams.",
    .tp_richcompare = compare_streams,
    .tp_methods = stream_methods,
    .tp_getset = stream_properties,
    .tp_new = create<kNewStream, make_stream>,
};

// --- events ---

constexpr Signature kNewEvent{"Event", kDeviceParameters, 1};
PyObject* make_event(const Arguments& a) {
  if (a.has(0)) static_cast<void>(Stream::default_of(a.device(0)));  // it must exist
  return new_event();
}

void drop_event(PyObject* self) {
  delete reinterpret_cast<PyEvent*>(self)->event;
  PyObject_Free(self);
}

constexpr Parameter kStreamParameters[] = {{"self"}, {"stream", nullptr, false}};
constexpr Signature kRecord{"record", kStreamParameters, 2}, kWait{"wait", kStreamParameters, 2};
PyObject* record(const Arguments& a) {
  event_of(a[0]).record(stream_or_current(a, 1));
  Py_RETURN_NONE;
}
PyObject* wait(const Arguments& a) {
  event_of(a[0]).wait(stream_or_current(a, 1));
  Py_RETURN_NONE;
}
PyObject* synchronize_event(PyObject* self, PyObject*) {
  return without_gil([&] { event_of(self).synchronize(); });
}
PyObject* query_event(PyObject* self, PyObject*) {
  return guarded([&] { return PyBool_FromLong(event_of(self).query()); });
}

PyMethodDef event_methods[] = {
    with_keywords<kRecord, record>(
        "record", "record(stream=None): stands for the work that is on the stream now"),
    with_keywords<kWait, wait>("wait", "wait(stream=None): later work on the stream waits for it"),
    {"synchronize", synchronize_event, METH_NOARGS, "synchronize(): waits until it has happened"},
    {"query", query_event, METH_NOARGS, "query(): has it happened?"},
    {}};

PyTypeObject event_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Event",
    .tp_basicsize = sizeof(PyEvent),
    .tp_dealloc = drop_event,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "Event(device=None): a point in a stream. One that was never recorded has happened.",
    .tp_methods = event_methods,
    .tp_new = create<kNewEvent, make_event>,
};

// --- functions ---

constexpr Signature kCurrentStream{"current_stream", kDeviceParameters, 1};
PyObject* get_current_stream(const Arguments& a) {
  return new_stream(current_stream(device_or_default(a, 0)));
}

constexpr Parameter kSetStreamParameters[] = {{"stream"}};
constexpr Signature kSetStream{"set_stream", kSetStreamParameters, 1};
PyObject* set_stream(const Arguments& a) {
  set_current_stream(stream_argument(a, 0));
  Py_RETURN_NONE;
}

constexpr Signature kSynchronize{"synchronize", kDeviceParameters, 1};
PyObject* synchronize_device(const Arguments& a) {
  const Device device = device_or_default(a, 0);
  return without_gil([&] { synchronize(device); });
}

}  // namespace

bool is_stream(PyObject* object) { return Py_IS_TYPE(object, &stream_type); }

bool add_stream_types(PyObject* module) {
  return PyType_Ready(&stream_type) == 0 && PyType_Ready(&event_type) == 0 &&
         PyModule_AddObjectRef(module, "Stream", reinterpret_cast<PyObject*>(&stream_type)) == 0 &&
         PyModule_AddObjectRef(module, "Event", reinterpret_cast<PyObject*>(&event_type)) == 0;
}

const PyMethodDef kStreamFunctions[] = {
    with_keywords<kCurrentStream, get_current_stream, false>(
        "current_stream",
        "current_stream(device=None): where this thread's work on the device goes"),
    with_keywords<kSetStream, set_stream, false>(
        "set_stream", "set_stream(stream): this thread's work on its device goes there"),
    with_keywords<kSynchronize, synchronize_device, false>(
        "synchronize", "synchronize(device=None): waits for all work on all streams of the device"),
    {}};

}  // namespace eagre::python
