// Both encodings: what is taken, what is refused, and that they carry the same maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "protocol/frame.h"
#include "protocol/ops.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

using testing::HasSubstr;

std::string Refusal(Encoding encoding, std::string bytes, const DecodeLimits& limits = {}) {
  Document document;
  const char* why = Decode(encoding, std::move(bytes), limits, &document);
  return why ? why : "";
}
std::string Hex(std::string_view digits) {
  std::string out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return out;
}
std::string Encoded(const Value& value) {
  Writer w;
  w.Put(value);
  return w.Take();
}
std::string FromJson(const std::string& text) {
  Document document;
  EXPECT_EQ(DecodeJson(text, {}, &document), nullptr) << text;
  return Encoded(document.root);
}
std::string Repeat(const std::string& text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Codec, both_encodings_of_a_map_are_the_same_tree) {
  const std::string text = R"({"a":[1,-2,true,null,"ü😀\u0000\n"],"b":{"c":{}},"n":9007199254740991})";
  const std::string msgpack = FromJson(text);
  Document document;
  ASSERT_EQ(DecodeMsgpack(msgpack, {}, &document), nullptr);
  EXPECT_EQ(Encoded(document.root), msgpack);
  EXPECT_EQ(FromJson(MsgpackToJson(msgpack)), msgpack);
}

TEST(Codec, thirty_two_levels_are_taken_and_thirty_three_refused) {
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Repeat("\x91", 31) + '\x90'), "");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Repeat("\x91", 32) + '\x90'), "nested too deeply");
  EXPECT_EQ(Refusal(Encoding::kJson, Repeat("[", 32) + Repeat("]", 32)), "");
  EXPECT_EQ(Refusal(Encoding::kJson, Repeat("[", 33) + Repeat("]", 33)), "nested too deeply");
}

TEST(Codec, a_frame_holds_so_many_values_and_no_more) {
  DecodeLimits limits;
  limits.max_values = 4;
  EXPECT_EQ(Refusal(Encoding::kJson, "[1,2,3]", limits), "");
  EXPECT_EQ(Refusal(Encoding::kJson, "[1,2,3,4]", limits), "too many values");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("93010203"), limits), "");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("9401020304"), limits), "too many values");
}

TEST(Codec, a_claimed_length_takes_no_memory) {
  for (const char* claim : {"ddffffffff", "dfffffffff", "dbffffffff", "c6ffffffff", "c9ffffffff01"}) {
    const size_t before = mallinfo2().uordblks;
    EXPECT_NE(Refusal(Encoding::kMsgpack, Hex(claim)), "") << claim;
    EXPECT_LT(mallinfo2().uordblks, before + 4096) << claim;
  }
}

TEST(Codec, a_bomb_of_nested_arrays_is_refused_before_it_takes_memory) {
  const std::string bomb(200'000, '\x91');
  const size_t before = mallinfo2().uordblks;
  EXPECT_EQ(Refusal(Encoding::kMsgpack, bomb), "nested too deeply");
  EXPECT_EQ(Refusal(Encoding::kJson, std::string(200'000, '[')), "nested too deeply");
  EXPECT_LT(mallinfo2().uordblks, before + 64 * 1024);
  EXPECT_EQ(Refusal(Encoding::kMsgpack, std::string(20 << 20, '\x91')), "too large");
}

TEST(Codec, every_truncation_of_a_frame_is_refused) {
  const std::string text = R"({"id":7,"op":"x","args":{"a":[1,"two",{"three":3}]}})",
                    msgpack = FromJson(text);
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(Refusal(Encoding::kJson, text.substr(0, size)), "") << size;
  for (size_t size = 0; size < msgpack.size(); ++size)
    EXPECT_NE(Refusal(Encoding::kMsgpack, msgpack.substr(0, size)), "") << size;
}

TEST(Codec, what_is_not_one_clean_map_of_text_keys_is_refused) {
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("82a16101a16102")), "duplicate key");
  EXPECT_EQ(Refusal(Encoding::kJson, R"({"a":1,"a":2})"), "duplicate key");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("80c0")), "bytes after the frame");
  EXPECT_NE(Refusal(Encoding::kJson, "{} {}"), "");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("810102")), "a key is not text");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("81900102")), "a key is not text");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("c40161")), "bin is not used");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("d40001")), "ext is not used");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("a1ff")), "text is not UTF-8");
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("a3eda080")), "text is not UTF-8");  // a surrogate
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("a2c080")), "text is not UTF-8");    // overlong
}

TEST(Codec, numbers_beyond_what_is_safe_decode_and_no_field_takes_them) {
  for (const char* text : {"9007199254740992", "-9007199254740992", "1.5", "1e300"}) {
    Document document;
    ASSERT_EQ(DecodeJson(text, {}, &document), nullptr) << text;
    EXPECT_TRUE(document.root.is_unusable_number()) << text;
    int64_t n = 0;
    Json any;
    EXPECT_NE(Read(document.root, &n), nullptr);
    EXPECT_NE(Read(document.root, &any), nullptr);
  }
  EXPECT_EQ(FromJson("25.0"), FromJson("25"));
  EXPECT_EQ(Refusal(Encoding::kMsgpack, Hex("cb4039000000000000")), "");  // 25.0
}

TEST(Codec, many_unique_keys_are_told_from_one_that_repeats) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_EQ(Refusal(Encoding::kJson, text + "\"z\":1}"), "");
  EXPECT_EQ(Refusal(Encoding::kJson, text + "\"k50\":1}"), "duplicate key");
}

