// How errors are worded and where they are thrown.
#include <eagre/base/error.h>

#include <string>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/site_table.h>
#include <eagre/base/thread_state.h>

namespace eagre {

void raise(ErrorKind kind, std::string message) {
  // Said once: the next error may have nothing to do with this call.
  const CallSite site = std::exchange(thread_state.site, CallSite::none());
  if (site.is_native()) message.append("\n  called at ").append(describe_site(site.intern()));
  throw Error(kind, std::move(message));
}

void raise(ErrorKind kind, const ArgumentProblem& problem) {
  std::string message = concat(problem.op, "(): argument '", problem.argument, "' must be ",
                               problem.expected, ", but got ", problem.got);
  if (!problem.hint.empty()) message.append(". Hint: ").append(problem.hint);
  raise(kind, std::move(message));
}

}  // namespace eagre
