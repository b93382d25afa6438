// A connection to clamd whose waits are bounded.
//
// Thread contract: blocking; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "features/files/posix_file.h"
#include "features/files/scanner.h"

namespace parley::features {

class ClamdLink {
 public:
  // `stop`: a descriptor that becomes readable if all waits shall end; it outlives the link.
  explicit ClamdLink(int stop) : stop_(stop) {}

  // Returns "", or why it cannot connect.
  std::string Connect(const ScanChoice& to, int64_t wait_ms);

  enum class Sent : uint8_t { kAll, kAnswered, kFailed };
  // kAnswered: the peer has answered or closed, so it takes no more. `wait_ms`: without progress.
  Sent Send(std::string_view bytes, int64_t wait_ms);
  // The answer without its final NUL; nullopt if it is not whole in time.
  std::optional<std::string> Receive(int64_t wait_ms);

 private:
  bool ConnectTo(int family, const void* address, size_t size, int64_t wait_ms);
  // Returns the events that came, 0 if none did in time.
  short Await(short events, int64_t deadline_ms) const;

  const int stop_;
  PosixFile socket_;
};

}  // namespace parley::features
