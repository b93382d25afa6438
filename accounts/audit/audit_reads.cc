#include "accounts/audit/audit_reads.h"

#include <algorithm>
#include <vector>

#include "accounts/records/records.h"

namespace parley::accounts {

using protocol::ChainEntry;
using protocol::Error;
using protocol::ErrorCode;

namespace {

constexpr size_t kReadTogether = 64;

const std::optional<std::string>& AskedOf(const AuditAsk& ask, AuditFacet facet) {
  switch (facet) {
    case AuditFacet::kThread:
      return ask.thread_id;
    case AuditFacet::kActor:
      return ask.actor;
    case AuditFacet::kUser:
      return ask.user_id;
    case AuditFacet::kCase:
    case AuditFacet::kLate:
      break;
  }
  return ask.case_id;
}

bool IsAsked(const ChainEntry& entry, const AuditAsk& ask) {
  if ((ask.from && entry.at < *ask.from) || (ask.to && entry.at >= *ask.to)) return false;
  return std::all_of(std::begin(kAuditFacets), std::end(kAuditFacets), [&](AuditFacet facet) {
    const auto& asked = AskedOf(ask, facet);
    return !asked || FacetOf(entry, facet) == asked;
  });
}

// The rows to read: those of the facet that usually has the fewest entries.
storage::SortRange RangeOf(const AuditAsk& ask) {
  constexpr AuditFacet kFewestFirst[] = {AuditFacet::kCase, AuditFacet::kThread, AuditFacet::kUser,
                                         AuditFacet::kActor};
  const auto key = [&](const AuditPlace& place) {
    for (const AuditFacet facet : kFewestFirst) {
      if (const auto& asked = AskedOf(ask, facet)) return AuditFacetKey(facet, *asked, place);
    }
    return AuditTimeKey(place);
  };
  // No act is older than 1970, and keys cannot have such a time.
  const AuditPlace from{std::max(ask.from.value_or(protocol::Time{}), protocol::Time{}), 0};
  AuditPlace end{protocol::Time{INT64_MAX}, UINT64_MAX};
  if (ask.to) end = {*ask.to, 0};
  if (ask.below) end = std::min(end, *ask.below);
  return {key(from), key(std::max(from, end))};
}

// Finds the last entry whose place is before `to`; 0 if none is.
storage::Status LastBefore(const storage::Reader& reader, const protocol::TenantId& tenant, protocol::Time to,
                           uint64_t* seq) {
  bool sound = true;
  AuditPlace place;
  auto status = reader.Scan(AuditPartition(tenant), {AuditTimeKey({}), AuditTimeKey({to, 0})},
                            storage::Direction::kReverse, 1, [&](std::string_view sort, storage::RowView) {
                              sound = ParseAuditPlace(sort, &place);
                              return false;
                            });
  *seq = place.seq;
  return sound || !status.ok()
             ? status
             : storage::Status{storage::StatusCode::kCorrupt, "a row of the audit cannot be read"};
}

// The range of the next entries.
struct Search {
  storage::SortRange range;
  // If set: reads late entries, whose acts are before `to`. Below them come the entries up to this one.
  std::optional<uint64_t> late_above;
};
protocol::Result<Search> NextSearch(const storage::Reader& reader, const protocol::TenantId& tenant,
                                    const AuditAsk& ask) {
  uint64_t last = 0;
  const uint64_t below = ask.below ? ask.below->seq : UINT64_MAX;
  if (ask.to) {
    if (auto status = LastBefore(reader, tenant, std::max(*ask.to, protocol::Time{}), &last); !status.ok())
      return FromFault(storage::FromStatus(status));
    if (below > last + 1) return Search{{AuditLateKey(last + 1), AuditLateKey(below)}, last};
  }
  return Search{RangeOf(ask), std::nullopt};
}

struct Stretch {
  std::vector<AuditPlace> places;
  std::vector<std::optional<storage::Row>> rows;
  bool whole = true;  // no range is left below
};
storage::Status ReadStretch(const storage::Reader& reader, const protocol::TenantId& tenant,
                            const Search& search, Stretch* out) {
  const auto partition = AuditPartition(tenant);
  bool sound = true;
  auto status = reader.Scan(partition, search.range, storage::Direction::kReverse, kReadTogether + 1,
                            [&](std::string_view sort, storage::RowView) {
                              out->whole = out->places.size() < kReadTogether;
                              if (!out->whole) return false;
                              AuditPlace& place = out->places.emplace_back();
                              sound = ParseAuditPlace(sort, &place);
                              if (search.late_above)
                                place.at = protocol::Time{INT64_MAX};  // above all others
                              return sound;
                            });
  if (!status.ok()) return status;
  if (!sound) return {storage::StatusCode::kCorrupt, "a row of the audit cannot be read"};
  std::vector<storage::RowKey> keys;
  for (const AuditPlace& place : out->places) keys.push_back({partition, AuditEntryKey(place.seq)});
  return reader.MultiGet(keys, &out->rows);
}

}  // namespace

protocol::Result<std::optional<AuditPlace>> ListAudit(
    const storage::Reader& reader, const protocol::TenantId& tenant, const AuditAsk& ask,
    const std::function<bool(const ChainEntry&, const std::string& bytes)>& take) {
  AuditAsk left = ask;
  for (size_t looked_at = 0; looked_at < kAuditLookedAt;) {
    PARLEY_TRY(search, NextSearch(reader, tenant, left));
    Stretch stretch;
    if (auto status = ReadStretch(reader, tenant, search, &stretch); !status.ok())
      return FromFault(storage::FromStatus(status));
    for (size_t i = 0; i < stretch.places.size(); ++i) {
      ChainEntry entry;
      const auto& row = stretch.rows[i];
      if (!row || !DecodeChainEntry(row->payload, &entry))
        return Error(ErrorCode::kInternal, "an entry of the audit cannot be read");
      if (IsAsked(entry, left) && !take(entry, row->payload)) return left.below;
      left.below = stretch.places[i];
    }
    looked_at += stretch.places.size();
    if (!stretch.whole) continue;
    if (!search.late_above) return std::optional<AuditPlace>();
    left.below = AuditPlace{protocol::Time{INT64_MAX}, *search.late_above + 1};
  }
  return left.below;
}

}  // namespace parley::accounts
