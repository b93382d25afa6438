// The input and output of a decision: the store as it will be once all earlier decisions are on disk, and the
// writes of this one. A decision checks everything before it writes anything, so that a rejected one has
// changed nothing.
//
// Thread contract: the writer's thread, for the time of one call.
#pragma once

#include <cstdint>
#include <string>

#include "protocol/base/time.h"
#include "storage/engine/catalog.h"
#include "storage/sealing/sealer.h"
#include "storage/table.h"

namespace parley::storage {

struct TableStats {
  int64_t items = 0;
  int64_t bytes = 0;  // ItemSize of all items
};
std::string EncodeStats(const TableStats& stats);
bool DecodeStats(std::string_view bytes, TableStats* out);

class ItemTransaction {
 public:
  virtual ~ItemTransaction() = default;
  virtual const Reader& reader() const = 0;
  virtual protocol::Time now() const = 0;
  virtual const Sealer& sealer() const = 0;  // for secret attributes
  // Includes earlier decisions, so it may be ahead of the catalog.
  virtual TableDefPtr FindTable(const TenantId& tenant, std::string_view name) const = 0;
  virtual size_t CountOwnTables(const TenantId& tenant) const = 0;
  virtual Status StatsOf(const PartitionKey& table, TableStats* out) = 0;
  // How many bytes the tenant's items may still grow, all tables together; negative if over the limit.
  virtual Status RoomOf(const TenantId& tenant, int64_t* bytes) = 0;

  virtual void Write(const PartitionKey& partition, const SortKey& sort, std::optional<Row> row) = 0;
  // Adds the work of a decision (expressions/effort.h): a batch ends after much work.
  virtual void NoteSteps(uint64_t steps) = 0;
  virtual void Count(const PartitionKey& table, TableStats change) = 0;
  virtual void Log(std::string entry) = 0;  // once for each decision
  virtual void Define(const TenantId& tenant, TableDefPtr def) = 0;
  virtual void Undefine(const TenantId& tenant, const TableDef& def) = 0;

  virtual protocol::Time kept() const { return now(); }  // Clock::Kept
};

}  // namespace parley::storage
