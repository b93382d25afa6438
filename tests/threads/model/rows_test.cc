// The bytes of a thread's rows. If an expectation here changes, existing stores still contain the old bytes:
// keep reading those, or give storage/store_meta.h a new format.
#include "threads/model/rows.h"
#include "threads/model/message_row.h"

#include <gtest/gtest.h>

#include <functional>

#include "storage/memory_table.h"
#include "threads/lifecycle/changes.h"

namespace parley::threads {
namespace {

const TenantId kTenant{"acme"};
const ThreadId kThread{
    *protocol::Ulid::FromBytes("\x01\x90\xa1\xb2\xc3\xd4\x10\x11\x12\x13\x14\x15\x16\x17\x18\xaa")};
const MessageId kMessage{
    *protocol::Ulid::FromBytes("\x01\x90\xa1\xb2\xc3\xd4\x10\x11\x12\x13\x14\x15\x16\x17\x18\xbb")};
const UserId kAnnId{"usr_ann"}, kBobId{"usr_bob"};
const Time kAt{1'720'781'194'196};  // 2024-07-12T10:46:34.196Z
const std::string kDigest = "0123456789abcdef";
const ClientId kClient{"c-1"};
const std::string kSmallMap = "\x81\xa1\x61\x01";  // {"a": 1}

ThreadRow SomeThread() {
  ThreadRow row;
  row.item.thread_id = kThread;
  row.item.kind = protocol::ThreadKind::kProject;
  row.item.subject = "Saturday";
  row.item.leg_id = protocol::LegId{"leg_1"};
  row.item.buyer_user_id = kAnnId;
  row.item.seller_user_id = kBobId;
  row.item.participants.items = {kAnnId, kBobId};
  row.item.participant_count = 2;
  row.item.created_at = row.item.updated_at = kAt;
  row.item.last_message_at = kAt;
  row.item.last_seq = 300;
  row.item.last_msg_no = 7;
  row.item.seq = 200;
  row.hidden.creator = kAnnId;
  row.hidden.last_message = protocol::LastMessage{kMessage, kBobId, protocol::MessageType::kText, "hi", kAt};
  row.hidden.deleted_count = 1;
  return row;
}

ParticipantRow SomeParticipant() {
  ParticipantRow row;
  row.item.user_id = kAnnId;
  row.item.permission = protocol::Permission::kOwner;
  row.item.last_read_msg_id = kMessage;
  row.item.last_read_at = row.item.joined_at = kAt;
  row.item.seq = 2;
  row.born_seq = 2;
  row.hidden.muted = true;
  row.hidden.muted_until = kAt;
  row.hidden.read_no = 300;
  row.hidden.archived_at_no = ParticipantRow::Private::kTakenBack;
  row.hidden.label = "later";
  return row;
}

MessageRow SomeMessage() {
  MessageRow row;
  row.item.message_id = kMessage;
  row.item.thread_id = kThread;
  row.item.seq = 129;
  row.item.msg_no = 7;
  row.item.created_at = kAt;
  row.item.body = "hi \xe2\x9c\x93";
  protocol::Attachment attachment;
  attachment.s3_key = protocol::Text<1024>{"k"};
  row.item.attachments.items = {attachment};
  row.item.author_user_id = kBobId;
  row.item.client_id = kClient;
  row.item.edited_at = kAt;
  row.born_seq = 4;
  return row;
}

TabRow SomeTab() {
  TabRow row;
  row.item.content.msgpack = kSmallMap;
  row.item.updated_by = kAnnId;
  row.item.updated_at = kAt;
  row.item.seq = 5;
  row.born_seq = 5;
  return row;
}

// Printable characters unchanged, others and the backslash as two hex digits.
std::string Shown(std::string_view bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\\') {
      out += c;
    } else {
      out.append("\\").push_back(kHex[byte >> 4]);
      out += kHex[byte & 15];
    }
  }
  return out;
}

struct RowKind {
  std::string name;
  std::string bytes;
  std::string golden;  // the expected bytes
  // Reads a row and writes it back; returns nullopt if it was refused.
  std::function<std::optional<std::string>(std::string_view)> again;
};

template <class R>
RowKind KindOf(std::string name, const R& row, std::string (*encode)(const R&),
               bool (*decode)(std::string_view, R*), std::string golden) {
  return {std::move(name), encode(row), std::move(golden),
          [encode, decode](std::string_view bytes) -> std::optional<std::string> {
            R read;
            if (!decode(bytes, &read)) return std::nullopt;
            return encode(read);
          }};
}

template <class R>
RowKind ItemKind(std::string name, const R& row, std::string golden) {
  return KindOf<R>(std::move(name), row, EncodeItem<R>, DecodeItem<R>, std::move(golden));
}

LogRow LogOf(storage::SortKey sort) {
  return {protocol::EventKind::kMessageUpdated, kAt, std::move(sort)};
}

