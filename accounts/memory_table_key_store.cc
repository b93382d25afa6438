#include "accounts/memory_table_key_store.h"

namespace parley::accounts {

void MemoryTableKeyStore::Put(TableKeyRow row, Then then) {
  {
    protocol::MutexLock lock(&mutex_);
    rows_[{row.tenant, row.id}] = std::move(row.record);
  }
  then({});
}

void MemoryTableKeyStore::Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) {
  {
    protocol::MutexLock lock(&mutex_);
    rows_.erase({tenant, id});
  }
  then({});
}

storage::Status MemoryTableKeyStore::List(const std::function<void(TableKeyRow)>& visit) {
  std::vector<TableKeyRow> all;
  {
    protocol::MutexLock lock(&mutex_);
    for (const auto& [key, record] : rows_) all.push_back({key.first, key.second, record});
  }
  for (TableKeyRow& row : all) visit(std::move(row));
  return {};
}

}  // namespace parley::accounts
