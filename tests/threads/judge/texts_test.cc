// The texts of a request are collected for the text policy.
#include "threads/judge/texts.h"

#include <gtest/gtest.h>

#include "protocol/writer.h"

namespace parley::threads {
namespace {

TEST(Texts, a_text_without_a_row_is_judged) {
  EXPECT_EQ(FindTextUse("message.send", "added"), std::nullopt);
  Texts out;
  texts_internal::Collector collector(&out);
  texts_internal::Collect("message.send", "added", protocol::Text<20>{"call me"}, &collector);
  collector.Finish();
  EXPECT_EQ(out.others, "call me\n");
}

TEST(Texts, of_a_message_are_its_body_and_its_file_names) {
  protocol::MessageSend::Args args;
  args.body.value = "hello";
  protocol::AttachmentRef file;
  file.manifest_ref = protocol::Text<1024>{"https://paypal.me/x"};
  file.mime = protocol::Text<127>{"image/png"};
  args.attachments.emplace().items = {file};
  const Texts texts = TextsOf<protocol::MessageSend>(args);
  EXPECT_EQ(texts.body, "hello");
  EXPECT_EQ(texts.others, "https://paypal.me/x\nimage/png\n");
}

protocol::Json Map(const std::vector<std::pair<std::string, std::string>>& members) {
  protocol::Writer writer;
  writer.BeginMap(members.size());
  for (const auto& [name, value] : members) {
    writer.Text(name);
    writer.Text(value);
  }
  return {writer.Take()};
}

TEST(Texts, of_an_open_map_include_the_names_of_its_keys) {
  protocol::CardCreate::Args args;
  args.type.value = "CUSTOM";
  args.payload = Map({{"pay by venmo", "text"}, {"me", "x"}});
  const std::string others = TextsOf<protocol::CardCreate>(args).others;
  EXPECT_NE(others.find("pay by venmo"), std::string::npos);
  const size_t text = others.find("text\n"), me = others.find("me\n");
  ASSERT_NE(me, std::string::npos);
  EXPECT_GT(me, text + 8) << "no phrase is made of a value and a name";
}

TEST(Texts, of_a_report_are_not_judged_because_it_may_quote) {
  protocol::CardCreate::Args args;
  args.type.value = "SAFETY";
  args.payload = Map({{"reason", "asked for venmo"}});
  const Texts texts = TextsOf<protocol::CardCreate>(args);
  EXPECT_TRUE(texts.empty());
  EXPECT_TRUE(texts.report);
}

}  // namespace
}  // namespace parley::threads
