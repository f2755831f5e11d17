// Affinity masks and control groups (both versions).
#include <eagre/base/cpu_count.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include <eagre/base/small_file.h>

namespace eagre {
namespace {

// Is "cpu" among the names of "cpu,cpuacct"?
bool has_cpu(const std::string& controllers) {
  std::string list = ",";
  list.append(controllers).append(",");
  return list.find(",cpu,") != std::string::npos;
}

int affinity_count() {
  for (int capacity = 1024; capacity <= 1 << 17; capacity *= 2) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    if (set == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(capacity);
    const bool known = sched_getaffinity(0, bytes, set) == 0;  // fails when the mask is too small
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(count, 1);
  }
  return std::max(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), 1);
}

// Microseconds of processor time per period, or no limit.
struct Quota {
  double quota = -1, period = 0;
  int processors() const {
    return quota > 0 && period > 0 ? std::max(1, static_cast<int>(std::ceil(quota / period))) : 0;
  }
};

Quota read_version_2(const std::string& folder) {
  Quota read;
  const std::string text = read_small_file(folder + "/cpu.max");
  char* end = nullptr;
  read.quota = std::strtod(text.c_str(), &end);  // of "max", which is no limit, 0
  read.period = std::strtod(end, nullptr);
  return read;
}

Quota read_version_1(const std::string& folder) {
  Quota read;
  read.quota = std::strtod(read_small_file(folder + "/cpu.cfs_quota_us").c_str(), nullptr);
  read.period = std::strtod(read_small_file(folder + "/cpu.cfs_period_us").c_str(), nullptr);
  return read;
}

// The smallest limit of a group and those it is in.
int limit_along(std::string path, const std::string& root, Quota (*read)(const std::string&)) {
  int limit = 0;
  while (true) {
    const int here = read(root + path).processors();
    if (here != 0) limit = limit == 0 ? here : std::min(limit, here);
    if (path.empty()) return limit;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

}  // namespace

int cgroup_cpu_limit(const std::string& membership, const std::string& root) {
  const std::string text = read_small_file(membership);
  int limit = 0;
  // Lines are "number:controllers:path"; version 2 names no controllers.
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    int here = 0;
    if (controllers.empty()) {
      here = limit_along(path, root, read_version_2);
    } else if (has_cpu(controllers)) {
      std::string folder = root;
      folder.append("/").append(controllers);
      here = limit_along(path, folder, read_version_1);
      if (here == 0) here = limit_along(path, root + "/cpu", read_version_1);
    }
    if (here != 0) limit = limit == 0 ? here : std::min(limit, here);
  }
  return limit;
}

int available_cpus() {
  const int affinity = affinity_count();
  const int share = cgroup_cpu_limit("/proc/self/cgroup", "/sys/fs/cgroup");
  return share == 0 ? affinity : std::min(affinity, share);
}

}  // namespace eagre
