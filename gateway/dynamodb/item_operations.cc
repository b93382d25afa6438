// GetItem, PutItem, UpdateItem, DeleteItem.
#include "gateway/dynamodb/attribute_json.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/parameters.h"
#include "gateway/dynamodb/table_reads.h"
#include "protocol/base/json_text.h"
#include "storage/declarations/sealing.h"

namespace parley::gateway {
namespace {

using storage::WriteRequest;

// Builds an answer member by member.
class ReplyMembers {
 public:
  void Add(std::string_view name, const std::string& json) {
    text_ += (text_.empty() ? "{" : ",") + protocol::JsonText(name) + ":" + json;
  }
  std::string Text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

enum class Returns : uint8_t { kNone, kAllOld, kAllNew, kUpdatedOld, kUpdatedNew };

Returns ReadReturns(RequestBody& body, bool updates) {
  const std::string asked =
      body.OneOf("ReturnValues", {"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"}, "NONE");
  if (asked == "ALL_OLD") return Returns::kAllOld;
  if (!updates && asked != "NONE") body.FailLate(ValidationError("ReturnValues can only be ALL_OLD or NONE"));
  if (asked == "ALL_NEW") return Returns::kAllNew;
  if (asked == "UPDATED_OLD") return Returns::kUpdatedOld;
  return asked == "UPDATED_NEW" ? Returns::kUpdatedNew : Returns::kNone;
}

// One write, and the members that its answer needs.
struct ItemWrite {
  WriteRequest request;
  storage::WriteReply reply;
  Returns returns = Returns::kNone;
  CapacityDetail capacity = CapacityDetail::kNone;
  bool metrics = false;
};

std::string WriteAnswer(const ItemWrite& write) {
  ReplyMembers answer;
  const auto& [before, after, table] = write.reply;
  const auto add = [&](const std::optional<storage::Item>& item, bool touched) {
    if (!item) return;
    const storage::Item returned = touched ? write.request.update.Touched(*item) : *item;
    if (!touched || !returned.empty()) answer.Add("Attributes", ItemJson(returned));
  };
  if (write.returns == Returns::kAllOld) add(before, false);
  if (write.returns == Returns::kAllNew) add(after, false);
  if (write.returns == Returns::kUpdatedOld) add(before, true);
  if (write.returns == Returns::kUpdatedNew) add(after, true);
  if (write.capacity != CapacityDetail::kNone)
    answer.Add("ConsumedCapacity",
               CapacityJson(write.request.table, WriteCapacity(write.reply), write.capacity));
  if (write.metrics) {
    const std::string metrics = CollectionMetricsJson(*table, write.request.item);
    if (!metrics.empty()) answer.Add("ItemCollectionMetrics", metrics);
  }
  return answer.Text();
}

void Submit(const DynamoCall& call, std::shared_ptr<ItemWrite> write) {
  const auto def = FindTable(call, write->request.table, /*write=*/true);
  if (!def.ok()) return call.respond(def.error());
  const bool plain =
      write->returns == Returns::kNone && write->capacity == CapacityDetail::kNone && !write->metrics;
  std::function<std::string()> reply;
  if (!plain) reply = [write] { return WriteAnswer(*write); };
  Write(
      call,
      [write, plain, tenant = call.tenant()](storage::ItemTransaction& tx) {
        return storage::DecideWrite(tx, tenant, write->request, plain ? nullptr : &write->reply);
      },
      std::move(reply));
}

// Reads the parameters of the three writes and submits the write.
void WriteItem(const DynamoCall& call, WriteRequest::Kind kind) {
  const bool updates = kind == WriteRequest::Kind::kUpdate;
  RequestBody body(call.body->root);
  auto write = std::make_shared<ItemWrite>();
  WriteRequest& request = write->request;
  request.kind = kind;
  request.table = body.TableName(RequestBody::NamedFor::kItem);
  const std::string_view holder = kind == WriteRequest::Kind::kPut ? "Item" : "Key";
  body.RequireMember(holder);
  write->returns = ReadReturns(body, updates);
  write->capacity = ReadCapacityDetail(body);
  write->metrics = WantsCollectionMetrics(body);
  request.tells_item = ReturnsItemOnFailure(body);
  request.item = body.Item(holder).value_or(storage::Item());
  std::vector<std::string_view> modern = {"ConditionExpression"}, legacy = {"Expected"};
  if (updates) {
    modern.insert(modern.begin(), "UpdateExpression");
    legacy.insert(legacy.begin(), "AttributeUpdates");
  }
  if (body.Has("ConditionalOperator")) legacy.push_back("ConditionalOperator");
  Expressions expressions(body, modern, legacy);
  if (updates) request.update = expressions.Update();
  request.condition = body.Has("Expected") ? expressions.LegacyConditionOf("Expected", true)
                                           : expressions.ConditionOf("ConditionExpression");
  expressions.CheckUnused();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  Submit(call, std::move(write));
}

}  // namespace

void PutItem(DynamoCall call) {
  WriteItem(call, WriteRequest::Kind::kPut);
}
void UpdateItem(DynamoCall call) {
  WriteItem(call, WriteRequest::Kind::kUpdate);
}
void DeleteItem(DynamoCall call) {
  WriteItem(call, WriteRequest::Kind::kDelete);
}

void GetItem(DynamoCall call) {
  RequestBody body(call.body->root);
  const std::string table = body.TableName(RequestBody::NamedFor::kItem);
  body.RequireMember("Key");
  const CapacityDetail detail = ReadCapacityDetail(body);
  const bool consistent = body.Bool("ConsistentRead").value_or(false);
  const storage::Item given = body.Item("Key").value_or(storage::Item());
  Expressions expressions(body, {"ProjectionExpression"}, {"AttributesToGet"});
  const auto projection = expressions.Projection();
  expressions.CheckUnused();
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto def = FindTable(call, table, /*write=*/false);
  if (!def.ok()) return call.respond(def.error());
  storage::KeyValues key;
  if (auto fault = storage::CheckKey(**def, given, &key)) return call.respond(FromFault(std::move(*fault)));
  (projection ? Read : ReadLittle)(
      call,
      [def = *def, key, projection, detail, consistent](const storage::ItemReads& reads,
                                                        CountedAnswer& out) -> std::optional<DynamoError> {
        std::optional<storage::Item> item;
        if (auto fault = FetchItem(reads, *def, key, &item)) return FromFault(std::move(*fault));
        ReplyMembers answer;
        const size_t size = item ? storage::ItemSize(*item) : 0;
        if (item && HidesSecrets(*def)) storage::StripSecrets(*def, &*item);
        if (item) answer.Add("Item", ItemJson(projection ? projection->Of(*item) : *item));
        if (detail != CapacityDetail::kNone)
          answer.Add("ConsumedCapacity",
                     CapacityJson(def->name, ReadCapacity(size, consistent, nullptr), detail));
        out.text() = answer.Text();
        return out.Count() ? std::nullopt : std::optional(NoRoomForAnswer());
      });
}

}  // namespace parley::gateway
