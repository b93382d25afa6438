#include "ctl/ctl.h"

#include <variant>

#include "accounts/store_sealing.h"
#include "storage/rocksdb_table.h"

namespace parley::ctl {
namespace {

int Complain(const std::string& why) {
  std::fprintf(stderr, "parleyctl: %s\n", why.c_str());
  return kCtlCouldNotRun;
}

// These commands also work on a store without its key, to inspect a backup.
bool ReadsNoSecret(const CtlArgs& args) {
  return args.command == "verify" || args.command == "dump" || args.command == "epoch";
}

int RunOnStore(const CtlArgs& args) {
  storage::RocksdbSettings settings;
  settings.dir = args.data;
  settings.create_if_missing = false;
  settings.read_only = !args.project && !args.rotate;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) return Complain(error->message);
  storage::Table& table = *std::get<std::unique_ptr<storage::Table>>(opened);
  if (args.rotate) return CtlSealingRotate(table, args, stdout, stderr);
  const auto sealer = accounts::FindSealer(table, SealingKeyPath(args));
  if (!sealer.ok()) {
    if (args.asked || args.project || !ReadsNoSecret(args)) return Complain(sealer.error().message);
    std::fprintf(stderr, "parleyctl: note: %s\n", sealer.error().message.c_str());
  }
  if (args.project) {
    if (const std::string why = CtlProject(table, *sealer); !why.empty()) return Complain(why);
  }
  if (args.asked) return CtlOnStore(table, *sealer, args, stdout, stderr);
  if (args.command == kCtlSealingStatus) return CtlSealingStatus(table, args, stdout, stderr);
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

}  // namespace parley::ctl
