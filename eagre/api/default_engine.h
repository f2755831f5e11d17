// The engine under libtorch's name: Engine::get_default_engine().queue_callback(f).
#pragma once

#include <functional>
#include <utility>

#include <eagre/autograd/engine/current_task.h>

namespace eagre::autograd {

// There is one engine, and it has no state of its own.
class Engine {
 public:
  static Engine& get_default_engine() {
    static Engine engine;
    return engine;
  }
  // See queue_callback() in engine/current_task.h.
  void queue_callback(std::function<void()> callback) {
    autograd::queue_callback(std::move(callback));
  }
};

}  // namespace eagre::autograd
