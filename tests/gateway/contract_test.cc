// The machine-readable documents are sound, agree with each other, and change only on purpose.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "features/ops.h"
#include "gateway/http/openapi.h"
#include "gateway/http/route.h"
#include "gateway/ops/asyncapi.h"
#include "protocol/message_items.h"
#include "tests/gateway/contract_support.h"
#include "tests/repository.h"

namespace parley::gateway_test {
namespace {

using JsonValue = nlohmann::json;

const JsonValue& Socket() {
  static const JsonValue document = JsonValue::parse(gateway::AsyncApiDocument());
  return document;
}
const JsonValue& Http() {
  static const JsonValue document = JsonValue::parse(gateway::OpenApiDocument());
  return document;
}

void CollectReferences(const JsonValue& at, std::set<std::string>* found) {
  if (at.is_object() && at.contains("$ref")) found->insert(at["$ref"].get<std::string>());
  if (!at.is_structured()) return;
  for (const JsonValue& child : at) CollectReferences(child, found);
}

// Returns the paths, below `at`, of objects with members and of enumerations that have no name.
std::vector<std::string> NamelessIn(const JsonValue& at, const std::string& path) {
  std::vector<std::string> out;
  if (!at.is_structured()) return out;
  for (const auto& [name, child] : at.items()) {
    const std::string below = path + "/" + name;
    if (name != "properties" && child.is_object() && (child.contains("properties") || child.contains("enum")))
      out.push_back(below);
    for (std::string& one : NamelessIn(child, below)) out.push_back(std::move(one));
  }
  return out;
}

TEST(Contract, changes_only_on_purpose) {
  const std::string actual = ContractOf(gateway::AsyncApiDocument(), gateway::OpenApiDocument());
  if (tests::RepositoryText("docs/contract.txt") == actual) return;
  const std::string written = testing::TempDir() + "contract.txt";
  std::ofstream(written) << actual;
  ADD_FAILURE() << "diff docs/contract.txt " << written
                << "\ncopy it there if clients of before can live with the change";
}

TEST(Contract, every_reference_resolves_and_every_named_schema_is_used) {
  for (const JsonValue* document : {&Socket(), &Http()}) {
    std::set<std::string> references;
    CollectReferences(*document, &references);
    for (const std::string& reference : references) {
      ASSERT_TRUE(reference.starts_with("#/")) << reference;
      EXPECT_TRUE(document->contains(JsonValue::json_pointer(reference.substr(1)))) << reference;
    }
    for (const auto& [name, schema] : (*document)["components"]["schemas"].items())
      EXPECT_TRUE(references.contains("#/components/schemas/" + name)) << name << " is not used";
  }
}

TEST(Contract, each_type_has_one_schema_in_both_documents) {
  const JsonValue& http = Http()["components"]["schemas"];
  for (const auto& [name, schema] : Socket()["components"]["schemas"].items()) {
    if (!http.contains(name)) continue;
    EXPECT_EQ(http[name], schema) << name;
  }
  for (const char* name : {"Thread", "Participant", "Message", "Reaction", "Card", "Tab", "Entry", "Error"}) {
    EXPECT_TRUE(http.contains(name)) << name;
    EXPECT_TRUE(Socket()["components"]["schemas"].contains(name)) << name;
  }
}

TEST(Contract, schemas_have_names_of_their_own) {
  for (const JsonValue* document : {&Socket(), &Http()}) {
    for (const auto& [name, schema] : (*document)["components"]["schemas"].items()) {
      EXPECT_TRUE(std::regex_match(name, std::regex("([A-Z][a-z]*)+"))) << name << ": two types share a name";
      EXPECT_EQ(NamelessIn(schema, name), std::vector<std::string>());
    }
  }
}

TEST(Contract, answers_over_http_are_named) {
  for (const auto& [path, methods] : Http()["paths"].items()) {
    for (const auto& [method, route] : methods.items())
      EXPECT_EQ(NamelessIn(route["responses"], method + " " + path), std::vector<std::string>());
  }
}

TEST(Contract, the_http_document_has_every_route_and_every_op_that_needs_no_session) {
  size_t routes = 0;
  for (const gateway::HttpRoute& route : gateway::AllRoutes()) {
    std::string method(features::NameOf(route.method));
    for (char& c : method) c = static_cast<char>(std::tolower(c));
    const JsonValue& paths = Http()["paths"];
    ASSERT_TRUE(paths.contains(std::string(route.path))) << route.path;
    ASSERT_TRUE(paths[std::string(route.path)].contains(method)) << route.path << method;
    EXPECT_EQ(paths[std::string(route.path)][method]["operationId"], route.id);
    ++routes;
  }
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    const std::string path = "/v1/ops/" + std::string(Op::kName);
    EXPECT_EQ(Http()["paths"].contains(path), Op::kKind != protocol::OpKind::kSession) << path;
    if (Op::kKind != protocol::OpKind::kSession) ++routes;
  });
  size_t described = 0;
  for (const JsonValue& methods : Http()["paths"]) described += methods.size();
  EXPECT_EQ(described, routes);
}

}  // namespace
}  // namespace parley::gateway_test
