#include "accounts/stored_table_keys.h"

#include "storage/engine/item_keys.h"

namespace parley::accounts {
namespace {

bool ReadSort(std::string_view sort, TableKeyRow* out) {
  std::string text;
  if (!storage::ParseTableKeyRecordKey(sort, &out->tenant, &text)) return false;
  const auto id = AccessKeyId::FromText(text);
  if (id) out->id = *id;
  return id.has_value();
}

}  // namespace

void StoredTableKeys::Put(TableKeyRow row, Then then) {
  Write(storage::TableKeyRecordKey(row.tenant, row.id.value), storage::Row{1, std::move(row.record)},
        std::move(then));
}

void StoredTableKeys::Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) {
  Write(storage::TableKeyRecordKey(tenant, id.value), std::nullopt, std::move(then));
}

void StoredTableKeys::Write(storage::SortKey sort, std::optional<storage::Row> row, Then then) {
  storage::ItemJob job;
  job.decide = [sort = std::move(sort), row = std::move(row)](storage::ItemTransaction& tx) {
    tx.Write(storage::TableKeyRecords(), sort, row);
  };
  job.done = then;
  if (!writer_.Submit(job)) then({storage::StatusCode::kThrottled, "too many item writes wait"});
}

storage::Status StoredTableKeys::List(const std::function<void(TableKeyRow)>& visit) {
  bool sound = true;
  storage::Status status =
      table_.Scan(storage::TableKeyRecords(), storage::SortRange::All(), storage::Direction::kForward,
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
