#include "gateway/ctl/ctl.h"

#include <variant>

#include "storage/rocksdb_table.h"

namespace parley::gateway {
namespace {

int Complain(const std::string& why) {
  std::fprintf(stderr, "parleyctl: %s\n", why.c_str());
  return kCtlCouldNotRun;
}

int RunOnStore(const CtlArgs& args) {
  storage::RocksdbSettings settings;
  settings.dir = args.data;
  settings.create_if_missing = false;
  settings.read_only = !args.project;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) return Complain(error->message);
  storage::Table& table = *std::get<std::unique_ptr<storage::Table>>(opened);
  if (args.project) {
    if (const std::string why = CtlProject(table); !why.empty()) return Complain(why);
  }
  if (args.asked) return CtlOnStore(table, args, stdout, stderr);
  if (args.command == "verify") return CtlVerify(table, args, stdout, stderr);
  if (args.command == "dump") return CtlDump(table, args, stdout, stderr);
  std::printf("%s\n", table.identity().epoch.c_str());
  return kCtlClean;
}

}  // namespace

int RunCtl(int argc, char** argv) {
  CtlArgs args;
  if (const std::string why = ParseCtlArgs({argv + 1, argv + argc}, &args); !why.empty())
    return Complain(why + "\nparleyctl --help lists the commands");
  if (!args.help.empty() || args.version) {
    std::fputs(args.help.empty() ? "parleyctl " PARLEY_VERSION "\n" : args.help.c_str(), stdout);
    return kCtlClean;
  }
  if (!args.url.empty()) return CtlOnServer(args, stdout, stderr);
  if (args.renew) return CtlRenewEpoch(args, stdout, stderr);
  return RunOnStore(args);
}

}  // namespace parley::gateway
