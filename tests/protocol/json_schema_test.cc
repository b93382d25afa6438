// The schemas of types are named after the types, and made once.
#include "protocol/json_schema.h"

#include <gtest/gtest.h>

#include "protocol/message_items.h"
#include "protocol/ops/messages.h"

namespace parley::protocol {
namespace {

struct Outer {
  struct Inner {};
};
template <class T>
struct Page {};

TEST(JsonSchema, a_schema_has_the_name_of_its_type_without_namespaces) {
  EXPECT_EQ(SchemaName<Message>(), "Message");
  EXPECT_EQ(SchemaName<MessageSend::Args>(), "MessageSendArgs");
  EXPECT_EQ(SchemaName<ThreadKind>(), "ThreadKind");
  EXPECT_EQ(SchemaName<Outer::Inner>(), "OuterInner");
  EXPECT_EQ(SchemaName<Page<Outer::Inner>>(), "OuterInnerPage");
}

TEST(JsonSchema, a_named_schema_is_made_once_and_another_type_gets_another_name) {
  static int made;
  made = 0;
  NamedSchemas named;
  const auto text = [](NamedSchemas*) { return ++made, std::string(R"({"type":"string"})"); };
  const auto number = [](NamedSchemas*) { return std::string(R"({"type":"integer"})"); };
  EXPECT_EQ(named.Refer("A", text), R"({"$ref":"#/components/schemas/A"})");
  EXPECT_EQ(named.Refer("A", text), R"({"$ref":"#/components/schemas/A"})");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(named.Refer("A", number), R"({"$ref":"#/components/schemas/A2"})");
  EXPECT_EQ(named.AllText(), R"({"A":{"type":"string"},"A2":{"type":"integer"}})");
}

TEST(JsonSchema, a_schema_may_refer_to_itself) {
  NamedSchemas named;
  static NamedSchemas::Make tree;
  tree = [](NamedSchemas* all) { return R"({"type":"array","items":)" + all->Refer("Tree", tree) + "}"; };
  named.Refer("Tree", tree);
  EXPECT_EQ(named.TextOf("Tree"), R"({"type":"array","items":{"$ref":"#/components/schemas/Tree"}})");
}

}  // namespace
}  // namespace parley::protocol
