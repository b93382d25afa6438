#include "bench/net/wire_view.h"

#include <gtest/gtest.h>

#include "protocol/frame.h"
#include "protocol/message_items.h"
#include "protocol/writer.h"

namespace parley::bench {
namespace {

using protocol::Encoding;

class WireView : public testing::TestWithParam<Encoding> {
 protected:
  // The frame as received.
  std::string Frame(std::string msgpack) const {
    return GetParam() == Encoding::kJson ? protocol::MsgpackToJson(msgpack) : msgpack;
  }
};
INSTANTIATE_TEST_SUITE_P(Encodings, WireView, testing::Values(Encoding::kMsgpack, Encoding::kJson));

TEST_P(WireView, finds_the_ids_of_an_event) {
  protocol::Message message;
  message.body = "quotes \" and } braces, \\ and \n lines";
  message.client_id = protocol::ClientId{"c-1"};
  message.seq = 300;
  const std::string frame =
      Frame(protocol::SharedEvent(protocol::EventKind::kMessageCreated, message.thread_id, 70'000,
                                  protocol::Time{1'700'000'000'000}, protocol::Encode(message)));
  FrameView view;
  ASSERT_TRUE(ViewFrame(GetParam(), frame, &view));
  EXPECT_FALSE(view.id.has_value());
  EXPECT_EQ(view.event, "message.created");
  EXPECT_EQ(view.thread, message.thread_id.ToText());
  EXPECT_EQ(view.seq, 70'000);
  EXPECT_EQ(FindText(GetParam(), view.item, "clientId"), "c-1");
  EXPECT_EQ(FindInt(GetParam(), view.item, "seq"), 300);
  EXPECT_EQ(FindText(GetParam(), view.item, "nowhere"), std::nullopt);
}

TEST_P(WireView, distinguishes_a_reply_from_a_refusal) {
  protocol::Writer ok;
  ok.BeginMap(1);
  ok.Text("items");
  ok.BeginArray(3);
  for (int i = 0; i < 3; ++i) ok.Int(-i);
  const std::string accepted = Frame(protocol::OkReply(7, ok.bytes()));
  FrameView view;
  ASSERT_TRUE(ViewFrame(GetParam(), accepted, &view));
  EXPECT_EQ(view.id, 7u);
  EXPECT_TRUE(view.ok);
  EXPECT_EQ(CountItems(GetParam(), *FindValue(GetParam(), view.body, "items")), 3u);

  const std::string refused =
      Frame(protocol::ErrorReply(8, protocol::Error(protocol::ErrorCode::kForbidden, "no"), "x-1"));
  ASSERT_TRUE(ViewFrame(GetParam(), refused, &view));
  EXPECT_EQ(view.id, 8u);
  EXPECT_FALSE(view.ok);
  EXPECT_EQ(FindText(GetParam(), view.body, "code"), "FORBIDDEN");
}

TEST_P(WireView, a_truncated_frame_is_refused) {
  const std::string whole = Frame(protocol::OkReply(7, std::string(1, '\x80')));
  FrameView view;
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ViewFrame(GetParam(), std::string_view(whole).substr(0, size), &view)) << size;
  }
}

}  // namespace
}  // namespace parley::bench
