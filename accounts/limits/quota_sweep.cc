#include "accounts/limits/quota_sweep.h"

#include "protocol/base/reason.h"

namespace parley::accounts {

namespace {

storage::SortKey BeginOf(size_t executor) {
  return storage::KeyWriter().Number(executor).Sort();
}

// Skips an unreadable key, which `verify` reports.
storage::Status ReadPlaces(const storage::Reader& reader, const protocol::TenantId& tenant,
                           const storage::SortRange& range, size_t limit, std::vector<QuotaPlace>* out) {
  return reader.Scan(QuotaDuePartition(tenant), range, storage::Direction::kForward, limit,
                     [&](std::string_view sort, storage::RowView) {
                       QuotaPlace place;
                       if (ParseQuotaPlaceKey(sort, &place)) out->push_back(std::move(place));
                       return true;
                     });
}

class Sweep {
 public:
  Sweep(const storage::Reader& reader, const protocol::TenantId& tenant, protocol::Time now, QuotaSlice* out)
      : reader_(reader), tenant_(tenant), now_(now), out_(*out) {}

  storage::Status Judge(const QuotaPlace& place) {
    const auto partition = QuotaPartition({tenant_, place.who});
    const auto key = QuotaKey(place.executor);
    std::optional<storage::Row> stored;
    if (auto status = reader_.Get(partition, key, &stored); !status.ok()) return status;
    out_.writes.push_back({QuotaDuePartition(tenant_), QuotaPlaceKey(place), std::nullopt});
    QuotaRow row;
    if (!stored || !DecodeQuota(stored->payload, &row) || row.due_ms != place.at.ms) return {};
    const protocol::Time idle_at = row.HasLevel() ? protocol::Time{now_.ms + kQuotaKeptMs} : row.IdleAt();
    if (idle_at <= now_) {
      out_.writes.push_back({partition, key, std::nullopt});
      return {};
    }
    row.due_ms = idle_at.ms;
    out_.writes.push_back({QuotaDuePartition(tenant_),
                           QuotaPlaceKey({place.executor, {row.due_ms}, place.who}), std::string()});
    out_.writes.push_back({partition, key, EncodeQuota(row)});
    return {};
  }

 private:
  const storage::Reader& reader_;
  const protocol::TenantId& tenant_;
  const protocol::Time now_;
  QuotaSlice& out_;
};

}  // namespace

storage::Status FirstQuotasDue(const storage::Reader& reader, const protocol::TenantId& tenant,
                               std::vector<QuotaDue>* out) {
  for (size_t from = 0;;) {
    std::vector<QuotaPlace> first;
    auto status = ReadPlaces(reader, tenant, {BeginOf(from), {}}, 1, &first);
    if (!status.ok() || first.empty()) return status;
    out->push_back({first[0].executor, first[0].at});
    from = first[0].executor + 1;
  }
}

protocol::Result<QuotaSlice> ForgetQuotas(const storage::Reader& reader, const protocol::TenantId& tenant,
                                          size_t executor, protocol::Time now) {
  std::vector<QuotaPlace> places;
  QuotaSlice out;
  auto status =
      ReadPlaces(reader, tenant, storage::SortRange::Prefix(BeginOf(executor)), kQuotaSlice, &places);
  Sweep sweep(reader, tenant, now, &out);
  for (size_t i = 0; status.ok() && i < places.size() && places[i].at <= now; ++i)
    status = sweep.Judge(places[i]);
  if (!status.ok()) return ErrorFor(protocol::Reason::kStoreUnreadable, "quotas cannot be read now");
  out.more = places.size() == kQuotaSlice && places.back().at <= now;
  return out;
}

}  // namespace parley::accounts
