#include "storage/engine/checked_tables.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/catalog.h"
#include "storage/engine/declared_changes.h"
#include "storage/engine/expiry_upgrade.h"
#include "storage/engine/sealing_record.h"
#include "storage/engine/table_facts.h"
#include "storage/engine/tenant_of.h"

namespace parley::storage {
namespace {

std::string_view IdOf(const PartitionKey& partition) {
  std::string_view id = partition.id();
  id.remove_suffix(1);  // its 00
  return id;
}

std::string NameOf(const PartitionKey& partition) {
  return std::string(partition.tenant()) + ": " + std::string(IdOf(partition));
}

}  // namespace

CheckedTables::CheckedTables(const Reader& reader, const std::vector<TableDefPtr>& seeds, Differs differs)
    : reader_(reader), differs_(std::move(differs)) {
  for (const TableDefPtr& seed : seeds) seeds_.emplace(seed->name, seed);
}

Status CheckedTables::Each(const PartitionKey& partition, const Rows& visit) const {
  return reader_.Scan(partition, SortRange::All(), Direction::kForward, SIZE_MAX,
                      [&](std::string_view sort, RowView row) {
                        visit(sort, row.payload);
                        return true;
                      });
}

Status CheckedTables::Load() {
  const auto each = [&](const PartitionKey& partition, auto judge) {
    return Each(partition,
                [&](std::string_view sort, std::string_view payload) { (this->*judge)(sort, payload); });
  };
  Status status = each(DefinitionPartition(), &CheckedTables::AddDefinition);
  if (status.ok()) {
    status = Each(Erasures(), [&](std::string_view sort, std::string_view) { JudgeErasure(sort); });
  }
  if (status.ok()) {
    status = Each(Retimings(), [&](std::string_view sort, std::string_view) {
      PartitionKey partition;
      std::string rest;
      if (!ParseWorkKey(sort, &partition, &rest) || !rest.empty())
        return differs_("a record of a table whose items get other times cannot be read");
      retiming_.insert(partition.bytes());
    });
  }
  if (status.ok()) {
    status = Each(Backfills(), [&](std::string_view sort, std::string_view) { JudgeBackfill(sort); });
  }
  if (status.ok()) status = each(RecordPartition("store"), &CheckedTables::JudgeStoreRecord);
  if (status.ok()) {
    status = Each(TableKeyRecords(), [&](std::string_view sort, std::string_view) {
      TenantId tenant;
      std::string id;
      if (!ParseTableKeyRecordKey(sort, &tenant, &id)) differs_("the place of a table key cannot be read");
    });
  }
  if (status.ok()) status = each(FactsRecords(), &CheckedTables::JudgeFacts);
  if (generations_ > last_generation_) differs_("the number of the last table made is too low, or missing");
  for (auto& [bytes, table] : own_) {
    table.retiming = retiming_.contains(bytes);
    JudgeDefinition(table);
  }
  return status;
}

void CheckedTables::AddDefinition(std::string_view sort, std::string_view payload) {
  KeyReader key(sort);
  protocol::KeyText tenant;
  std::string name;
  auto def = std::make_shared<TableDef>();
  if (!key.Tag(ItemTag::kDefinition) || !key.Text(&tenant) || !key.Text(&name) || !key.AtEnd())
    return differs_("the key of a table's definition cannot be read");
  if (!DecodeDefinition(payload, def.get()) || def->name != name)
    return differs_(tenant.text() + ": " + name + ": the definition cannot be read");
  if (def->owner != TableDef::Owner::kTenant) {
    const auto declared = seeds_.find(name);
    if (declared == seeds_.end())
      return differs_(tenant.text() + ": " + name + ": changes of a table that is not declared");
    def = std::make_shared<TableDef>(*WithChanges(*declared->second, *def));
  }
  const PartitionKey partition = TablePartition(TenantId{tenant}, *def);
  generations_ = std::max(generations_, def->generation);
  own_[partition.bytes()] = {TenantId{tenant}, std::move(def), partition};
}

void CheckedTables::JudgeDefinition(const CheckedTable& table) {
  std::set<uint16_t> numbers;
  if (!IsChanged(*table.def) && seeds_.contains(table.def->name))
    differs_(table.name() + ": hidden by a table of the server");
  if (IsErased(table.partition, "")) differs_(table.name() + ": it is being erased");
  for (const IndexDef& index : table.def->indexes) {
    if (!numbers.insert(index.number).second || index.number > table.def->index_numbers)
      differs_(table.name() + ": the number of " + index.name + " is not its own");
    if (index.status == IndexStatus::kDeleting && !IsErased(table.partition, IndexPrefix(index)))
      differs_(table.name() + ": nothing erases the dropped index " + index.name);
  }
}

void CheckedTables::JudgeFacts(std::string_view sort, std::string_view payload) {
  TenantId tenant;
  std::string name;
  TableFacts facts;
  if (!ParseFactsKey(sort, &tenant, &name)) return differs_("the key of a table's facts cannot be read");
  const std::string of = tenant.ToText() + ": " + name + ": its facts";
  if (!DecodeFacts(payload, &facts)) return differs_(of + " cannot be read");
  if (facts == TableFacts() || facts.tags.size() > kTagsMax) differs_(of + " are empty or too large");
  const bool is_there = seeds_.contains(name) || std::any_of(own_.begin(), own_.end(), [&](const auto& own) {
                          return own.second.tenant == tenant && own.second.def->name == name;
                        });
  if (!is_there) differs_(of + " are left, but the table does not exist");
}

void CheckedTables::JudgeErasure(std::string_view sort) {
  PartitionKey partition;
  std::string prefix;
  if (!ParseWorkKey(sort, &partition, &prefix)) return differs_("a record of rows to erase cannot be read");
  erased_.insert(partition.bytes() + prefix);
}

void CheckedTables::JudgeBackfill(std::string_view sort) {
  PartitionKey partition;
  std::string number;
  if (!ParseWorkKey(sort, &partition, &number))
    return differs_("a record of an index that is being filled cannot be read");
  if (IsErased(partition, "")) return;
  const auto table = own_.find(partition.bytes());
  if (table != own_.end()) {
    for (const IndexDef& index : table->second.def->indexes) {
      if (std::to_string(index.number) == number && index.status == IndexStatus::kCreating) return;
    }
  }
  differs_(NameOf(partition) + ": a record of filling index " + number + ", which is not being filled");
}

void CheckedTables::JudgeStoreRecord(std::string_view sort, std::string_view payload) {
  if (SortKey(std::string(sort)) == FractionPlacesKey()) {
    has_places_of_fractions_ = true;
    return;
  }
  if (SortKey(std::string(sort)) != RecordKey("generation"))
    return differs_("a record of the store that is not known");
  if (!protocol::TakeVarint(&payload, &last_generation_) || !payload.empty())
    differs_("the number of the last table made cannot be read");
}

std::optional<CheckedTable> CheckedTables::Find(const PartitionKey& partition) const {
  if (const auto own = own_.find(partition.bytes()); own != own_.end()) return own->second;
  if (TenantOf(partition) == EngineTenant()) return std::nullopt;
  const std::string_view id = IdOf(partition);
  const auto seed = seeds_.find(id.substr(0, id.find('/')));
  if (seed == seeds_.end() || TablePartition(TenantOf(partition), *seed->second) != partition)
    return std::nullopt;
  return CheckedTable{TenantOf(partition), seed->second, partition};
}

TableDefPtr CheckedTables::FindShared(const PartitionKey& partition) const {
  const std::string_view id = IdOf(partition);
  const auto seed = seeds_.find(id.substr(0, id.find('/')));
  if (seed == seeds_.end() || TablePartition(EngineTenant(), *seed->second) != partition) return nullptr;
  return seed->second;
}

bool CheckedTables::IsErased(const PartitionKey& partition, std::string_view prefix) const {
  return erased_.contains(partition.bytes() + std::string(prefix));
}

bool CheckedTables::IsJudged(const PartitionKey& partition) const {
  return partition == DefinitionPartition() || partition == Erasures() || partition == Backfills() ||
         partition == Retimings() || partition == FactsRecords() || partition == RecordPartition("store") ||
         partition == TableKeyRecords() || partition == EventRelayRecords() ||
         partition == AuditRelayRecords() || partition == CaseRelayRecords() ||
         partition == SealingRecords() ||
         partition == RecordPartition("tenants") ||  // the list of tenants, which accounts/ owns
         partition == RecordPartition("departed");   // users whose data is being erased; accounts/ owns it
}

}  // namespace parley::storage
