// TransactGetItems and TransactWriteItems.
#include <set>

#include "gateway/dynamodb/attribute_json.h"
#include "gateway/dynamodb/operations.h"
#include "gateway/dynamodb/parameters.h"
#include "gateway/dynamodb/table_reads.h"
#include "protocol/base/crypto.h"
#include "protocol/base/json_text.h"
#include "storage/declarations/sealing.h"

namespace parley::gateway {
namespace {

using Kind = storage::WriteRequest::Kind;

constexpr size_t kTokenBytesMax = 36;
constexpr size_t kDigestBytes = 16;

struct ActionName {
  std::string_view name, holder;
  Kind kind;
};
constexpr ActionName kActions[] = {{"ConditionCheck", "Key", Kind::kCheck},
                                   {"Put", "Item", Kind::kPut},
                                   {"Delete", "Key", Kind::kDelete},
                                   {"Update", "Key", Kind::kUpdate}};

struct TransactWrite {
  storage::TransactWrite transaction;
  storage::TransactionReply reply;
  CapacityDetail capacity = CapacityDetail::kNone;
  bool metrics = false;
};

std::optional<DynamoError> ReadAction(const protocol::Value& json, size_t position,
                                      storage::WriteRequest* write) {
  const std::string at = "transactItems." + std::to_string(position + 1) + ".member";
  RequestBody outer(json, at);
  const ActionName* found = nullptr;
  size_t count = 0;
  for (const ActionName& action : kActions) {
    if (!outer.Has(action.name)) continue;
    found = &action;
    ++count;
    outer.Map(action.name);
  }
  if (auto fault = outer.Check()) return fault;
  if (count != 1)
    return ValidationError("TransactItems can only contain one of Check, Put, Update or Delete");
  RequestBody body(*json.Find(found->name), at + "." + std::string(found->name));
  write->kind = found->kind;
  write->table = body.TableName();
  body.RequireMember(found->holder);
  if (found->kind == Kind::kUpdate) body.RequireMember("UpdateExpression");
  if (found->kind == Kind::kCheck) body.RequireMember("ConditionExpression");
  write->tells_item = ReturnsItemOnFailure(body);
  write->item = body.Item(found->holder).value_or(storage::Item());
  Expressions expressions(body, {"UpdateExpression", "ConditionExpression"}, {});
  if (found->kind == Kind::kUpdate) write->update = expressions.Update();
  write->condition = expressions.ConditionOf("ConditionExpression");
  expressions.CheckUnused();
  return body.Check();
}

std::string ByTable(const std::map<std::string, Capacity>& spent, CapacityDetail detail) {
  std::string out;
  for (const auto& [table, capacity] : spent)
    out += (out.empty() ? "" : ",") + CapacityJson(table, capacity, detail);
  return "[" + out + "]";
}

std::string WriteAnswer(const TransactWrite& write) {
  std::map<std::string, Capacity> spent;
  std::map<std::string, std::string> metrics;
  for (size_t i = 0; i < write.reply.replies.size(); ++i) {
    const storage::WriteReply& reply = write.reply.replies[i];
    const storage::WriteRequest& request = write.transaction.writes[i];
    spent[request.table].Add(Doubled(WriteCapacity(reply)));
    const std::string one =
        request.kind == Kind::kCheck ? "" : CollectionMetricsJson(*reply.table, request.item);
    std::string& all = metrics[request.table];
    if (!one.empty()) all += (all.empty() ? "" : ",") + one;
  }
  std::string out;
  if (write.capacity != CapacityDetail::kNone)
    out += "\"ConsumedCapacity\":" + ByTable(spent, write.capacity);
  std::string collections;
  for (const auto& [table, json] : metrics) {
    if (!json.empty())
      collections += (collections.empty() ? "" : ",") + protocol::JsonText(table) + ":[" + json + "]";
  }
  if (write.metrics && !collections.empty())
    out += (out.empty() ? "" : ",") + ("\"ItemCollectionMetrics\":{" + collections + "}");
  return "{" + out + "}";
}

// Hashes TransactItems in a canonical form, without the token.
std::string DigestOf(const protocol::Value& root) {
  std::string bytes;
  const std::function<void(const protocol::Value&)> append = [&](const protocol::Value& value) {
    if (const protocol::Map* map = value.as_map()) {
      std::map<std::string_view, const protocol::Value*> members;
      for (const auto& [name, member] : *map) members.emplace(name, &member);
      bytes += '{';
      for (const auto& [name, member] : members) {
        protocol::AppendJsonText(name, &bytes);
        append(*member);
      }
      bytes += '}';
    } else if (const protocol::Array* array = value.as_array()) {
      bytes += '[';
      for (const protocol::Value& element : *array) append(element);
      bytes += ']';
    } else if (value.as_text()) {
      protocol::AppendJsonText(*value.as_text(), &bytes);
    } else if (value.as_bool()) {
      bytes += *value.as_bool() ? 't' : 'f';
    } else if (value.as_int()) {
      bytes += std::to_string(*value.as_int());
    }
  };
  if (const protocol::Value* items = root.Find("TransactItems")) append(*items);
  return protocol::Sha256(bytes).substr(0, kDigestBytes);
}

const protocol::Array* ReadActions(RequestBody& body) {
  const protocol::Array* actions = body.List("TransactItems");
  if (!actions) {
    body.RequireMember("TransactItems");
  } else if (actions->empty()) {
    body.Violates("TransactItems", "'[]'", "Member must have length greater than or equal to 1");
  } else if (actions->size() > storage::kTransactionWritesMax) {
    body.Violates("TransactItems", "'[…]'", "Member must have length less than or equal to 100");
  }
  return actions;
}

struct TransactGet {
  storage::TableDefPtr def;
  storage::KeyValues key;
  storage::Item given;
  std::string table;
  std::optional<storage::ProjectionPaths> projection;
};

std::optional<DynamoError> ReadGet(const protocol::Value& json, size_t position, TransactGet* get) {
  const std::string at = "transactItems." + std::to_string(position + 1) + ".member";
  RequestBody outer(json, at);
  outer.RequireMember("Get");
  outer.Map("Get");
  if (auto fault = outer.Check()) return fault;
  RequestBody body(*json.Find("Get"), at + ".get");
  get->table = body.TableName();
  body.RequireMember("Key");
  get->given = body.Item("Key").value_or(storage::Item());
  Expressions expressions(body, {"ProjectionExpression"}, {});
  get->projection = expressions.Projection();
  expressions.CheckUnused();
  return body.Check();
}

std::optional<DynamoError> ReadAll(const storage::ItemReads& reads, const std::vector<TransactGet>& gets,
                                   CapacityDetail detail, CountedAnswer& answer) {
  std::string& out = answer.text();
  out = "{\"Responses\":[";
  std::map<std::string, Capacity> spent;
  size_t bytes = 0;
  for (const TransactGet& get : gets) {
    std::optional<storage::Item> item;
    if (auto fault = FetchItem(reads, *get.def, get.key, &item)) return FromFault(std::move(*fault));
    const size_t size = item ? storage::ItemSize(*item) : 0;
    bytes += size;
    if (bytes > storage::kTransactionBytesMax)
      return ValidationError("The aggregate size of all items in the transaction exceeds the limit of 4 MB");
    spent[get.table].Add(Doubled(ReadCapacity(size, true, nullptr)));
    if (item && HidesSecrets(*get.def)) storage::StripSecrets(*get.def, &*item);
    out += out.back() == '[' ? "{" : ",{";
    if (item) {
      out += "\"Item\":";
      AppendItem(get.projection ? get.projection->Of(*item) : *item, &out);
    }
    out += '}';
    if (!answer.Count()) return NoRoomForAnswer();
  }
  out += ']';
  if (detail != CapacityDetail::kNone) out += ",\"ConsumedCapacity\":" + ByTable(spent, detail);
  out += '}';
  return std::nullopt;
}

}  // namespace

void TransactWriteItems(DynamoCall call) {
  RequestBody body(call.body->root);
  const auto write = std::make_shared<TransactWrite>();
  write->capacity = ReadCapacityDetail(body);
  write->metrics = WantsCollectionMetrics(body);
  storage::TransactWrite& transaction = write->transaction;
  transaction.token = body.Text("ClientRequestToken").value_or("");
  if (body.Has("ClientRequestToken") &&
      (transaction.token.empty() || transaction.token.size() > kTokenBytesMax))
    body.Violates("ClientRequestToken", "'" + transaction.token + "'",
                  "Member must have length between 1 and 36");
  if (transaction.token.find('\0') != std::string::npos)
    body.FailLate(ValidationError("ClientRequestToken contains an invalid character"));
  const protocol::Array* actions = ReadActions(body);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  for (size_t i = 0; i < actions->size(); ++i) {
    if (auto fault = ReadAction((*actions)[i], i, &transaction.writes.emplace_back()))
      return call.respond(std::move(*fault));
  }
  for (const storage::WriteRequest& one : transaction.writes) {
    const auto def = FindTable(call, one.table, /*write=*/one.kind != Kind::kCheck);
    if (!def.ok()) return call.respond(def.error());
  }
  if (!transaction.token.empty()) transaction.digest = DigestOf(call.body->root);
  std::function<std::string()> reply;
  if (write->capacity != CapacityDetail::kNone || write->metrics)
    reply = [write] { return WriteAnswer(*write); };
  Write(
      call,
      [write, tenant = call.tenant()](storage::ItemTransaction& tx) {
        return storage::DecideTransaction(tx, tenant, write->transaction, &write->reply);
      },
      std::move(reply));
}

void TransactGetItems(DynamoCall call) {
  RequestBody body(call.body->root);
  const CapacityDetail detail = ReadCapacityDetail(body);
  const protocol::Array* actions = ReadActions(body);
  if (auto fault = body.Check()) return call.respond(std::move(*fault));
  const auto gets = std::make_shared<std::vector<TransactGet>>(actions->size());
  std::set<std::string> seen;
  for (size_t i = 0; i < actions->size(); ++i) {
    if (auto fault = ReadGet((*actions)[i], i, &(*gets)[i])) return call.respond(std::move(*fault));
  }
  std::vector<CancellationReason> reasons(gets->size());
  bool canceled = false;
  for (size_t i = 0; i < gets->size(); ++i) {
    TransactGet& get = (*gets)[i];
    auto def = FindTable(call, get.table, /*write=*/false);
    if (!def.ok()) return call.respond(std::move(def.error()));
    get.def = *def;
    if (auto fault = storage::CheckKey(*get.def, get.given, &get.key)) {
      reasons[i] = {"ValidationError", std::move(fault->message)};
      canceled = true;
      continue;
    }
    if (!seen.insert(get.table + "/" + storage::ItemKey(*get.def, get.key).bytes()).second)
      return call.respond(
          ValidationError("Transaction request cannot include multiple operations on one item"));
  }
  if (canceled) return call.respond(TransactionCanceled(std::move(reasons)));
  Read(call, [gets, detail](const storage::ItemReads& reads, CountedAnswer& out) {
    return ReadAll(reads, *gets, detail, out);
  });
}

}  // namespace parley::gateway
