// Streams and events: work of one stream runs in order, streams beside each other. Every device has
// a default stream and a pool of others; every thread has a current stream per device.
#pragma once

#include <eagre/base/export.h>
#include <eagre/core/device.h>
#include <eagre/dispatch/stream_ids.h>

namespace eagre {

// A handle; the stream itself belongs to the device for good. On the CPU work is done when a call
// returns, so its only stream never has anything to wait for.
class EAGRE_API Stream {
 public:
  static constexpr int kPoolSize = dispatch::kStreamPoolSize;

  // One of the pool's kPoolSize streams, handed out in turn and made when first asked for.
  explicit Stream(Device device);
  // Where work goes unless another stream was made the current one.
  static Stream default_of(Device device);
  // By the number that id() gave.
  static Stream of_id(Device device, int id);

  Device device() const { return device_; }
  // 0 is the default stream, the pool's follow.
  int id() const { return id_; }

  // Blocks until all work on the stream is done, and raises if some of it failed.
  void synchronize() const;

  friend bool operator==(const Stream&, const Stream&) = default;

 private:
  Stream(Device device, int id) : device_(device), id_(id) {}

  Device device_;
  int id_ = 0;
};

// Where this thread's work on the device goes.
EAGRE_API Stream current_stream(Device device);
// For this thread and the stream's device.
EAGRE_API void set_current_stream(const Stream& stream);

// The current streams of a thread, one per device, to give to another thread that acts for it.
class EAGRE_API CurrentStreams {
 public:
  static CurrentStreams of_this_thread();
  void make_current() const;
  Stream of(Device device) const;

 private:
  dispatch::StreamIds ids_;
};

// While in scope, this thread's work on the stream's device goes to the stream.
class EAGRE_API StreamGuard {
 public:
  explicit StreamGuard(const Stream& stream) : outer_(current_stream(stream.device())) {
    set_current_stream(stream);
  }
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  Stream outer_;
};

// A point in a stream. One that was never recorded is done.
class EAGRE_API Event {
 public:
  Event() = default;
  Event(Event&& other) noexcept { swap(other); }
  Event& operator=(Event&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Event();

  // From now on the event stands for the work that is on the stream now. It belongs to the device
  // of the first stream it was recorded on; a stream of another device is an error.
  void record(const Stream& stream);
  // Later work on the stream waits for the event.
  void wait(const Stream& stream) const;
  // Blocks until the event has happened.
  void synchronize() const;
  // Has it happened?
  bool query() const;

 private:
  void swap(Event& other) noexcept;

  Device device_;
  void* handle_ = nullptr;  // null: never recorded, or its device has no events
  bool recorded_ = false;
};

}  // namespace eagre
