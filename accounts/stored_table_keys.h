// Table keys as rows of the store, written by the table engine's writer. Format: storage/FORMAT.md, "Items".
//
// Thread-safe; List from the thread that opens the node. The writer must outlive this.
#pragma once

#include <functional>

#include "accounts/table_keys.h"
#include "storage/engine/item_writer.h"

namespace parley::accounts {

class StoredTableKeys final : public TableKeyStore {
 public:
  StoredTableKeys(const storage::Table& table, storage::ItemWriter& writer)
      : table_(table), writer_(writer) {}

  // `then` is called with the writer's answers of origin 0, or within the call if the writer rejects it.
  void Put(TableKeyRow row, Then then) override;
  void Remove(const protocol::TenantId& tenant, const AccessKeyId& id, Then then) override;
  storage::Status List(const std::function<void(TableKeyRow)>& visit) override;

 private:
  void Write(storage::SortKey sort, std::optional<storage::Row> row, Then then);

  const storage::Table& table_;
  storage::ItemWriter& writer_;
};

}  // namespace parley::accounts