template <class Args>
std::string BindError(const std::string& text) {
  Document document;
  EXPECT_EQ(DecodeJson(text, {}, &document), nullptr) << text;
  Args args;
  const auto bound = Bind(document.root, &args);
  return bound.ok() ? "" : bound.error().message;
}

TEST(Binding, tells_which_field_is_wrong_and_how) {
  using Send = MessageSend::Args;
  const std::string thread = R"("threadId":"thrd_01k9a5rktkd179n3hr96t0j00g")";
  const auto send = [&](const std::string& rest) { return BindError<Send>("{" + thread + rest + "}"); };
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":"x")"), "");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text")"), "body: is required");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":null)"), "body: is required");
  EXPECT_EQ(send(R"(,"clientId":"","type":"text","body":"x")"), "clientId: is not a valid id");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"system","body":"x")"), "type: is not one of the known values");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":7)"), "body: must be text");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":"x","nsfwBand":3)"),
            "nsfwBand: is not an integer within its bounds");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":"x","extra":1)"), "unknown field");
  EXPECT_EQ(send(R"(,"clientId":"c","type":"text","body":"x","replyTo":null)"), "");
  EXPECT_EQ(BindError<Send>("[]"), "a map is expected");
  EXPECT_EQ(BindError<MessageList::Args>("{" + thread + R"(,"limit":201})"),
            "limit: is not an integer within its bounds");
}

TEST(Binding, tells_a_missing_clearable_field_from_one_that_is_null) {
  Document document;
  ThreadUpdate::Args args;
  ASSERT_EQ(DecodeJson(R"({"threadId":"thrd_01k9a5rktkd179n3hr96t0j00g","version":1,"subject":null})", {},
                       &document),
            nullptr);
  ASSERT_TRUE(Bind(document.root, &args).ok());
  EXPECT_TRUE(args.subject.present);
  EXPECT_FALSE(args.subject.value.has_value());
  EXPECT_FALSE(args.city.present);
}

TEST(Frames, a_request_without_a_usable_id_or_op_is_misuse) {
  Request request;
  const auto close = [&](const std::string& text) {
    const auto fault = ParseRequest(Encoding::kJson, text, {}, &request);
    return fault ? static_cast<int>(fault->close) : 0;
  };
  EXPECT_EQ(close(R"({"op":"x"})"), 0);
  EXPECT_EQ(close(R"({"id":4294967295,"op":"x"})"), 0);
  EXPECT_EQ(close(R"({"id":4294967296,"op":"x"})"), 4400);
  EXPECT_EQ(close(R"({"id":-1,"op":"x"})"), 4400);
  EXPECT_EQ(close(R"({"id":null,"op":"x"})"), 4400);
  EXPECT_EQ(close(R"({"id":"7","op":"x"})"), 4400);
  EXPECT_EQ(close(R"({"id":1})"), 4400);
  EXPECT_EQ(close(R"({"id":1,"op":2})"), 4400);
  EXPECT_EQ(close("[]"), 4400);
  EXPECT_EQ(close("{"), 1007);
}

TEST(Frames, an_error_always_has_code_message_hint_and_corr_id) {
  for (size_t i = 0; i < kErrorCodeCount; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(Describe(code).code, code);
    EXPECT_FALSE(Describe(code).hint.empty());
    EXPECT_GE(Describe(code).http_status, 400);
    const std::string text = MsgpackToJson(ErrorReply(9, Error(code, "m"), "corr-1"));
    EXPECT_THAT(text, HasSubstr("\"code\":\"" + std::string(Describe(code).name) +
                                "\",\"message\":\"m\",\"hint\":\""));
    EXPECT_THAT(text, HasSubstr("\"corrId\":\"corr-1\"}"));
  }
}

TEST(Ids, are_ordered_as_they_were_made_and_read_back) {
  const auto source = NewSeededIdSource(5);
  Ulid last;
  for (int i = 0; i < 2000; ++i) {
    const Ulid id = source->Make(Time{1'762'351'927'123 + i / 500});
    EXPECT_LT(last, id);
    EXPECT_LT(last.ToText(), id.ToText());
    EXPECT_EQ(Ulid::FromText(id.ToText()), id);
    EXPECT_EQ(id.time().ms, 1'762'351'927'123 + i / 500);
    last = id;
  }
  EXPECT_FALSE(Ulid::FromText("80000000000000000000000000"));  // more than 128 bits
  EXPECT_FALSE(Ulid::FromText("0000000000000000000000000u"));
  EXPECT_FALSE(ThreadId::FromText("msg_" + last.ToText()));
}

TEST(Times, have_one_text_each) {
  EXPECT_EQ(FormatTime({1'762'351'927'123}), "2025-11-05T14:12:07.123Z");
  EXPECT_EQ(ParseTime("2025-11-05T14:12:07.123Z")->ms, 1'762'351'927'123);
  EXPECT_EQ(ParseTime(FormatTime({kMaxTimeMs}))->ms, kMaxTimeMs);
  for (const char* bad : {"2025-11-05T14:12:07Z", "2025-13-05T14:12:07.123Z", "2025-02-30T14:12:07.123Z",
                          "2025-11-05T24:00:00.000Z", "2025-11-05T14:12:07.123+00:00",
                          "1969-12-31T23:59:59.999Z", "2025-11-05 14:12:07.123Z", ""}) {
    EXPECT_FALSE(ParseTime(bad)) << bad;
  }
}

}  // namespace
}  // namespace parley::protocol
