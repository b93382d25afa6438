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

  // Creates a key with `wish`: {name?, tables?, readOnly?}.
  ApiKey MakeKey(const std::string& wish = "{}");
  void Use(ApiKey key) { key_ = std::move(key); }

  // Returns the answer's body, or "ValidationException: message" for a refusal.
  std::string Ask(std::string_view operation, const std::string& body);
  gateway::HttpResponse Answer(std::string_view operation, const std::string& body);  // unparsed
  // Sends without waiting; the answer appears in the returned place.
  std::shared_ptr<std::optional<gateway::HttpResponse>> Send(std::string_view operation,
                                                             const std::string& body);
  // Asks within one batch of the item writer that contains no other request.
  std::string AskInOneTurn(std::string_view operation, const std::string& body);
  Frame Get(std::string_view operation, const std::string& body);  // fails the test if the request is refused

  // Creates a table with the key pk (S) and, unless `range_type` is empty, sk of that type.
  std::string Create(const std::string& name, std::string_view range_type = "");
  std::string Put(const std::string& table, const std::string& item);
  // Puts items with the keys 0 to count - 1, in batches.
  void Fill(const std::string& table, int count, const std::string& more_attributes = "");
  size_t Count(const std::string& table,
               const std::string& more = "");  // the number of items that a Scan returns

  World& world() { return world_; }
  FakeServer& server() { return world_.server(); }

 private:
  gateway::HttpRequest Signed(std::string_view operation, const std::string& body);

  World world_;
  ApiKey key_;
};

// Replaces ' by ", so that {'a':1} is JSON.
std::string Json(std::string text);

}  // namespace parley::gateway_test
