// Both encodings decode into the same tree, or are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "protocol/bind.h"
#include "protocol/value.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

using Tree = nlohmann::ordered_json;

// Encoded by another codec than ours.
std::string Msgpack(const Tree& json) {
  const auto bytes = Tree::to_msgpack(json);
  return {bytes.begin(), bytes.end()};
}

std::string FromHexText(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

// The decoded value as JSON, or the reason of the refusal.
std::string Tell(Encoding encoding, std::string bytes, const DecodeLimits& limits = {}) {
  Document document;
  if (const char* why = Decode(encoding, std::move(bytes), limits, &document)) return why;
  if (document.root.is_unusable_number()) return "unusable number";
  Writer w;
  w.Put(document.root);
  return MsgpackToJson(w.bytes());
}
std::string TellJson(std::string text, const DecodeLimits& limits = {}) {
  return Tell(Encoding::kJson, std::move(text), limits);
}
std::string TellMsgpack(std::string bytes, const DecodeLimits& limits = {}) {
  return Tell(Encoding::kMsgpack, std::move(bytes), limits);
}
// Decodes the same value in both encodings.
std::string TellBoth(const std::string& json, const DecodeLimits& limits = {}) {
  const std::string one = TellJson(json, limits), other = TellMsgpack(Msgpack(Tree::parse(json)), limits);
  EXPECT_EQ(one, other) << json.substr(0, 200);
  return one;
}

std::string Nested(int depth, char open, char close) {
  std::string out;
  for (int i = 0; i < depth; ++i) out += open == '{' && i > 0 ? "\"a\":{" : std::string(1, open);
  return out + std::string(static_cast<size_t>(depth), close);
}

// --- values that both encodings carry

TEST(Codec, values_of_every_kind_come_back) {
  for (const char* json : {"null",
                           "true",
                           "false",
                           "0",
                           "-1",
                           "127",
                           "128",
                           "-32",
                           "-33",
                           "255",
                           "256",
                           "65535",
                           "65536",
                           "4294967295",
                           "4294967296",
                           "-2147483649",
                           "9007199254740991",
                           "-9007199254740991",
                           "\"\"",
                           "\"a\"",
                           "[]",
                           "{}",
                           "[1,[2,[]],{}]",
                           R"({"a":{"b":[true,null]},"":1})",
                           R"("\u0000\u0001\"\\/\b\f\n\r\t")",
                           "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\""}) {
    EXPECT_EQ(TellBoth(json), Tree::parse(json).dump());
  }
}

Tree RandomValue(std::mt19937& random, int depth) {
  const auto up_to = [&](unsigned n) { return random() % n; };
  static const std::vector<std::string> kTexts = {"",
                                                  "a",
                                                  "key",
                                                  "\n\"\\",
                                                  "\xc3\xa9",
                                                  "\xf0\x9f\x98\x80",
                                                  std::string(40, 'x'),
                                                  std::string(300, 'y'),
                                                  std::string(1, '\0'),
                                                  "\x1f\x7f"};
  const auto text = [&] { return kTexts[up_to(static_cast<unsigned>(kTexts.size()))]; };
  switch (up_to(depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return up_to(2) == 0;
    case 2:
      return static_cast<int64_t>(up_to(300)) - 150;
    case 3:
      return static_cast<int64_t>(static_cast<uint64_t>(random()) << 20 ^ random()) * (up_to(2) ? 1 : -1);
    case 4:
    case 5:
      return text();
    case 6: {
      Tree out = Tree::array();
      for (unsigned i = up_to(6); i > 0; --i) out.push_back(RandomValue(random, depth - 1));
      return out;
    }
    default: {
      Tree out = Tree::object();
      for (unsigned i = up_to(20); i > 0; --i)
        out[text() + std::to_string(up_to(30))] = RandomValue(random, depth - 1);
      return out;
    }
  }
}

TEST(Codec, random_values_are_the_same_map_in_both_encodings) {
  std::mt19937 random(20251105);
  for (int i = 0; i < 3'000; ++i) {
    const Tree value = RandomValue(random, 5);
    ASSERT_EQ(TellJson(value.dump()), value.dump());
    ASSERT_EQ(TellJson(value.dump(3)), value.dump()) << "white space between";
    const std::string packed = Msgpack(value);
    ASSERT_EQ(TellMsgpack(packed), value.dump());
    ASSERT_EQ(MsgpackToJson(packed), value.dump()) << "printed without a tree between";
    Document document;
    ASSERT_EQ(DecodeMsgpack(packed, {}, &document), nullptr);
    Writer w;
    w.Put(document.root);
    ASSERT_EQ(w.bytes(), packed) << "the shortest form of everything";
  }
}

TEST(Codec, all_forms_of_a_number_or_a_length_are_equal) {
  for (const char* hex : {"05", "cc05", "cd0005", "ce00000005", "cf0000000000000005", "d005", "d10005",
                          "d200000005", "d30000000000000005", "ca40a00000", "cb4014000000000000"}) {
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "5") << hex;
  }
  for (const char* hex : {"ff", "d0ff", "d1ffff", "d2ffffffff", "d3ffffffffffffffff", "cbbff0000000000000"})
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "-1") << hex;
  for (const char* hex : {"a161", "d90161", "da000161", "db0000000161"})
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "\"a\"") << hex;
  for (const char* hex : {"9105", "dc000105", "dd0000000105"})
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "[5]") << hex;
  for (const char* hex : {"81a16105", "de0001a16105", "df00000001a16105"})
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "{\"a\":5}") << hex;
}

