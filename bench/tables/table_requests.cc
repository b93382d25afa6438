#include "bench/tables/table_requests.h"

#include <cstdio>

namespace parley::bench {
namespace {

constexpr TableOpInfo kInfos[] = {
    {TableOp::kPut, "PutItem", "PutItem, 300 bytes", true, "{", 0},
    {TableOp::kUpdate, "UpdateItem", "UpdateItem with a condition", true, "{", 1},
    {TableOp::kGet, "GetItem", "GetItem", false, "\"Item\"", 0},
    {TableOp::kQuery, "Query", "Query of 25 by a GSI", false, "\"Count\":25", 0},
    {TableOp::kTransact, "TransactWriteItems", "TransactWriteItems of 3", true, "{", 2},
};

template <class... Values>
std::string Printed(const char* format, Values... values) {
  char text[1024];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string Pk(size_t number) {
  return Printed("workspace-documents/ws_%06zu/doc_%08zu", number / kWorkspaceItems, number);
}

std::string KeyJson(size_t number) {
  return R"({"pk":{"S":")" + Pk(number) + R"("},"sk":{"S":"document"}})";
}

std::string ItemJson(size_t number, uint32_t draw) {
  const Document document = DocumentOf(number, draw);
  const auto text = [](std::string_view name, const std::string& value) {
    return ",\"" + std::string(name) + R"(":{"S":")" + value + "\"}";
  };
  std::string out = R"({"pk":{"S":")" + document.pk + R"("},"sk":{"S":"document"})";
  out += text("workspaceId", document.workspace) + text("name", document.name);
  out += text("filename", document.filename) + text("folderPath", document.folder);
  out += text("s3Key", document.key) + text("contentType", "application/pdf");
  out += R"(,"size":{"N":")" + std::to_string(document.size) + "\"}";
  if (number % 2 == 1) out += R"(,"version":{"N":"0"})";
  return out + "}";
}

std::string Put(size_t number, uint32_t draw) {
  return R"({"TableName":")" + std::string(kDocumentTable) + R"(","Item":)" + ItemJson(number, draw) + "}";
}

std::string Update(size_t number, uint32_t draw) {
  return R"({"TableName":")" + std::string(kDocumentTable) + R"(","Key":)" + KeyJson(number) +
         R"(,"UpdateExpression":"SET #v = #v + :one, #n = :n",)"
         R"("ConditionExpression":"attribute_exists(pk) AND folderPath = :f",)"
         R"("ExpressionAttributeNames":{"#v":"version","#n":"name"},"ExpressionAttributeValues":)"
         R"({":one":{"N":"1"},":n":{"S":")" +
         DocumentOf(number, draw).name + R"("},":f":{"S":")" + DocumentOf(number, draw).folder + R"("}}})";
}

std::string Get(size_t number) {
  return R"({"TableName":")" + std::string(kDocumentTable) + R"(","Key":)" + KeyJson(number) + "}";
}

std::string Query(size_t workspace) {
  return R"({"TableName":")" + std::string(kDocumentTable) +
         R"(","IndexName":"byWorkspaceId","KeyConditionExpression":"workspaceId = :w",)"
         R"("ExpressionAttributeValues":{":w":{"S":")" +
         Printed("ws_%06zu", workspace) + R"("}},"Limit":)" + std::to_string(kQueryItems) + "}";
}

std::string Transact(size_t put, size_t first, size_t second, uint32_t draw) {
  return R"({"TransactItems":[{"Put":)" + Put(put, draw) + R"(},{"Update":)" + Update(first, draw) +
         R"(},{"Update":)" + Update(second, draw) + "}]}";
}

}  // namespace

const TableOpInfo& Describe(TableOp op) {
  return kInfos[static_cast<size_t>(op)];
}

Document DocumentOf(size_t number, uint32_t draw) {
  const auto version = static_cast<unsigned>(draw % 1'000'000);
  return {Pk(number),
          Printed("ws_%06zu", number / kWorkspaceItems),
          Printed("Invoice %06u of the second quarter", version),
          Printed("invoice-%08zu-%06u.pdf", number, version),
          Printed("/accounts/%02zu", number % 7),
          Printed("uploads/ws_%06zu/%08zu/%06u", number / kWorkspaceItems, number, version),
          10'000 + version};
}

Picks PicksOf(const TablePlan& plan, size_t client, size_t turn) {
  const size_t pairs = plan.items / 2 / plan.clients;  // per client
  const auto pair = [&](size_t at) { return at % pairs * plan.clients + client; };
  return {2 * pair(turn),
          2 * pair(turn) + 1,
          2 * pair(turn + 1) + 1,
          2 * pair(turn) + turn / pairs % 2,
          (turn * 37 + client * 11) % (plan.items / kWorkspaceItems),
          static_cast<uint32_t>(turn * 7919 + client * 104'729 + 1)};
}

std::string RequestBody(const TablePlan& plan, TableOp op, size_t client, size_t turn) {
  const Picks picks = PicksOf(plan, client, turn);
  switch (op) {
    case TableOp::kPut:
      return Put(picks.put, picks.draw);
    case TableOp::kUpdate:
      return Update(picks.update, picks.draw);
    case TableOp::kGet:
      return Get(picks.get);
    case TableOp::kQuery:
      return Query(picks.workspace);
    case TableOp::kTransact:
      return Transact(picks.put, picks.update, picks.second_update, picks.draw);
  }
  return {};
}

std::string CreateTableBody() {
  return R"({"TableName":")" + std::string(kDocumentTable) +
         R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
         R"({"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},)"
         R"({"AttributeName":"workspaceId","AttributeType":"S"}],)"
         R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
         R"("GlobalSecondaryIndexes":[{"IndexName":"byWorkspaceId","KeySchema":[)"
         R"({"AttributeName":"workspaceId","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"}],)"
         R"("Projection":{"ProjectionType":"ALL"}}]})";
}

std::string FillBody(size_t first, size_t count) {
  std::string out = R"({"RequestItems":{")" + std::string(kDocumentTable) + R"(":[)";
  for (size_t i = 0; i < count; ++i)
    out += (i > 0 ? "," : "") + std::string(R"({"PutRequest":{"Item":)") + ItemJson(first + i, 0) + "}}";
  return out + "]}}";
}

std::string ScanBody(std::string_view start) {
  std::string out = R"({"TableName":")" + std::string(kDocumentTable) + "\"";
  if (!start.empty()) out.append(R"(,"ExclusiveStartKey":)").append(start);
  return out + "}";
}

}  // namespace parley::bench
