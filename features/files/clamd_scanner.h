// Asks clamd, the daemon of ClamAV, by its command INSTREAM:
//
//   we:    "zINSTREAM\0"  { size as 4 bytes, big-endian | bytes }…  0 as 4 bytes
//   clamd: "stream: OK\0", "stream: NAME FOUND\0" or "… ERROR\0"
//
// It answers early, and closes, if the bytes exceed its StreamMaxLength. Each call has a connection of its
// own.
//
// Thread contract: blocking; any thread.
#pragma once

#include <memory>

#include "features/files/scanner.h"

namespace parley::features {

struct ClamdWaits {
  int64_t connect_ms = 5'000;   // also for the answer to a PING
  int64_t send_ms = 30'000;     // without progress
  int64_t answer_ms = 180'000;  // after the last byte; clamd examines a file for 120 s at most by default
};

// REQUIRES: the choice is of clamd.
std::unique_ptr<Scanner> NewClamdScanner(const ScanChoice& choice, ClamdWaits waits = {});

}  // namespace parley::features
