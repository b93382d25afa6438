// Frames of RFC 6455 as bytes, for both ends of the bench.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::bench {

// The head of a whole message. A client's has a mask; it may be zero if there is no untrusted intermediary,
// and then costs nothing to apply.
void AppendFrameHead(std::string* out, uint8_t opcode, size_t payload_bytes, bool masked);

struct FrameHead {
  uint8_t opcode = 0;
  bool masked = false;
  size_t bytes = 0;  // the size of the head with its mask
  uint64_t payload_bytes = 0;
};
// Returns nullopt while the head is incomplete.
std::optional<FrameHead> ReadFrameHead(std::string_view bytes);

// The size of a message on the wire, unmasked.
size_t WireBytes(size_t payload_bytes);

}  // namespace parley::bench
