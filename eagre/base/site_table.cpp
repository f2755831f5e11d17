// Places in user code, each registered once, with their texts owned here.
#include <eagre/base/site_table.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <source_location>
#include <string>
#include <unordered_map>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/fork.h>
#include <eagre/base/thread_state.h>

namespace eagre {
namespace {

// Programs that make code as they run must not grow the table for ever.
constexpr size_t kMaxSites = 1 << 17;

struct SiteTable {
  ForkMutex mutex;
  std::deque<SiteInfo> sites;  // id - 1 is the index
  std::unordered_map<uintptr_t, uint32_t> native_ids;

  uint32_t add(SiteInfo info) {
    if (sites.size() >= kMaxSites) return 0;
    sites.push_back(std::move(info));
    return static_cast<uint32_t>(sites.size());
  }
};

// Never destroyed: errors may be worded while the process ends.
SiteTable& table() {
  static SiteTable& instance = *new SiteTable;
  return instance;
}

const MadeAtLoad kTableAtLoad(table);

std::atomic<LanguageSiteResolver> language_resolver{nullptr};

}  // namespace

uint32_t CallSite::intern() const {
  const uintptr_t tag = word_ & kTagMask;
  if (tag == 0) [[likely]] {
    const auto& entry = thread_state.caches->sites[(word_ >> 4) % ThreadCaches::kSiteEntries];
    if (entry.key == word_) [[likely]]
      return entry.id;
  } else if (tag == kIdTag) {
    return static_cast<uint32_t>(word_ >> 2);
  } else if (LanguageSiteResolver resolve = language_resolver.load(std::memory_order_relaxed)) {
    return resolve();
  }
  return intern_slowly();
}

uint32_t CallSite::intern_slowly() const {
  if (!is_native()) return 0;
  uint32_t id = 0;
  {
    SiteTable& sites = table();
    std::lock_guard lock(sites.mutex);
    auto [entry, is_new] = sites.native_ids.try_emplace(word_, 0);
    if (is_new) {
      const auto where = std::bit_cast<std::source_location>(word_);
      entry->second = sites.add({where.file_name(), where.function_name(), where.line(), ""});
    }
    id = entry->second;
  }
  ThreadCaches* caches = thread_state.caches;
  if (caches == &empty_thread_caches) caches = make_thread_caches();
  if (caches != &empty_thread_caches) {
    caches->sites[(word_ >> 4) % ThreadCaches::kSiteEntries] = {word_, id};
  }
  return id;
}

uint32_t register_site(SiteInfo info) {
  SiteTable& sites = table();
  std::lock_guard lock(sites.mutex);
  return sites.add(std::move(info));
}

namespace {
std::string describe(uint32_t id, bool with_callers) {
  SiteTable& sites = table();
  std::lock_guard lock(sites.mutex);
  if (id == 0 || id > sites.sites.size()) return "an unknown place";
  const SiteInfo& info = sites.sites[id - 1];
  if (with_callers && !info.callers.empty()) return info.callers;
  std::string text = info.file + ":" + std::to_string(info.line);
  if (!info.function.empty()) text.append(" in ").append(info.function);
  return text;
}
}  // namespace

std::string describe_site(uint32_t id) { return describe(id, false); }
std::string describe_site_with_callers(uint32_t id) { return describe(id, true); }

void set_language_site_resolver(LanguageSiteResolver resolver) {
  language_resolver.store(resolver, std::memory_order_relaxed);
}

}  // namespace eagre
