// The load against the baseline that stores nothing: every message arrives once at every member of the room.
#include "bench/baselines/room_server.h"

#include <gtest/gtest.h>

#include "bench/load/rooms.h"
#include "protocol/frame.h"
#include "protocol/message_items.h"
#include "protocol/ops/all.h"

namespace parley::bench {
namespace {

const protocol::ThreadId kThread;
constexpr const char* kClientId = "0123456789abcdef-01234567";  // as long as the load's

RoomFrames Frames() {
  protocol::Message message;
  message.thread_id = kThread;
  message.body = std::string(128, 'x');
  message.client_id = protocol::ClientId{kClientId};
  const std::string event = protocol::SharedEvent(protocol::EventKind::kMessageCreated, kThread, 1,
                                                  protocol::Time{1}, protocol::Encode(message));
  return {*FrameTemplate::Of(protocol::OkReply(0, protocol::Encode(protocol::MessageSend::Reply{})), {}),
          *FrameTemplate::Of(event, {kThread.ToText(), kClientId})};
}

std::string ThreadOf(const std::string& room) {
  const std::string text = kThread.ToText();
  return text.substr(0, text.size() - room.size()) + room;
}

class RoomServerLoad : public testing::Test {
 protected:
  RoomServerLoad() {
    target_.address = server_.address();
    target_.token = [](const std::string& user) {
      return std::optional(ThreadOf(user.substr(1, user.find('_') - 1)));
    };
    plan_.rooms = 3;
    plan_.members = plan_.online = 4;
    plan_.warmup_seconds = 0;
    plan_.seconds = 0.2;
    plan_.make = [](size_t room) { return MadeRoom{ThreadOf(std::to_string(room)), 0}; };
  }
  RoomServer server_{Frames()};
  Target target_;
  RoomsPlan plan_;
  Poller poller_;
};

TEST_F(RoomServerLoad, every_member_of_the_room_gets_each_message_once) {
  plan_.outstanding = 7;
  Rooms rooms(poller_, target_, plan_, server_.pid());
  for (int round = 0; round < 2; ++round) {
    const RoomsResult result = rooms.Run();
    EXPECT_TRUE(result.caught_up);
    EXPECT_GT(result.acked, 0u);
    EXPECT_EQ(result.lost + result.duplicated + result.refused, 0u);
    EXPECT_GE(result.delivered, result.acked * plan_.members);  // some of the warm-up may still arrive
    EXPECT_GT(result.server.on_cpu_ns, 0);
    EXPECT_GT(result.sampled_events, 0u);
    EXPECT_EQ(result.event_bytes(), static_cast<double>(Frames().event.size()));
  }
}

TEST_F(RoomServerLoad, its_own_window_keeps_each_sender_sending) {
  plan_.senders = 2;
  plan_.window = 3;
  Rooms rooms(poller_, target_, plan_, server_.pid());
  std::map<size_t, size_t> acks;
  rooms.on_ack = [&](LoadSession& sender, size_t, int64_t, int64_t) { ++acks[sender.index()]; };
  const RoomsResult result = rooms.Run();
  EXPECT_TRUE(result.caught_up);
  EXPECT_EQ(result.lost + result.duplicated + result.refused, 0u);
  std::vector<size_t> senders;
  for (const auto& [sender, count] : acks) {
    senders.push_back(sender);
    EXPECT_GT(count, plan_.window) << sender;
  }
  EXPECT_EQ(senders, (std::vector<size_t>{0, 1, 4, 5, 8, 9}));
}

TEST_F(RoomServerLoad, an_open_loop_sends_at_the_given_rate) {
  plan_.rate = 500;
  Rooms rooms(poller_, target_, plan_, server_.pid());
  const RoomsResult result = rooms.Run();
  EXPECT_TRUE(result.caught_up);
  EXPECT_EQ(result.delivered, result.acked * plan_.members);
  EXPECT_LE(result.acked, 101u);  // those of 0.2 s; a stalled machine sends them late, but not more
  EXPECT_GT(result.acked, 0u);
}

}  // namespace
}  // namespace parley::bench
