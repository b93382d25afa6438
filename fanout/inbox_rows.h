// Encodes and decodes the rows of an inbox: the inbox projection writes them, pages and verify read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fanout/cells.h"

namespace parley::fanout {

// An inbox row: the mute's end, which reads need without decoding the entry, then the entry as it is sent.
//   varint mutedUntil ms (0: none) | entry (MessagePack)
struct InboxRow {
  int64_t muted_until_ms = 0;
  std::string_view entry;
};
std::string EncodeInboxRow(const protocol::Entry& entry);
bool DecodeInboxRow(std::string_view payload, InboxRow* out);
// The number of an entry's unread messages, without decoding the rest.
bool UnreadIn(std::string_view entry, int64_t* out);

// A member's seat: the cell and label of their entry, and the ends of their snooze and mute.
//   varint cell | varint snoozedUntil ms (0: none) | if muted, varint mutedUntil ms (0: none) | label
struct Seat {
  Cell cell;
  int64_t snoozed_until_ms = 0;
  int64_t muted_until_ms = 0;
  std::optional<protocol::KeyText> label;
  friend bool operator==(const Seat&, const Seat&) = default;
};
std::string EncodeSeat(const Seat& seat);
bool DecodeSeat(std::string_view payload, Seat* out);

}  // namespace parley::fanout
