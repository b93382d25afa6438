// Table keys that are gone with the process. Thread-safe; answers within the call.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "accounts/table_keys.h"
#include "protocol/base/mutex.h"

namespace parley::accounts {

class MemoryTableKeyStore : public TableKeyStore {
 public:
  void Put(TableKeyRow row, Then then) override;
  void Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) override;
  storage::Status List(const std::function<void(TableKeyRow)>& visit) override;

 private:
  protocol::Mutex mutex_;
  std::map<std::pair<protocol::TenantId, AccessKeyId>, std::string> rows_ GUARDED_BY(mutex_);
};

}  // namespace parley::accounts
