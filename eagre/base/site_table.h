// The table of places in user code: errors name a line by its id here.
#pragma once

#include <cstdint>
#include <string>

#include <eagre/base/export.h>

namespace eagre {

struct SiteInfo {
  std::string file;
  std::string function;
  uint32_t line = 0;
  std::string callers;  // how the program came here, a line each; only when someone asked
};

// Adds a place to the table and gives its id (0 when the table is full).
EAGRE_API uint32_t register_site(SiteInfo info);

// "file:line in function", or "an unknown place".
EAGRE_API std::string describe_site(uint32_t id);

// The same with the callers, outermost first, one per line, where they are known.
EAGRE_API std::string describe_site_with_callers(uint32_t id);

// The binding says here how to find the id of the frame it is in.
using LanguageSiteResolver = uint32_t (*)();
EAGRE_API void set_language_site_resolver(LanguageSiteResolver resolver);

}  // namespace eagre