std::vector<RowKind> Kinds() {
  return {
      ItemKind(
          "THR", SomeThread(),
          R"(\c8\01\01\a7\03\de\00\18\a8threadId\bfthrd_01j2gv5gym208h44rm2mb1e65a\a4kind\a7project)"
          R"(\a7subject\a8Saturday\a5lbgId\c0\a5legId\a5leg_1\abbuyerUserId\a7usr_ann\acsellerUserId)"
          R"(\a7usr_bob\acparticipants\92\a7usr_ann\a7usr_bob\b0participantCount\02\a4city\c0\a9creat)"
          R"(edAt\b82024-07-12T10:46:34.196Z\a9updatedAt\b82024-07-12T10:46:34.196Z\a6status\a4open)"
          R"(\adlastMessageAt\b82024-07-12T10:46:34.196Z\a7lastSeq\cd\01,\a9lastMsgNo\07\b0safeModeRe)"
          R"(quired\c2\a9meetingAt\c0\acpanelVersion\c0\a8shotlist\c0\a4pins\c0\b0disputeMessageId\c0\a7version\01\a3seq\cc\c8\84\a7creator\a7usr_ann\a4role\c0\ablastMessage\85\a9m)"
          R"(essageId\bemsg_01j2gv5gym208h44rm2mb1e65v\acauthorUserId\a7usr_bob\a4type\a4text\a7previ)"
          R"(ew\a2hi\a9createdAt\b82024-07-12T10:46:34.196Z\acdeletedCount\01)"),
      ItemKind("PART", SomeParticipant(),
               R"(\02\02\b6\01\88\a6userId\a7usr_ann\abroleContext\a5buyer\aapermission\a5owner\adlastRead)"
               R"(MsgId\bemsg_01j2gv5gym208h44rm2mb1e65v\aalastReadAt\b82024-07-12T10:46:34.196Z\a8joinedA)"
               R"(t\b82024-07-12T10:46:34.196Z\a9removedAt\c0\a3seq\02\89\a5muted\c3\aamutedUntil\b82024-0)"
               R"(7-12T10:46:34.196Z\acblockedUntil\c0\a6readNo\cd\01,\a5ownNo\00\a6joinNo\00\a6pinned\c2)"
               R"(\acarchivedAtNo\ff\a5label\a5later)"),
      ItemKind("MSG", SomeMessage(),
               R"(\81\01\04\f1\02\de\00\11\a9messageId\bemsg_01j2gv5gym208h44rm2mb1e65v\a8threadId\bfthrd_)"
               R"(01j2gv5gym208h44rm2mb1e65a\a3seq\cc\81\a5msgNo\07\a9createdAt\b82024-07-12T10:46:34.196Z)"
               R"(\a4type\a4text\a4body\a6hi \e2\9c\93\abattachments\91\86\a4kind\a7preview\a5s3Key\a1k\ab)"
               R"(manifestRef\c0\a4mime\c0\a1w\c0\a1h\c0\a6action\c0\acauthorUserId\a7usr_bob\a8nsfwBand)"
               R"(\00\a5flags\82\aamoderation\a5clean\abpolicyHints\90\a8clientId\a3c-1\a7replyTo\c0\a8edi)"
               R"(tedAt\b82024-07-12T10:46:34.196Z\a9deletedAt\c0\a9reactions\90\80)"),
      ItemKind("TAB", SomeTab(),
               R"(\05\05Z\86\a3tab\a5brief\a7version\01\a7content\81\a1a\01\a9updatedBy\a7usr_ann\a9update)"
               R"(dAt\b82024-07-12T10:46:34.196Z\a3seq\05\80)"),
      KindOf<LogRow>("LOG of THR", LogOf(ThreadKey()), EncodeLog, DecodeLog, R"(\06\d4\87\b5\b4\8a2\01)"),
      KindOf<LogRow>("LOG of PART", LogOf(ParticipantKey(kAnnId)), EncodeLog, DecodeLog,
                     R"(\06\d4\87\b5\b4\8a2\02usr_ann\00)"),
      KindOf<LogRow>("LOG of MSG", LogOf(MessageKey(kMessage)), EncodeLog, DecodeLog,
                     R"(\06\d4\87\b5\b4\8a2\03\01\90\a1\b2\c3\d4\10\11\12\13\14\15\16\17\18\bb)"),
      KindOf<LogRow>("LOG of TAB", LogOf(TabKey(protocol::TabName::kBrief)), EncodeLog, DecodeLog,
                     R"(\06\d4\87\b5\b4\8a2\05brief\00)"),
      KindOf<IdempotencyRow>("IDEM", {kAt, kDigest, kSmallMap}, EncodeIdempotency, DecodeIdempotency,
                             R"(\d4\87\b5\b4\8a2\100123456789abcdef\81\a1a\01)"),
      KindOf<ReservationRow>("CREATE, INQUIRY", {kThread, kDigest}, EncodeReservation, DecodeReservation,
                             R"(\01\90\a1\b2\c3\d4\10\11\12\13\14\15\16\17\18\aa0123456789abcdef)"),
  };
}

