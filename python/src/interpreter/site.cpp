// The table (instruction) → site id. Its key is the address of the running instruction, which no
// other instruction can get as long as the code object lives; so the table owns the code objects.
#include "interpreter/site.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/base/site_table.h>

#include "interpreter/compat.h"

namespace eagre::python {
namespace {

constexpr uint32_t kPackageCode = UINT32_MAX;  // the user's line is further up
constexpr size_t kCacheEntries = 1024;

struct CacheEntry {
  const void* instruction;
  uint32_t id;
};

// All guarded by the GIL.
CacheEntry cache[kCacheEntries] = {};
std::string package_folder;  // NOLINT: ends with a slash; empty until the package says it

struct SiteTable {
  std::unordered_map<const void*, uint32_t> ids;
  std::unordered_set<PyCodeObject*> owned;
};
SiteTable& table() {
  static SiteTable& instance = *new SiteTable;
  return instance;
}

CacheEntry& cache_entry(const void* instruction) {
  return cache[(reinterpret_cast<uintptr_t>(instruction) >> 1) % kCacheEntries];
}

std::string text(PyObject* string) {
  const char* utf8 = PyUnicode_AsUTF8(string);
  if (utf8 != nullptr) return utf8;
  PyErr_Clear();  // a name that is not valid Unicode
  return "?";
}

uint32_t register_frame(const compat::Frame* frame) {
  PyCodeObject* code = compat::code(frame);
  SiteInfo info;
  info.file = text(code->co_filename);
  if (!package_folder.empty() && info.file.starts_with(package_folder)) return kPackageCode;
  info.function = text(code->co_qualname);
  const int line = PyCode_Addr2Line(code, compat::instruction_offset(frame));
  info.line = line < 0 ? 0 : static_cast<uint32_t>(line);
  return register_site(std::move(info));
}

EAGRE_COLD uint32_t find_slowly(const compat::Frame* frame) {
  const void* instruction = compat::instruction(frame);
  SiteTable& sites = table();
  auto found = sites.ids.find(instruction);
  if (found == sites.ids.end()) {
    const uint32_t id = register_frame(frame);
    if (id == 0) return 0;  // the table is full: own no more code
    PyCodeObject* code = compat::code(frame);
    if (sites.owned.insert(code).second) Py_INCREF(code);
    found = sites.ids.emplace(instruction, id).first;
  }
  cache_entry(instruction) = {instruction, found->second};
  return found->second;
}

bool collects_callers = false;  // guarded by the GIL

// One entry per way to come to a line. The text is the key: this is for debugging.
EAGRE_COLD uint32_t site_with_callers() {
  static auto& ids = *new std::unordered_map<std::string, uint32_t>;
  SiteInfo info;
  for (const compat::Frame* frame = compat::innermost_frame(); frame != nullptr;
       frame = compat::caller(frame)) {
    if (!compat::has_python_code(frame)) continue;
    PyCodeObject* code = compat::code(frame);
    const std::string file = text(code->co_filename), function = text(code->co_qualname);
    if (!package_folder.empty() && file.starts_with(package_folder)) continue;
    const int line = std::max(0, PyCode_Addr2Line(code, compat::instruction_offset(frame)));
    if (info.file.empty()) {
      info.file = file;
      info.function = function;
      info.line = static_cast<uint32_t>(line);
    }
    info.callers = concat("  File \"", file, "\", line ", line, ", in ", function,
                          info.callers.empty() ? "" : "\n", info.callers);
  }
  if (info.file.empty()) return 0;
  uint32_t& id = ids[info.callers];
  if (id == 0) id = register_site(std::move(info));
  return id;
}

}  // namespace

void collect_callers(bool on) { collects_callers = on; }

uint32_t current_site_id() {
  if (collects_callers) [[unlikely]]
    return site_with_callers();
  for (const compat::Frame* frame = compat::innermost_frame(); frame != nullptr;
       frame = compat::caller(frame)) {
    if (!compat::has_python_code(frame)) continue;
    const CacheEntry& entry = cache_entry(compat::instruction(frame));
    const uint32_t id =
        entry.instruction == compat::instruction(frame) ? entry.id : find_slowly(frame);
    if (id != kPackageCode) return id;
  }
  return 0;
}

void set_package_folder(const char* folder) { package_folder = std::string(folder) + "/"; }

}  // namespace eagre::python
