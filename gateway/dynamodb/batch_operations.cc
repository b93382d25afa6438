// BatchGetItem and BatchWriteItem. Gets that do not fit in an answer are returned as UnprocessedKeys.
#include <set>

#include "gateway/dynamodb/attribute_json.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/parameters.h"
#include "gateway/dynamodb/table_reads.h"
#include "protocol/base/json_text.h"
#include "storage/declarations/sealing.h"

namespace parley::gateway {
namespace {

constexpr size_t kGetsMax = 100, kWritesMax = 25;
constexpr size_t kAnswerBytesMax = size_t{16} << 20;  // limits the items and, separately, their JSON

struct TableGets {
  std::string name;  // the table's name or ARN as in the request
  storage::TableDefPtr def;
  std::vector<storage::Item> given;  // keys as sent
  std::vector<storage::KeyValues> keys;
  std::optional<storage::ProjectionPaths> projection;
  bool consistent = false;
  std::string json;  // members of the request other than Keys, for UnprocessedKeys
};

// Reads the gets of one table; checks that need its definition come later.
std::optional<DynamoError> ReadGets(const protocol::Value& json, TableGets* gets) {
  RequestBody body(json, "requestItems.member");
  gets->consistent = body.Bool("ConsistentRead").value_or(false);
  const protocol::Array* keys = body.List("Keys");
  if (!keys || keys->empty())
    body.Violates("keys", keys ? "[]" : "null",
                  keys ? "Member must have length greater than or equal to 1" : "Member must not be null");
  for (const protocol::Value& key : keys ? *keys : protocol::Array{}) {
    auto item = ReadItemJson(key);
    if (!item.ok()) return std::move(item.error());
    gets->given.push_back(std::move(*item));
  }
  Expressions expressions(body, {"ProjectionExpression"}, {"AttributesToGet"});
  gets->projection = expressions.Projection();
  expressions.CheckUnused();
  std::string rest = gets->consistent ? ",\"ConsistentRead\":true" : "";
  if (const auto text = body.Text("ProjectionExpression"))
    rest += ",\"ProjectionExpression\":" + protocol::JsonText(*text);
  if (const protocol::Map* names = body.Map("ExpressionAttributeNames")) {
    rest += ",\"ExpressionAttributeNames\":{";
    for (size_t i = 0; i < names->size(); ++i)
      rest += (i > 0 ? "," : "") + protocol::JsonText((*names)[i].first) + ":" +
              protocol::JsonText((*names)[i].second.as_text() ? *(*names)[i].second.as_text() : "");
    rest += "}";
  }
  if (body.Has("AttributesToGet")) {
    rest += ",\"AttributesToGet\":[";
    const auto names = body.Texts("AttributesToGet");
    for (size_t i = 0; i < names.size(); ++i) rest += (i > 0 ? "," : "") + protocol::JsonText(names[i]);
    rest += "]";
  }
  gets->json = rest;
  return body.Check();
}

std::optional<DynamoError> CheckKeys(TableGets* gets) {
  std::set<std::string> seen;
  for (const storage::Item& given : gets->given) {
    storage::KeyValues& key = gets->keys.emplace_back();
    if (auto fault = storage::CheckKey(*gets->def, given, &key)) return FromFault(std::move(*fault));
    if (!seen.insert(storage::ItemKey(*gets->def, key).bytes()).second)
      return ValidationError("Provided list of item keys contains duplicates");
  }
  return std::nullopt;
}

// Writes the answer to BatchGetItem, table by table, item by item.
class BatchReader {
 public:
  BatchReader(const storage::ItemReads& reads, CapacityDetail detail, CountedAnswer& out)
      : reads_(reads), detail_(detail), out_(out) {}

  std::optional<DynamoError> ReadAll(const std::vector<TableGets>& all) {
    out_.text() = "{\"Responses\":{";
    for (const TableGets& gets : all) {
      if (auto error = ReadTable(gets)) return error;
    }
    out_.text() += "},\"UnprocessedKeys\":{" + unprocessed_ + "}";
    if (detail_ != CapacityDetail::kNone) out_.text() += ",\"ConsumedCapacity\":[" + capacity_ + "]";
    out_.text() += "}";
    return std::nullopt;
  }

