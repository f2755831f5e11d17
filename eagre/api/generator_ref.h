// The generator that a random operator is told to use, however the program writes it.
#pragma once

#include <optional>

#include <eagre/core/generator.h>

namespace eagre {

// Refers to the generator: no longer than the call it is an argument of. Without one: the default.
class GeneratorRef {
 public:
  GeneratorRef(std::nullptr_t = nullptr) {}                       // NOLINT: no generator
  GeneratorRef(std::nullopt_t) {}                                 // NOLINT
  GeneratorRef(Generator* generator) : generator_(generator) {}   // NOLINT
  GeneratorRef(Generator& generator) : generator_(&generator) {}  // NOLINT
  GeneratorRef(std::optional<Generator>& generator)               // NOLINT
      : generator_(generator ? &*generator : nullptr) {}

  operator Generator*() const { return generator_; }  // NOLINT

 private:
  Generator* generator_ = nullptr;
};

}  // namespace eagre
