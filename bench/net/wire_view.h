// Finds the parts of a frame that the generator needs, without building a tree: the generator must not be the
// bottleneck.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/value.h"

namespace parley::bench {

// Views point into the frame.
struct FrameView {
  std::string_view frame;      // all of it
  std::optional<uint32_t> id;  // a reply
  bool ok = false;
  std::string_view body;    // the value of "ok" or "error", encoded
  std::string_view event;   // an event's name, empty for replies
  std::string_view thread;  // an event's threadId
  int64_t seq = 0;          // an event's seq, 0 without
  std::string_view item;    // an event's item, encoded
};
// Returns false if it is not a frame of this protocol.
bool ViewFrame(protocol::Encoding encoding, std::string_view frame, FrameView* out);

// The value of `key` in an encoded map: text without its quotes, everything else as encoded. Escapes are not
// resolved.
std::optional<std::string_view> FindText(protocol::Encoding encoding, std::string_view map,
                                         std::string_view key);
std::optional<int64_t> FindInt(protocol::Encoding encoding, std::string_view map, std::string_view key);
std::optional<std::string_view> FindValue(protocol::Encoding encoding, std::string_view map,
                                          std::string_view key);
// The number of elements of an encoded array; nullopt if it is another type.
std::optional<size_t> CountItems(protocol::Encoding encoding, std::string_view array);

}  // namespace parley::bench