 private:
  std::optional<DynamoError> ReadTable(const TableGets& gets) {
    const std::string name = protocol::JsonText(gets.name);
    std::string left;
    Capacity spent;
    out_.text() += (out_.text().back() == '{' ? "" : ",") + name + ":[";
    for (size_t i = 0; i < gets.keys.size(); ++i) {
      if (item_bytes_ >= kAnswerBytesMax || out_.text().size() >= kAnswerBytesMax) {
        left += (left.empty() ? "" : ",") + ItemJson(gets.given[i]);
      } else if (auto error = ReadOne(gets, gets.keys[i], &spent)) {
        return error;
      }
    }
    out_.text() += "]";
    if (!left.empty())
      unprocessed_ +=
          (unprocessed_.empty() ? "" : ",") + name + ":{\"Keys\":[" + left + "]" + gets.json + "}";
    if (detail_ != CapacityDetail::kNone)
      capacity_ += (capacity_.empty() ? "" : ",") + CapacityJson(gets.def->name, spent, detail_);
    return std::nullopt;
  }

  std::optional<DynamoError> ReadOne(const TableGets& gets, const storage::KeyValues& key, Capacity* spent) {
    std::optional<storage::Item> item;
    if (auto fault = FetchItem(reads_, *gets.def, key, &item)) return FromFault(std::move(*fault));
    const size_t size = item ? storage::ItemSize(*item) : 0;
    item_bytes_ += size;
    spent->Add(ReadCapacity(size, gets.consistent, nullptr));
    if (!item) return std::nullopt;
    if (HidesSecrets(*gets.def)) storage::StripSecrets(*gets.def, &*item);
    if (out_.text().back() != '[') out_.text() += ',';
    AppendItem(gets.projection ? gets.projection->Of(*item) : *item, &out_.text());
    return out_.Count() ? std::nullopt : std::optional(NoRoomForAnswer());
  }

