#include "gateway/build_info.h"

namespace parley::gateway {

const BuildInfo& ThisBuild() {
#if defined(__clang__)
  static const BuildInfo build{PARLEY_VERSION, PARLEY_COMMIT, "clang " __clang_version__};
#else
  static const BuildInfo build{PARLEY_VERSION, PARLEY_COMMIT, "gcc " __VERSION__};
#endif
  return build;
}

}  // namespace parley::gateway
