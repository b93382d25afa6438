// CreateTable, DeleteTable, DescribeTable, ListTables and DescribeLimits.
#include "gateway/dynamodb/json_object.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/table_description.h"
#include "gateway/dynamodb/table_wish.h"
#include "protocol/base/json_text.h"
#include "storage/engine/table_admin.h"

namespace parley::gateway {
namespace {

constexpr int64_t kTableNamesMax = 100;
// The server does not limit capacity; these figures are for programs that ask.
constexpr int64_t kAccountUnitsMax = 80'000, kTableUnitsMax = 40'000;

// A changed table, for the answer.
struct ChangedTable {
  storage::TableDefPtr def;
  TableFigures figures;
};

}  // namespace

void CreateTable(DynamoCall call) {
  RequestBody body(call.body->root);
  const TableWish wish = ReadTableWish(body);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto change = std::make_shared<ChangedTable>();
  change->figures.facts = wish.facts;
  auto wanted = ShapeOf(wish);
  if (!wanted.ok()) return call.respond(std::move(wanted.error()));
  if (auto refused = call.who.Refuse(call.operation, wish.name, /*write=*/true))
    return call.respond(std::move(*refused));
  const storage::TableLimits limits{static_cast<size_t>(call.node().config().tables_per_tenant)};
  Write(
      call,
      [change, limits, wanted = std::move(*wanted), tenant = call.tenant()](storage::ItemTransaction& tx) {
        auto fault = storage::DecideCreateTable(tx, tenant, wanted, limits, &change->def);
        const storage::TableFacts& facts = change->figures.facts;
        if (!fault && facts != storage::TableFacts()) storage::SetFacts(tx, tenant, wanted.name, facts);
        return fault;
      },
      [change, tenant = call.tenant()] {
        return TableAnswer("TableDescription", tenant, *change->def, change->figures);
      });
}

void DeleteTable(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = body.TableName();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  if (auto refused = call.who.Refuse(call.operation, name, /*write=*/true))
    return call.respond(std::move(*refused));
  const auto change = std::make_shared<ChangedTable>();
  Write(
      call,
      [change, name, tenant = call.tenant()](storage::ItemTransaction& tx) -> storage::MaybeFault {
        if (const auto def = tx.FindTable(tenant, name)) {
          const storage::Status status =
              tx.StatsOf(storage::TablePartition(tenant, *def), &change->figures.stats);
          if (!status.ok()) return storage::FromStatus(status);
        }
        return storage::DecideDeleteTable(tx, tenant, name, &change->def);
      },
      [change, tenant = call.tenant()] {
        return TableAnswer("TableDescription", tenant, *change->def, change->figures, "DELETING");
      });
}

void DescribeTable(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = body.TableName();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto def = FindTableToTell(call, name);
  if (!def.ok()) return call.respond(def.error());
  ReadLittle(call,
             [def = *def](const storage::ItemReads& reads, CountedAnswer& out) -> std::optional<DynamoError> {
               TableFigures figures;
               if (auto fault = ReadFigures(reads.reader, reads.tenant, *def, &figures))
                 return FromFault(std::move(*fault));
               out.text() = TableAnswer("Table", reads.tenant, *def, figures);
               return out.Count() ? std::nullopt : std::optional(NoRoomForAnswer());
             });
}

void ListTables(DynamoCall call) {
  RequestBody body(call.body->root);
  std::string after;
  if (body.Has("ExclusiveStartTableName")) after = body.NameOf("ExclusiveStartTableName");
  const auto limit = static_cast<size_t>(body.IntWithin("Limit", 1, kTableNamesMax).value_or(kTableNamesMax));
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  std::vector<std::string> names;
  std::string last;
  bool more = false;
  for (const auto& def : call.node().catalog().List(call.tenant())) {
    if (def->name <= after || call.who.Refuse(call.operation, def->name, /*write=*/false)) continue;
    more = names.size() == limit;
    if (more) break;
    last = def->name;
    names.push_back(protocol::JsonText(last));
  }
  JsonObject answer;
  if (more) answer.Text("LastEvaluatedTableName", last);
  call.respond(answer.Add("TableNames", JsonList(names)).Done());
}

void DescribeLimits(DynamoCall call) {
  call.respond(JsonObject()
                   .Int("AccountMaxReadCapacityUnits", kAccountUnitsMax)
                   .Int("AccountMaxWriteCapacityUnits", kAccountUnitsMax)
                   .Int("TableMaxReadCapacityUnits", kTableUnitsMax)
                   .Int("TableMaxWriteCapacityUnits", kTableUnitsMax)
                   .Done());
}

}  // namespace parley::gateway
