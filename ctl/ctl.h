// Parleyctl: an operator's tools, for a stopped store or a checkpoint (--data DIR) and for a running server
// (--url URL). A store is opened read-only unless stated otherwise.
//
// clang-format off
//   verify [--acks FILE] [--project]   recomputes all derived rows and prints the differences
//          [--files [--hashes]]        (fanout/verify/verify.h); with FILE, also searches for every
//                                      acknowledged send in it. Threads whose last changes are not
//                                      projected yet are not judged; --project projects them first, as the
//                                      server would, and therefore writes. --files also looks for the bytes
//                                      of every upload (features/files/stored_check.h)
//   dump --thread ID [--tenant TID]    prints a thread's partition row by row: one JSON object
//        [--text]                      per row; texts by people are left out unless --text is given
//   epoch [--renew]                    prints the epoch of the store; --renew begins another, after a
//                                      restore
//   sealing status                     counts the sealed values by key (--sealing-key-file)
//   sealing rotate                     reseals all secrets with a new key, or finishes a rotation; writes
//   NOUN VERB …                        sends a request to a running server (command.h); some lists also
//                                      work on a stopped store
// clang-format on
//
// Exit codes: 0 clean; 1 differences found, or the server rejected the request; 2 could not run, or found no
// difference but did not judge everything.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "storage/sealing/sealer.h"
#include "storage/table.h"

namespace parley::ctl {

struct Command;

inline constexpr int kCtlClean = 0;
inline constexpr int kCtlDifferences = 1;
inline constexpr int kCtlRefused = 1;
inline constexpr int kCtlCouldNotRun = 2;

inline constexpr const char* kCtlSealingStatus = "sealing status";

int RunCtl(int argc, char** argv);

// The commands, on an open table; results are printed on `out`, errors on `err`.
struct CtlArgs {
  std::string data, command, acks, thread, tenant;
  std::string sealing_key_file;
  bool renew = false, project = false, rotate = false, text = false;
  bool files = false, hashes = false;
  std::map<std::string, std::string, std::less<>> files_options;  // as the server's, by key: "files_dir"

  const Command* asked = nullptr;                          // instead of `command`
  std::map<std::string, std::string, std::less<>> values;  // its parameters, by name
  std::string url, key_file, cacert, secret_file, table_key_file;
  bool plain_http = false, json = false;

  bool version = false;
  std::string help;  // the requested help, or empty
};
// Returns an error text, or nothing on success.
std::string ParseCtlArgs(const std::vector<std::string>& words, CtlArgs* out);
int CtlVerify(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);
int CtlRenewEpoch(const CtlArgs& args, std::FILE* out, std::FILE* err);
// Brings the projections up to date. Returns an error text, or nothing on success.
std::string CtlProject(storage::Table& table, const storage::Sealer& sealer);
std::string SealingKeyPath(const CtlArgs& args);
int CtlSealingStatus(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);
int CtlSealingRotate(storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);
int CtlDump(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err);
// REQUIRES: args.asked
int CtlOnServer(const CtlArgs& args, std::FILE* out, std::FILE* err);
int CtlOnStore(const storage::Table& table, const storage::Sealer& sealer, const CtlArgs& args,
               std::FILE* out, std::FILE* err);

}  // namespace parley::ctl
