// parley-media: makes smaller copies of images for parleyd, which starts it. See README.md.
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#include <string_view>

#include "media/copies.h"
#include "media/jobs.h"
#include "media/sandbox.h"

namespace parley::media {
namespace {

// For tests: makes a forbidden call. Returns only if the filter failed.
int BreakOut(std::string_view how) {
  if (!Confine(Files::kKill)) return 1;
  if (how == "--selftest-network") return ::socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : 1;
  return ::open("/etc/passwd", O_RDONLY) >= 0 ? 0 : 1;
}

int Run(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  const bool tests_filter = command == "--selftest-network" || command == "--selftest-file";
  if (argc > 2 || (argc == 2 && !tests_filter)) {
    ::fputs("parley-media is started by parleyd and takes no arguments; see media/README.md\n", stderr);
    return 2;
  }
  if (!StartLibrary() || !LimitProcess() || !PrepareFilter(Files::kKill) || !PrepareFilter(Files::kMissing))
    return 1;
  if (tests_filter) return BreakOut(command);
  return ServeJobs() ? 0 : 1;
}

}  // namespace
}  // namespace parley::media

int main(int argc, char** argv) {
  return parley::media::Run(argc, argv);
}
