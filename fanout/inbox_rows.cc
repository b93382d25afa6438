#include "fanout/inbox_rows.h"

#include "protocol/base/varint.h"
#include "threads/model/rows.h"

namespace parley::fanout {

std::string EncodeInboxRow(const protocol::Entry& entry) {
  std::string out;
  protocol::AppendVarint(&out, entry.muted_until ? static_cast<uint64_t>(entry.muted_until->ms) : 0);
  return out + protocol::Encode(entry);
}

bool DecodeInboxRow(std::string_view payload, InboxRow* out) {
  uint64_t muted_until;
  if (!protocol::TakeVarint(&payload, &muted_until) || payload.empty()) return false;
  out->muted_until_ms = static_cast<int64_t>(muted_until);
  out->entry = payload;
  return true;
}

bool UnreadIn(std::string_view entry, int64_t* out) {
  protocol::Document document;
  if (!threads::DecodeStored(entry, &document)) return false;
  const protocol::Value* unread = document.root.Find("unread");
  if (!unread || !unread->as_int()) return false;
  *out = *unread->as_int();
  return true;
}

std::string EncodeSeat(const Seat& seat) {
  std::string out;
  protocol::AppendVarint(&out, seat.cell.bits);
  protocol::AppendVarint(&out, static_cast<uint64_t>(seat.snoozed_until_ms));
  if (seat.cell.bits & kMutedBit) protocol::AppendVarint(&out, static_cast<uint64_t>(seat.muted_until_ms));
  return out + seat.label.value_or("").text();
}

bool DecodeSeat(std::string_view payload, Seat* out) {
  uint64_t cell, snoozed_until, muted_until = 0;
  if (!protocol::TakeVarint(&payload, &cell) || !protocol::TakeVarint(&payload, &snoozed_until) ||
      cell > kCellBits || ((cell & kMutedBit) != 0 && !protocol::TakeVarint(&payload, &muted_until)))
    return false;
  out->muted_until_ms = static_cast<int64_t>(muted_until);
  out->snoozed_until_ms = static_cast<int64_t>(snoozed_until);
  out->cell = Cell{static_cast<uint16_t>(cell)};
  if (payload.empty()) return true;
  out->label = protocol::KeyText::From(payload);
  return out->label.has_value();
}

}  // namespace parley::fanout
