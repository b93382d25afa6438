// Tests verify's reports on the rows of uploads.
#include <gmock/gmock.h>

#include "features/files/file_facts.h"
#include "tests/fanout/verify_scene.h"
#include "tests/threads/files/file_scene.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using threads::FileDue;
using threads::FileRow;
using threads::FileScene;
using threads::UploadNamed;
using enum threads::FileState;

// F1 is in message M1, F2 is ready, and F3 is not complete.
class VerifyFiles : public fanout::VerifyScene {
 protected:
  void SetUp() override {
    files.Given("buyer", "F1", kReady, 10);
    EXPECT_EQ(files.Send("buyer", "F1"), "ok");
    files.Given("buyer", "F2", kReady, 20);
    files.Given("seller", "F3", kUploading, 30);
    ExpectNoFaults();
  }
  std::vector<std::string> Faults() {
    scene.Settle();
    scene.worker->SaveCursors();
    std::vector<std::string> out;
    static constexpr fanout::MakeFacts proofs[] = {&facts::MakeFileFacts};
    const auto differs = [&](const std::string& what) { out.push_back(scene.names.Shorten(what)); };
    EXPECT_TRUE(
        fanout::VerifyStore(*scene.core.table, scene.core.clock.Now(), proofs, differs, &report).ok());
    return out;
  }
  void ExpectNoFaults() { EXPECT_THAT(Faults(), IsEmpty()); }
  void ExpectFault(const char* what) { EXPECT_THAT(Faults(), Contains(HasSubstr(what))); }

  FileRow Row(const char* name) {
    return *threads::ReadFile(scene.core.Rows(), files.Thread(), UploadNamed(name)).value();
  }
  void Put(const FileRow& row) {
    Plant(threads::ThreadPartition(FileScene::Tenant(), files.Thread()), threads::FileKey(row.id()),
          threads::EncodeFile(row));
  }
  void PutDue(const char* name, protocol::Time at, bool present) {
    Plant(threads::FileDuePartition(FileScene::Tenant()),
          threads::FileDueKey({at, files.Thread(), UploadNamed(name)}),
          present ? std::optional<std::string>("") : std::nullopt);
  }
  void PutRef(const char* name, const std::string& blob, bool present) {
    Plant(threads::BlobPartition(FileScene::Tenant(), blob), threads::FileRefKey(UploadNamed(name)),
          present ? std::optional<std::string>("") : std::nullopt);
  }
  protocol::Time Hours(int64_t hours) { return {scene.core.clock.Now().ms + hours * threads::kHourInMs}; }

  FileScene files{scene.core};
};

TEST_F(VerifyFiles, accepts_uploads_in_every_state_and_messages_that_lose_them) {
  files.Given("buyer", "F4", kScanning);
  files.Given("buyer", "F5", kQuarantined);
  files.Given("buyer", "F6", kFailed);
  files.Given("buyer", "F7", kCancelled);
  files.Given("buyer", "F8", kRequested);
  ExpectNoFaults();
  EXPECT_EQ(files.Send("buyer", "F2,F4"), "ok");
  ExpectNoFaults();
  files.scene.Do("ann(admin) moderation.message messageId=M2 moderation=blocked reason=r");
  ExpectNoFaults();
  EXPECT_EQ(files.Move("F4", kReady), "ok");
  ExpectNoFaults();
  files.scene.Do("ann(admin) moderation.message messageId=M2 moderation=flagged reason=r");
  files.AdvanceHours(1);
  files.scene.Do("ann(admin) message.delete messageId=M2 reason=r");
  files.scene.Do("ann(admin) moderation.message messageId=M1 moderation=redacted reason=r");
  ExpectNoFaults();
  files.Sweep();
  EXPECT_EQ(files.File("F1"), "none");
  EXPECT_EQ(files.File("F2"), "ready 20 M2 due=25");
  ExpectNoFaults();
  files.AdvanceHours(30);
  files.Sweep();
  ExpectNoFaults();
}

TEST_F(VerifyFiles, accepts_a_file_that_waits_for_its_band_and_no_other_that_does) {
  files.Given("buyer", "F4", kScanning);
  threads::FileMove waits = files.MoveTo("F4", kReady);
  waits.band_patience_ms = threads::kHourInMs;
  EXPECT_EQ(files.Move(waits), "ok");
  ExpectNoFaults();
  EXPECT_EQ(files.Send("buyer", "F4"), "ok");
  ExpectNoFaults();
  FileRow judged = Row("F4");
  judged.item.nsfw_band.value = protocol::Bounded<0, 2>{1};
  Put(judged);
  ExpectFault("F4: waits for a band that it does not need");
  FileRow ready = Row("F2");
  ready.judge_by.value = ready.begun_at;
  Put(ready);
  ExpectFault("F2: waits for a band that it does not need");
}

