// Names the build: version, commit and compiler. Only build_info.cc is recompiled for another commit.
#pragma once

#include <string>

namespace parley::gateway {

struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string commit;    // twelve digits; "unknown" outside of a clone
  std::string compiler;  // "gcc 12.2.0"
};
const BuildInfo& ThisBuild();

}  // namespace parley::gateway
