#include "threads/files/sweep_file.h"

#include "tests/threads/files/file_scene.h"
#include "threads/files/file_upkeep.h"

namespace parley::threads {
namespace {

using enum FileState;

// A file of 10 bytes in a message M1 of the buyer, an hour after its upload.
class SentFile : public testing::Test {
 protected:
  SentFile() {
    files.Given("buyer", "F1", kReady);
    EXPECT_EQ(files.Send("buyer", "F1"), "ok");
    files.AdvanceHours(1);
  }
  void Moderate(const std::string& moderation) {
    EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M1 reason=r moderation=" + moderation),
              "ok");
  }
  void ExpectGone() {
    EXPECT_EQ(files.Sweep(), "F1 gone blob");
    EXPECT_EQ(files.File("F1"), "none");
    EXPECT_EQ(files.Needed(FileScene::BlobOf("F1")), "");
    EXPECT_EQ(files.Dues(), "");
    EXPECT_EQ(files.Bytes(), 0);
  }
  FileScene files;
};

TEST(SweepFile, an_upload_that_nobody_sends_ends_after_a_day) {
  for (const FileState state : {kRequested, kReady, kFailed, kCancelled}) {
    SCOPED_TRACE(protocol::NameOf(state));
    FileScene files;
    files.Given("buyer", "F1", state);
    files.AdvanceHours(23);
    EXPECT_EQ(files.Sweep(), "");
    files.AdvanceHours(1);
    EXPECT_EQ(files.Sweep(), state == kReady ? "F1 gone blob" : "F1 gone");
    EXPECT_EQ(files.File("F1"), "none");
    EXPECT_EQ(files.Dues(), "");
    EXPECT_EQ(files.Bytes(), 0);
  }
}

TEST(SweepFile, evidence_in_quarantine_stays_for_thirty_days) {
  FileScene files;
  files.Given("buyer", "F1", kQuarantined);
  files.AdvanceHours(30 * 24 - 1);
  EXPECT_EQ(files.Sweep(), "");
  files.AdvanceHours(1);
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
}

TEST(SweepFile, an_upload_lives_a_day_after_its_last_byte_and_a_week_at_most) {
  FileScene files;
  files.Given("buyer", "F1", kUploading);
  for (int day = 1; day <= 6; ++day) {
    files.AdvanceHours(23);
    files.touched["F1"] = files.scene.clock.Now();
    files.AdvanceHours(1);
    EXPECT_EQ(files.Sweep(), "F1 stays") << day;
    const std::string end = std::to_string(day * 24 + 23);
    EXPECT_EQ(files.File("F1"), "uploading 10 due=" + end);
    EXPECT_EQ(files.Dues(), "F1 " + end);
  }
  files.AdvanceHours(23);
  files.touched["F1"] = files.scene.clock.Now();
  files.AdvanceHours(1);
  EXPECT_EQ(files.Sweep(), "F1 gone") << "a week is over";
  EXPECT_EQ(files.Bytes(), 0);
}

TEST(SweepFile, a_file_whose_work_did_not_end_is_worked_on_again) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(files.Sweep(), "F1 scans");
  EXPECT_EQ(files.File("F1"), "scanning 10 due=first");
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 scans");
  EXPECT_EQ(files.Move("F1", kReady), "ok");
  EXPECT_EQ(files.Sweep(), "");
  EXPECT_EQ(files.Dues(), "");
}

