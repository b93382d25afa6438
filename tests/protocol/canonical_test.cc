// Equal requests have one canonical encoding.
#include "protocol/canonical.h"

#include <gtest/gtest.h>

#include "protocol/ops/all.h"

namespace parley::protocol {
namespace {

// Two releases of one op: the later one has more arguments, with names between the old ones.
struct Inner {
  std::optional<int64_t> b;
  int64_t a = 0;
  static constexpr void Fields(auto& field) {
    field("b", &Inner::b, "");
    field("a", &Inner::a, "");
  }
};
struct LaterInner {
  int64_t a = 0;
  std::optional<Text<9>> aa;
  std::optional<int64_t> b;
  static constexpr void Fields(auto& field) {
    using T = LaterInner;
    field("a", &T::a, "");
    field("aa", &T::aa, "");
    field("b", &T::b, "");
  }
};
struct Before {
  Text<9> name;
  std::optional<List<Inner, 9>> list;
  Clearable<Text<9>> label;
  std::optional<Json> data;
  static constexpr void Fields(auto& field) {
    using T = Before;
    field("name", &T::name, "");
    field("list", &T::list, "");
    field("label", &T::label, "");
    field("data", &T::data, "");
  }
};
struct Later {
  std::optional<bool> always;
  std::optional<Json> data;
  Clearable<Text<9>> label;
  Clearable<Time> limit;
  std::optional<List<LaterInner, 9>> list;
  Text<9> name;
  Omit<int64_t> zone;
  static constexpr void Fields(auto& field) {
    using T = Later;
    field("always", &T::always, "");
    field("data", &T::data, "");
    field("label", &T::label, "");
    field("limit", &T::limit, "");
    field("list", &T::list, "");
    field("name", &T::name, "");
    field("zone", &T::zone, "");
  }
};

template <class T>
std::string Of(const std::string& json) {
  Document document;
  T args;
  EXPECT_EQ(DecodeJson(json, {}, &document), nullptr) << json;
  EXPECT_TRUE(Bind(document.root, &args).ok()) << json;
  return MsgpackToJson(CanonicalBytes(args));
}

TEST(Canonical, an_argument_added_by_a_later_release_changes_nothing_if_it_is_absent) {
  for (const char* json :
       {R"({"name":"n"})", R"({"name":"n","label":null})", R"({"name":"n","label":"x","list":[]})",
        R"({"name":"n","list":[{"a":1},{"a":2,"b":3}],"data":{"z":1,"y":[{"q":null,"p":2}]}})"}) {
    EXPECT_EQ(Of<Before>(json), Of<Later>(json));
  }
}

TEST(Canonical, the_order_of_arguments_does_not_matter) {
  const std::string one =
      Of<Before>(R"({"name":"n","list":[{"a":2,"b":3}],"data":{"y":{"q":1,"p":2},"z":[1,2]}})");
  EXPECT_EQ(one, Of<Before>(R"({"data":{"z":[1,2],"y":{"p":2,"q":1}},"list":[{"b":3,"a":2}],"name":"n"})"));
  EXPECT_EQ(one, R"({"data":{"y":{"p":2,"q":1},"z":[1,2]},"list":[{"a":2,"b":3}],"name":"n"})");
}

TEST(Canonical, a_null_counts_as_absent_unless_it_clears_a_field_or_is_content) {
  EXPECT_EQ(Of<Before>(R"({"name":"n","list":null})"), Of<Before>(R"({"name":"n"})"));
  EXPECT_NE(Of<Before>(R"({"name":"n","label":null})"), Of<Before>(R"({"name":"n"})"));
  EXPECT_NE(Of<Before>(R"({"name":"n","data":{"a":null}})"), Of<Before>(R"({"name":"n","data":{}})"));
}

TEST(Canonical, different_requests_stay_different) {
  EXPECT_NE(Of<Before>(R"({"name":"n","list":[{"a":1},{"a":2}]})"),
            Of<Before>(R"({"name":"n","list":[{"a":2},{"a":1}]})"));
  EXPECT_NE(Of<Before>(R"({"name":"n","data":[1,2]})"), Of<Before>(R"({"name":"n","data":[2,1]})"));
}

TEST(Canonical, a_send_is_the_same_in_both_encodings) {
  const std::string json =
      R"({"threadId":"thrd_01jb0000000000000000000000","type":"text","clientId":"c","body":"x","nsfwBand":1})";
  Document from_json, from_msgpack;
  ASSERT_EQ(DecodeJson(json, {}, &from_json), nullptr);
  Writer w;
  w.Put(from_json.root);
  ASSERT_EQ(DecodeMsgpack(w.Take(), {}, &from_msgpack), nullptr);
  MessageSend::Args a, b;
  ASSERT_TRUE(Bind(from_json.root, &a).ok() && Bind(from_msgpack.root, &b).ok());
  EXPECT_EQ(CanonicalBytes(a), CanonicalBytes(b));
}

}  // namespace
}  // namespace parley::protocol
