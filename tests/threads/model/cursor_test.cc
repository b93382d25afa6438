// Cursors are valid only for their caller and their query, byte for byte.
#include "threads/model/cursor.h"

#include <gtest/gtest.h>

#include "protocol/base/encoding.h"
#include "tests/threads/scene.h"
#include "threads/messages/message_reads.h"
#include "threads/model/read_context.h"

namespace parley::threads {
namespace {

const CursorCodec kCursors("secret");
const Caller kAnn = CallerFrom("ann");
const std::string kPosition("where\0 to go on", 15);

TEST(Cursor, opens_for_its_caller_and_its_query_only) {
  const std::string cursor = kCursors.Seal(kAnn, "inbox.list all", kPosition);
  EXPECT_EQ(kCursors.Open(kAnn, "inbox.list all", cursor), kPosition);
  EXPECT_EQ(kCursors.Open(CallerFrom("bob"), "inbox.list all", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(CallerFrom("ann@acme"), "inbox.list all", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(CallerFrom("service"), "inbox.list all", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(kAnn, "inbox.list pinned", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(kAnn, "", cursor), std::nullopt);
  EXPECT_EQ(CursorCodec("another store").Open(kAnn, "inbox.list all", cursor), std::nullopt);
}

// Each part is bound with its length, so moving a boundary between two parts changes the cursor.
TEST(Cursor, keeps_its_parts_apart) {
  const std::string cursor = kCursors.Seal(CallerFrom("ann@acme"), "q", "p");
  EXPECT_EQ(kCursors.Open(CallerFrom("nn@acmea"), "q", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(CallerFrom("annq@acme"), "", cursor), std::nullopt);
  EXPECT_EQ(kCursors.Open(CallerFrom("an@acme"), "nq", cursor), std::nullopt);
}

TEST(Cursor, with_any_bit_changed_is_refused) {
  const std::string cursor = kCursors.Seal(kAnn, "q", kPosition);
  std::string raw;
  ASSERT_TRUE(protocol::FromBase64Url(cursor, &raw));
  for (size_t bit = 0; bit < raw.size() * 8; ++bit) {
    std::string forged = raw;
    forged[bit / 8] = static_cast<char>(forged[bit / 8] ^ (1 << bit % 8));
    EXPECT_EQ(kCursors.Open(kAnn, "q", protocol::Base64Url(forged)), std::nullopt) << bit;
  }
}

TEST(Cursor, with_any_character_changed_is_refused) {
  const std::string cursor = kCursors.Seal(kAnn, "q", kPosition);
  for (size_t at = 0; at < cursor.size(); ++at) {
    for (int c = 0; c < 256; ++c) {
      std::string forged = cursor;
      forged[at] = static_cast<char>(c);
      if (forged == cursor) continue;
      EXPECT_EQ(kCursors.Open(kAnn, "q", forged), std::nullopt) << at << " " << c;
    }
  }
}

TEST(Cursor, truncated_extended_or_huge_is_refused) {
  const std::string cursor = kCursors.Seal(kAnn, "q", kPosition);
  for (size_t size = 0; size < cursor.size(); ++size)
    EXPECT_EQ(kCursors.Open(kAnn, "q", cursor.substr(0, size)), std::nullopt) << size;
  for (const char* more : {"A", "AA", "AAA", "AAAA", "="})
    EXPECT_EQ(kCursors.Open(kAnn, "q", cursor + more), std::nullopt) << more;
  EXPECT_EQ(kCursors.Open(kAnn, "q", std::string(size_t{1} << 20, 'A')), std::nullopt);
  EXPECT_EQ(kCursors.Open(kAnn, "q", kCursors.Seal(kAnn, "q", "")), "") << "an empty position is one";
}

// It may point at a row that its holder may not see.
TEST(Cursor, does_not_reveal_its_position) {
  const std::string place = "thrd_01m7yrf2sj68a1mp3h0c8degyz";
  std::string raw;
  ASSERT_TRUE(protocol::FromBase64Url(kCursors.Seal(kAnn, "q", place), &raw));
  for (size_t at = 0; at + 4 <= place.size(); ++at)
    EXPECT_EQ(raw.find(place.substr(at, 4)), std::string::npos) << at;
}

class MessageCursor : public ThreadScene {
 protected:
  MessageCursor() {
    scene.Given("buyer thread.create; buyer participant.add userId=carol");
    for (int i = 1; i <= 5; ++i)
      for (const char* thread : {"T", "T2"})
        scene.Given("buyer message.send body=b" + std::to_string(i) + " threadId=" + thread);
  }
  // Asks message.list for a page of two; returns a part of the reply, or the error.
  std::string List(std::string_view caller, const std::string& args, std::string_view path) {
    const Call call = CallFrom(std::string(caller) + " message.list limit=2 " + args, scene.names);
    const auto read = ArgsOf<protocol::MessageList::Args>(call);
    if (!read.ok()) return ErrorText(read.error());
    const RowReader rows = scene.Rows(call.caller.tenant);
    const auto answer = ListMessages({rows.raw(), call.caller, kCursors, scene.clock.Now()}, *read);
    return answer.ok() ? Pick(*answer, path, scene.names) : ErrorText(answer.error());
  }
  std::string CursorOf(const std::string& args) { return List("buyer", args, "cursor"); }
};

TEST_F(MessageCursor, continues_after_its_page) {
  EXPECT_EQ(List("buyer", "", "messages.*.body"), "b5 b4");
  const std::string older = "before='" + CursorOf("") + "'";
  EXPECT_EQ(List("buyer", older, "messages.*.body"), "b3 b2");
  EXPECT_EQ(List("buyer", "limit=1 " + older, "messages.*.body"), "b3") << "the limit may change";
  const std::string newer = "after='" + CursorOf("after=M1") + "'";
  EXPECT_EQ(List("buyer", newer, "messages.*.body"), "b4 b5");
  EXPECT_EQ(List("buyer", newer, "cursor"), "null");
}

TEST_F(MessageCursor, of_another_query_or_caller_is_a_bad_request) {
  const std::string older = CursorOf(""), newer = CursorOf("after=M1");
  EXPECT_EQ(List("seller", "before='" + older + "'", ""), "BAD_REQUEST before") << "another caller";
  EXPECT_EQ(List("buyer", "threadId=T2 before='" + older + "'", ""), "BAD_REQUEST before")
      << "another thread";
  EXPECT_EQ(List("buyer", "after='" + older + "'", ""), "BAD_REQUEST after") << "the other way";
  EXPECT_EQ(List("buyer", "before='" + newer + "'", ""), "BAD_REQUEST before");
  const std::string foreign =
      kCursors.Seal(CallerFrom("buyer"), "inbox.list", scene.MessageNamed("M3").ulid.raw());
  EXPECT_EQ(List("buyer", "before='" + foreign + "'", ""), "BAD_REQUEST before") << "another query";
  for (size_t size = 0; size < older.size(); ++size)
    EXPECT_EQ(List("buyer", "before='" + older.substr(0, size) + "'", ""), "BAD_REQUEST before") << size;
  for (size_t at = 0; at < older.size(); ++at) {
    std::string forged = older;
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(List("buyer", "before='" + forged + "'", ""), "BAD_REQUEST before") << at;
  }
  // Malformed requests are reported before the caller is checked.
  EXPECT_EQ(List("eve", "before=x", ""), "BAD_REQUEST before");
  EXPECT_EQ(List("eve", "", ""), "THREAD_NOT_MEMBER");
}

}  // namespace
}  // namespace parley::threads