TEST_F(SentFile, stays_while_its_message_shows_it) {
  EXPECT_EQ(files.Dues(), "");
  files.AdvanceHours(10'000);
  EXPECT_EQ(files.Sweep(), "");
  EXPECT_EQ(files.Move("F1", kQuarantined), "ok");
  EXPECT_EQ(files.Dues(), "");
  EXPECT_EQ(files.File("F1"), "quarantined 10 M1");
}

TEST_F(SentFile, leaves_with_its_deleted_message) {
  EXPECT_EQ(files.scene.Do("ann(admin) message.delete messageId=M1 reason=r"), "ok");
  EXPECT_EQ(files.Dues(), "F1 1");
  ExpectGone();
}

TEST_F(SentFile, leaves_with_its_redacted_message) {
  Moderate("redacted");
  ExpectGone();
}

TEST_F(SentFile, stays_while_staff_withhold_its_message) {
  Moderate("blocked");
  EXPECT_EQ(files.Sweep(), "");
  EXPECT_EQ(files.File("F1"), "ready 10 M1");
  Moderate("redacted");
  ExpectGone();
}

TEST_F(SentFile, of_a_flagged_message_stays_until_its_case_ends) {
  Moderate("flagged");
  EXPECT_EQ(files.scene.Do("ann(admin) message.delete messageId=M1 reason=r"), "ok");
  for (int day = 0; day < 3; ++day) {
    EXPECT_EQ(files.Sweep(), "F1 stays");
    EXPECT_EQ(files.File("F1"), "ready 10 M1 due=" + std::to_string(25 + 24 * day));
    EXPECT_EQ(files.Dues(), "F1 " + std::to_string(25 + 24 * day));
    files.AdvanceHours(24);
  }
  EXPECT_EQ(files.Bytes(), 10);
  EXPECT_EQ(files.Sweep(), "F1 stays");
}

TEST(SweepFile, evidence_leaves_when_its_message_is_flagged_no_more) {
  for (const char* decision : {"clean", "redacted"}) {
    SCOPED_TRACE(decision);
    FileScene files;
    files.Given("buyer", "F1", kReady);
    EXPECT_EQ(files.Send("buyer", "F1"), "ok");
    const auto moderate = [&](const std::string& how) {
      EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M1 reason=r moderation=" + how),
                "ok");
    };
    moderate("flagged");
    EXPECT_EQ(files.scene.Do("ann(admin) message.delete messageId=M1 reason=r"), "ok");
    EXPECT_EQ(files.Sweep(), "F1 stays");
    files.AdvanceHours(1);
    moderate(decision);
    EXPECT_EQ(files.Dues(), "F1 1; F1 24");
    EXPECT_EQ(files.Sweep(), "F1 gone blob");
    EXPECT_EQ(files.Dues(), "");
  }
}

TEST_F(SentFile, of_a_case_stays_although_its_message_is_not_flagged) {
  EXPECT_EQ(files.scene.Do("ann(admin) message.delete messageId=M1 reason=r"), "ok");
  const FileDue due{files.scene.clock.Now(), files.Thread(), UploadNamed("F1")};
  FileSweep sweep{due, std::nullopt, true};
  const auto run = [&] {
    EXPECT_EQ(files.Run([&](Transaction& tx) { return SweepFile(tx, FileScene::Tenant(), sweep); }), "ok");
    return ItemFrom<FileSwept>(files.reply).gone.value.value_or(false);
  };
  EXPECT_FALSE(run());
  EXPECT_EQ(files.File("F1"), "ready 10 M1 due=25");
  sweep.held = false;
  sweep.due.at.ms += 24 * kHourInMs;
  EXPECT_TRUE(run());
}

TEST(SweepFile, a_file_that_failed_after_it_was_sent_stays_in_its_message) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.Move("F1", kFailed), "ok");
  EXPECT_EQ(files.Shown("M1"), "failed");
  EXPECT_EQ(files.File("F1"), "failed 10 M1");
  EXPECT_EQ(files.Dues(), "");
}

TEST(SweepFile, a_file_that_waits_for_the_scanner_leaves_with_its_message) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.scene.Do("buyer message.delete messageId=M1"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 gone blob; F1 gone") << "it had two rows that were due";
  EXPECT_EQ(files.Dues(), "");
  EXPECT_EQ(files.Bytes(), 0);
}

TEST(SweepFile, a_due_row_without_its_upload_is_removed) {
  FileScene files;
  files.WriteDue("F1");
  EXPECT_EQ(files.Dues(), "F1 0");
  EXPECT_EQ(files.Sweep(), "F1 gone");
  EXPECT_EQ(files.Dues(), "");
}

TEST(SweepFile, a_due_row_that_its_upload_does_not_name_changes_nothing_else) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  files.WriteDue("F1");
  EXPECT_EQ(files.Dues(), "F1 0; F1 24");
  EXPECT_EQ(files.Sweep(), "F1 stays");
  EXPECT_EQ(files.Dues(), "F1 24");
  EXPECT_EQ(files.File("F1"), "ready 10 due=24");
}

}  // namespace
}  // namespace parley::threads
