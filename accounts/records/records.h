// The records of the services: items of the declared tables, as services see them (secrets open), in the
// partition of one tenant. Reads for anybody, and decisions for the one writer.
//
// A decision reads what it needs, refuses or says what is to be written, and commits: all of it or nothing,
// over any number of tables. Since the writer decides one after the other, whatever a decision has read still
// holds when it is written. What it writes it does not read back.
//
// Thread contract: RecordReads on any thread (where the reader answers from memory alone, an error may mean
// that it would have taken the disk: ReadAnywhere sees to that); RecordStage on the writer's thread, for the
// time of one decision.
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
#include "storage/engine/item_stage.h"
#include "storage/engine/item_writes.h"

namespace parley::accounts {

using storage::Item;

// NOT_FOUND, ALREADY_EXISTS (something unique is another's), BAD_REQUEST, UNAVAILABLE or INTERNAL.
protocol::Error FromFault(const storage::EngineFault& fault);

// Of a declared table. REQUIRES: there is such a table.
const storage::TableDefPtr& SeedTable(std::string_view name);

struct RecordPage {
  std::vector<Item> items;
  std::optional<Item> last;  // where the next page goes on; none: this was the last
};

class RecordReads {
 public:
  RecordReads(const storage::Reader& reader, protocol::TenantId tenant, protocol::Time now,
              const storage::Sealer& sealer)
      : reads_{reader, std::move(tenant), now}, sealer_(sealer) {}

  const protocol::TenantId& tenant() const { return reads_.tenant; }
  protocol::Time now() const { return reads_.now; }
  const storage::Reader& reader() const { return reads_.reader; }

  // By its key; `range` is empty for a table without one.
  protocol::Result<std::optional<Item>> Find(std::string_view table, std::string_view hash,
                                             std::string_view range = {}) const;
  // The one item of the tenant that has these values, which a unique rule of the table names.
  protocol::Result<std::optional<Item>> FindUnique(std::string_view table, const Item& values) const;
  struct Ask {
    std::string_view table;
    std::string_view index = {};                    // empty: the table itself
    std::optional<storage::KeyCondition> key = {};  // none: everything, in no order that means anything
    size_t limit = 50;                              // looked at
    bool forward = true;
    std::optional<Item> after = {};
  };
  protocol::Result<RecordPage> List(const Ask& ask) const;
  // The same for lists whose end shows: `last` is only there if more follows, and is the last item itself.
  protocol::Result<RecordPage> ListToTheEnd(Ask ask) const;
  // All of them, page by page, while `visit` returns true.
  protocol::Status ForEach(Ask ask, const std::function<bool(const Item&)>& visit) const;

 protected:
  const storage::ItemReads reads_;
  const storage::Sealer sealer_;
};

// For Ask: all items with this partition key; those whose sort key begins so.
storage::KeyCondition AllOf(std::string_view hash);
storage::KeyCondition BeginningWith(std::string_view hash, std::string_view prefix);

// The one item in the world that has these values, which a global unique rule of the table names. nullopt:
// there is none.
struct FoundRecord {
  protocol::TenantId tenant;
  Item item;
};
protocol::Result<std::optional<FoundRecord>> FindInWorld(const storage::Reader& reader,
                                                         std::string_view table, const Item& values,
                                                         protocol::Time now, const storage::Sealer& sealer);

class RecordStage : public RecordReads {
 public:
  RecordStage(storage::ItemStage& stage, protocol::TenantId tenant)
      : RecordReads(stage.reader(), std::move(tenant), stage.now(), stage.sealer()), stage_(stage) {}

  // The whole item as it is to be; `kind` as the declaration calls it. Its version is counted up.
  void Put(std::string_view table, std::string_view kind, Item item);
  void Delete(std::string_view table, std::string_view hash, std::string_view range = {});
  // A row that is no item, written with what Commit writes or not at all. FindRow sees those already put.
  void PutRow(const storage::PartitionKey& partition, storage::SortKey sort, std::string payload);
  protocol::Result<std::optional<storage::Row>> FindRow(const storage::PartitionKey& partition,
                                                        const storage::SortKey& sort) const;
  // What else a decision may need, beyond items.
  storage::ItemStage& stage() { return stage_; }

  // Writes all of it, at most kTransactionWritesMax, or nothing. The last thing a decision does.
  protocol::Status Commit();

  // For 24 hours a repeated request is answered as it was the first time. `key` is the client's, bound by the
  // caller to who asked and for what; `digest` is of the whole request.
  // `keeper`: whose the key is, which is nobody's (storage::EngineTenant) where the request makes the tenant.
  // nullopt: it is no repeat. IDEMPOTENCY_CONFLICT: another request used the key.
  protocol::Result<std::optional<std::string>> FindRepeat(const protocol::TenantId& keeper,
                                                          std::string_view key,
                                                          std::string_view digest) const;
  void Remember(const protocol::TenantId& keeper, std::string_view key, std::string_view digest,
                std::string_view answer);

 private:
  storage::ItemStage& stage_;
  std::vector<storage::WriteRequest> writes_;
  std::map<std::pair<storage::PartitionKey, storage::SortKey>, std::string> rows_;
};

}  // namespace parley::accounts
