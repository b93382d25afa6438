// The records of the services: items of the declared tables, as services see them (secrets open), in the
// partition of one tenant. Reads for all threads, and decisions for the one writer.
//
// A decision reads its rows, then either rejects or stages writes, and commits: all of it or nothing, over
// any number of tables. Because the writer decides one request after the other, the rows that a decision has
// read are still unchanged when it writes. It does not read back its own writes.
//
// Thread contract: RecordReads on any thread (if the reader answers from memory alone, an error may mean that
// it would have needed the disk: ReadAnywhere handles that); RecordTransaction on the writer's thread, for
// the time of one decision.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "storage/engine/fault.h"
#include "storage/engine/item_reads.h"
#include "storage/engine/item_transaction.h"
#include "storage/engine/item_writes.h"

namespace parley::accounts {

using storage::Item;

// NOT_FOUND, ALREADY_EXISTS (a unique value is taken), BAD_REQUEST, UNAVAILABLE or INTERNAL.
protocol::Error FromFault(const storage::EngineFault& fault);

// Returns a declared table. REQUIRES: the table exists.
const storage::TableDefPtr& SeedTable(std::string_view name);

struct RecordPage {
  std::vector<Item> items;
  std::optional<Item> last;  // the start of the next page; none: this was the last
};

class RecordReads {
 public:
  RecordReads(const storage::Reader& reader, protocol::TenantId tenant, protocol::Time now,
              const storage::Sealer& sealer)
      : reads_{reader, std::move(tenant), now}, sealer_(sealer) {}

  const protocol::TenantId& tenant() const { return reads_.tenant; }
  protocol::Time now() const { return reads_.now; }
  const storage::Reader& reader() const { return reads_.reader; }

  // Finds an item by its key; `range` is empty for a table without one.
  protocol::Result<std::optional<Item>> Find(std::string_view table, std::string_view hash,
                                             std::string_view range = {}) const;
  // Finds the tenant's only item with these values, which a unique rule of the table names.
  protocol::Result<std::optional<Item>> FindUnique(std::string_view table, const Item& values) const;
  struct Ask {
    std::string_view table;
    std::string_view index = {};                    // empty: the table itself
    std::optional<storage::KeyCondition> key = {};  // none: everything, in no useful order
    size_t limit = 50;                              // items examined
    bool forward = true;
    std::optional<Item> after = {};
  };
  protocol::Result<RecordPage> List(const Ask& ask) const;
  // The same for lists that show their end: `last` is set only if more follows, and is the last item itself.
  protocol::Result<RecordPage> ListToTheEnd(Ask ask) const;
  // Visits all items, page by page, while `visit` returns true.
  protocol::Status ForEach(Ask ask, const std::function<bool(const Item&)>& visit) const;

 protected:
  const storage::ItemReads reads_;
  const storage::Sealer sealer_;
};

// For Ask: all items with this partition key; those whose sort key has this prefix.
storage::KeyCondition AllOf(std::string_view hash);
storage::KeyCondition BeginningWith(std::string_view hash, std::string_view prefix);

// Finds the only item of all tenants with these values, which a global unique rule of the table names;
// nullopt if missing.
struct FoundRecord {
  protocol::TenantId tenant;
  Item item;
};
protocol::Result<std::optional<FoundRecord>> FindInWorld(const storage::Reader& reader,
                                                         std::string_view table, const Item& values,
                                                         protocol::Time now, const storage::Sealer& sealer);

class RecordTransaction : public RecordReads {
 public:
  RecordTransaction(storage::ItemTransaction& tx, protocol::TenantId tenant)
      : RecordReads(tx.reader(), std::move(tenant), tx.now(), tx.sealer()), tx_(tx) {}

  // Stages the whole new item; `kind` is the declaration's. Its version is incremented.
  void Put(std::string_view table, std::string_view kind, Item item);
  void Delete(std::string_view table, std::string_view hash, std::string_view range = {});
  // Stages a row that is no item; Commit writes it with the items or not at all. FindRow sees staged rows.
  void PutRow(const storage::PartitionKey& partition, storage::SortKey sort, std::string payload);
  protocol::Result<std::optional<storage::Row>> FindRow(const storage::PartitionKey& partition,
                                                        const storage::SortKey& sort) const;
  // The underlying stage, for decisions that need more than items.
  storage::ItemTransaction& tx() { return tx_; }

  // Writes everything, at most kTransactionWritesMax, or nothing. The last step of a decision.
  protocol::Status Commit();

  // For 24 hours a repeated request gets the reply of the first one. `key` is the client's, bound by the
  // caller to the user and the op; `digest` covers the whole request. `keeper`: the key's tenant;
  // storage::EngineTenant if the request creates the tenant. Returns nullopt if it is no repeat.
  // IDEMPOTENCY_CONFLICT: another request used the key.
  protocol::Result<std::optional<std::string>> FindRepeat(const protocol::TenantId& keeper,
                                                          std::string_view key,
                                                          std::string_view digest) const;
  void Remember(const protocol::TenantId& keeper, std::string_view key, std::string_view digest,
                std::string_view answer);

 private:
  storage::ItemTransaction& tx_;
  std::vector<storage::WriteRequest> writes_;
  std::map<std::pair<storage::PartitionKey, storage::SortKey>, std::string> rows_;
};

}  // namespace parley::accounts
