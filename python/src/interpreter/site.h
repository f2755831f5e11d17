// Which line of Python code is running, as an id of the site table.
#pragma once

#include <eagre/base/call_site.h>

#include "interpreter/object.h"

namespace eagre::python {

// Of the innermost frame outside of the package itself. With the GIL held.
uint32_t current_site_id();
inline CallSite current_site() { return CallSite::of_id(current_site_id()); }

// From now on sites are kept with all their callers; slow, for anomaly mode. With the GIL held.
void collect_callers(bool on);

// Frames of files in this folder are not the user's.
void set_package_folder(const char* folder);

}  // namespace eagre::python
