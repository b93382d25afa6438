// Operations that infrastructure tools call: TagResource, UntagResource, ListTagsOfResource,
// DescribeContinuousBackups and DescribeEndpoints.
#include "gateway/dynamodb/json_object.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/table_wish.h"
#include "storage/engine/table_facts.h"

namespace parley::gateway {
namespace {

constexpr size_t kTagKeysMax = 50;
constexpr int64_t kEndpointMinutes = 1440;

// Returns the table of "ResourceArn"; faults are reported to `body`.
std::string ResourceOf(RequestBody& body) {
  const std::string arn = body.Required("ResourceArn");
  auto name = TableNameInArn(arn);
  if (!name)
    body.FailLate(
        ValidationError("Invalid TableArn: Invalid ResourceArn provided as input " + arn.substr(0, 1011)));
  return name.value_or("");
}

// `change`: storage::DecideTag or DecideUntag.
template <class Tags>
void ChangeTags(const DynamoCall& call, const std::string& name, Tags tags,
                storage::MaybeFault (*change)(storage::ItemTransaction&, const protocol::TenantId&,
                                              std::string_view, const Tags&)) {
  if (auto refused = call.who.Refuse(call.operation, name, /*write=*/true))
    return call.respond(std::move(*refused));
  Write(
      call,
      [name, change, tags = std::move(tags), tenant = call.tenant()](storage::ItemTransaction& tx) {
        if (tx.FindTable(tenant, name)) return change(tx, tenant, name, tags);
        return storage::MaybeFault(
            storage::EngineFault{storage::FaultKind::kTableNotFound,
                                 "Requested resource not found: Table: " + name + " not found"});
      },
      nullptr);
}

}  // namespace

void TagResource(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = ResourceOf(body);
  body.RequireMember("Tags");
  storage::Tags tags = ReadTags(body);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  ChangeTags(call, name, std::move(tags), storage::DecideTag);
}

void UntagResource(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = ResourceOf(body);
  body.RequireMember("TagKeys");
  body.ListWithin("TagKeys", 1, kTagKeysMax);
  std::vector<std::string> names = body.Texts("TagKeys");
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  ChangeTags(call, name, std::move(names), storage::DecideUntag);
}

void ListTagsOfResource(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = ResourceOf(body);
  body.Text("NextToken");  // all tags fit in one page
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto def = FindTable(call, name, /*write=*/false);
  if (!def.ok() && def.error().type != DynamoErrorType::kResourceNotFound) return call.respond(def.error());
  if (!def.ok())
    return call.respond(DynamoError{DynamoErrorType::kAccessDenied,
                                    "Access key " + call.who.key->id.ToText() +
                                        " is not authorized to perform: dynamodb:ListTagsOfResource on "
                                        "resource: table/" +
                                        name});
  ReadLittle(call, [name](const storage::ItemReads& reads, CountedAnswer& out) -> std::optional<DynamoError> {
    storage::TableFacts facts;
    if (auto fault = storage::ReadFacts(reads.reader, reads.tenant, name, &facts))
      return FromFault(std::move(*fault));
    std::vector<std::string> tags;
    for (const auto& [key, value] : facts.tags)
      tags.push_back(JsonObject().Text("Key", key).Text("Value", value).Done());
    out.text() = JsonObject().Add("Tags", JsonList(tags)).Done();
    return out.Count() ? std::nullopt : std::optional(NoRoomForAnswer());
  });
}

void DescribeContinuousBackups(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string name = body.TableName();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto def = FindTable(call, name, /*write=*/false);
  if (!def.ok() && def.error().type == DynamoErrorType::kResourceNotFound)
    return call.respond(DynamoError{DynamoErrorType::kTableNotFound, "Table not found: " + name});
  if (!def.ok()) return call.respond(def.error());
  JsonObject points, backups;
  points.Text("PointInTimeRecoveryStatus", "DISABLED");
  backups.Text("ContinuousBackupsStatus", "DISABLED").Add("PointInTimeRecoveryDescription", points.Done());
  call.respond(JsonObject().Add("ContinuousBackupsDescription", backups.Done()).Done());
}

void DescribeEndpoints(DynamoCall call) {
  const std::string endpoint =
      JsonObject().Text("Address", call.host).Int("CachePeriodInMinutes", kEndpointMinutes).Done();
  call.respond(JsonObject().Add("Endpoints", JsonList({endpoint})).Done());
}

}  // namespace parley::gateway
