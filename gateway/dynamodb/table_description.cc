#include "gateway/dynamodb/table_description.h"

#include <set>
#include <vector>

#include "gateway/dynamodb/json_object.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/json_text.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_upkeep.h"

namespace parley::gateway {
namespace {

using storage::BillingMode;
using storage::IndexDef;
using storage::IndexKind;
using storage::IndexProjection;
using storage::IndexStatus;
using storage::KeyAttribute;
using storage::TableDef;

std::string Seconds(protocol::Time at) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03d", static_cast<long long>(at.ms / 1000),
                static_cast<int>(at.ms % 1000));
  return text;
}

std::string ArnOf(const TableDef& def) {
  return "arn:aws:dynamodb:parley:000000000000:table/" + def.name;
}

// The server's own tables have no id, so make one that is always the same for this tenant.
std::string IdOf(const protocol::TenantId& tenant, const TableDef& def) {
  if (!def.id.empty()) return def.id;
  std::string digest = protocol::Sha256(tenant.ToText() + "/" + def.name).substr(0, 16);
  digest[8] = static_cast<char>((digest[8] & 0x0f) | 0xa0);  // released versions wrote this digit as an a
  return protocol::UuidText(std::move(digest), 8);
}

std::string KeysJson(const storage::KeySchema& keys) {
  const auto element = [](const KeyAttribute& key, std::string_view role) {
    return JsonObject().Text("AttributeName", key.name).Text("KeyType", role).Done();
  };
  std::vector<std::string> out;
  keys.Each([&](const KeyAttribute& key, bool is_hash) {
    out.push_back(element(key, is_hash ? "HASH" : "RANGE"));
    return true;
  });
  return JsonList(out);
}

std::string DefinitionsJson(const TableDef& def) {
  std::map<std::string, storage::AttributeType> all;
  const auto add = [&](const KeyAttribute& key, bool) { return all.emplace(key.name, key.type), true; };
  def.keys.Each(add);
  for (const IndexDef& index : def.indexes) index.keys.Each(add);
  std::vector<std::string> out;
  for (const auto& [name, type] : all)
    out.push_back(
        JsonObject().Text("AttributeName", name).Text("AttributeType", storage::NameOf(type)).Done());
  return JsonList(out);
}

std::string ProjectionJson(const IndexProjection& projection) {
  using Kind = IndexProjection::Kind;
  const bool includes = projection.kind == Kind::kInclude;
  JsonObject out;
  out.Text("ProjectionType", includes ? "INCLUDE" : projection.kind == Kind::kAll ? "ALL" : "KEYS_ONLY");
  if (includes) {
    std::vector<std::string> names;
    for (const std::string& name : projection.include) names.push_back(protocol::JsonText(name));
    out.Add("NonKeyAttributes", JsonList(names));
  }
  return out.Done();
}

std::string ThroughputJson(const storage::Throughput& units) {
  return JsonObject()
      .Int("NumberOfDecreasesToday", 0)
      .Int("ReadCapacityUnits", units.read)
      .Int("WriteCapacityUnits", units.write)
      .Done();
}

std::string_view NameOf(IndexStatus status) {
  return status == IndexStatus::kActive     ? "ACTIVE"
         : status == IndexStatus::kCreating ? "CREATING"
                                            : "DELETING";
}

// Only an index being filled has an item count: the items scanned so far.
std::string IndexJson(const TableDef& def, const IndexDef& index, const TableFigures& figures) {
  JsonObject out;
  out.Text("IndexName", index.name);
  out.Add("KeySchema", KeysJson(index.keys));
  out.Add("Projection", ProjectionJson(index.projection));
  if (index.kind == IndexKind::kGlobal) {
    out.Text("IndexStatus", NameOf(index.status));
    if (index.status == IndexStatus::kCreating) out.Bool("Backfilling", true);
    out.Add("ProvisionedThroughput", ThroughputJson(index.throughput));
  }
  if (const auto filled = figures.filled.find(index.name); filled != figures.filled.end())
    out.Int("ItemCount", filled->second);
  out.Text("IndexArn", ArnOf(def) + "/index/" + index.name);
  return out.Done();
}

