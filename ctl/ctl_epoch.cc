#include "ctl/ctl.h"
#include "storage/epoch.h"

namespace parley::ctl {

int CtlRenewEpoch(const CtlArgs& args, std::FILE* out, std::FILE* err) {
  const auto renewed = storage::RenewEpoch(args.data);
  if (const auto* error = std::get_if<storage::OpenError>(&renewed)) {
    std::fprintf(err, "parleyctl: %s\n", error->message.c_str());
    return kCtlCouldNotRun;
  }
  const auto& change = std::get<storage::EpochChange>(renewed);
  std::fprintf(out, "%s -> %s\n", change.before.c_str(), change.after.c_str());
  return kCtlClean;
}

}  // namespace parley::ctl
