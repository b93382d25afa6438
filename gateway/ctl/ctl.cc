#include "gateway/ctl/ctl.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "storage/rocksdb_table.h"

namespace parley::gateway {
namespace {

constexpr int kCouldNotRun = 2;
constexpr const char* kUsage =
    "usage: parleyctl --data DIR COMMAND\n  epoch    prints which history the store holds\n";

}  // namespace

int RunCtl(int argc, char** argv) {
  if (argc < 4 || std::strcmp(argv[1], "--data") != 0 || std::strcmp(argv[3], "epoch") != 0) {
    std::fputs(kUsage, stderr);
    return kCouldNotRun;
  }
  storage::RocksdbSettings settings;
  settings.dir = argv[2];
  settings.create_if_missing = false;
  settings.read_only = true;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) {
    std::fprintf(stderr, "parleyctl: %s\n", error->message.c_str());
    return kCouldNotRun;
  }
  std::printf("%s\n", std::get<0>(opened)->identity().epoch.c_str());
  return 0;
}

}  // namespace parley::gateway
