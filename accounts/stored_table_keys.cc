#include "accounts/stored_table_keys.h"

#include "storage/engine/item_keys.h"

namespace parley::accounts {
namespace {

using storage::ItemTag;

storage::PartitionKey Keys() {
  return storage::RecordPartition("keys");
}

storage::SortKey SortOf(const protocol::TenantId& tenant, const AccessKeyId& id) {
  return storage::KeyWriter().Tag(ItemTag::kRecord).Text(tenant.value).Text(id.value).Sort();
}

bool ReadSort(std::string_view sort, TableKeyRow* out) {
  storage::KeyReader reader(sort);
  std::string tenant, id;
  if (!reader.Tag(ItemTag::kRecord) || !reader.Text(&tenant) || !reader.Text(&id)) return false;
  out->tenant = protocol::TenantId{protocol::KeyText::UpToNul(tenant)};
  const auto known = AccessKeyId::FromText(id);
  if (known) out->id = *known;
  return known.has_value();
}

}  // namespace

void StoredTableKeys::Put(TableKeyRow row, Then then) {
  Write(SortOf(row.tenant, row.id), storage::Row{1, std::move(row.record)}, std::move(then));
}

void StoredTableKeys::Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) {
  Write(SortOf(tenant, id), std::nullopt, std::move(then));
}

void StoredTableKeys::Write(storage::SortKey sort, std::optional<storage::Row> row, Then then) {
  storage::ItemJob job;
  job.decide = [sort = std::move(sort), row = std::move(row)](storage::ItemStage& stage) {
    stage.Write(Keys(), sort, row);
  };
  job.done = then;
  if (!writer_.Submit(job)) then({storage::StatusCode::kThrottled, "too many item writes wait"});
}

storage::Status StoredTableKeys::List(const std::function<void(TableKeyRow)>& visit) {
  bool sound = true;
  storage::Status status = table_.Scan(Keys(), storage::SortRange::All(), storage::Direction::kForward,
                                       SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                                         TableKeyRow key;
                                         sound = ReadSort(sort, &key);
                                         if (!sound) return false;
                                         key.record = row.payload;
                                         visit(std::move(key));
                                         return true;
                                       });
  if (status.ok() && !sound) return {storage::StatusCode::kCorrupt, "the place of a table key"};
  return status;
}

}  // namespace parley::accounts
