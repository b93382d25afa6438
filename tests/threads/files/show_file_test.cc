// Uploads that cards and tabs show: who may name them, how their copies follow, and when they go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/threads/files/file_scene.h"
#include "threads/model/file_refs.h"

namespace parley::threads {
namespace {

using enum FileState;
using testing::HasSubstr;
using testing::Not;

// T is a project; M1 reports that.
class ShownFiles : public testing::Test {
 protected:
  ShownFiles() { EXPECT_EQ(files.scene.Do("service thread.promote legId=G1 eventId=e1"), "ok"); }

  std::string Dispute(const std::string& by, const std::string& evidence) {
    return files.scene.Do(by + " card.create type=DISPUTE_OPEN clientId=" + FreshClientId() +
                          R"( payload={"reason":"r","evidence":[)" + evidence + "]}");
  }
  static std::string Upload(const std::string& name) { return "{\"attachmentId\":\"" + name + "\"}"; }
  std::string Pin(const std::string& by, int version, const std::string& pins) {
    return files.scene.Do(by + " tab.put tab=moodboard version=" + std::to_string(version) +
                          " content={\"pins\":[" + pins + "]}");
  }
  static std::string PinOf(const std::string& name, const std::string& more = "") {
    return "{\"id\":\"" + name + "\",\"attribution\":\"me\",\"attachmentId\":\"" + name + "\"" + more + "}";
  }
  std::string Prove(const std::string& by, int version, const std::string& content) {
    return files.scene.Do(by + " tab.put tab=files version=" + std::to_string(version) + " content={" +
                          content + "}");
  }
  std::string CardJson(const std::string& card) {
    const auto row =
        files.scene.Rows().Card(files.Thread(), *MessageId::FromText(files.scene.names.IdOf(card))).value();
    return protocol::MsgpackToJson(row->item.payload.msgpack);
  }
  std::string TabJson(protocol::TabName tab) {
    const auto row = files.scene.Rows().Tab(files.Thread(), tab).value();
    return protocol::MsgpackToJson(row->item.content.msgpack);
  }
  FileScene files;
};

TEST_F(ShownFiles, a_card_takes_complete_uploads_of_its_author) {
  files.Given("buyer", "F1", kReady);
  files.Given("buyer", "F2", kUploading);
  files.Given("seller", "F3", kReady);
  files.Given("buyer", "F4", kQuarantined);
  files.Given("seller", "F5", kQuarantined);
  files.Given("buyer", "F6", kFailed);
  const std::string unknown = "CARD_INVALID evidence.0.attachmentId";
  EXPECT_EQ(Dispute("buyer", Upload("F2")), unknown);
  EXPECT_EQ(Dispute("buyer", Upload("F3")), unknown);
  EXPECT_EQ(Dispute("buyer", Upload("F5")), unknown) << "tells nothing about others' uploads";
  EXPECT_EQ(Dispute("buyer", Upload("F9")), unknown);
  EXPECT_EQ(Dispute("buyer", Upload("F4")), "UPLOAD_QUARANTINED");
  EXPECT_EQ(Dispute("buyer", Upload("F6")), "UPLOAD_QUARANTINED");
  EXPECT_EQ(Dispute("buyer", Upload("F1") + "," + Upload("F1")), "CARD_INVALID evidence.1.attachmentId");
  EXPECT_EQ(Dispute("buyer", R"({"attachmentId":"F1","nsfwBand":0})"), "CARD_INVALID evidence.0");
  EXPECT_EQ(files.File("F1"), "ready 10 due=24") << "nothing of it happened";
  EXPECT_EQ(Dispute("buyer", Upload("F1")), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 card=M2");
  EXPECT_EQ(files.Dues(), "F2 24; F3 24; F6 24; F4 720; F5 720");
  EXPECT_THAT(CardJson("M2"), HasSubstr(R"("attachment":{"kind":"file")"));
}

TEST_F(ShownFiles, an_upload_of_another_thread_is_unknown) {
  files.Given("buyer", "F1", kReady);
  files.scene.Do("buyer thread.create kind=group");
  const std::string other = files.scene.names.IdOf("T2");
  ASSERT_NE(other, "T2");
  EXPECT_EQ(files.scene.Do("service(buyer) tab.put threadId=T2 tab=moodboard version=0 content={\"pins\":[" +
                           PinOf("F1") + "]}"),
            "FORBIDDEN");
}

TEST_F(ShownFiles, a_custom_cards_payload_is_plain_data) {
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(
      files.scene.Do("seller card.create type=CUSTOM clientId=c payload={\"evidence\":[" + Upload("F1") +
                     "]} allowedTransitions=[{\"from\":\"PENDING\",\"intent\":\"end\",\"toState\":"
                     "\"ENDED\"}]"),
      "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 due=24");
}

TEST_F(ShownFiles, a_card_shows_the_state_of_its_evidence) {
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(Dispute("buyer", Upload("F1")), "ok");
  EXPECT_THAT(CardJson("M2"), HasSubstr(R"("state":"scanning")"));
  files.Received();
  EXPECT_EQ(files.Move("F1", kReady), "ok");
  EXPECT_EQ(files.Received(), "T 8 card.updated M2 DISPUTE_OPEN OPEN v1\n");
  EXPECT_THAT(CardJson("M2"), HasSubstr(R"("state":"ready")"));
  EXPECT_EQ(protocol::MsgpackToJson(files.MessageNamed("M2").item.action->payload.msgpack), CardJson("M2"));
  EXPECT_EQ(files.Move("F1", kReady), "ok");
  EXPECT_EQ(files.Received(), "") << "nothing changed";
}

TEST_F(ShownFiles, evidence_stays_while_its_card_has_it) {
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(Dispute("buyer", Upload("F1")), "ok");
  files.AdvanceHours(100);
  EXPECT_EQ(files.Sweep(), "");
  EXPECT_EQ(files.scene.Do("buyer card.act messageId=M2 intent=settle version=1 clientId=s"), "ok");
  EXPECT_EQ(files.Sweep(), "") << "an ended card has it, too";
  EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M2 moderation=redacted reason=r"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
  EXPECT_EQ(files.Bytes(), 0);
}

TEST_F(ShownFiles, evidence_of_a_reported_card_outlives_its_content) {
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(Dispute("buyer", Upload("F1")), "ok");
  EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M2 moderation=flagged reason=r"), "ok");
  EXPECT_EQ(files.scene.Do("ann(admin) message.delete messageId=M2 reason=r"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 stays");
  EXPECT_EQ(files.File("F1"), "ready 10 card=M2 due=24");
}

TEST_F(ShownFiles, a_pin_takes_complete_uploads_of_its_author) {
  files.Given("buyer", "F1", kReady);
  files.Given("buyer", "F2", kRequested);
  files.Given("seller", "F3", kReady);
  files.Given("buyer", "F4", kQuarantined);
  const std::string unknown = "BAD_REQUEST content.pins.0.attachmentId";
  EXPECT_EQ(Pin("buyer", 0, PinOf("F2")), unknown);
  EXPECT_EQ(Pin("buyer", 0, PinOf("F3")), unknown);
  EXPECT_EQ(Pin("buyer", 0, PinOf("F9")), unknown);
  EXPECT_EQ(Pin("buyer", 0, PinOf("F4")), "UPLOAD_QUARANTINED");
  EXPECT_EQ(Pin("buyer", 0, PinOf("F1", R"(,"nsfwBand":0)")), "BAD_REQUEST content.pins.0.nsfwBand");
  EXPECT_EQ(Pin("buyer", 0, PinOf("F1", R"(,"url":"https://a.example/1")")),
            "BAD_REQUEST content.pins.0.url");
  EXPECT_EQ(Pin("buyer", 0, R"({"id":"p","attribution":"a","attachment":{}})"),
            "BAD_REQUEST content.pins.0.attachment");
  EXPECT_EQ(Pin("service", 0, PinOf("F3")), "FORBIDDEN");
  EXPECT_EQ(Pin("buyer", 0, PinOf("F1", R"(,"attachment":{"state":"ready","nsfwBand":0,"name":"forged"})")),
            "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 tab=moodboard");
  EXPECT_THAT(TabJson(protocol::TabName::kMoodboard), Not(HasSubstr("forged")));
}

TEST_F(ShownFiles, others_may_keep_a_pin_and_remove_it) {
  files.Given("buyer", "F1", kReady);
  files.Given("seller", "F2", kReady);
  EXPECT_EQ(Pin("buyer", 0, PinOf("F1")), "ok");
  EXPECT_EQ(Pin("seller", 1, PinOf("F2") + "," + PinOf("F1")), "ok");
  EXPECT_EQ(Pin("seller", 2, PinOf("F2")), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 tab=moodboard") << "until the clock looks";
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
  EXPECT_EQ(files.File("F2"), "ready 10 tab=moodboard");
  EXPECT_EQ(Pin("seller", 3, PinOf("F2") + "," + PinOf("F1")), "BAD_REQUEST content.pins.1.attachmentId");
}

TEST_F(ShownFiles, a_pin_follows_its_upload_without_a_new_version) {
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(Pin("buyer", 0, PinOf("F1")), "ok");
  files.Received();
  FileMove judged = files.MoveTo("F1", kReady);
  judged.band = 2;
  EXPECT_EQ(files.Move(judged), "ok");
  EXPECT_EQ(files.Received(), "T 7 tab.updated moodboard\n");
  EXPECT_THAT(TabJson(protocol::TabName::kMoodboard), HasSubstr(R"("state":"ready")"));
  EXPECT_THAT(TabJson(protocol::TabName::kMoodboard), HasSubstr(R"("nsfwBand":2)"));
  EXPECT_EQ(Pin("seller", 1, PinOf("F1", R"(,"caption":"c")")), "ok") << "nobody else wrote the tab";
}

TEST_F(ShownFiles, a_sent_file_may_be_in_the_files_tab_and_stays_while_either_shows_it) {
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  const std::string proof = R"({"id":"p","name":"n","attachmentId":"F1"})";
  EXPECT_EQ(Prove("buyer", 0, "\"proofs\":[" + proof + "]"), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M2 tab=files");
  EXPECT_EQ(files.scene.Do("buyer message.delete messageId=M2"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 stays");
  EXPECT_EQ(files.File("F1"), "ready 10 tab=files");
  EXPECT_EQ(files.Dues(), "");
  EXPECT_EQ(Prove("buyer", 1, "\"proofs\":[]"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
}

TEST_F(ShownFiles, only_services_set_keys_and_bands_of_tabs) {
  const std::string proof = R"("proofs":[{"id":"p","name":"n","s3Key":"k","nsfwBand":1}])";
  EXPECT_EQ(Prove("buyer", 0, proof), "BAD_REQUEST content.proofs.0.s3Key content.proofs.0.nsfwBand");
  EXPECT_EQ(Prove("buyer", 0, R"("proofs":[{"id":"p","name":"n"}])"),
            "BAD_REQUEST content.proofs.0.attachmentId");
  EXPECT_EQ(Prove("service(buyer)", 0, proof), "ok");
  EXPECT_EQ(Prove("buyer", 1, proof + R"(,"finals":[])"), "ok") << "what is stored may stay";
  EXPECT_EQ(Prove("buyer", 2, R"("proofs":[{"id":"p","name":"n","s3Key":"k2","nsfwBand":1}])"),
            "BAD_REQUEST content.proofs.0.s3Key");
  EXPECT_EQ(Pin("buyer", 0, R"({"id":"p","attribution":"a","url":"https://a.example/1","nsfwBand":1})"),
            "BAD_REQUEST content.pins.0.nsfwBand");
  EXPECT_EQ(Prove("seller", 2, R"("finals":[{"manifestRef":"m"}])"),
            "BAD_REQUEST content.finals.0.manifestRef");
}

TEST_F(ShownFiles, the_back_end_may_name_anybodys_upload_in_the_files_tab) {
  files.Given("seller", "F1", kReady);
  EXPECT_EQ(Prove("service(buyer)", 0, R"("proofs":[{"id":"p","name":"n","attachmentId":"F1"}])"),
            "BAD_REQUEST content.proofs.0.attachmentId");
  EXPECT_EQ(Prove("service", 0, R"("proofs":[{"id":"p","name":"n","attachmentId":"F1"}])"), "ok");
}

TEST_F(ShownFiles, a_tab_takes_a_limited_number) {
  std::string pins;
  for (int i = 0; i <= 50; ++i)
    pins += (i ? R"(,{"id":")" : R"({"id":")") + std::to_string(i) +
            R"(","attribution":"a","attachmentId":"F1"})";
  EXPECT_EQ(Pin("buyer", 0, pins), "BAD_REQUEST content");
}

}  // namespace
}  // namespace parley::threads