TEST(Codec, numbers_are_integers_of_at_most_53_bits) {
  for (const auto& [json, what] :
       std::vector<std::pair<std::string, std::string>>{{"9007199254740991", "9007199254740991"},
                                                        {"9007199254740991.0", "9007199254740991"},
                                                        {"-9007199254740991.0", "-9007199254740991"},
                                                        {"1e3", "1000"},
                                                        {"-0.0", "0"},
                                                        {"9007199254740992", "unusable number"},
                                                        {"-9007199254740992", "unusable number"},
                                                        {"9007199254740992.0", "unusable number"},
                                                        {"18446744073709551615", "unusable number"},
                                                        {"18446744073709551616", "unusable number"},
                                                        {"-9223372036854775808", "unusable number"},
                                                        {"1.5", "unusable number"},
                                                        {"1e300", "unusable number"},
                                                        {"5e-324", "unusable number"}}) {
    EXPECT_EQ(TellBoth(json), what) << json;
  }
  for (const char* hex :
       {"ca7fc00000", "ca7f800000", "caff800000", "cb7ff8000000000000", "cb7ff0000000000000",
        "cf8000000000000000", "d38000000000000000", "cf0020000000000000", "d30020000000000000",
        "d37fffffffffffffff", "d3ffe0000000000000"}) {
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "unusable number") << hex;
  }
  // A positive number may have the signed form, too.
  for (const char* hex : {"cf001fffffffffffff", "d3001fffffffffffff"})
    EXPECT_EQ(TellMsgpack(FromHexText(hex)), "9007199254740991") << hex;
  EXPECT_EQ(TellMsgpack(FromHexText("d3ffe0000000000001")), "-9007199254740991");
}

// --- bounds

