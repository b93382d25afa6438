#include "bench/net/ws_frame.h"

namespace parley::bench {

void AppendFrameHead(std::string* out, uint8_t opcode, size_t payload_bytes, bool masked) {
  const int mask = masked ? 0x80 : 0;
  out->push_back(static_cast<char>(0x80 | opcode));
  int shift = 0;  // the shift of the size's highest byte
  if (payload_bytes < 126) {
    out->push_back(static_cast<char>(mask | static_cast<int>(payload_bytes)));
    shift = -8;
  } else if (payload_bytes < 65536) {
    out->push_back(static_cast<char>(mask | 126));
    shift = 8;
  } else {
    out->push_back(static_cast<char>(mask | 127));
    shift = 56;
  }
  for (; shift >= 0; shift -= 8) out->push_back(static_cast<char>(uint64_t{payload_bytes} >> shift));
  if (masked) out->append(4, '\0');
}

std::optional<FrameHead> ReadFrameHead(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  FrameHead head;
  head.opcode = byte(0) & 0x0f;
  head.masked = (byte(1) & 0x80) != 0;
  head.payload_bytes = byte(1) & 0x7f;
  const size_t more = head.payload_bytes == 126 ? 2 : head.payload_bytes == 127 ? 8 : 0;
  head.bytes = 2 + more + (head.masked ? 4 : 0);
  if (bytes.size() < head.bytes) return std::nullopt;
  if (more > 0) head.payload_bytes = 0;
  for (size_t i = 0; i < more; ++i) head.payload_bytes = head.payload_bytes << 8 | byte(2 + i);
  return head;
}

size_t WireBytes(size_t payload_bytes) {
  return payload_bytes + (payload_bytes < 126 ? 2 : payload_bytes < 65536 ? 4 : 10);
}

}  // namespace parley::bench
