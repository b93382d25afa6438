// The DynamoDB API of a whole server in a fake world: signed requests, answers as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

struct ApiKey {
  std::string id, secret;
};

class TableApi {
 public:
  explicit TableApi(const gateway::Config& config = DemoConfig());

  // `wish`: {name?, tables?, readOnly?}.
  ApiKey MakeKey(const std::string& wish = "{}");
  void Use(ApiKey key) { key_ = std::move(key); }

  // The answer's body. A refusal is "ValidationException: what it says".
  std::string Ask(std::string_view operation, const std::string& body);
  gateway::HttpResponse Answer(std::string_view operation, const std::string& body);  // as it came
  // Sent, and answered when the server comes to it.
  std::shared_ptr<std::optional<gateway::HttpResponse>> Send(std::string_view operation,
                                                             const std::string& body);
  // The same in one turn of the writer, which does nothing else.
  std::string AskInOneTurn(std::string_view operation, const std::string& body);
  Frame Get(std::string_view operation, const std::string& body);  // fails the test if it is refused

  // A table with the key pk (S) and, where it is not empty, sk of that type.
  std::string Create(const std::string& name, std::string_view range_type = "");
  std::string Put(const std::string& table, const std::string& item);
  // Items with keys 0 to count - 1, in batches.
  void Fill(const std::string& table, int count, const std::string& more_attributes = "");
  size_t Count(const std::string& table, const std::string& more = "");  // what a Scan finds

  World& world() { return world_; }
  FakeServer& server() { return world_.server(); }

 private:
  gateway::HttpRequest Signed(std::string_view operation, const std::string& body);

  World world_;
  ApiKey key_;
};

// {"a":1} with ' for ".
std::string Json(std::string text);

}  // namespace parley::gateway_test
