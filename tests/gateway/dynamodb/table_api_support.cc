#include <algorithm>

#include "gateway/app/node.h"
#include "tests/accounts/signed_support.h"
#include "tests/gateway/dynamodb/table_api.h"

namespace parley::gateway_test {

std::string Json(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '"');
  return text;
}

TableApi::TableApi(const gateway::Config& config) : world_(config) {
  key_ = MakeKey();
}

ApiKey TableApi::MakeKey(const std::string& wish) {
  const gateway::HttpResponse made = world_->Http("POST", "/v1/demo/table-key", wish);
  EXPECT_EQ(made.status, 201) << made.body;
  const Frame key(protocol::Encoding::kJson, made.body);
  return {key.Text("accessKeyId"), key.Text("secretAccessKey")};
}

gateway::HttpRequest TableApi::Signed(std::string_view operation, const std::string& body) {
  accounts::Signed request{"",
                           "POST",
                           "/",
                           {{"Host", "localhost"},
                            {"Content-Type", "application/x-amz-json-1.0"},
                            {"X-Amz-Target", "DynamoDB_20120810." + std::string(operation)}},
                           Json(body)};
  accounts::SignNow(&request, world_.clock().Now().ms / 1000, key_.id, key_.secret);
  return {"POST", "/", request.body, "192.0.2.7", request.headers};
}

namespace {

std::string TextOf(const gateway::HttpResponse& answer) {
  if (answer.status == 200) return answer.body;
  const Frame error(protocol::Encoding::kJson, answer.body);
  const std::string type = error.Text("__type");
  const std::string message = error.Has("message")   ? error.Text("message")
                              : error.Has("Message") ? error.Text("Message")
                                                     : "";
  return type.substr(type.find('#') + 1) + ": " + message;
}

}  // namespace

gateway::HttpResponse TableApi::Answer(std::string_view operation, const std::string& body) {
  gateway::HttpRequest request = Signed(operation, body);
  return world_->Http(request.method, request.target, request.body, request.headers);
}

std::string TableApi::Ask(std::string_view operation, const std::string& body) {
  return TextOf(Answer(operation, body));
}

std::shared_ptr<std::optional<gateway::HttpResponse>> TableApi::Send(std::string_view operation,
                                                                     const std::string& body) {
  return server().transport().Http(Signed(operation, body));
}

std::string TableApi::AskInOneTurn(std::string_view operation, const std::string& body) {
  const auto answer = server().transport().Http(Signed(operation, body));
  const auto run = [&] {
    while (world_.loop().RunOne()) {
    }
  };
  run();
  EXPECT_TRUE(server().node().item_writer().Step());
  run();
  server().node().read_pool().Step();  // encodes the answer
  run();
  EXPECT_TRUE(answer->has_value()) << operation;
  return TextOf(answer->value_or(gateway::HttpResponse{}));
}

Frame TableApi::Get(std::string_view operation, const std::string& body) {
  const std::string answer = Ask(operation, body);
  EXPECT_EQ(answer.substr(0, 1), "{") << answer;
  return Frame(protocol::Encoding::kJson, answer.substr(0, 1) == "{" ? answer : "{}");
}

std::string TableApi::Create(const std::string& name, std::string_view range_type) {
  std::string attributes = "{'AttributeName':'pk','AttributeType':'S'}";
  std::string keys = "{'AttributeName':'pk','KeyType':'HASH'}";
  if (!range_type.empty()) {
    attributes += ",{'AttributeName':'sk','AttributeType':'" + std::string(range_type) + "'}";
    keys += ",{'AttributeName':'sk','KeyType':'RANGE'}";
  }
  return Ask("CreateTable", "{'TableName':'" + name + "','AttributeDefinitions':[" + attributes +
                                "],'KeySchema':[" + keys + "],'BillingMode':'PAY_PER_REQUEST'}");
}

std::string TableApi::Put(const std::string& table, const std::string& item) {
  return Ask("PutItem", "{'TableName':'" + table + "','Item':" + item + "}");
}

void TableApi::Fill(const std::string& table, int count, const std::string& more_attributes) {
  for (int at = 0; at < count; at += 25) {
    std::string puts;
    for (int i = at; i < std::min(count, at + 25); ++i)
      puts += (puts.empty() ? "" : ",") + std::string("{'PutRequest':{'Item':{'pk':{'S':'") +
              std::to_string(i) + "'}" + more_attributes + "}}}";
    EXPECT_EQ(Ask("BatchWriteItem", "{'RequestItems':{'" + table + "':[" + puts + "]}}"),
              Json("{'UnprocessedItems':{}}"));
  }
}

size_t TableApi::Count(const std::string& table, const std::string& more) {
  return static_cast<size_t>(Get("Scan", "{'TableName':'" + table + "'" + more + "}").Int("Count"));
}

}  // namespace parley::gateway_test
