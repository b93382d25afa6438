// A program that examines files for malware, and the option that names it.
//
// Thread contract: blocking; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "features/files/blob_store.h"

namespace parley::features {

struct ScanResult {
  enum class Kind : uint8_t { kClean, kFound, kTooLarge, kNotReachable };
  Kind kind = Kind::kNotReachable;
  std::string detail = {};  // kFound: the name of the signature; kNotReachable: why, for the log
};

class Scanner {
 public:
  virtual ~Scanner() = default;
  // Every wait is bounded. kNotReachable: the bytes were not examined, and a later call may succeed.
  virtual ScanResult Scan(BlobReader& blob) = 0;
  // Whether the program answers at all; within seconds.
  virtual bool Answers() = 0;
  // Ends running calls, and every later one, with kNotReachable.
  virtual void Stop() = 0;
};

// The option files_scan.
struct ScanChoice {
  enum class By : uint8_t { kNothing, kClamd, kService };
  By by = By::kNothing;
  // The address of clamd: the path of its socket, or else a host and a port.
  std::string path = {}, host = {};
  uint16_t port = 0;
};

// none, clamd:/PATH, clamd:HOST:PORT or service; nullopt if it is none of these.
std::optional<ScanChoice> ParseScanChoice(std::string_view text);

}  // namespace parley::features
