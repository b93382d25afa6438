// The documents generated from the description are consistent, and those in docs/ are up to date.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "features/ops.h"
#include "gateway/ops/asyncapi.h"
#include "protocol/events.h"
#include "protocol/json_schema.h"
#include "tests/repository.h"

namespace parley::gateway {
namespace {

using namespace protocol;
using features::AllOps;
using JsonTree = nlohmann::json;

void CheckReferences(const JsonTree& root, const JsonTree& at) {
  if (at.is_object() && at.contains("$ref")) {
    const std::string path = at["$ref"].get<std::string>().substr(1);
    EXPECT_TRUE(root.contains(JsonTree::json_pointer(path))) << "nothing at " << path;
  }
  if (at.is_structured()) {
    for (const JsonTree& child : at) CheckReferences(root, child);
  }
}

TEST(AsyncApi, protocol_pages_in_docs_match_the_output) {
  for (const DocPage& page : ProtocolPages())
    EXPECT_EQ(tests::RepositoryText("docs/" + page.path), page.text) << "regenerate: parleyd --docs docs";
}

TEST(AsyncApi, every_op_is_on_one_page) {
  std::string all;
  for (const DocPage& page : ProtocolPages()) all += page.text;
  ForEachOp(AllOps{}, [&]<class Op>() {
    const std::string heading = "\n## `" + std::string(Op::kName) + "`\n";
    const size_t at = all.find(heading);
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_EQ(all.find(heading, at + 1), std::string::npos) << heading;
  });
}

TEST(AsyncApi, asyncapi_is_version_3_with_every_op_event_and_error_and_no_dangling_reference) {
  const JsonTree document = JsonTree::parse(AsyncApiDocument());
  EXPECT_EQ(document["asyncapi"], "3.0.0");
  CheckReferences(document, document);
  const JsonTree& messages = document["components"]["messages"];
  size_t ops = 0;
  ForEachOp(AllOps{}, [&]<class Op>() {
    ++ops;
    std::string key(Op::kName);
    std::replace(key.begin(), key.end(), '.', '-');
    ASSERT_TRUE(messages.contains(key)) << key;
    EXPECT_EQ(messages[key]["payload"]["properties"]["op"]["const"], Op::kName);
    EXPECT_EQ(
        messages[key]["payload"]["properties"]["args"],
        JsonTree::parse(R"({"$ref":"#/components/schemas/)" + SchemaName<typename Op::Args>() + R"("})"));
    EXPECT_TRUE(messages.contains(key + "-reply"));
    EXPECT_EQ(document["operations"][key]["action"], "receive");
  });
  // Sessions do not receive integration events.
  const auto sent =
      static_cast<size_t>(std::count_if(std::begin(kEventKinds), std::end(kEventKinds), [](const auto& info) {
        return info.of != EventClass::kIntegration;
      }));
  EXPECT_EQ(messages.size(), 2 * ops + sent);
  EXPECT_EQ(document["components"]["schemas"]["ErrorCode"]["enum"].size(), kErrorCodeCount);
}

TEST(AsyncApi, a_field_is_required_if_the_decoder_requires_it) {
  const JsonTree document = JsonTree::parse(AsyncApiDocument());
  const JsonTree& schemas = document["components"]["schemas"];
  EXPECT_EQ(schemas["MessageSendArgs"]["required"], JsonTree({"threadId", "clientId", "type", "body"}));
  EXPECT_EQ(schemas["SendType"]["enum"], JsonTree({"text", "asset"}));
}

}  // namespace
}  // namespace parley::gateway
