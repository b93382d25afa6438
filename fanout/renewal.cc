#include "fanout/renewal.h"

#include "fanout/upkeep.h"
#include "protocol/base/varint.h"

namespace parley::fanout {
namespace {

// WARNING: on disk, never renumber. upkeep.cc has the other tags of this partition.
constexpr uint8_t kRenewal = 7;

// varint version | id of the last thread renewed (empty: done; the nil id: none yet)
bool Decode(std::string_view payload, Renewal* out) {
  uint64_t version = 0;
  if (!protocol::TakeVarint(&payload, &version)) return false;
  out->version = static_cast<int64_t>(version);
  out->done = payload.empty();
  if (out->done) return true;
  const auto ulid = protocol::Ulid::FromBytes(payload);
  if (ulid) out->after = ThreadId{*ulid};
  return ulid.has_value();
}

}  // namespace

storage::SortKey RenewalKey(std::string_view projection) {
  return storage::KeyWriter().Tag(kRenewal).Text(protocol::KeyText::UpToNul(projection)).Sort();
}

storage::Status ReadRenewal(const storage::Reader& reader, std::string_view projection,
                            const TenantId& tenant, Renewal* out) {
  *out = {tenant, 1, std::nullopt, true};
  std::optional<storage::Row> row;
  if (auto status = reader.Get(UpkeepPartition(tenant), RenewalKey(projection), &row); !status.ok())
    return status;
  if (row && !Decode(row->payload, out))
    return {storage::StatusCode::kCorrupt, "how far a renewal has got can not be read"};
  return {};
}

storage::DerivedWrite RenewalWrite(std::string_view projection, const Renewal& renewal) {
  std::string payload;
  protocol::AppendVarint(&payload, static_cast<uint64_t>(renewal.version));
  if (!renewal.done) payload += renewal.after.value_or(ThreadId{}).ulid.raw();
  return {UpkeepPartition(renewal.tenant), RenewalKey(projection), storage::Row{1, std::move(payload)}};
}

storage::Status ThreadsAfter(const storage::Reader& reader, const TenantId& tenant,
                             const std::optional<ThreadId>& after, size_t limit, std::vector<ThreadId>* out) {
  const auto all = storage::PartitionKey::OfTenant(tenant, storage::TableTag::kThreads);
  std::string last = after ? std::string(after->ulid.raw()) : std::string();
  while (out->size() < limit) {
    std::string found;
    storage::SortRange range = storage::SortRange::All();
    if (!last.empty()) range.begin = storage::SortKey(storage::UpperBound(last));
    auto status = reader.Scan(all, range, storage::Direction::kForward, 1,
                              [&](std::string_view sort, storage::RowView) {
                                found = sort.substr(0, sizeof(protocol::Ulid::bytes));
                                return false;
                              });
    if (!status.ok()) return status;
    const auto ulid = protocol::Ulid::FromBytes(found);
    if (!ulid) break;
    out->push_back(ThreadId{*ulid});
    last = std::move(found);
  }
  return {};
}

}  // namespace parley::fanout
