#include "threads/engine/reservations.h"

#include "protocol/base/crypto.h"
#include "protocol/base/varint.h"
#include "threads/engine/forget.h"

namespace parley::threads {
namespace {

struct DueRow {
  storage::SortKey sort;
  Time at;
  UserId owner;
  storage::SortKey reservation;
  Time promised;      // the end of the retention; before `at` if the row was postponed
  std::string names;  // digest of the payload of the reservation that the entry is for
};

// The payload of a DUE# row: the digest of its reservation and, once postponed, the time promised first.
// Without that time, each sweep would postpone the row again for as long as the clock step counts.
std::string EncodeDue(const std::string& names, Time promised) {
  std::string out = names;
  protocol::AppendVarint(&out, static_cast<uint64_t>(promised.ms));
  return out;
}
void DecodeDue(std::string_view payload, DueRow* out) {
  out->names = payload.substr(0, kDigestSize);
  payload.remove_prefix(out->names.size());
  uint64_t promised_ms = 0;
  out->promised =
      protocol::TakeVarint(&payload, &promised_ms) ? Time{static_cast<int64_t>(promised_ms)} : out->at;
}

// Reads the first `limit` rows by time. Skips unreadable keys, which `verify` reports.
storage::Status ReadDue(const storage::Reader& reader, const TenantId& tenant, size_t limit,
                        std::vector<DueRow>* out) {
  return reader.Scan(DuePartition(tenant), storage::SortRange::All(), storage::Direction::kForward, limit,
                     [&](std::string_view sort, storage::RowView row) {
                       DueRow due;
                       due.sort = storage::SortKey(std::string(sort));
                       if (!ParseDueKey(sort, &due.at, &due.owner, &due.reservation)) return true;
                       DecodeDue(row.payload, &due);
                       out->push_back(std::move(due));
                       return true;
                     });
}

bool IsInquiry(const storage::SortKey& reservation) {
  return reservation.bytes().front() == static_cast<char>(storage::UserTag::kInquiry);
}

std::string DigestOfReservation(const std::string& payload) {
  return protocol::Sha256(payload).substr(0, kDigestSize);
}

// An inquiry's reservation prevents a second inquiry for the same role, so it is needed as long as its thread
// is one.
Result<bool> StillNeeded(Transaction& tx, const TenantId& tenant, const std::string& payload) {
  ReservationRow row;
  if (!DecodeReservation(payload, &row)) return false;
  PARLEY_TRY(head, tx.Thread(tenant, row.thread));
  return head && TraitsOf(head->item.kind).per_role;
}

}  // namespace

void ReserveFor(Transaction& tx, const TenantId& tenant, const UserId& owner, const storage::SortKey& sort,
                std::string payload) {
  const Time at{tx.moment().now.ms + kReservedMs};
  tx.Reserve(DuePartition(tenant), DueKey(at, owner, sort), DigestOfReservation(payload));
  tx.Reserve(UserPartition(tenant, owner), sort, std::move(payload));
}

Result<Decision> ForgetReservations(Transaction& tx, const TenantId& tenant) {
  const RowReader rows = tx.Rows(tenant);
  const Time now = tx.moment().now, kept = tx.Kept();
  std::vector<DueRow> found;
  if (const auto status = ReadDue(rows.raw(), tenant, kSliceRows, &found); !status.ok())
    return FromStorage(status);
  Decision decision;
  for (const DueRow& due : found) {
    if (due.at > now) break;
    decision.reserves_only = true;
    tx.Release(DuePartition(tenant), due.sort);
    const auto partition = UserPartition(tenant, due.owner);
    std::optional<storage::Row> row;
    const auto status = rows.raw().Get(partition, due.reservation, &row);
    if (!status.ok()) return FromStorage(status);
    // A new reservation has replaced it, with a DUE# row of its own.
    if (!row || DigestOfReservation(row->payload) != due.names) continue;
    // Keep it until both clocks have passed the promised time.
    const bool is_early = due.promised > kept;
    bool needed = is_early;
    if (!is_early && IsInquiry(due.reservation)) {
      PARLEY_TRY(still, StillNeeded(tx, tenant, row->payload));
      needed = still;
    }
    if (needed) {
      const Time again{is_early ? due.promised.ms + (now.ms - kept.ms) : now.ms + kLookedAtAgainMs};
      tx.Reserve(DuePartition(tenant), DueKey(again, due.owner, due.reservation),
                 is_early ? EncodeDue(due.names, due.promised) : due.names);
    } else {
      tx.Release(partition, due.reservation);
    }
  }
  if (found.size() == kSliceRows && found.back().at <= now) decision.reply = "more";
  return decision;
}

std::optional<Time> FirstReservationDue(const storage::Reader& reader, const TenantId& tenant) {
  std::vector<DueRow> first;
  if (!ReadDue(reader, tenant, 1, &first).ok() || first.empty()) return std::nullopt;
  return first.front().at;
}

}  // namespace parley::threads
