// Marks on messages, over the whole server on a fake network: replies, pins,
// labels, reactions.
#include <gtest/gtest.h>

#include "tests/gateway/project_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(ProjectBehaviours, a_reply_keeps_its_quote) {
  const std::string thread = Create("project");
  const std::string quoted = Send(ann_, thread, "ten o'clock?").Text("ok.messageId");
  bob_.TakeEvents();
  bob_.Ask("message.send",
           In(thread, R"(,"type":"text","clientId":"r","body":"yes","replyTo":)" + Quoted(quoted)));
  ann_.Ask("message.edit", In(thread, R"(,"body":"eleven?","messageId":)" + Quoted(quoted)));
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Text("ok.messages.0.replyTo"), quoted);
  EXPECT_EQ(
      Code(bob_.Ask("message.send", In(thread, R"(,"type":"text","clientId":"s","body":"x","replyTo":)" +
                                                   Quoted("msg_00000000000000000000000000")))),
      "NOT_FOUND");
}

TEST_F(ProjectBehaviours, a_card_keeps_its_quote) {
  const std::string thread = Create("project");
  const std::string quoted = Send(ann_, thread, "two hours more?").Text("ok.messageId");
  const auto extra = [&](const std::string& client, const std::string& reply_to) {
    return bob_.Ask(
        "card.create",
        In(thread, R"(,"type":"REQUEST_EXTRA","payload":{"name":"a","priceCents":1},"clientId":)" +
                       Quoted(client) + R"(,"replyTo":)" + Quoted(reply_to)));
  };
  const std::string card = extra("k1", quoted).Text("ok.messageId");
  const Frame page = ann_.Ask("message.list", In(thread));
  EXPECT_EQ(page.Text("ok.messages.0.messageId"), card);
  EXPECT_EQ(page.Text("ok.messages.0.replyTo"), quoted);
  EXPECT_EQ(Code(extra("k2", "msg_00000000000000000000000000")), "NOT_FOUND");
  const std::string elsewhere = Create("project", R"(,"legId":"leg_2")");
  const std::string foreign = Send(ann_, elsewhere, "x").Text("ok.messageId");
  EXPECT_EQ(Code(extra("k3", foreign)), "NOT_FOUND");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, pins_are_shared_and_labels_are_private) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "address: 12 Main St").Text("ok.messageId");
  bob_.TakeEvents();
  const int64_t unread = bob_.Ask("inbox.list").Int("ok.entries.0.unread");
  ann_.Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Quoted(message)));
  const auto reported = Events(bob_, "message.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Text("item.pin.by"), "ann");
  EXPECT_EQ(bob_.Ask("thread.get", In(thread)).Text("ok.thread.pins.0"), message);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.unread"), unread);

  ann_.Ask("inbox.set", In(thread, R"(,"pinned":true,"label":"VIP")"));
  EXPECT_EQ(Listed(ann_, R"({"label":"VIP"})").size(), 1u);
  EXPECT_TRUE(Has(ann_, thread, "starred"));
  EXPECT_TRUE(bob_.TakeEvents().empty());
  EXPECT_EQ(Listed(bob_, R"({"label":"VIP"})").size(), 0u);
  EXPECT_EQ(bob_.Ask("inbox.list").Json("ok.entries.0.label"), "null");
}

TEST_F(ProjectBehaviours, a_reaction_is_kept_and_is_not_a_new_message) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  const Frame before = ann_.Ask("inbox.list");
  ann_.TakeEvents();
  const Frame reacted =
      bob_.Ask("message.react", In(thread, R"(,"emoji":"👍","on":true,"messageId":)" + Quoted(message)));
  EXPECT_EQ(reacted.Json("ok.reactions"), R"([{"emoji":"👍","count":1,"userIds":["bob"]}])");
  EXPECT_EQ(Events(ann_, "message.updated").size(), 1u);
  const Frame after = ann_.Ask("inbox.list");
  EXPECT_EQ(after.Int("ok.entries.0.unread"), before.Int("ok.entries.0.unread"));
  EXPECT_EQ(after.Text("ok.entries.0.lastMessageAt"), before.Text("ok.entries.0.lastMessageAt"));
  EXPECT_EQ(after.Text("ok.entries.0.lastMessage.messageId"), message);
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 1u);
  EXPECT_TRUE(Events(ann_, "inbox.updated").empty()) << "nobody is called for it";
}

TEST_F(ProjectBehaviours, a_reaction_must_be_one_unicode_emoji) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  const auto react = [&](const std::string& emoji) {
    return Code(bob_.Ask("message.react", In(thread, R"(,"on":true,"messageId":)" + Quoted(message) +
                                                         R"(,"emoji":)" + JsonArg(emoji).json)));
  };
  for (const char* one : {"👍", "👍🏽", "❤️", "🇩🇪", "1️⃣", "👩🏽‍🚀", "🏳️‍🌈",
                          "👨‍👩‍👧‍👦"})
    EXPECT_EQ(react(one), "ok") << one;
  for (const char* other : {"", "a", "ok", "1", ":+1:", "👍👍", "👍 ", "x👍", "🇩", "\u200d", "<b>", "👍\u0301"})
    EXPECT_EQ(react(other), "BAD_REQUEST") << other;
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages.0.reactions"), 8u);
}

}  // namespace
}  // namespace parley::gateway_test
