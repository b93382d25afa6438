// The compact form omits exactly what its readers fill in.
#include "protocol/ops/compact_replies.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/frame.h"
#include "protocol/json_schema.h"
#include "protocol/message_items.h"
#include "protocol/ops/all.h"
#include "protocol/schema.h"
#include "protocol/writer.h"
#include "tests/protocol/filled_support.h"

namespace parley::protocol {
namespace {

namespace in = schema_internal;
using tests::Filled;
using tests::FilledItem;
using tests::Sorted;
using Random = std::mt19937;

Document Decoded(Encoding encoding, const std::string& msgpack) {
  Document document;
  const std::string bytes = encoding == Encoding::kJson ? MsgpackToJson(msgpack) : msgpack;
  EXPECT_EQ(Decode(encoding, bytes, {}, &document), nullptr) << bytes;
  return document;
}
Document Decoded(const std::string& msgpack) {
  return Decoded(Encoding::kMsgpack, msgpack);
}

// --- items with random content; half of all fields have their defaults

bool Half(Random& random) {
  return random() % 2 == 0;
}

// A tenant's own content, which is never omitted.
std::string AnyJson(Random& random) {
  Writer w;
  w.BeginMap(5);
  w.Text("nothing");
  w.Nil();
  w.Text("none");
  w.BeginArray(0);
  w.Text("seq");
  w.Int(Half(random) ? 0 : 70'000);
  w.Text("threadId");
  w.Text("");
  w.Text("flags");
  w.BeginMap(0);
  return w.Take();
}

template <class M>
void Vary(Random& random, M* out);

template <class M>
void VaryText(Random& random, M* out) {
  const std::string long_id(26, '0');
  for (const std::string& text : {"thrd_" + long_id, "msg_" + long_id, "req_" + long_id, "att_" + long_id,
                                  "usr_" + std::to_string(random() % 9)}) {
    if (!Read(Value(std::string_view(text)), out)) return;
  }
  FAIL() << "no text fits";
}

template <class M>
void Vary(Random& random, M* out) {
  if constexpr (in::IsOptional<M>::value) {
    if (Half(random)) Vary(random, &out->emplace());
  } else if constexpr (in::IsOmit<M>::value) {
    if (Half(random)) Vary(random, &out->value.emplace());
  } else if constexpr (in::IsList<M>::value) {
    out->items.resize(Half(random) ? 0 : 1 + random() % 20);
    for (auto& one : out->items) Vary(random, &one);
  } else if constexpr (Described<M>) {
    auto vary = [&](std::string_view, auto member, std::string_view) { Vary(random, &(out->*member)); };
    M::Fields(vary);
  } else if constexpr (NamedEnum<M>) {
    *out = static_cast<M>(random() % std::size(EnumNames<M>::kNames));
  } else if constexpr (std::is_same_v<M, bool>) {
    *out = Half(random);
  } else if constexpr (std::is_same_v<M, int64_t>) {
    *out = Half(random) ? 0 : static_cast<int64_t>(random());
  } else if constexpr (in::IsBounded<M>::value) {
    out->value = Half(random) ? 0 : static_cast<int64_t>(random() % 2);
  } else if constexpr (std::is_same_v<M, Json>) {
    out->msgpack = AnyJson(random);
  } else if constexpr (std::is_same_v<M, Time>) {
    out->ms = 1'700'000'000'000 + static_cast<int64_t>(random());
  } else if constexpr (std::is_same_v<M, std::string>) {
    *out = Half(random) ? "" : "text";
  } else {
    VaryText(random, out);
  }
}

template <class T>
struct Shape;
template <>
struct Shape<Thread> {
  static const CompactShape& Of() { return ShapeOf(ChangeKind::kThread); }
};
template <>
struct Shape<Participant> {
  static const CompactShape& Of() { return ShapeOf(ChangeKind::kParticipant); }
};
template <>
struct Shape<Message> {
  static const CompactShape& Of() { return ShapeOf(ChangeKind::kMessage); }
};
template <>
struct Shape<Card> {
  static const CompactShape& Of() { return ShapeOf(ChangeKind::kCard); }
};
template <>
struct Shape<Tab> {
  static const CompactShape& Of() { return ShapeOf(ChangeKind::kTab); }
};
template <>
struct Shape<Entry> {
  static const CompactShape& Of() { return EntryShape(); }
};

template <class T>
std::string CompactOf(const T& item) {
  return MsgpackToJson(Compact(Shape<T>::Of(), Encode(item)));
}

template <class T>
class CompactItems : public testing::Test {};
using Items = testing::Types<Thread, Participant, Message, Card, Tab, Entry>;
TYPED_TEST_SUITE(CompactItems, Items);

TYPED_TEST(CompactItems, equal_the_full_ones_after_filling_in) {
  Random random(15);
  const CompactShape& shape = Shape<TypeParam>::Of();
  for (int i = 0; i < 300; ++i) {
    TypeParam item;
    Vary(random, &item);
    const std::string full = Encode(item), compact = Compact(shape, full);
    ASSERT_LE(compact.size(), full.size());
    for (const Encoding encoding : {Encoding::kMsgpack, Encoding::kJson}) {
      const Document seen = Decoded(encoding, compact);
      ASSERT_EQ(Sorted(Decoded(FilledItem(seen.root, shape.name)).root), Sorted(Decoded(full).root))
          << MsgpackToJson(compact);
    }
  }
}

TYPED_TEST(CompactItems, that_were_truncated_stay_unchanged) {
  Random random(16);
  TypeParam item;
  Vary(random, &item);
  const std::string full = Encode(item);
  for (size_t size = 0; size < full.size(); ++size) {
    ASSERT_EQ(Compact(Shape<TypeParam>::Of(), full.substr(0, size)), full.substr(0, size)) << size;
  }
  ASSERT_EQ(Compact(Shape<TypeParam>::Of(), full + full), full + full);
}

TEST(Compact, omits_the_fields_that_a_plain_message_does_not_have) {
  Message message;
  message.body = "hello";
  message.msg_no = 7;
  message.seq = 12;
  const std::string id(26, '0');
  EXPECT_EQ(CompactOf(message), "{\"messageId\":\"msg_" + id + "\",\"threadId\":\"thrd_" + id +
                                    R"(","seq":12,"msgNo":7,"createdAt":"1970-01-01T00:00:00.000Z",)"
                                    R"("body":"hello"})");
  message.type = MessageType::kSystem;
  message.body.clear();
  EXPECT_NE(CompactOf(message).find(R"("type":"system","body":"")"), std::string::npos);
}

TEST(Compact, a_struct_stays_if_anything_within_it_does) {
  Message message;
  message.flags.policy_hints.items.push_back({"phone"});
  EXPECT_NE(CompactOf(message).find(R"("flags":{"policyHints":["phone"]})"), std::string::npos);
  message.flags = {};
  message.flags.moderation = Moderation::kFlagged;
  EXPECT_NE(CompactOf(message).find(R"("flags":{"moderation":"flagged"})"), std::string::npos);
}

TEST(Compact, a_field_that_may_be_null_or_missing_is_kept_if_present) {
  Thread thread;
  thread.panel_version = 0;
  thread.shotlist.emplace();
  thread.pins.emplace();
  EXPECT_NE(CompactOf(thread).find(R"("panelVersion":0,"shotlist":{},"pins":[])"), std::string::npos);
  Entry entry;
  entry.spam.value = false;
  entry.safe_mode_required = false;
  entry.read_no = 0;
  EXPECT_NE(CompactOf(entry).find(R"("spam":false,"safeModeRequired":false,"readNo":0)"), std::string::npos);
  Card card;
  card.payload.msgpack = std::string(1, '\x80');
  card.allowed.value.emplace();
  EXPECT_NE(CompactOf(card).find(R"("allowed":[])"), std::string::npos);
  EXPECT_NE(CompactOf(card).find(R"("payload":{})"), std::string::npos);
}

TEST(Compact, unknown_fields_are_kept) {
  Writer w;
  w.BeginMap(20);
  w.Text("later");
  w.Nil();
  w.Text("editedAt");
  w.Nil();
  for (int i = 0; i < 18; ++i) {
    w.Text("later" + std::to_string(i));
    w.Bool(false);
  }
  const Document seen = Decoded(Compact(ShapeOf(ChangeKind::kMessage), w.bytes()));
  EXPECT_EQ(seen.root.as_map()->size(), 19u);
  EXPECT_EQ(seen.root.Find("editedAt"), nullptr);
  EXPECT_TRUE(seen.root.Find("later")->is_null());
}

// --- events

class CompactEvents : public testing::Test {
 protected:
  static std::string Event(EventKind kind, int64_t seq, Time at, const auto& item) {
    return CompactSharedEvent(kind, item.thread_id, seq, at, Encode(item));
  }
  // Checks that the compact text, filled in, equals the full one.
  static void Check(const std::string& compact, const std::string& full) {
    for (const Encoding encoding : {Encoding::kMsgpack, Encoding::kJson}) {
      const Document seen = Decoded(encoding, compact);
      EXPECT_EQ(Sorted(Decoded(Filled(seen.root, "")).root), Sorted(Decoded(full).root));
    }
  }
  static constexpr Time kAt{1'762'351'927'123};
};

TEST_F(CompactEvents, contain_fields_shared_by_frame_and_item_once) {
  Message message;
  message.seq = 12;
  message.created_at = kAt;
  const std::string compact = Event(EventKind::kMessageCreated, 12, kAt, message);
  const Document seen = Decoded(compact);
  EXPECT_EQ(seen.root.Find("at"), nullptr);
  EXPECT_NE(seen.root.Find("threadId"), nullptr);
  EXPECT_EQ(*seen.root.Find("seq")->as_int(), 12);
  EXPECT_EQ(seen.root.Find("item")->Find("threadId"), nullptr);
  EXPECT_EQ(seen.root.Find("item")->Find("seq"), nullptr);
  EXPECT_NE(seen.root.Find("item")->Find("createdAt"), nullptr);
  Check(compact, SharedEvent(EventKind::kMessageCreated, message.thread_id, 12, kAt, Encode(message)));
}

TEST_F(CompactEvents, keep_the_time_of_a_message_that_is_sent_after_its_edit) {
  Message message;
  message.seq = 13;
  message.created_at = kAt;
  const Time later{kAt.ms + 1};
  const std::string compact = Event(EventKind::kMessageCreated, 13, later, message);
  EXPECT_NE(Decoded(compact).root.Find("at"), nullptr);
  Check(compact, SharedEvent(EventKind::kMessageCreated, message.thread_id, 13, later, Encode(message)));
}

TEST_F(CompactEvents, keep_the_time_of_every_other_kind) {
  Message message;
  message.seq = 13;
  message.created_at = kAt;
  const std::string compact = Event(EventKind::kMessageUpdated, 13, kAt, message);
  EXPECT_NE(Decoded(compact).root.Find("at"), nullptr);
  Check(compact, SharedEvent(EventKind::kMessageUpdated, message.thread_id, 13, kAt, Encode(message)));
}

TEST_F(CompactEvents, keep_a_seq_and_a_thread_that_differ_from_the_frames) {
  for (const int64_t seq : {0, 11}) {  // 0 is the default, so a missing seq would read as the frame's
    Message message;
    message.seq = seq;
    const ThreadId other = *ThreadId::FromText("thrd_" + std::string(25, '0') + "1");
    const std::string compact =
        CompactSharedEvent(EventKind::kMessageUpdated, other, 12, kAt, Encode(message));
    EXPECT_NE(Decoded(compact).root.Find("item")->Find("threadId"), nullptr);
    EXPECT_EQ(*Decoded(compact).root.Find("item")->Find("seq")->as_int(), seq);
    Check(compact, SharedEvent(EventKind::kMessageUpdated, other, 12, kAt, Encode(message)));
  }
}

TEST_F(CompactEvents, of_the_inbox_keep_the_thread_of_their_entry) {
  const Entry entry;
  const std::string compact = CompactInboxUpdatedEvent(Encode(entry));
  EXPECT_NE(Decoded(compact).root.Find("entry")->Find("threadId"), nullptr);
  Check(compact, InboxUpdatedEvent(Encode(entry)));
}

// P19 of docs/performance.md: with its WebSocket header, to a member of a room of the bench.
TEST_F(CompactEvents, of_a_body_of_128_bytes_have_at_most_three_times_its_bytes) {
  Message message;
  message.thread_id = *ThreadId::FromText("thrd_01hf9k2v7q3w8z5x4y6b0c1d2e");
  message.message_id = *MessageId::FromText("msg_01hf9k2v7q3w8z5x4y6b0c1d2e");
  message.seq = 4'321;
  message.msg_no = 4'310;
  message.created_at = kAt;
  message.body = std::string(128, 'b');
  message.author_user_id = UserId{"u63_9"};
  message.client_id = ClientId{"0000018a2b3c4d5e-00001a2b"};
  const std::string event = Event(EventKind::kMessageCreated, message.seq, kAt, message);
  const size_t header = 4;
  RecordProperty("msgpack", static_cast<int>(event.size() + header));
  RecordProperty("json", static_cast<int>(MsgpackToJson(event).size() + header));
  EXPECT_LE(event.size() + header, 128 * 28 / 10);
  EXPECT_LE(MsgpackToJson(event).size() + header, 128 * 31 / 10);
  EXPECT_GT(
      SharedEvent(EventKind::kMessageCreated, message.thread_id, message.seq, kAt, Encode(message)).size(),
      128u * 4);
}

// --- replies

TEST(CompactReplies, omit_fields_only_in_pages) {
  const ReplyShapes shapes = ReplyShapesOf(CoreOps{});
  EXPECT_TRUE(shapes.contains("message.list"));
  EXPECT_TRUE(shapes.contains("thread.open"));
  EXPECT_FALSE(shapes.contains("message.send"));
  EXPECT_FALSE(shapes.contains("thread.create"));  // its participants are not a page
  Message message;
  message.seq = 3;
  Writer w;
  w.BeginMap(4);
  w.Text("changes");
  w.BeginArray(1);
  w.BeginMap(3);
  w.Text("seq");
  w.Int(0);
  w.Text("kind");
  w.Text("message");
  w.Text("item");
  w.Raw(Encode(message));
  w.Text("lastSeq");
  w.Int(0);
  w.Text("more");
  w.Bool(false);
  w.Text("cursor");
  w.Nil();
  const Document seen = Decoded(Compact(shapes.at("thread.changes"), w.bytes()));
  EXPECT_EQ(seen.root.as_map()->size(), 4u) << "a reply's own fields stay";
  const Value& change = seen.root.Find("changes")->as_array()->front();
  EXPECT_EQ(change.as_map()->size(), 3u);
  EXPECT_EQ(change.Find("item")->Find("reactions"), nullptr);
  EXPECT_NE(change.Find("item")->Find("threadId"), nullptr) << "no frame says it";
  EXPECT_EQ(*change.Find("item")->Find("seq")->as_int(), 3);
}

}  // namespace
}  // namespace parley::protocol