TEST(Codec, nesting_is_bounded_at_32) {
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('{', '}')}) {
    EXPECT_EQ(TellBoth(Nested(32, open, close)), Nested(32, open, close));
    EXPECT_EQ(TellBoth(Nested(33, open, close)), "nested too deeply");
  }
  EXPECT_EQ(TellJson(std::string(100'000, '[')), "nested too deeply");
  EXPECT_EQ(TellMsgpack(std::string(100'000, '\x91')), "nested too deeply");
}

TEST(Codec, the_count_of_values_is_bounded_and_keys_are_free) {
  DecodeLimits limits;
  limits.max_values = 10;
  for (const char* json : {"[1,2,3,4,5,6,7,8,9]", "[[],[],[],[],[],[],[],[],[]]",
                           R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9})"}) {
    EXPECT_EQ(TellBoth(json, limits), json);
  }
  for (const char* json : {"[1,2,3,4,5,6,7,8,9,10]", "[[],[],[],[],[],[],[],[],[],[]]",
                           R"([{"a":1,"b":2,"c":3,"d":4},{"e":5,"f":6,"g":7,"h":8}])"}) {
    EXPECT_EQ(TellBoth(json, limits), "too many values");
  }
}

TEST(Codec, the_size_is_bounded) {
  DecodeLimits limits;
  limits.max_bytes = 100;
  EXPECT_EQ(TellJson("\"" + std::string(98, 'x') + "\"", limits).size(), 100u);
  EXPECT_EQ(TellJson("\"" + std::string(99, 'x') + "\"", limits), "too large");
  EXPECT_EQ(TellMsgpack("\xd9\x62" + std::string(98, 'x'), limits).size(), 100u);
  EXPECT_EQ(TellMsgpack("\xd9\x63" + std::string(99, 'x'), limits), "too large");
}

TEST(Codec, a_key_may_occur_once_in_small_and_in_large_maps) {
  for (const int others : {0, 1, 14, 15, 16, 100, 1'000}) {
    std::string json = "{\"twice\":1";
    for (int i = 0; i < others; ++i) json += ",\"" + std::to_string(i) + "\":1";
    EXPECT_NE(TellJson(json + "}"), "duplicate key") << others;
    EXPECT_EQ(TellJson(json + ",\"twice\":1}"), "duplicate key") << others;
    EXPECT_EQ(TellJson(json + ",\"t\\u0077ice\":1}"), "duplicate key") << "whatever its spelling";
    Writer w;
    w.BeginMap(static_cast<size_t>(others) + 2);
    for (int i = -2; i < others; ++i) {
      w.Text(i < 0 ? "twice" : std::to_string(i));
      w.Int(1);
    }
    EXPECT_EQ(TellMsgpack(w.Take()), "duplicate key") << others;
  }
  EXPECT_EQ(TellBoth(R"({"a":{"x":1},"b":{"x":1}})"), R"({"a":{"x":1},"b":{"x":1}})");
}

// --- refusals

TEST(Codec, bytes_after_the_value_are_refused) {
  for (const char* rest : {" 1", "{}", ",", "]", "x"})
    EXPECT_EQ(TellJson(std::string("{}") + rest), "malformed") << rest;
  EXPECT_EQ(TellJson(" {} \n"), "{}");
  for (const char rest : {'\x00', '\xc0', '\x80', '\xc1'})
    EXPECT_EQ(TellMsgpack(std::string("\x80") + rest), "bytes after the frame");
}

// Regression: the library took a NUL for the end and ignored the bytes after it.
TEST(Codec, a_nul_does_not_hide_the_bytes_after_it) {
  EXPECT_EQ(TellJson(std::string("{}\0", 3)), "malformed");
  EXPECT_EQ(TellJson(std::string("{}\0{\"op\":1}", 11)), "malformed");
  EXPECT_EQ(TellJson(std::string("{\"a\0\":1}", 8)), "malformed");
}

TEST(Codec, every_truncation_is_refused_and_leaves_the_document_as_it_was) {
  const Tree frame = Tree::parse(
      R"({"id":70000,"op":"message.send","args":{"list":[1,-200,true,null,"é"],"map":{"a":{"b":[]}}}})");
  for (const Encoding encoding : {Encoding::kJson, Encoding::kMsgpack}) {
    const std::string whole = encoding == Encoding::kJson ? frame.dump() : Msgpack(frame);
    for (size_t size = 0; size < whole.size(); ++size) {
      Document document;
      document.root = Value(int64_t{7});
      EXPECT_NE(Decode(encoding, whole.substr(0, size), {}, &document), nullptr) << size;
      EXPECT_EQ(*document.root.as_int(), 7) << size;
      EXPECT_EQ(document.storage, nullptr);
    }
  }
}

TEST(Codec, text_must_be_utf_8) {
  for (const char* bytes :
       {"\x80", "\xc3", "\xc3\x28", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
        "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    const std::string text(bytes);
    EXPECT_FALSE(IsUtf8(text));
    EXPECT_EQ(TellJson("\"" + text + "\""), "malformed");
    EXPECT_EQ(TellJson("{\"" + text + "\":1}"), "malformed");
    const std::string packed = static_cast<char>(0xa0 + text.size()) + text;
    EXPECT_EQ(TellMsgpack(packed), "text is not UTF-8");
    EXPECT_EQ(TellMsgpack("\x81" + packed + "\x01"), "text is not UTF-8");
  }
  for (const std::string text : {"", "\x7f", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                                 "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(IsUtf8(text));
    EXPECT_EQ(TellMsgpack(static_cast<char>(0xa0 + text.size()) + text), "\"" + text + "\"");
  }
}

TEST(Codec, json_is_parsed_strictly) {
  for (const char* text : {"",         " ",         "{",
                           "[1,]",     "{\"a\":}",  "{a:1}",
                           "{'a':1}",  "[01]",      "[+1]",
                           "[.5]",     "[1.]",      "NaN",
                           "Infinity", "-",         "tru",
                           "\"\n\"",   "\"\\x41\"", "\"\\ud800\"",
                           "//\n1",    "/*1*/1",    "[1 2]",
                           "\"",       "nul",       "{\"a\" 1}",
                           "[1}",      "{\"a\":1]", "\"\\udc00\\ud800\""}) {
    EXPECT_EQ(TellJson(text), "malformed") << text;
  }
  EXPECT_EQ(TellJson("\"\\ud83d\\ude00\""), "\"\xf0\x9f\x98\x80\"");
}

TEST(Codec, only_the_types_of_json_are_accepted_in_messagepack) {
  EXPECT_EQ(TellMsgpack(FromHexText("c1")), "malformed");
  for (const char* bin : {"c400", "c40161", "c5000161", "c60000000161"})
    EXPECT_EQ(TellMsgpack(FromHexText(bin)), "bin is not used") << bin;
  for (const char* ext :
       {"d40100", "d5010000", "d60100000000", "d7010000000000000000", "d80100000000000000000000000000000000",
        "c70001", "c7010100", "c8000001", "c90000000001", "d6ff00000000"}) {
    EXPECT_EQ(TellMsgpack(FromHexText(ext)), "ext is not used") << ext;
  }
  for (const char* key :
       {"01", "c0", "c3", "ca3f800000", "ff", "cf0000000000000001", "90", "80", "9101", "81a16101"})
    EXPECT_EQ(TellMsgpack("\x81" + FromHexText(key) + "\x01"), "a key is not text") << key;
  EXPECT_EQ(TellMsgpack("\x81" + FromHexText("c40161") + "\x01"), "bin is not used");
  EXPECT_EQ(TellMsgpack("\x81" + FromHexText("d40100") + "\x01"), "ext is not used");
}

TEST(Codec, each_single_byte_is_a_value_or_refused) {
  for (int byte = 0; byte < 256; ++byte) {
    const bool whole = byte < 0x81 || byte == 0x90 || byte == 0xa0 || byte == 0xc0 || byte == 0xc2 ||
                       byte == 0xc3 || byte >= 0xe0;
    Document document;
    const char* why = DecodeMsgpack(std::string(1, static_cast<char>(byte)), {}, &document);
    EXPECT_EQ(why == nullptr, whole) << byte << ": " << (why ? why : "taken");
  }
}

// --- values that JSON can express and no field accepts (in requests)

DecodeLimits OfRequest() {
  DecodeLimits limits;
  limits.nul = false;
  return limits;
}
constexpr const char* kUnusableText =
    "holds U+0000, half of a surrogate pair, or a member called __proto__, constructor or prototype";

std::string TellRequest(const std::string& json) {
  Document document;
  if (const char* why = DecodeJson(json, OfRequest(), &document)) return why;
  Json read;
  const char* what = Read(document.root, &read);
  return what ? what : MsgpackToJson(read.msgpack);
}

TEST(CodecRequests, numbers_beyond_exact_integers_are_unusable_but_keep_the_document) {
  constexpr const char* kUnusable = "holds a number that is no integer of at most 2^53-1";
  for (const char* number :
       {"1e400", "-1e400", "1E+400", "2e308", "1e-400", "-1e-400", "1e99999999999999999999",
        "1e-99999999999999999999", "123456789012345678901", "-123456789012345678901", "9007199254740992",
        "-9007199254740992", "9007199254740991.4", "1.00000000000000000001", "0.5", "1e16", "4.5e0"}) {
    EXPECT_EQ(TellRequest(std::string("[1,") + number + R"(,"1e400"])"), kUnusable) << number;
  }
  EXPECT_EQ(TellRequest("[" + std::string(400, '9') + "]"), kUnusable);
  EXPECT_EQ(TellRequest("[1." + std::string(400, '0') + "1]"), kUnusable);
}

TEST(CodecRequests, integers_are_accepted_in_every_notation) {
  for (const auto& [written, taken] :
       std::vector<std::pair<std::string, std::string>>{{"-0", "0"},
                                                        {"-0.0", "0"},
                                                        {"0e400", "0"},
                                                        {"0.000e-400", "0"},
                                                        {"1e2", "100"},
                                                        {"1.50e1", "15"},
                                                        {"-120e-1", "-12"},
                                                        {"9007199254740991.0", "9007199254740991"},
                                                        {"0.9007199254740991e16", "9007199254740991"},
                                                        {"0." + std::string(400, '0') + "12e402", "12"}}) {
    EXPECT_EQ(TellRequest("[" + written + "]"), "[" + taken + "]") << written;
  }
}

TEST(CodecRequests, half_a_surrogate_pair_is_unusable_but_keeps_the_document) {
  for (const char* text :
       {R"("\ud83d")", R"("\uDE00")", R"("a\ud83dz")", R"("\ud83d\ud83d\ude00")", R"("\ude00\ud83d")",
        R"({"\ud83d":1})", R"({"a":{"\ud83d":{"b":1}}})", R"("\\\ud83d")"}) {
    EXPECT_EQ(TellRequest(text), kUnusableText) << text;
  }
  EXPECT_EQ(TellRequest(R"("\ud83d\ude00 \\ud83d")"), "\"\U0001F600 \\\\ud83d\"");
  EXPECT_EQ(TellRequest(R"({"\ud83d":1,"\ud83e":2})"), kUnusableText) << "two names, not one twice";
  EXPECT_EQ(TellRequest(R"(["\u0000"])"), kUnusableText);
}

TEST(CodecRequests, malformed_documents_are_still_refused) {
  for (const char* json : {"1e400x", "01e400", "1e400.5", "-", "1e", "[1e400", R"("\ud83d)", R"("\ud83)",
                           R"("\ud83g")", "1e400 1", "\"\\ud83d\x01\"", "{\"a\":1e400,}"})
    EXPECT_EQ(TellRequest(json), "malformed") << json;
  EXPECT_EQ(TellJson("[1e400]"), "malformed") << "of others than requests";
  EXPECT_EQ(TellJson(R"(["\ud83d"])"), "malformed");
}

TEST(CodecRequests, names_with_a_meaning_in_javascript_are_unusable_at_any_depth_in_both_encodings) {
  for (const char* name : {"__proto__", "constructor", "prototype"}) {
    for (const std::string& json : {"{\"" + std::string(name) + "\":1}",
                                    "[{\"a\":{\"b\":[{\"" + std::string(name) + "\":{\"c\":1}}]}}]"}) {
      Document document;
      Json read;
      ASSERT_EQ(DecodeMsgpack(Msgpack(Tree::parse(json)), OfRequest(), &document), nullptr);
      EXPECT_STREQ(Read(document.root, &read), kUnusableText);
      EXPECT_EQ(TellRequest(json), kUnusableText);
      EXPECT_EQ(TellBoth(json), json) << "rows of earlier versions hold them";
    }
  }
  constexpr const char* kOthers = R"({"__proto":1,"Constructor":"constructor"})";
  EXPECT_EQ(TellRequest(kOthers), kOthers);
}

}  // namespace
}  // namespace parley::protocol
