// Tests verify's reports on answers for repeated requests (IDEM#) and earlier bodies (HIST#).
#include <gmock/gmock.h>

#include "tests/fanout/verify_scene.h"
#include "threads/model/message_row.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class VerifyKept : public VerifyScene {
 protected:
  void SetUp() override {
    ASSERT_EQ(scene.Run("buyer thread.create kind=project; buyer message.send body=one clientId=c-1;"
                        "seller message.send body=two clientId=c-2; buyer message.edit messageId=M1 body=uno;"
                        "service card.create type=REQUEST_EXTRA clientId=c-3;"
                        "ann(support) thread.setStatus status=locked reason=r"),
              "ok");
    scene.worker->SaveCursors();
    ASSERT_THAT(Verify(), IsEmpty());
  }
  storage::PartitionKey Partition() { return threads::ThreadPartition(kTenant, scene.core.ThreadNamed("T")); }
  void Plant(const storage::SortKey& sort, std::optional<std::string> payload) {
    VerifyScene::Plant(Partition(), sort, std::move(payload));
  }
  storage::SortKey Key(const char* user, const char* client) {
    return threads::IdempotencyKey({user}, protocol::ClientId{client});
  }
  threads::IdempotencyRow Answer(const char* user, const char* client) {
    return **scene.core.Rows().Idempotency(scene.core.ThreadNamed("T"), {user}, protocol::ClientId{client});
  }
  protocol::MessageId Message(const char* name) {
    return *protocol::MessageId::FromText(scene.names.IdOf(name));
  }
};

TEST_F(VerifyKept, finds_an_unreadable_answer) {
  Plant(Key("buyer", "c-1"), threads::EncodeIdempotency(Answer("buyer", "c-1")).substr(0, 30));
  EXPECT_THAT(Verify(), Contains(HasSubstr("IDEM#buyer#c-1: cannot be read")));
}

TEST_F(VerifyKept, finds_a_digest_with_a_wrong_size) {
  threads::IdempotencyRow row = Answer("buyer", "c-1");
  row.digest.pop_back();
  Plant(Key("buyer", "c-1"), threads::EncodeIdempotency(row));
  EXPECT_THAT(Verify(), Contains(HasSubstr("IDEM#buyer#c-1: its digest has 15 bytes")));
}

TEST_F(VerifyKept, finds_an_answer_that_never_expires) {
  threads::IdempotencyRow row = Answer("buyer", "c-1");
  row.expires_at.ms += int64_t{24} * 3600 * 1000;
  Plant(Key("buyer", "c-1"), threads::EncodeIdempotency(row));
  EXPECT_THAT(Verify(), Contains(HasSubstr("too long after the newest change")));
}

TEST_F(VerifyKept, finds_an_answer_with_another_users_message) {
  Plant(Key("buyer", "c-1"), threads::EncodeIdempotency(Answer("seller", "c-2")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("which was sent under another key")));
}

TEST_F(VerifyKept, finds_an_answer_with_a_missing_message) {
  threads::IdempotencyRow row = Answer("buyer", "c-1");
  const std::string id = scene.names.IdOf("M1");
  row.reply.replace(row.reply.find(id), id.size(), "msg_01k9a52dr0d179n3hr96t0j00g");
  Plant(Key("buyer", "c-1"), threads::EncodeIdempotency(row));
  EXPECT_THAT(Verify(), Contains(HasSubstr("msg_01k9a52dr0d179n3hr96t0j00g, which does not exist")));
}

TEST_F(VerifyKept, finds_history_without_an_item) {
  const std::string body = protocol::Encode(std::string("was"));
  Plant(threads::HistoryKey(*protocol::MessageId::FromText("msg_01k9a52dr0d179n3hr96t0j00g"), 5), body);
  EXPECT_THAT(Verify(), Contains(HasSubstr("#5: belongs to a message that does not exist")));
}

TEST_F(VerifyKept, finds_the_history_of_a_change_that_was_never_made) {
  const std::string body = protocol::Encode(std::string("was"));
  Plant(threads::HistoryKey(Message("M2"), 99), body);
  EXPECT_THAT(Verify(), Contains(HasSubstr("#99: belongs to no change of its message")));
}

TEST_F(VerifyKept, finds_unreadable_history) {
  Plant(
      threads::HistoryKey(Message("M1"),
                          (*scene.core.Rows().Message(scene.core.ThreadNamed("T"), Message("M1")))->item.seq),
      "\xc1");
  EXPECT_THAT(Verify(), Contains(HasSubstr("cannot be read")));
}

}  // namespace
}  // namespace parley::fanout