TEST(Rows, have_the_stored_bytes) {
  for (const RowKind& kind : Kinds()) EXPECT_EQ(Shown(kind.bytes), kind.golden) << kind.name;
}

TEST(Rows, read_back_as_written) {
  for (const RowKind& kind : Kinds()) EXPECT_EQ(kind.again(kind.bytes), kind.bytes) << kind.name;
}

TEST(Rows, are_refused_if_truncated_or_extended) {
  for (const RowKind& kind : Kinds()) {
    for (size_t size = 0; size < kind.bytes.size(); ++size)
      EXPECT_EQ(kind.again(kind.bytes.substr(0, size)), std::nullopt) << kind.name << " of " << size;
    EXPECT_EQ(kind.again(kind.bytes + '\0'), std::nullopt) << kind.name;
  }
}

// Pages and events splice it without decoding.
TEST(Rows, return_an_item_as_a_whole_or_not_at_all) {
  const std::string bytes = EncodeItem(SomeMessage());
  const std::string wire = protocol::Encode(SomeMessage().item);
  const size_t hidden = protocol::Encode(NoPrivate()).size();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    ItemView view;
    EXPECT_EQ(ParseItem(cut, &view), size >= bytes.size() - hidden) << size;
    EXPECT_TRUE(view.wire.empty() || view.wire == wire) << size;
  }
}

TEST(Rows, that_cannot_be_read_are_an_internal_error_without_detail) {
  const auto in_thread = ThreadPartition(kTenant, kThread);
  const auto in_user = UserPartition(kTenant, kAnnId);
  const auto table = storage::NewMemoryTable();
  const RowReader rows(*table, kTenant);
  const auto code = [](const auto& result) {
    return result.ok() ? "ok" : protocol::Describe(result.error().code).name;
  };
  struct {
    storage::PartitionKey partition;
    storage::SortKey sort;
    std::string bytes;
    std::function<std::string_view()> read;
  } const kRows[] = {
      {in_thread, ThreadKey(), EncodeItem(SomeThread()), [&] { return code(rows.Thread(kThread)); }},
      {in_thread, ParticipantKey(kAnnId), EncodeItem(SomeParticipant()),
       [&] { return code(rows.Participant(kThread, kAnnId)); }},
      {in_thread, MessageKey(kMessage), EncodeItem(SomeMessage()),
       [&] { return code(rows.Message(kThread, kMessage)); }},
      {in_thread, LogKey(129), EncodeLog(LogOf(MessageKey(kMessage))),
       [&] {
         return code(ReadChanges(rows, Caller{TenantId{"demo"}, kAnnId}, kThread, 0, 10));
       }},
      {in_thread, IdempotencyKey(kAnnId, kClient), EncodeIdempotency({kAt, kDigest, "\x80"}),
       [&] { return code(rows.Idempotency(kThread, kAnnId, kClient)); }},
      {in_user, CreateKey(kClient), EncodeReservation({kThread, kDigest}),
       [&] { return code(rows.Reservation(in_user, CreateKey(kClient))); }},
  };
  uint64_t position = 0;
  for (const auto& row : kRows) {
    const auto store = [&](std::string bytes) {
      const std::vector<storage::DerivedWrite> write = {
          {row.partition, row.sort, storage::Row{1, std::move(bytes)}}};
      ASSERT_TRUE(table->Apply(write, "test", ++position).ok());
    };
    for (const size_t size : {size_t{0}, row.bytes.size() / 2, row.bytes.size() - 1}) {
      store(row.bytes.substr(0, size));
      EXPECT_EQ(row.read(), "INTERNAL") << row.sort.bytes() << size;
    }
    store(row.bytes);
    EXPECT_EQ(row.read(), "ok") << row.sort.bytes();
  }
}

// A row wraps the content of a frame, which makes it larger and one level deeper.
TEST(Rows, may_exceed_the_bounds_of_a_frame) {
  protocol::Writer w;
  w.BeginMap(1);
  w.Text("a");
  w.BeginArray(20'000);
  for (int i = 0; i < 20'000 - 1; ++i) w.Int(i);
  for (int i = 0; i < 40; ++i) w.BeginArray(1);
  w.Int(1);
  protocol::Document document;
  EXPECT_NE(protocol::DecodeMsgpack(w.bytes(), {}, &document), nullptr);
  EXPECT_TRUE(DecodeStored(w.bytes(), &document));
  EXPECT_FALSE(DecodeStored(std::string_view(w.bytes()).substr(0, w.bytes().size() - 1), &document));
}

}  // namespace
}  // namespace parley::threads
