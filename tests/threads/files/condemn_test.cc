// Bytes that are condemned by one upload are in quarantine in all of them.
#include "threads/files/condemn.h"

#include "tests/threads/files/file_scene.h"

namespace parley::threads {
namespace {

using enum FileState;

// F1 and F2 have the same bytes: F1 is in message M1, F2 in M2. F3 will have them, too.
class CondemnedBytes : public testing::Test {
 protected:
  CondemnedBytes() {
    files.Given("buyer", "F1", kReady);
    EXPECT_EQ(files.Send("buyer", "F1"), "ok");
    Equal("seller", "F2");
    EXPECT_EQ(files.Move("F2", kReady), "ok");
    EXPECT_EQ(files.Send("seller", "F2"), "ok");
  }
  // Completes an upload with the bytes of F1.
  void Equal(const std::string& by, const std::string& name) {
    EXPECT_EQ(files.Begin(by, name), "ok");
    FileMove move = files.MoveTo(name, kScanning);
    move.scanned = false;
    move.stored->blob = move.stored->sha256 = protocol::Text<64>{blob};
    EXPECT_EQ(files.Move(move), "ok");
  }
  FileMove Judgement(const std::string& name, FileState to, bool by_staff) {
    FileMove move = files.MoveTo(name, to);
    move.scanned = false;
    move.condemns = true;
    move.reason = "bad";
    if (by_staff) move.staff = CallerFrom("ann(moderator)");
    return move;
  }
  std::string Judge(const std::string& name, FileState to, bool by_staff = true) {
    return files.Move(Judgement(name, to, by_staff));
  }
  FileScene files;
  const std::string blob = FileScene::BlobOf("F1");
};

TEST_F(CondemnedBytes, go_into_quarantine_in_every_upload) {
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  EXPECT_EQ(files.Marked(blob), "bad");
  EXPECT_EQ(files.File("F2"), "ready 10 M2") << "not yet";
  EXPECT_EQ(files.SpreadsTo("F1,F2"), "ok");
  EXPECT_EQ(files.File("F1"), "quarantined 10 M1 condemned");
  EXPECT_EQ(files.File("F2"), "quarantined 10 M2 condemned");
  EXPECT_EQ(files.Shown("M2"), "quarantined");
  EXPECT_EQ(files.SpreadsTo("F1,F2"), "ok") << "a repeat after a crash changes nothing";
  files.EndSpreads();
}

TEST_F(CondemnedBytes, come_in_quarantine_when_they_are_uploaded_again) {
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  Equal("buyer", "F3");
  EXPECT_EQ(files.File("F3"), "quarantined 10 unscanned condemned due=720");
  EXPECT_EQ(files.Send("buyer", "F3"), "UPLOAD_QUARANTINED");
}

TEST_F(CondemnedBytes, are_not_passed_by_the_scanner_meanwhile) {
  Equal("buyer", "F3");
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  FileMove clean = files.MoveTo("F3", kReady);
  clean.from = kScanning;
  EXPECT_EQ(files.Move(clean), "ok");
  EXPECT_EQ(files.File("F3"), "quarantined 10 condemned due=720");
}

TEST_F(CondemnedBytes, are_free_in_every_upload_when_staff_release_one) {
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  Equal("buyer", "F3");
  EXPECT_EQ(files.SpreadsTo("F1,F2,F3"), "ok");
  files.EndSpreads();
  EXPECT_EQ(Judge("F2", kReady), "ok");
  EXPECT_EQ(files.Marked(blob), "none");
  EXPECT_EQ(files.SpreadsTo("F1,F2,F3"), "ok");
  files.EndSpreads();
  EXPECT_EQ(files.File("F1"), "ready 10 M1");
  EXPECT_EQ(files.File("F2"), "ready 10 M2");
  EXPECT_EQ(files.File("F3"), "scanning 10 due=first") << "the scanner has not seen it yet";
}

TEST_F(CondemnedBytes, that_the_scanner_found_are_released_by_staff_alone) {
  Equal("buyer", "F3");
  FileMove found = Judgement("F3", kQuarantined, false);
  found.by_scanner = found.scanned = true;
  EXPECT_EQ(files.Move(found), "ok");
  EXPECT_EQ(files.Marked(blob), "bad (scanner)");
  EXPECT_EQ(files.SpreadsTo("F1,F2,F3"), "ok");
  EXPECT_EQ(files.File("F1"), "quarantined 10 M1 scanner condemned");
  EXPECT_EQ(Judge("F1", kReady, false), "FORBIDDEN");
  EXPECT_EQ(Judge("F1", kReady), "ok");
  EXPECT_EQ(files.SpreadsTo("F1,F2,F3"), "ok");
  EXPECT_EQ(files.File("F3"), "ready 10 due=24");
}

TEST_F(CondemnedBytes, of_a_service_are_released_by_it) {
  EXPECT_EQ(Judge("F1", kQuarantined, false), "ok");
  EXPECT_EQ(files.SpreadsTo("F2"), "ok");
  EXPECT_EQ(Judge("F2", kReady, false), "ok");
  EXPECT_EQ(files.Marked(blob), "none");
}

TEST_F(CondemnedBytes, follow_the_last_of_two_decisions) {
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  EXPECT_EQ(Judge("F1", kReady), "ok");
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  EXPECT_EQ(files.SpreadsTo("F1,F2"), "ok");
  files.EndSpreads();
  EXPECT_EQ(files.File("F2"), "quarantined 10 M2 condemned");
}

TEST_F(CondemnedBytes, of_another_change_keep_its_row) {
  EXPECT_EQ(Judge("F1", kQuarantined), "ok");
  const auto partition = FileSpreadPartition(FileScene::Tenant());
  const auto key = FileSpreadKey(files.Thread(), UploadNamed("F1"));
  std::optional<storage::Row> row;
  EXPECT_TRUE(files.scene.table->Get(partition, key, &row).ok() && row);
  const auto first = ItemFrom<FileSpread>(row->payload);
  EXPECT_EQ(Judge("F1", kReady), "ok");
  EXPECT_EQ(files.Run([&](Transaction& tx) { return EndSpread(tx, FileScene::Tenant(), first); }), "ok");
  EXPECT_TRUE(files.scene.table->Get(partition, key, &row).ok());
  EXPECT_TRUE(row) << "the release has not reached all uploads";
}

TEST_F(CondemnedBytes, are_those_of_a_message_that_is_redacted_as_illegal) {
  const auto redact = [&](const std::string& how) {
    return files.scene.Do("ann(admin) moderation.message messageId=M1 reason=abuse illegal=true moderation=" +
                          how);
  };
  EXPECT_EQ(redact("blocked"), "BAD_REQUEST illegal");
  EXPECT_EQ(redact("redacted"), "ok");
  EXPECT_EQ(files.Marked(blob), "abuse");
  EXPECT_EQ(files.SpreadsTo("F2"), "ok");
  EXPECT_EQ(files.File("F2"), "quarantined 10 M2 condemned");
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
  files.EndSpreads();
  EXPECT_EQ(files.Marked(blob), "abuse") << "it outlives the upload";
}

TEST_F(CondemnedBytes, are_not_those_of_a_file_that_failed_by_itself) {
  Equal("buyer", "F3");
  FileMove large = Judgement("F3", kQuarantined, false);
  large.condemns = false;
  EXPECT_EQ(files.Move(large), "ok");
  EXPECT_EQ(files.Marked(blob), "none");
  EXPECT_EQ(files.File("F3"), "quarantined 10 unscanned due=720");
}

}  // namespace
}  // namespace parley::threads
