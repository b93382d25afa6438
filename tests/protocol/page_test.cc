// A page is encoded like any struct, in the buffer that contains its list.
#include <gtest/gtest.h>

#include "protocol/encode.h"
#include "protocol/ops/messages.h"

namespace parley::protocol {
namespace {

MessageList::Reply PageOf(size_t messages, bool with_room) {
  const std::string one = Encode(std::string(500, 'x'));
  MessageList::Reply reply;
  if (with_room) reply.messages.MakeRoom(messages, one.size());
  for (size_t i = 0; i < messages; ++i) reply.messages.msgpack += one;
  reply.messages.count = messages;
  reply.cursor = std::string(300, 'c');
  return reply;
}

TEST(EncodePage, equals_encode) {
  for (const size_t messages : {0, 1, 15, 16, 50, 200}) {
    for (const bool with_room : {false, true}) {
      MessageList::Reply page = PageOf(messages, with_room);
      page.messages.msgpack.shrink_to_fit();
      const std::string expected = Encode(page);
      EXPECT_EQ(EncodePage(std::move(page)), expected) << messages << " without room";
      EXPECT_EQ(EncodePage(PageOf(messages, with_room)), expected) << messages << with_room;
    }
  }
}

TEST(EncodePage, does_not_copy_a_list_with_room_in_front) {
  MessageList::Reply page = PageOf(50, true);
  const char* const gathered = page.messages.msgpack.data();
  EXPECT_EQ(EncodePage(std::move(page)).data(), gathered);
}

}  // namespace
}  // namespace parley::protocol
