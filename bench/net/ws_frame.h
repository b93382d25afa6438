// Frames of RFC 6455 as bytes: what both ends of the bench need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::bench {

// The head of a whole message. A client's has a mask; it may be zero where there is no untrusted
// intermediary, and costs nothing to apply then.
void AppendFrameHead(std::string* out, uint8_t opcode, size_t payload_bytes, bool masked);

struct FrameHead {
  uint8_t opcode = 0;
  bool masked = false;
  size_t bytes = 0;  // of the head, the mask included
  uint64_t payload_bytes = 0;
};
// Nothing while the head is not there as a whole.
std::optional<FrameHead> ReadFrameHead(std::string_view bytes);

// How many bytes a message of this size takes on the wire, unmasked.
size_t WireBytes(size_t payload_bytes);

}  // namespace parley::bench
