#include "bench/baselines/frame_template.h"

#include <gtest/gtest.h>

#include "bench/net/wire_view.h"
#include "bench/net/ws_frame.h"
#include "protocol/frame.h"
#include "protocol/message_items.h"
#include "protocol/ops/all.h"

namespace parley::bench {
namespace {

constexpr auto kMsgpack = protocol::Encoding::kMsgpack;

std::string_view PayloadOf(const std::string& frame) {
  const auto head = ReadFrameHead(frame);
  EXPECT_EQ(head->opcode, 2);
  EXPECT_FALSE(head->masked);
  EXPECT_EQ(head->bytes + head->payload_bytes, frame.size());
  return std::string_view(frame).substr(head->bytes);
}

TEST(FrameTemplate, an_event_differs_from_the_recorded_one_only_in_the_inserted_fields) {
  const protocol::ThreadId recorded, other = *protocol::ThreadId::FromText("thrd_01arz3ndektsv4rrffq69g5fav");
  protocol::Message message;
  message.thread_id = recorded;
  message.body = std::string(128, 'x');
  message.client_id = protocol::ClientId{"client-1"};
  for (const int64_t seq : {5, 200, 70'000}) {  // one of each encoded size
    message.seq = seq;
    const std::string event = protocol::SharedEvent(protocol::EventKind::kMessageCreated, recorded, seq,
                                                    protocol::Time{1}, protocol::Encode(message));
    auto made = FrameTemplate::Of(event, {recorded.ToText(), "client-1"});
    ASSERT_TRUE(made);
    FrameView view;
    ASSERT_TRUE(ViewFrame(kMsgpack, PayloadOf(made->Fill(1, 300, other.ToText(), "client-2")), &view));
    EXPECT_EQ(view.event, "message.created");
    EXPECT_EQ(view.thread, other.ToText());
    EXPECT_EQ(view.seq, 300);
    EXPECT_EQ(FindInt(kMsgpack, view.item, "seq"), 300);
    EXPECT_EQ(FindText(kMsgpack, view.item, "threadId"), other.ToText());
    EXPECT_EQ(FindText(kMsgpack, view.item, "clientId"), "client-2");
    EXPECT_EQ(FindText(kMsgpack, view.item, "body"), message.body);
    EXPECT_LE(made->size(), event.size() + 4 + 4);  // the header, and two seqs that are longer now
  }
}

TEST(FrameTemplate, an_acknowledgement_answers_the_inserted_request) {
  protocol::MessageSend::Reply reply;
  reply.seq = 9;
  auto made = FrameTemplate::Of(protocol::OkReply(3, protocol::Encode(reply)), {});
  ASSERT_TRUE(made);
  for (const uint32_t id : {0u, 127u}) {
    FrameView view;
    ASSERT_TRUE(ViewFrame(kMsgpack, PayloadOf(made->Fill(id, 4'000, "", "")), &view));
    EXPECT_EQ(view.id, id);
    EXPECT_TRUE(view.ok);
    EXPECT_EQ(FindInt(kMsgpack, view.body, "seq"), 4'000);
  }
}

TEST(FrameTemplate, a_frame_without_the_fields_is_not_a_template) {
  EXPECT_FALSE(FrameTemplate::Of("", {}));
  EXPECT_FALSE(FrameTemplate::Of(protocol::OkReply(3, std::string(1, '\x80')), {}));
  protocol::MessageSend::Reply reply;
  EXPECT_FALSE(FrameTemplate::Of(protocol::OkReply(3, protocol::Encode(reply)), {"some thread", ""}));
  EXPECT_FALSE(FrameTemplate::Of(protocol::OkReply(300, protocol::Encode(reply)), {}));  // an id of two bytes
  EXPECT_FALSE(FrameTemplate::Of("\x81\xa3seq", {}));
}

TEST(WsFrame, a_header_reads_back_as_written_once_it_is_complete) {
  for (const size_t size : {size_t{0}, size_t{125}, size_t{126}, size_t{65535}, size_t{65536}}) {
    for (const bool masked : {false, true}) {
      std::string bytes;
      AppendFrameHead(&bytes, 1, size, masked);
      for (size_t part = 0; part < bytes.size(); ++part)
        EXPECT_FALSE(ReadFrameHead({bytes.data(), part})) << size << ' ' << part;
      const auto head = ReadFrameHead(bytes);
      ASSERT_TRUE(head);
      EXPECT_EQ(head->opcode, 1);
      EXPECT_EQ(head->masked, masked);
      EXPECT_EQ(head->bytes, bytes.size());
      EXPECT_EQ(head->payload_bytes, size);
      if (!masked) {
        EXPECT_EQ(WireBytes(size), size + bytes.size());
      }
    }
  }
}

}  // namespace
}  // namespace parley::bench
