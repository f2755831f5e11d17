// The error of an input of a random operation.
#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/kernels/cpu/random_inputs.h>
#include <eagre/kernels/scalar/random_input.h>

namespace eagre::kernels::cpu {
namespace {

[[noreturn]] void refuse(const char* op, const scalar::RandomInput& input, std::string value) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, input.name, input.expected, std::move(value)});
}

}  // namespace

void refuse_random_input(const char* op, const scalar::RandomInput& input, float value) {
  refuse(op, input, concat(value));
}
void refuse_random_input(const char* op, const scalar::RandomInput& input, double value) {
  refuse(op, input, concat(value));
}

}  // namespace eagre::kernels::cpu
