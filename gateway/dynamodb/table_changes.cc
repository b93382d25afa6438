// UpdateTable, UpdateTimeToLive and DescribeTimeToLive.
#include "gateway/dynamodb/json_object.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/table_description.h"
#include "gateway/dynamodb/table_wish.h"
#include "storage/engine/table_admin.h"

namespace parley::gateway {
namespace {

using storage::TableUpdate;

struct TableChange {
  TableUpdate update;
  FactsWish wish;
  storage::TableDefPtr def;
  TableFigures figures;
};

DynamoError OneIndexAtATime() {
  return {DynamoErrorType::kLimitExceeded,
          "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
          "table"};
}

// One element of GlobalSecondaryIndexUpdates; exactly one of its members is set.
struct IndexUpdate {
  std::optional<IndexWish> create;
  std::optional<std::string> drop;
  std::optional<std::pair<std::string, std::optional<storage::Throughput>>> update;
  std::string name() const { return create ? create->name : drop ? *drop : update ? update->first : ""; }
};

IndexUpdate ReadIndexUpdate(RequestBody& body) {
  IndexUpdate out;
  const auto part = [&](std::string_view name, auto read) {
    if (!body.Has(name)) return;
    RequestBody within(*body.Find(name), body.PlaceOf(name));
    read(within);
    body.Take(within);
  };
  part("Update", [&](RequestBody& within) {
    within.RequireMember("ProvisionedThroughput");
    out.update.emplace(ReadIndexName(within), ReadThroughput(within));
  });
  part("Create", [&](RequestBody& within) { out.create = ReadIndexWish(within, /*global=*/true); });
  part("Delete", [&](RequestBody& within) { out.drop = ReadIndexName(within); });
  return out;
}

struct UpdateWish {
  std::vector<storage::KeyAttribute> attributes;
  std::vector<IndexUpdate> indexes;
  TableUpdate update;
  FactsWish facts;
  bool says_something = false;
};

UpdateWish ReadUpdateWish(RequestBody& body) {
  constexpr size_t kUpdatesMax = 50;
  UpdateWish out;
  out.attributes = ReadAttributeDefinitions(body);
  out.update.name = body.TableName();
  out.update.billing = ReadBillingMode(body);
  out.update.throughput = ReadThroughput(body);
  const protocol::Array& updates = body.ListWithin("GlobalSecondaryIndexUpdates", 0, kUpdatesMax);
  for (size_t i = 0; i < updates.size(); ++i) {
    RequestBody part(updates[i], "globalSecondaryIndexUpdates." + std::to_string(i + 1) + ".member");
    out.indexes.push_back(ReadIndexUpdate(part));
    body.Take(part);
  }
  out.update.deletion_protection = body.Bool("DeletionProtectionEnabled");
  out.facts = ReadFactsWish(body);
  out.says_something = !out.indexes.empty();
  for (const char* member : {"BillingMode", "ProvisionedThroughput", "DeletionProtectionEnabled",
                             "StreamSpecification", "SSESpecification", "TableClass"})
    out.says_something = out.says_something || body.Has(member);
  return out;
}

std::optional<DynamoError> AddIndexUpdates(UpdateWish* wish) {
  std::vector<std::string> names;
  size_t changes = 0;
  for (const IndexUpdate& one : wish->indexes) {
    const std::string name = one.name();
    if (name.empty())
      return ValidationError(
          "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, "
          "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null");
    if (std::find(names.begin(), names.end(), name) != names.end())
      return ValidationError(
          "One or more parameter values were invalid: Only one global secondary index update per index is "
          "allowed simultaneously. Index: " +
          name);
    names.push_back(name);
    changes += (one.create ? 1 : 0) + (one.drop ? 1 : 0);
    if (one.drop) wish->update.drop_index = one.drop;
    if (one.update && one.update->second) {
      if (auto error = CheckThroughput(*one.update->second)) return error;
      wish->update.index_throughputs.emplace_back(name, *one.update->second);
    }
    if (!one.create) continue;
    auto index = ShapeOf(*one.create, wish->attributes, IndexKeys::kSeveral);
    if (!index.ok()) return std::move(index.error());
    wish->update.add_index = std::move(*index);
  }
  return changes > 1 ? std::optional(OneIndexAtATime()) : std::nullopt;
}

std::optional<DynamoError> CheckTogether(const UpdateWish& wish) {
  if (!wish.says_something)
    return ValidationError(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates "
        "or SSESpecification or ReplicaUpdates is required");
  if (wish.update.billing == storage::BillingMode::kProvisioned && !wish.update.throughput)
    return ValidationError(
        "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode "
        "is PROVISIONED");
  if (wish.update.throughput) return CheckThroughput(*wish.update.throughput);
  return std::nullopt;
}

}  // namespace

void UpdateTable(DynamoCall call) {
  RequestBody body(call.body->root);
  UpdateWish wish = ReadUpdateWish(body);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  if (auto fault = CheckTogether(wish)) return call.respond(std::move(*fault));
  if (auto fault = AddIndexUpdates(&wish)) return call.respond(std::move(*fault));
  const std::string& name = wish.update.name;
  if (auto refused = call.who.Refuse(call.operation, name, /*write=*/true))
    return call.respond(std::move(*refused));
  const auto change = std::make_shared<TableChange>();
  change->update = std::move(wish.update);
  change->wish = std::move(wish.facts);
  Write(
      call,
      [change, tenant = call.tenant()](storage::ItemTransaction& tx) -> storage::MaybeFault {
        if (auto fault = storage::DecideUpdateTable(tx, tenant, change->update, &change->def)) return fault;
        TableFigures& figures = change->figures;
        if (auto fault = ReadFigures(tx.reader(), tenant, *change->def, &figures)) return fault;
        if (change->wish.Apply(&figures.facts))
          storage::SetFacts(tx, tenant, change->def->name, figures.facts);
        const auto table = storage::TablePartition(tenant, *change->def);
        // The row has the statistics from before this batch.
        if (auto status = tx.StatsOf(table, &figures.stats); !status.ok()) return storage::FromStatus(status);
        return {};
      },
      [change, tenant = call.tenant()] {
        return TableAnswer("TableDescription", tenant, *change->def, change->figures);
      });
}

void UpdateTimeToLive(DynamoCall call) {
  RequestBody body(call.body->root);
  storage::TimeToLive wanted;
  wanted.table = body.TableName();
  body.RequireMember("TimeToLiveSpecification");
  if (const protocol::Value* json = body.Find("TimeToLiveSpecification")) {
    RequestBody part(*json, body.PlaceOf("TimeToLiveSpecification"));
    part.RequireMember("Enabled");
    wanted.enabled = part.Bool("Enabled").value_or(false);
    wanted.attribute = part.TextWithin("AttributeName", 1, 255);
    body.Take(part);
  }
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  if (auto refused = call.who.Refuse(call.operation, wanted.table, /*write=*/true))
    return call.respond(std::move(*refused));
  Write(
      call,
      [wanted, tenant = call.tenant()](storage::ItemTransaction& tx) {
        storage::TableDefPtr changed;
        return storage::DecideTimeToLive(tx, tenant, wanted, &changed);
      },
      [wanted] {
        JsonObject said;
        said.Text("AttributeName", wanted.attribute).Bool("Enabled", wanted.enabled);
        return JsonObject().Add("TimeToLiveSpecification", said.Done()).Done();
      });
}

void DescribeTimeToLive(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = body.TableName();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto def = FindTableToTell(call, name);
  if (!def.ok()) return call.respond(def.error());
  const std::string& attribute = (*def)->ttl_attribute;
  JsonObject description;
  description.Text("TimeToLiveStatus", attribute.empty() ? "DISABLED" : "ENABLED");
  if (!attribute.empty()) description.Text("AttributeName", attribute);
  call.respond(JsonObject().Add("TimeToLiveDescription", description.Done()).Done());
}

}  // namespace parley::gateway
