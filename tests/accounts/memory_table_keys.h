// Table keys that live as long as the process. Thread-safe; answers within the call.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "accounts/table_keys.h"
#include "protocol/base/mutex.h"

namespace parley::accounts {

class MemoryTableKeys : public TableKeyStore {
 public:
  void Put(TableKeyRow row, Then then) override {
    {
      protocol::MutexLock lock(&mutex_);
      rows_[{row.tenant, row.id}] = std::move(row.record);
    }
    then({});
  }
  void Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) override {
    {
      protocol::MutexLock lock(&mutex_);
      rows_.erase({tenant, id});
    }
    then({});
  }
  storage::Status List(const std::function<void(TableKeyRow)>& visit) override {
    std::vector<TableKeyRow> all;
    {
      protocol::MutexLock lock(&mutex_);
      for (const auto& [key, record] : rows_) all.push_back({key.first, key.second, record});
    }
    for (TableKeyRow& row : all) visit(std::move(row));
    return {};
  }

 private:
  protocol::Mutex mutex_;
  std::map<std::pair<protocol::TenantId, AccessKeyId>, std::string> rows_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