// T becomes a project in which F2 is evidence and a pin.
class VerifyShownFiles : public VerifyFiles {
 protected:
  void SetUp() override {
    VerifyFiles::SetUp();
    EXPECT_EQ(Do("service thread.promote legId=G1 eventId=e1"), "ok");
    EXPECT_EQ(Do("buyer card.create type=DISPUTE_OPEN clientId=d "
                 R"(payload={"reason":"r","evidence":[{"attachmentId":"F2"}]})"),
              "ok");
    EXPECT_EQ(Pin(0, R"({"id":"p","attribution":"a","attachmentId":"F2"})"), "ok");
    ExpectNoFaults();
  }
  std::string Do(const std::string& line) { return files.scene.Do(line); }
  std::string Pin(int version, const std::string& pins) {
    return Do("buyer tab.put tab=moodboard version=" + std::to_string(version) + " content={\"pins\":[" +
              pins + "]}");
  }
};

TEST_F(VerifyShownFiles, accepts_uploads_that_move_and_go) {
  threads::FileMove judged = files.MoveTo("F2", kReady);
  judged.band = 2;
  EXPECT_EQ(files.Move(judged), "ok");
  ExpectNoFaults();
  const std::string pin = R"({"id":"p","attribution":"a","attachmentId":"F2"})";
  EXPECT_EQ(Pin(1, ""), "ok");
  ExpectNoFaults();
  EXPECT_EQ(Pin(2, pin), "ok");
  ExpectNoFaults();
  EXPECT_EQ(Do("ann(admin) moderation.message messageId=M3 moderation=redacted reason=r"), "ok");
  ExpectNoFaults();
  EXPECT_EQ(files.Sweep(), "F2 stays");
  EXPECT_EQ(files.File("F2"), "ready 20 tab=moodboard band=2");
  ExpectNoFaults();
}

TEST_F(VerifyShownFiles, finds_a_copy_that_differs) {
  FileRow row = Row("F2");
  row.item.name.value = protocol::Text<255>{"other"};
  Put(row);
  ExpectFault("F2: card M3 shows it otherwise than its row");
  ExpectFault("F2: tab moodboard shows it otherwise than its row");
}

TEST_F(VerifyShownFiles, finds_a_row_that_does_not_name_what_shows_it) {
  FileRow row = Row("F2");
  row.cards = {};
  row.tabs = {};
  Put(row);
  ExpectFault("F2: is shown by card M3, but its row does not say so");
  ExpectFault("F2: is shown by tab moodboard, but its row does not say so");
  Plant(threads::ThreadPartition(FileScene::Tenant(), files.Thread()), threads::FileKey(row.id()),
        std::nullopt);
  ExpectFault("card M3 shows F2, which has no row");
}

TEST_F(VerifyShownFiles, finds_an_upload_that_nothing_will_remove) {
  FileRow row = Row("F2");
  row.tabs.value->items = {protocol::TabName::kFiles};
  Put(row);
  ExpectFault("F2: its FILEDUE# row is missing");
}

TEST_F(VerifyFiles, finds_an_upload_without_a_row_around_it) {
  Plant(threads::FilePartition(FileScene::Tenant(), UploadNamed("F2")), threads::FileThreadKey(),
        std::nullopt);
  ExpectFault("F2: its FILE row is missing");
  PutDue("F2", Hours(24), false);
  ExpectFault("F2: its FILEDUE# row is missing");
  PutRef("F2", FileScene::BlobOf("F2"), false);
  ExpectFault("F2: its FILEREF# row is missing");
}

TEST_F(VerifyFiles, finds_a_row_without_its_upload) {
  Plant(threads::FilePartition(FileScene::Tenant(), UploadNamed("F9")), threads::FileThreadKey(),
        std::string(files.Thread().ulid.raw()));
  ExpectFault("the FILE row of F9 leads to no such upload");
  PutDue("F2", Hours(23), true);
  ExpectFault("an extra FILEDUE# row of F2");
  PutDue("F1", Hours(1), true);
  ExpectFault("an extra FILEDUE# row of F1");
  PutRef("F2", FileScene::BlobOf('e'), true);
  ExpectFault("an extra FILEREF# row of F2 for eee");
  PutRef("F9", FileScene::BlobOf('e'), true);
  ExpectFault("an extra FILEREF# row of F9 for eee");
}

