// What the rows of an inbox hold, byte by byte: written by the inbox projection, read by pages and by whoever
// proves it right.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fanout/cells.h"

namespace parley::fanout {

// An inbox row: what a read needs to know without decoding, then the entry as it is sent.
//   varint mutedUntil ms (0: none) | entry (MessagePack)
struct InboxRow {
  int64_t muted_until_ms = 0;
  std::string_view entry;
};
std::string EncodeInboxRow(const protocol::Entry& entry);
bool DecodeInboxRow(std::string_view payload, InboxRow* out);

// A member's seat: where their entry was last put, and when their snooze is over.
//   varint cell | varint snoozedUntil ms (0: none) | label
struct Seat {
  Cell cell;
  int64_t snoozed_until_ms = 0;
  std::optional<protocol::KeyText> label;
  friend bool operator==(const Seat&, const Seat&) = default;
};
std::string EncodeSeat(const Seat& seat);
bool DecodeSeat(std::string_view payload, Seat* out);

}  // namespace parley::fanout
