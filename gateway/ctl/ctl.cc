#include "gateway/ctl/ctl.h"

#include <variant>

#include "storage/rocksdb_table.h"

namespace parley::gateway {
namespace {

constexpr const char* kUsage =
    "usage: parleyctl --data DIR COMMAND\n"
    "  verify [--acks FILE] [--project]  recomputes every inbox, index and unread number and prints what "
    "differs;\n"
    "                                    --project first does what the server was ended before, and writes\n"
    "  dump --thread ID [--tenant TID]   prints a thread's partition, one JSON object per row\n"
    "  epoch [--renew]                   prints which history the store holds; --renew begins another one, "
    "after a restore\n"
    "exit codes: 0 clean, 1 differences found, 2 could not run or not judge everything\n";

}  // namespace

std::string ParseCtlArgs(const std::vector<std::string>& words, CtlArgs* out) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::string* value = word == "--data"     ? &out->data
                         : word == "--acks"   ? &out->acks
                         : word == "--thread" ? &out->thread
                         : word == "--tenant" ? &out->tenant
                                              : nullptr;
    if (word == "--renew" || word == "--project") {
      (word == "--renew" ? out->renew : out->project) = true;
    } else if (value) {
      if (i + 1 == words.size()) return word + " needs a value";
      *value = words[++i];
    } else if (out->command.empty() && !word.starts_with("-")) {
      out->command = word;
    } else {
      return "what is " + word + "?";
    }
  }
  if (out->data.empty()) return "--data is required";
  if (out->command != "verify" && out->command != "dump" && out->command != "epoch")
    return "a command is required";
  if (out->project && out->command != "verify") return "--project belongs to verify";
  if (out->renew && out->command != "epoch") return "--renew belongs to epoch";
  if (out->command == "dump" && out->thread.empty()) return "dump needs --thread";
  return {};
}

int RunCtl(int argc, char** argv) {
  CtlArgs args;
  if (argc == 2 && std::string(argv[1]) == "--help") {
    std::fputs(kUsage, stdout);
    return kCtlClean;
  }
  if (const std::string why = ParseCtlArgs({argv + 1, argv + argc}, &args); !why.empty()) {
    std::fprintf(stderr, "parleyctl: %s\n%s", why.c_str(), kUsage);
    return kCtlCouldNotRun;
  }
  if (args.renew) return CtlRenewEpoch(args, stdout, stderr);
  storage::RocksdbSettings settings;
  settings.dir = args.data;
  settings.create_if_missing = false;
  settings.read_only = !args.project;
  auto opened = storage::OpenRocksdb(settings);
  if (const auto* error = std::get_if<storage::OpenError>(&opened)) {
    std::fprintf(stderr, "parleyctl: %s\n", error->message.c_str());
    return kCtlCouldNotRun;
  }
  storage::Table& table = *std::get<std::unique_ptr<storage::Table>>(opened);
  if (args.project) {
    if (const std::string why = CtlProject(table); !why.empty()) {
      std::fprintf(stderr, "parleyctl: %s\n", why.c_str());
      return kCtlCouldNotRun;
    }
  }
  if (args.command == "verify") return CtlVerify(table, args, stdout, stderr);
  if (args.command == "dump") return CtlDump(table, args, stdout, stderr);
  std::printf("%s\n", table.identity().epoch.c_str());
  return kCtlClean;
}

}  // namespace parley::gateway