  const storage::ItemReads& reads_;
  const CapacityDetail detail_;
  CountedAnswer& out_;
  std::string unprocessed_, capacity_;
  size_t item_bytes_ = 0;
};

struct BatchWrite {
  std::vector<storage::WriteRequest> writes;
  std::vector<storage::WriteReply> replies;
  CapacityDetail capacity = CapacityDetail::kNone;
  bool metrics = false;
};

std::optional<DynamoError> ReadWrites(const std::string& table, const protocol::Value& json,
                                      BatchWrite* batch) {
  const protocol::Array* list = json.as_array();
  if (!list) return DynamoError{DynamoErrorType::kSerialization, "Unexpected field type"};
  if (list->empty())
    return ValidationError(
        "1 validation error detected: Value '[]' at 'requestItems." + table +
        "' failed to satisfy constraint: Member must have length greater than or equal to 1");
  for (const protocol::Value& one : *list) {
    RequestBody body(one, "requestItems.member");
    const bool puts = body.Has("PutRequest"), deletes = body.Has("DeleteRequest");
    if (puts == deletes && !body.failed())
      body.FailLate(ValidationError(
          puts ? "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
                 "supported datatypes"
               : "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"));
    storage::WriteRequest& write = batch->writes.emplace_back();
    write.table = table;
    write.kind = puts ? storage::WriteRequest::Kind::kPut : storage::WriteRequest::Kind::kDelete;
    body.Map(puts ? "PutRequest" : "DeleteRequest");
    if (auto fault = body.Check()) return fault;
    RequestBody inner(*one.Find(puts ? "PutRequest" : "DeleteRequest"),
                      puts ? "putRequest" : "deleteRequest");
    inner.RequireMember(puts ? "Item" : "Key");
    write.item = inner.Item(puts ? "Item" : "Key").value_or(storage::Item());
    if (auto fault = inner.Check()) return fault;
  }
  return std::nullopt;
}

std::string WritesAnswer(const BatchWrite& batch) {
  std::map<std::string, Capacity> spent;
  std::map<std::string, std::string> metrics;
  for (size_t i = 0; i < batch.writes.size(); ++i) {
    spent[batch.writes[i].table].Add(WriteCapacity(batch.replies[i]));
    const std::string one = CollectionMetricsJson(*batch.replies[i].table, batch.writes[i].item);
    std::string& all = metrics[batch.writes[i].table];
    if (!one.empty()) all += (all.empty() ? "" : ",") + one;
  }
  std::string out = "{\"UnprocessedItems\":{}";
  if (batch.capacity != CapacityDetail::kNone) {
    out += ",\"ConsumedCapacity\":[";
    bool first = true;
    for (const auto& [table, capacity] : spent) {
      out += (first ? "" : ",") + CapacityJson(table, capacity, batch.capacity);
      first = false;
    }
    out += "]";
  }
  if (batch.metrics) {
    std::string all;
    for (const auto& [table, json] : metrics) {
      if (!json.empty()) all += (all.empty() ? "" : ",") + protocol::JsonText(table) + ":[" + json + "]";
    }
    if (!all.empty()) out += ",\"ItemCollectionMetrics\":{" + all + "}";
  }
  return out + "}";
}

std::optional<DynamoError> CheckTableCount(const DynamoCall& call, RequestBody& body,
                                           const protocol::Map* tables) {
  if (!tables) body.RequireMember("RequestItems");
  if (tables && tables->empty())
    body.FailLate(
        ValidationError("The requestItems parameter is required for " + std::string(call.operation)));
  return body.Check();
}

DynamoError TooManyWrites(const protocol::Map& tables) {
  if (tables.size() > 1) return ValidationError("Too many items requested for the BatchWriteItem call");
  return ValidationError("1 validation error detected: Value '{" + std::string(tables.front().first) +
                         "=[…]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy "
                         "constraint: [Member must have length less than or equal to 25, Member must have "
                         "length greater than or equal to 1]");
}

DynamoError TooManyGets(const protocol::Map& tables) {
  if (tables.size() > 1) return ValidationError("Too many items requested for the BatchGetItem call");
  return ValidationError("1 validation error detected: Value at 'RequestItems." +
                         std::string(tables.front().first) +
                         ".member.Keys' failed to satisfy constraint: Member must have length less than or "
                         "equal to 100");
}

// Returns the table's name, which may be given by its ARN.
std::string NameIn(std::string_view given) {
  return given.starts_with("arn:") ? TableNameInArn(given).value_or("") : std::string(given);
}

}  // namespace

void BatchGetItem(DynamoCall call) {
  RequestBody body(call.body->root);
  const CapacityDetail detail = ReadCapacityDetail(body);
  const protocol::Map* tables = body.Map("RequestItems");
  if (auto fault = CheckTableCount(call, body, tables)) return call.respond(std::move(*fault));
  auto all = std::make_shared<std::vector<TableGets>>();
  size_t keys = 0;
  for (const auto& [name, json] : *tables) {
    if (auto fault = ReadGets(json, &all->emplace_back())) return call.respond(std::move(*fault));
    keys += all->back().given.size();
  }
  if (keys > kGetsMax) return call.respond(TooManyGets(*tables));
  for (size_t i = 0; i < tables->size(); ++i) {
    auto def = FindTable(call, NameIn((*tables)[i].first), /*write=*/false);
    if (!def.ok()) return call.respond(std::move(def.error()));
    (*all)[i].def = *def;
    (*all)[i].name = (*tables)[i].first;
    if (auto fault = CheckKeys(&(*all)[i])) return call.respond(std::move(*fault));
  }
  Read(call, [all, detail](const storage::ItemReads& reads, CountedAnswer& out) {
    return BatchReader(reads, detail, out).ReadAll(*all);
  });
}

void BatchWriteItem(DynamoCall call) {
  RequestBody body(call.body->root);
  const auto batch = std::make_shared<BatchWrite>();
  batch->capacity = ReadCapacityDetail(body);
  batch->metrics = WantsCollectionMetrics(body);
  const protocol::Map* tables = body.Map("RequestItems");
  if (auto fault = CheckTableCount(call, body, tables)) return call.respond(std::move(*fault));
  for (const auto& [name, json] : *tables) {
    if (auto fault = ReadWrites(NameIn(name), json, batch.get())) return call.respond(std::move(*fault));
  }
  if (batch->writes.empty())
    return call.respond(ValidationError("The batch write request list for a table cannot be null or empty: " +
                                        std::string(tables->front().first)));
  if (batch->writes.size() > kWritesMax) return call.respond(TooManyWrites(*tables));
  for (const auto& [name, json] : *tables) {
    const auto def = FindTable(call, NameIn(name), /*write=*/true);
    if (!def.ok()) return call.respond(def.error());
  }
  const bool plain = batch->capacity == CapacityDetail::kNone && !batch->metrics;
  Write(
      call,
      [batch, plain, tenant = call.tenant()](storage::ItemTransaction& tx) {
        return storage::DecideBatch(tx, tenant, batch->writes, plain ? nullptr : &batch->replies);
      },
      [batch, plain] { return plain ? std::string("{\"UnprocessedItems\":{}}") : WritesAnswer(*batch); });
}

}  // namespace parley::gateway
