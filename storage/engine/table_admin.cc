#include "storage/engine/table_admin.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_upkeep.h"

namespace parley::storage {
namespace {

EngineFault NotFound(const std::string& table) {
  return {FaultKind::kTableNotFound, "Requested resource not found: Table: " + table + " not found"};
}

// Numbers no table of this store had before, so that the rows of a dropped one are never taken for another's.
MaybeFault NextGeneration(ItemStage& stage, uint64_t* out) {
  const PartitionKey partition = RecordPartition("store");
  const SortKey key = RecordKey("generation");
  std::optional<Row> row;
  if (Status status = stage.reader().Get(partition, key, &row); !status.ok()) return FromStatus(status);
  *out = 0;
  std::string_view rest = row ? std::string_view(row->payload) : std::string_view();
  if (row && !protocol::TakeVarint(&rest, out))
    return EngineFault{FaultKind::kInternal, "the number of tables"};
  ++*out;
  std::string payload;
  protocol::AppendVarint(&payload, *out);
  stage.Write(partition, key, Row{1, std::move(payload)});
  return {};
}

std::string UuidOf(uint64_t generation, protocol::Time at) {
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4000-8000-%012llx", static_cast<unsigned>(at.ms >> 16),
                static_cast<unsigned>(at.ms & 0xffff), static_cast<unsigned long long>(generation));
  return text;
}

// The table, if it is the tenant's own.
MaybeFault FindOwn(const ItemStage& stage, const TenantId& tenant, const std::string& name,
                   TableDefPtr* out) {
  *out = stage.FindTable(tenant, name);
  if (!*out) return NotFound(name);
  if ((*out)->owner != TableDef::Owner::kTenant)
    return EngineFault{FaultKind::kTableInUse,
                       "Table " + name + " is part of the server and cannot be changed"};
  return {};
}

MaybeFault AddIndex(const TableUpdate& update, TableDef* def) {
  if (def->FindIndex(update.add_index->name))
    return Invalid(
        "One or more parameter values were invalid: Attempting to create an index which already exists");
  const auto busy = std::any_of(def->indexes.begin(), def->indexes.end(),
                                [](const IndexDef& index) { return index.status != IndexStatus::kActive; });
  if (busy)
    return EngineFault{
        FaultKind::kLimitExceeded,
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"};
  const auto globals = std::count_if(def->indexes.begin(), def->indexes.end(),
                                     [](const IndexDef& index) { return index.kind == IndexKind::kGlobal; });
  if (static_cast<size_t>(globals) >= kGlobalIndexesMax || def->index_numbers == UINT16_MAX)
    return Invalid(
        "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit "
        "of 20");
  IndexDef index = *update.add_index;
  index.number = ++def->index_numbers;
  index.status = IndexStatus::kCreating;
  def->indexes.push_back(std::move(index));
  return {};
}

}  // namespace

MaybeFault DecideCreateTable(ItemStage& stage, const TenantId& tenant, TableDef wanted,
                             const TableLimits& limits, TableDefPtr* made) {
  if (stage.FindTable(tenant, wanted.name))
    return EngineFault{FaultKind::kTableInUse, "Table already exists: " + wanted.name};
  if (stage.CountOwnTables(tenant) >= limits.tables)
    return EngineFault{FaultKind::kLimitExceeded, "Subscriber limit exceeded: There is a limit of " +
                                                      std::to_string(limits.tables) + " tables"};
  if (auto fault = NextGeneration(stage, &wanted.generation)) return fault;
  wanted.owner = TableDef::Owner::kTenant;
  wanted.created_at = stage.now();
  wanted.id = UuidOf(wanted.generation, stage.now());
  for (IndexDef& index : wanted.indexes) index.number = ++wanted.index_numbers;
  *made = std::make_shared<const TableDef>(std::move(wanted));
  stage.Define(tenant, *made);
  return {};
}

MaybeFault DecideDeleteTable(ItemStage& stage, const TenantId& tenant, const std::string& name,
                             TableDefPtr* dropped) {
  if (auto fault = FindOwn(stage, tenant, name, dropped)) return fault;
  if ((*dropped)->deletion_protection)
    return Invalid(
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
        "protection first.");
  stage.Undefine(tenant, **dropped);
  MarkForErasing(stage, TablePartition(tenant, **dropped), nullptr);
  return {};
}

MaybeFault DecideUpdateTable(ItemStage& stage, const TenantId& tenant, const TableUpdate& update,
                             TableDefPtr* changed) {
  TableDefPtr before;
  if (auto fault = FindOwn(stage, tenant, update.name, &before)) return fault;
  auto def = std::make_shared<TableDef>(*before);
  if (update.add_index) {
    if (auto fault = AddIndex(update, def.get())) return fault;
  }
  if (update.drop_index) {
    const IndexDef* index = def->FindIndex(*update.drop_index);
    if (!index || index->kind != IndexKind::kGlobal)
      return EngineFault{FaultKind::kTableNotFound, "Requested resource not found"};
    if (index->status != IndexStatus::kActive)
      return EngineFault{FaultKind::kTableInUse,
                         "Attempting to delete an index that is being created or deleted: " + index->name};
    for (IndexDef& one : def->indexes) {
      if (one.number == index->number) one.status = IndexStatus::kDeleting;
    }
    MarkForErasing(stage, TablePartition(tenant, *def), index);
  }
  if (update.deletion_protection) def->deletion_protection = *update.deletion_protection;
  if (update.ttl_attribute) {
    def->ttl_attribute = *update.ttl_attribute;
    if (!def->ttl_attribute.empty()) MarkForRetiming(stage, TablePartition(tenant, *def));
  }
  stage.Define(tenant, def);
  *changed = std::move(def);
  return {};
}

}  // namespace parley::storage