TEST_F(VerifyFiles, finds_an_index_that_leads_to_another_thread) {
  Plant(threads::FilePartition(FileScene::Tenant(), UploadNamed("F2")), threads::FileThreadKey(),
        std::string(16, 'x'));
  ExpectFault("the FILE row of F2 leads to no such upload");
}

TEST_F(VerifyFiles, finds_a_thread_that_counts_other_bytes) {
  FileRow row = Row("F3");
  row.item.size.value = 31;
  Put(row);
  ExpectFault("T: counts 60 bytes of uploads instead of 61");
  row.item.state.value = kCancelled;
  Put(row);
  ExpectFault("T: counts 60 bytes of uploads instead of 30");
}

TEST_F(VerifyFiles, finds_a_message_that_shows_another_file) {
  FileRow row = Row("F1");
  row.item.nsfw_band.value = protocol::Bounded<0, 2>{2};
  Put(row);
  ExpectFault("F1: M1 shows it otherwise than its row");
  row.message_id.reset();
  Put(row);
  ExpectFault("F1: is shown by M1, but its row does not say so");
  Plant(threads::ThreadPartition(FileScene::Tenant(), files.Thread()), threads::FileKey(row.id()),
        std::nullopt);
  ExpectFault("M1 shows F1, which has no row");
}

TEST_F(VerifyFiles, finds_an_upload_whose_message_does_not_show_it) {
  FileRow row = Row("F2");
  row.message_id = Row("F1").message_id;
  row.due_at.value.reset();
  Put(row);
  PutDue("F2", Hours(24), false);
  ExpectFault("F2: its FILEDUE# row is missing");
}

TEST_F(VerifyFiles, finds_a_time_at_which_the_clock_must_not_look) {
  FileRow row = Row("F2");
  row.due_at.value = Hours(25);
  Put(row);
  PutDue("F2", Hours(24), false);
  PutDue("F2", Hours(25), true);
  ExpectFault("F2: the clock will look after it at the wrong time");
  row.due_at.value.reset();
  Put(row);
  ExpectFault("F2: nothing shows it, and the clock will never look after it");
  row = Row("F1");
  row.due_at.value = Hours(24);
  Put(row);
  ExpectFault("F1: something shows it, but the clock will look after it");
}

TEST_F(VerifyFiles, finds_bytes_that_do_not_fit_the_state) {
  FileRow row = Row("F2");
  row.blob.value.reset();
  Put(row);
  ExpectFault("F2: has no stored bytes");
  row = Row("F3");
  row.blob.value = protocol::Text<64>{FileScene::BlobOf("F3")};
  Put(row);
  ExpectFault("F3: names stored bytes, but has none");
}

TEST_F(VerifyFiles, finds_uploads_that_do_not_follow_the_mark_of_their_bytes) {
  threads::FileMove hold = files.MoveTo("F1", kQuarantined);
  hold.condemns = true;
  EXPECT_EQ(files.Move(hold), "ok");
  ExpectNoFaults();
  files.EndSpreads();
  ExpectNoFaults();
  FileRow row = Row("F2");
  const std::string blob = FileScene::BlobOf("F1");
  PutRef("F2", row.blob.value->value, false);
  PutRef("F2", blob, true);
  row.blob.value = row.item.sha256.value = protocol::Text<64>{blob};
  Put(row);
  ExpectFault("F2: its bytes are condemned, but it is ready");
  Plant(threads::BlobPartition(FileScene::Tenant(), blob), threads::FileMarkKey(), std::nullopt);
  ExpectFault("F1: it is condemned, but its bytes are not");
}

TEST_F(VerifyFiles, finds_a_spread_of_another_upload) {
  threads::FileMove hold = files.MoveTo("F1", kQuarantined);
  hold.condemns = true;
  EXPECT_EQ(files.Move(hold), "ok");
  Plant(threads::FileSpreadPartition(FileScene::Tenant()),
        threads::FileSpreadKey(files.Thread(), UploadNamed("F2")),
        protocol::Encode(threads::FileSpread{files.Thread(), UploadNamed("F1"), {}, {}}));
  ExpectFault("a FILESPREAD# row names another upload than its key");
}

TEST_F(VerifyFiles, finds_a_row_under_the_id_of_another_upload) {
  FileRow row = Row("F2");
  row.item.attachment_id.value = UploadNamed("F9");
  Plant(threads::ThreadPartition(FileScene::Tenant(), files.Thread()), threads::FileKey(UploadNamed("F2")),
        threads::EncodeFile(row));
  ExpectFault("F2: its row names another upload");
}

}  // namespace
}  // namespace parley::features