void AddIndexes(const TableDef& def, const TableFigures& figures, IndexKind kind, std::string_view member,
                JsonObject* out) {
  std::vector<std::string> all;
  for (const IndexDef& index : def.indexes) {
    if (index.kind == kind) all.push_back(IndexJson(def, index, figures));
  }
  if (!all.empty()) out->Add(member, JsonList(all));
}

void AddBilling(const TableDef& def, JsonObject* out) {
  out->Add("ProvisionedThroughput", ThroughputJson(def.throughput));
  if (def.billing == BillingMode::kProvisioned && def.on_demand_at.ms == 0) return;
  JsonObject billing;
  billing.Text("BillingMode", def.billing == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (def.on_demand_at.ms != 0) billing.Add("LastUpdateToPayPerRequestDateTime", Seconds(def.on_demand_at));
  out->Add("BillingModeSummary", billing.Done());
}

void AddFacts(const storage::TableFacts& facts, JsonObject* out) {
  if (!facts.table_class.empty())
    out->Add("TableClassSummary", JsonObject().Text("TableClass", facts.table_class).Done());
  if (!facts.encryption) return;
  JsonObject encryption;
  encryption.Text("Status", "ENABLED").Text("SSEType", "KMS");
  if (!facts.encryption->key.empty()) encryption.Text("KMSMasterKeyArn", facts.encryption->key);
  out->Add("SSEDescription", encryption.Done());
}

}  // namespace

storage::MaybeFault ReadFigures(const storage::Reader& reader, const protocol::TenantId& tenant,
                                const TableDef& def, TableFigures* out) {
  std::optional<storage::Row> row;
  storage::Status status = reader.Get(storage::TablePartition(tenant, def), storage::StatsKey(), &row);
  if (!status.ok()) return storage::FromStatus(status);
  if (row && !storage::DecodeStats(row->payload, &out->stats))
    return storage::EngineFault{storage::FaultKind::kInternal, "the statistics of " + def.name};
  if (auto fault = storage::ReadFacts(reader, tenant, def.name, &out->facts)) return fault;
  for (const IndexDef& index : def.indexes) {
    if (index.status != IndexStatus::kCreating) continue;
    status = storage::ReadBackfill(reader, tenant, def, index, &out->filled[index.name]);
    if (!status.ok()) return storage::FromStatus(status);
  }
  return {};
}

std::string TableDescription(const protocol::TenantId& tenant, const TableDef& def,
                             const TableFigures& figures, std::string_view status) {
  JsonObject out;
  out.Add("AttributeDefinitions", DefinitionsJson(def));
  out.Text("TableName", def.name);
  out.Add("KeySchema", KeysJson(def.keys));
  out.Text("TableStatus", status);
  if (def.created_at.ms != 0) out.Add("CreationDateTime", Seconds(def.created_at));
  AddBilling(def, &out);
  if (def.owner != TableDef::Owner::kView) {
    out.Int("TableSizeBytes", figures.stats.bytes);
    out.Int("ItemCount", figures.stats.items);
  }
  out.Text("TableArn", ArnOf(def));
  out.Text("TableId", IdOf(tenant, def));
  AddIndexes(def, figures, IndexKind::kLocal, "LocalSecondaryIndexes", &out);
  AddIndexes(def, figures, IndexKind::kGlobal, "GlobalSecondaryIndexes", &out);
  AddFacts(figures.facts, &out);
  out.Bool("DeletionProtectionEnabled", def.deletion_protection || def.owner != TableDef::Owner::kTenant);
  return out.Done();
}

std::string TableAnswer(std::string_view member, const protocol::TenantId& tenant, const TableDef& def,
                        const TableFigures& figures, std::string_view status) {
  return JsonObject().Add(member, TableDescription(tenant, def, figures, status)).Done();
}

}  // namespace parley::gateway
