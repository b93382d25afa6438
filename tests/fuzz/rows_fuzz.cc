// The content of rows and of the change log: decoding any bytes never crashes, and a decoded value has
// exactly one encoding, which decodes to the same value again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "accounts/audit/audit_row.h"
#include "fanout/cells.h"
#include "fanout/inbox_rows.h"
#include "threads/model/change.h"
#include "threads/model/message_row.h"
#include "threads/model/rows.h"
#include "threads/model/uncounted.h"

namespace {

using namespace parley;

void Expect(bool holds) {
  if (!holds) std::abort();
}

template <class Row, class Decode, class Encode>
void Try(std::string_view bytes, const Decode& decode, const Encode& encode) {
  Row row, again;
  if (!decode(bytes, &row)) return;
  const std::string written = encode(row);
  Expect(decode(written, &again));
  Expect(encode(again) == written);
}

template <class Row>
void TryItem(std::string_view bytes) {
  Try<Row>(
      bytes, [](std::string_view from, Row* out) { return threads::DecodeItem(from, out); },
      [](const Row& row) { return threads::EncodeItem(row); });
}

// The entry inside is decoded only by its readers.
void TryInboxRow(std::string_view bytes) {
  fanout::InboxRow row;
  protocol::Entry entry;
  if (!fanout::DecodeInboxRow(bytes, &row) || !threads::DecodeStored(row.entry, &entry)) return;
  const std::string written = fanout::EncodeInboxRow(entry);
  Expect(fanout::DecodeInboxRow(written, &row) && threads::DecodeStored(row.entry, &entry));
  Expect(fanout::EncodeInboxRow(entry) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  TryItem<threads::ThreadRow>(bytes);
  TryItem<threads::ParticipantRow>(bytes);
  TryItem<threads::MessageRow>(bytes);
  TryItem<threads::TabRow>(bytes);
  TryItem<threads::CardRow>(bytes);
  Try<threads::LogRow>(bytes, threads::DecodeLog, threads::EncodeLog);
  Try<threads::DeletedBlock>(bytes, threads::DecodeDeletedBlock, threads::EncodeDeletedBlock);
  Try<threads::IdempotencyRow>(bytes, threads::DecodeIdempotency, threads::EncodeIdempotency);
  Try<threads::ReservationRow>(bytes, threads::DecodeReservation, threads::EncodeReservation);
  Try<threads::BroadcastRow>(bytes, threads::DecodeBroadcast, threads::EncodeBroadcast);
  Try<threads::ChangeEntry>(bytes, threads::DecodeChangeEntry, threads::EncodeChangeEntry);
  Try<fanout::Seat>(bytes, fanout::DecodeSeat, fanout::EncodeSeat);
  Try<fanout::CellCounts>(bytes, fanout::DecodeCounts, fanout::EncodeCounts);
  Try<accounts::AuditHead>(bytes, accounts::DecodeAuditHead, accounts::EncodeAuditHead);
  Try<protocol::ChainEntry>(bytes, accounts::DecodeChainEntry,
                            [](const protocol::ChainEntry& entry) { return protocol::Encode(entry); });
  accounts::AuditPlace place;
  (void)accounts::ParseAuditPlace(bytes, &place);
  TryInboxRow(bytes);
  protocol::Time expiry;
  (void)threads::DecodeExpiry(bytes, &expiry);
  return 0;
}
