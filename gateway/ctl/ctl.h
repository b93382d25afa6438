// parleyctl --data DIR COMMAND …, on a stopped store or a checkpoint, which is opened read-only unless stated
// otherwise:
//
// clang-format off
//   verify [--acks FILE] [--project]   recomputes everything derived and prints what differs
//                                      (fanout/verify/verify.h); with FILE, also looks for every
//                                      acknowledged send in it. Threads whose last changes wait to be
//                                      projected are not judged; --project does that first, as the server
//                                      would, and therefore writes
//   dump --thread ID [--tenant TID]    prints a thread's partition as the seed shows it: one JSON object
//                                      per row
//   epoch [--renew]                    prints which history the store holds; --renew begins another, after a
//                                      restore
// clang-format on
//
// Exit codes: 0 clean, 1 differences found, 2 could not run, or found nothing but did not judge everything.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "storage/table.h"

namespace parley::gateway {

inline constexpr int kCtlClean = 0;
inline constexpr int kCtlDifferences = 1;
inline constexpr int kCtlCouldNotRun = 2;

int RunCtl(int argc, char** argv);

// The commands, on an open table; results go to `out`, complaints to `err`.
struct CtlArgs {
  std::string data, command, acks, thread, tenant = "demo";
  bool renew = false, project = false;
};
// Empty on success, else what is wrong.
std::string ParseCtlArgs(const std::vector<std::string>& words, CtlArgs* out);
int CtlVerify(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);
int CtlRenewEpoch(const CtlArgs& args, std::FILE* out, std::FILE* err);
// Brings the projections up to date. Empty on success.
std::string CtlProject(storage::Table& table);
int CtlDump(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);

}  // namespace parley::gateway
