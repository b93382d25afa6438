#include "storage/engine/table_admin.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/declared_changes.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_upkeep.h"
#include "storage/engine/table_facts.h"

namespace parley::storage {
namespace {

EngineFault NotFound(const std::string& table) {
  return {FaultKind::kTableNotFound, "Requested resource not found: Table: " + table + " not found"};
}

EngineFault OneIndexAtATime() {
  return {
      FaultKind::kLimitExceeded,
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"};
}

// Generations are unique in the store, so that rows of a dropped table never belong to another one.
MaybeFault NextGeneration(ItemTransaction& tx, uint64_t* out) {
  const PartitionKey partition = RecordPartition("store");
  const SortKey key = RecordKey("generation");
  std::optional<Row> row;
  if (Status status = tx.reader().Get(partition, key, &row); !status.ok()) return FromStatus(status);
  *out = 0;
  std::string_view rest = row ? std::string_view(row->payload) : std::string_view();
  if (row && !protocol::TakeVarint(&rest, out))
    return EngineFault{FaultKind::kInternal, "the number of tables"};
  ++*out;
  std::string payload;
  protocol::AppendVarint(&payload, *out);
  tx.Write(partition, key, Row{1, std::move(payload)});
  return {};
}

std::string UuidOf(uint64_t generation, protocol::Time at) {
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4000-8000-%012llx", static_cast<unsigned>(at.ms >> 16),
                static_cast<unsigned>(at.ms & 0xffff), static_cast<unsigned long long>(generation));
  return text;
}

// Finds the table if it is the tenant's own.
MaybeFault FindOwn(const ItemTransaction& tx, const TenantId& tenant, const std::string& name,
                   TableDefPtr* out) {
  *out = tx.FindTable(tenant, name);
  if (!*out) return NotFound(name);
  if ((*out)->owner != TableDef::Owner::kTenant)
    return EngineFault{
        FaultKind::kTableInUse,
        "Table " + name + " is part of the server: it cannot be changed and cannot be dropped"};
  return {};
}

// Finds the table if the tenant may change it: its own, or one that its back end maintains.
MaybeFault FindChangeable(const ItemTransaction& tx, const TenantId& tenant, const std::string& name,
                          TableDefPtr* out) {
  *out = tx.FindTable(tenant, name);
  if (*out && (*out)->owner == TableDef::Owner::kPeripheral) return {};
  return FindOwn(tx, tenant, name, out);
}

// A declared table allows changes to its expiry only, and indexes may be added and removed again.
MaybeFault CheckDeclared(const TableUpdate& update, const TableDef& def) {
  const bool more =
      update.deletion_protection || update.billing || update.throughput || !update.index_throughputs.empty();
  const IndexDef* dropped = update.drop_index ? def.FindIndex(*update.drop_index) : nullptr;
  if (!more && (!dropped || dropped->number > kDeclaredIndexesMax)) return {};
  return EngineFault{FaultKind::kTableInUse,
                     "Table " + def.name + " is part of the server: " +
                         (more ? "only its indexes and its time to live can be changed"
                               : "its index " + dropped->name + " cannot be dropped")};
}

bool IsBusy(const TableDef& def) {
  return std::any_of(def.indexes.begin(), def.indexes.end(),
                     [](const IndexDef& index) { return index.status != IndexStatus::kActive; });
}

// An attribute has one type in all keys that it is part of.
MaybeFault CheckTypes(const TableDef& def, const KeySchema& keys) {
  const auto fits = [&](const KeyAttribute& part, bool) {
    const KeyAttribute* known = def.FindKeyAttribute(part.name);
    return !known || known->type == part.type;
  };
  if (!keys.Each(fits))
    return Invalid(
        "One or more parameter values were invalid: An attribute of the index has another type in the keys "
        "of the table");
  return {};
}

MaybeFault AddIndex(const IndexDef& wanted, TableDef* def) {
  if (def->FindIndex(wanted.name))
    return Invalid(
        "One or more parameter values were invalid: Attempting to create an index which already exists");
  if (IsBusy(*def)) return OneIndexAtATime();
  const auto globals = std::count_if(def->indexes.begin(), def->indexes.end(),
                                     [](const IndexDef& index) { return index.kind == IndexKind::kGlobal; });
  if (static_cast<size_t>(globals) >= kGlobalIndexesMax || def->index_numbers == UINT16_MAX)
    return Invalid(
        "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit "
        "of 20");
  if (auto fault = CheckTypes(*def, wanted.keys)) return fault;
  IndexDef index = wanted;
  index.number = ++def->index_numbers;
  index.status = IndexStatus::kCreating;
  def->indexes.push_back(std::move(index));
  return {};
}

IndexDef* FindGlobal(TableDef* def, const std::string& name) {
  const auto found = std::find_if(def->indexes.begin(), def->indexes.end(), [&](const IndexDef& index) {
    return index.kind == IndexKind::kGlobal && index.name == name;
  });
  return found == def->indexes.end() ? nullptr : &*found;
}

// An index that is still being filled may be dropped, too.
MaybeFault DropIndex(ItemTransaction& tx, const PartitionKey& table, const std::string& name, TableDef* def) {
  IndexDef* index = FindGlobal(def, name);
  if (!index) return EngineFault{FaultKind::kTableNotFound, "Requested resource not found"};
  if (index->status == IndexStatus::kDeleting)
    return EngineFault{FaultKind::kTableInUse,
                       "Attempting to delete an index that is being created or deleted: " + name};
  const bool filling = index->status == IndexStatus::kCreating;
  if (!filling && IsBusy(*def)) return OneIndexAtATime();
  if (filling) ForgetBackfill(tx, table, *index);
  index->status = IndexStatus::kDeleting;
  MarkForErasing(tx, table, index);
  return {};
}

EngineFault SameThroughput(const Throughput& units) {
  const std::string read = std::to_string(units.read), write = std::to_string(units.write);
  return Invalid(
      "The provisioned throughput for the table will not change. The requested value equals the current "
      "value. Current ReadCapacityUnits provisioned for the table: " +
      read + ". Requested ReadCapacityUnits: " + read +
      ". Current WriteCapacityUnits provisioned for the table: " + write +
      ". Requested WriteCapacityUnits: " + write + ".");
}

MaybeFault SetThroughput(const TableUpdate& update, protocol::Time now, TableDef* def) {
  const bool was_provisioned = def->billing == BillingMode::kProvisioned;
  const bool provisioned = update.billing.value_or(def->billing) == BillingMode::kProvisioned;
  if (update.throughput && !provisioned)
    return Invalid(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
        "specified when BillingMode is PAY_PER_REQUEST");
  if (update.throughput && was_provisioned && *update.throughput == def->throughput)
    return SameThroughput(*update.throughput);
  for (const auto& [name, units] : update.index_throughputs) {
    IndexDef* index = FindGlobal(def, name);
    if (!index) return EngineFault{FaultKind::kTableNotFound, "Requested resource not found"};
    index->throughput = units;
  }
  if (update.throughput) def->throughput = *update.throughput;
  if (!provisioned && was_provisioned) {
    def->throughput = {};
    for (IndexDef& index : def->indexes) index.throughput = {};
    def->on_demand_at = now;
  }
  def->billing = provisioned ? BillingMode::kProvisioned : BillingMode::kPayPerRequest;
  return {};
}

}  // namespace

MaybeFault DecideCreateTable(ItemTransaction& tx, const TenantId& tenant, TableDef wanted,
                             const TableLimits& limits, TableDefPtr* made) {
  if (tx.FindTable(tenant, wanted.name))
    return EngineFault{FaultKind::kTableInUse, "Table already exists: " + wanted.name};
  if (tx.CountOwnTables(tenant) >= limits.tables)
    return EngineFault{FaultKind::kLimitExceeded, "Subscriber limit exceeded: There is a limit of " +
                                                      std::to_string(limits.tables) + " tables"};
  if (auto fault = NextGeneration(tx, &wanted.generation)) return fault;
  wanted.owner = TableDef::Owner::kTenant;
  wanted.created_at = tx.now();
  wanted.id = UuidOf(wanted.generation, tx.now());
  if (wanted.billing == BillingMode::kPayPerRequest) wanted.on_demand_at = tx.now();
  for (IndexDef& index : wanted.indexes) index.number = ++wanted.index_numbers;
  *made = std::make_shared<const TableDef>(std::move(wanted));
  tx.Define(tenant, *made);
  return {};
}

MaybeFault DecideDeleteTable(ItemTransaction& tx, const TenantId& tenant, const std::string& name,
                             TableDefPtr* dropped) {
  if (auto fault = FindOwn(tx, tenant, name, dropped)) return fault;
  if ((*dropped)->deletion_protection)
    return Invalid(
        "Resource cannot be deleted as it is currently protected against deletion. Disable deletion "
        "protection first.");
  TableFacts facts;
  if (auto fault = ReadFacts(tx.reader(), tenant, name, &facts)) return fault;
  if (facts != TableFacts()) SetFacts(tx, tenant, name, {});
  tx.Undefine(tenant, **dropped);
  MarkForErasing(tx, TablePartition(tenant, **dropped), nullptr);
  return {};
}

MaybeFault DecideUpdateTable(ItemTransaction& tx, const TenantId& tenant, const TableUpdate& update,
                             TableDefPtr* changed) {
  TableDefPtr before;
  if (auto fault = FindChangeable(tx, tenant, update.name, &before)) return fault;
  auto def = std::make_shared<TableDef>(*before);
  if (def->owner != TableDef::Owner::kTenant) {
    if (auto fault = CheckDeclared(update, *def)) return fault;
    def->index_numbers = std::max(def->index_numbers, kDeclaredIndexesMax);
  }
  if (auto fault = SetThroughput(update, tx.now(), def.get())) return fault;
  if (update.add_index) {
    if (auto fault = AddIndex(*update.add_index, def.get())) return fault;
  }
  const PartitionKey table = TablePartition(tenant, *def);
  if (update.drop_index) {
    if (auto fault = DropIndex(tx, table, *update.drop_index, def.get())) return fault;
  }
  if (update.deletion_protection) def->deletion_protection = *update.deletion_protection;
  if (update.ttl_attribute) {
    def->ttl_attribute = *update.ttl_attribute;
    if (!def->ttl_attribute.empty()) MarkForRetiming(tx, table);
  }
  tx.Define(tenant, def);
  *changed = std::move(def);
  return {};
}

MaybeFault DecideTimeToLive(ItemTransaction& tx, const TenantId& tenant, const TimeToLive& wanted,
                            TableDefPtr* changed) {
  TableDefPtr def;
  if (auto fault = FindChangeable(tx, tenant, wanted.table, &def)) return fault;
  const std::string& current = def->ttl_attribute;
  if (!wanted.enabled && current.empty()) return Invalid("TimeToLive is already disabled");
  if (!current.empty() && current != wanted.attribute)
    return Invalid("TimeToLive is active on a different AttributeName: current AttributeName is " + current);
  if (wanted.enabled && !current.empty()) return Invalid("TimeToLive is already enabled");
  TableUpdate update;
  update.name = wanted.table;
  update.ttl_attribute = wanted.enabled ? wanted.attribute : std::string();
  return DecideUpdateTable(tx, tenant, update, changed);
}

}  // namespace parley::storage
