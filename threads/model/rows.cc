#include "threads/model/rows.h"

#include "protocol/base/varint.h"
#include "threads/model/message_row.h"

namespace parley::threads {

bool DecodeStored(std::string_view msgpack, protocol::Document* out) {
  return protocol::DecodeMsgpack(std::string(msgpack), kRowLimits, out) == nullptr;
}

bool ParseItem(std::string_view payload, ItemView* out) {
  uint64_t seq, born, size;
  if (!protocol::TakeVarint(&payload, &seq) || !protocol::TakeVarint(&payload, &born) ||
      !protocol::TakeVarint(&payload, &size))
    return false;
  if (size > payload.size()) return false;
  out->seq = static_cast<int64_t>(seq);
  out->born_seq = static_cast<int64_t>(born);
  out->wire = payload.substr(0, size);
  out->hidden = payload.substr(size);
  return true;
}

std::optional<protocol::Omit<UserId>> OnlyFor(const ItemView& item) {
  constexpr size_t kEmptyMap = 1;  // nearly every message
  if (item.hidden.size() == kEmptyMap) return protocol::Omit<UserId>();
  protocol::Document hidden;
  if (!DecodeStored(item.hidden, &hidden)) return std::nullopt;
  const protocol::Value* user = hidden.root.Find("onlyFor");
  if (!user || !user->as_text()) return protocol::Omit<UserId>();
  return protocol::Omit<UserId>{UserId{protocol::KeyText::UpToNul(*user->as_text())}};
}

template <class R>
std::string EncodeItem(const R& row) {
  return EncodeItem(row, protocol::Encode(row.item));
}

template <class R>
std::string EncodeItem(const R& row, std::string_view wire) {
  std::string out;
  out.reserve(wire.size() + 160);
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.item.seq));
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.born_seq));
  protocol::AppendVarint(&out, wire.size());
  out += wire;
  out += protocol::Encode(row.hidden);
  return out;
}

template <class R>
bool DecodeItem(std::string_view payload, R* out) {
  ItemView view;
  if (!ParseItem(payload, &view)) return false;
  out->born_seq = view.born_seq;
  return DecodeStored(view.wire, &out->item) && DecodeStored(view.hidden, &out->hidden);
}

template std::string EncodeItem(const ThreadRow&);
template std::string EncodeItem(const ParticipantRow&);
template std::string EncodeItem(const MessageRow&);
template std::string EncodeItem(const MessageRow&, std::string_view);
template std::string EncodeItem(const TabRow&);
template std::string EncodeItem(const CardRow&);
template bool DecodeItem(std::string_view, ThreadRow*);
template bool DecodeItem(std::string_view, ParticipantRow*);
template bool DecodeItem(std::string_view, MessageRow*);
template bool DecodeItem(std::string_view, TabRow*);
template bool DecodeItem(std::string_view, CardRow*);

std::string EncodeLog(const LogRow& row) {
  std::string out(1, static_cast<char>(row.kind));
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.at.ms));
  out += row.sort.bytes();
  return out;
}

bool DecodeLog(std::string_view payload, LogRow* out) {
  uint64_t at;
  if (payload.empty()) return false;
  const auto kind = protocol::SharedKindOf(static_cast<uint8_t>(payload.front()));
  payload.remove_prefix(1);
  if (!kind || !protocol::TakeVarint(&payload, &at) || !IsItemKey(payload)) return false;
  out->kind = *kind;
  out->at = Time{static_cast<int64_t>(at)};
  out->sort = storage::SortKey(std::string(payload));
  return true;
}

std::string EncodeIdempotency(const IdempotencyRow& row) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.expires_at.ms));
  protocol::AppendVarint(&out, row.digest.size());
  return out + row.digest + row.reply;
}

bool DecodeIdempotency(std::string_view payload, IdempotencyRow* out) {
  uint64_t expires, size;
  if (!protocol::TakeVarint(&payload, &expires) || !protocol::TakeVarint(&payload, &size) ||
      size > payload.size())
    return false;
  // The reply has no length prefix. Only a repeat reads such a row, so the cost of decoding it is acceptable.
  protocol::Document reply;
  if (!DecodeStored(payload.substr(size), &reply)) return false;
  out->expires_at = Time{static_cast<int64_t>(expires)};
  out->digest.assign(payload.substr(0, size));
  out->reply.assign(payload.substr(size));
  return true;
}

bool DecodeExpiry(std::string_view payload, Time* out) {
  uint64_t expires;
  if (!protocol::TakeVarint(&payload, &expires)) return false;
  out->ms = static_cast<int64_t>(expires);
  return true;
}

std::optional<Time> HistoryTime(std::string_view payload) {
  protocol::Document row;
  const protocol::Value* at = DecodeStored(payload, &row) ? row.root.Find("at") : nullptr;
  return at && at->as_text() ? protocol::ParseTime(*at->as_text()) : std::nullopt;
}

std::string EncodeEventTime(Time at) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(at.ms));
  return out;
}

std::optional<Time> DecodeEventTime(std::string_view payload) {
  uint64_t ms;
  if (!protocol::TakeVarint(&payload, &ms)) return std::nullopt;
  return Time{static_cast<int64_t>(ms)};
}

std::string EncodeReservation(const ReservationRow& row) {
  return std::string(row.thread.ulid.raw()) + row.digest;
}

bool DecodeReservation(std::string_view payload, ReservationRow* out) {
  constexpr size_t kUlid = 16;
  if (payload.size() != kUlid + kDigestSize) return false;
  out->thread = ThreadId{*protocol::Ulid::FromBytes(payload.substr(0, kUlid))};
  out->digest.assign(payload.substr(kUlid));
  return true;
}

std::string EncodeMeeting(const MeetingRow& row) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.at ? row.at->ms : 0));
  out += static_cast<char>(row.tipped);
  return out;
}

bool DecodeMeeting(std::string_view payload, MeetingRow* out) {
  uint64_t at;
  if (!protocol::TakeVarint(&payload, &at) || payload.size() != 1 || payload.front() > 1) return false;
  out->at = at ? std::optional(Time{static_cast<int64_t>(at)}) : std::nullopt;
  out->tipped = payload.front() == 1;
  return true;
}

std::string EncodeBroadcast(const BroadcastRow& row) {
  std::string out = row.digest;
  for (const ThreadId& thread : row.threads) out += thread.ulid.raw();
  return out;
}

bool DecodeBroadcast(std::string_view payload, BroadcastRow* out) {
  constexpr size_t kDigest = 16, kUlid = 16;
  if (payload.size() < kDigest + kUlid || payload.size() % kUlid != 0) return false;
  out->digest.assign(payload.substr(0, kDigest));
  for (payload.remove_prefix(kDigest); !payload.empty(); payload.remove_prefix(kUlid))
    out->threads.push_back(ThreadId{*protocol::Ulid::FromBytes(payload.substr(0, kUlid))});
  return true;
}

}  // namespace parley::threads
