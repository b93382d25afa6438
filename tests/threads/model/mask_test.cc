#include "threads/model/mask.h"

#include <gtest/gtest.h>

#include "protocol/writer.h"

namespace parley::threads {
namespace {

TEST(Mask, hides_phones_addresses_and_codes) {
  for (const auto& [text, masked] : std::vector<std::pair<const char*, const char*>>{
           {"mail ann.b+x@mail.example.com now", "mail [email] now"},
           {"ann@example.com, bob@example.org", "[email], [email]"},
           {"call +1 (555) 010-9999!", "call [phone]!"},
           {"0049 30 1234567", "[phone]"},
           {"the door code is 4711", "the door code is [code]"},
           {"Gate: 12#34*", "Gate: [code]"},
           {"1234 opens the gate", "[code] opens the gate"},
           {"PIN 0042.", "PIN [code]."}}) {
    EXPECT_EQ(Masked(std::string_view(text)), masked) << text;
  }
}

// For readable comparisons.
std::string MaskedJson(const std::string& json) {
  protocol::Document document;
  EXPECT_EQ(protocol::DecodeJson(json, {}, &document), nullptr) << json;
  protocol::Writer writer;
  writer.Put(document.root);
  return protocol::MsgpackToJson(Masked(protocol::Json{writer.Take()}).msgpack);
}

TEST(Mask, hides_them_in_cards_and_tabs) {
  for (const auto& [given, masked] : std::vector<std::pair<const char*, const char*>>{
           {R"({"items":[{"who":"ann@example.com"}],"note":"call 555 010 9999"})",
            R"({"items":[{"who":"[email]"}],"note":"call [phone]"})"},
           {R"({"doorCode":"4711"})", R"({"doorCode":"[code]"})"},
           {R"({"doorCode":4711,"phone":5550109999})", R"({"doorCode":"[code]","phone":"[phone]"})"},
           {R"({"555 010 9999":1,"555 010 8888":2})", R"({"[phone]":1})"},
           {R"(["door 4711",["pin 0042"]])", R"(["door [code]",["pin [code]"]])"}})
    EXPECT_EQ(MaskedJson(given), masked);
}

TEST(Mask, keeps_amounts_times_and_names_of_other_things) {
  for (const char* json :
       {R"({"amountCents":5550109999,"at":"2026-01-02T03:04:05.000Z"})",
        R"({"deliverableId":"msg_0123456789ABCDEFGHJKMNPQRS","s3Key":"in/2026/01/02/1234567"})",
        R"({"empty":{},"list":[],"manifestRef":"m/20260102","none":null,"ok":true})"})
    EXPECT_EQ(MaskedJson(json), json);
}

TEST(Mask, keeps_other_texts) {
  for (const char* text : {"", "see you at 10", "in 2025 we shot 300 pictures", "a @ b", "@ann", "x@y",
                           "ünïcödé 😀", "a1b2c3d4e5f6g7", "3.50 or 1/2"})
    EXPECT_EQ(Masked(std::string_view(text)), text);
}

TEST(Mask, takes_time_proportional_to_the_text) {
  std::string long_text;
  while (long_text.size() < 200'000) long_text += "a.1 ";
  EXPECT_EQ(Masked(std::string_view(long_text)).size(), long_text.size());
  EXPECT_EQ(Masked(std::string_view(std::string(100'000, '@'))).size(), 100'000u);
  EXPECT_EQ(Masked(std::string_view(std::string(100'000, '9'))), "[phone]");
}

}  // namespace
}  // namespace parley::threads
