// How many processors this process may use.
#pragma once

#include <string>

#include <eagre/base/export.h>

namespace eagre {

// Those the scheduler may put us on, or fewer when a container's share of time is smaller.
EAGRE_API int available_cpus();

// The share of processors that control groups leave to this process, rounded up; 0: no limit.
// `membership` is /proc/self/cgroup and `root` is /sys/fs/cgroup, outside of tests.
EAGRE_API int cgroup_cpu_limit(const std::string& membership, const std::string& root);

}  // namespace eagre
