// What a decision of the table engine is given: the store as it is once everything decided before is on disk,
// and where its own writes go. A decision checks everything before it writes anything, so that one that
// refuses has changed nothing.
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
  int64_t bytes = 0;  // ItemSize of all
};
std::string EncodeStats(const TableStats& stats);
bool DecodeStats(std::string_view bytes, TableStats* out);

class ItemStage {
 public:
  virtual ~ItemStage() = default;
  virtual const Reader& reader() const = 0;
  virtual protocol::Time now() const = 0;
  virtual const Sealer& sealer() const = 0;  // of secret attributes
  // As decided so far, which may be ahead of the catalog.
  virtual TableDefPtr FindTable(const TenantId& tenant, std::string_view name) const = 0;
  virtual size_t CountOwnTables(const TenantId& tenant) const = 0;
  virtual Status StatsOf(const PartitionKey& table, TableStats* out) = 0;
  // By how many bytes the tenant's items may still grow, all tables together; negative: they are beyond it.
  virtual Status RoomOf(const TenantId& tenant, int64_t* bytes) = 0;

  virtual void Write(const PartitionKey& partition, const SortKey& sort, std::optional<Row> row) = 0;
  // Work that a decision took (expressions/effort.h): the turn ends when it has taken much.
  virtual void NoteSteps(uint64_t steps) = 0;
  virtual void Count(const PartitionKey& table, TableStats change) = 0;
  virtual void Log(std::string entry) = 0;  // once for each decision
  virtual void Define(const TenantId& tenant, TableDefPtr def) = 0;
  virtual void Undefine(const TenantId& tenant, const TableDef& def) = 0;

  virtual protocol::Time kept() const { return now(); }  // Clock::Kept
};

}  // namespace parley::storage
