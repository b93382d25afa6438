#include "threads/files/move_file.h"

#include "tests/threads/files/file_scene.h"
#include "threads/model/record_act.h"

namespace parley::threads {
namespace {

using enum FileState;

constexpr FileState kStates[] = {kRequested,   kUploading, kScanning,  kReady,
                                 kQuarantined, kFailed,    kCancelled, kRemoved};

// A row for each state, a column for each next one: '+' moves, '=' stays, '-' ACTION_INVALID_STATE.
constexpr std::string_view kMoves[] = {
    "=++--+++",  // requested
    "-=+--+++",  // uploading
    "--=+++-+",  // scanning
    "---=+--+",  // ready
    "---+=--+",  // quarantined
    "-----=-+",  // failed
    "------=+",  // cancelled
    "-------=",  // removed
};

TEST(MoveFile, goes_from_state_to_state_by_the_table) {
  for (size_t from = 0; from < std::size(kStates); ++from) {
    for (size_t to = 0; to < std::size(kStates); ++to) {
      SCOPED_TRACE(std::string(protocol::NameOf(kStates[from])) + " to " +
                   std::string(protocol::NameOf(kStates[to])));
      FileScene files;
      files.Given("buyer", "F1", kStates[from]);
      const char expected = kMoves[from][to];
      EXPECT_EQ(files.Move("F1", kStates[to]), expected == '-' ? "ACTION_INVALID_STATE" : "ok");
      const FileState now = expected == '-' ? kStates[from] : kStates[to];
      EXPECT_TRUE(files.File("F1").starts_with(protocol::NameOf(now))) << files.File("F1");
      EXPECT_EQ(files.Bytes(), HasNoBytes(now) ? 0 : 10);
      const bool stored = now == kScanning || now == kReady || now == kQuarantined;
      EXPECT_EQ(files.Needed(FileScene::BlobOf("F1")), stored ? "F1" : "");
    }
  }
}

TEST(MoveFile, an_upload_that_does_not_exist_is_not_found) {
  FileScene files;
  EXPECT_EQ(files.Move("F1", kUploading), "NOT_FOUND");
}

TEST(MoveFile, a_repeat_commits_nothing) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove move = files.MoveTo("F1", kReady);
  move.band = 1;
  EXPECT_EQ(files.Move(move), "ok");
  const int commits = files.scene.watched->commits;
  const std::string first = files.reply;
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(files.reply, first);
  EXPECT_EQ(files.scene.watched->commits, commits);
}

TEST(MoveFile, the_clock_looks_after_each_state_at_its_time) {
  FileScene files;
  const std::pair<FileState, std::string_view> rows[] = {
      {kRequested, "24"}, {kUploading, "24"}, {kScanning, "first"}, {kReady, "24"},
      {kFailed, "24"},    {kCancelled, "24"}, {kQuarantined, "720"}};
  int number = 0;
  for (const auto& [state, due] : rows) {
    const std::string name = "F" + std::to_string(++number);
    files.Given("buyer", name, state);
    EXPECT_EQ(files.File(name).substr(files.File(name).find("due=") + 4), due) << protocol::NameOf(state);
  }
  EXPECT_EQ(files.Dues(), "F3 first; F1 24; F2 24; F4 24; F5 24; F6 24; F7 720");
}

TEST(MoveFile, the_size_that_counts_is_the_stored_one) {
  FileScene files;
  files.Given("buyer", "F1", kUploading, 100);
  FileMove move = files.MoveTo("F1", kScanning);
  move.stored->size = 70;  // without metadata
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(files.File("F1"), "scanning 70 due=first");
  EXPECT_EQ(files.Bytes(), 70);
  EXPECT_EQ(files.Move("F1", kFailed), "ok");
  EXPECT_EQ(files.Bytes(), 0);
}

TEST(MoveFile, equal_bytes_are_needed_until_no_upload_names_them) {
  FileScene files;
  const std::string blob = FileScene::BlobOf('e');
  for (const char* name : {"F1", "F2"}) {
    files.Given("buyer", name, kUploading);
    FileMove move = files.MoveTo(name, kScanning);
    move.stored->blob = protocol::Text<64>{blob};
    EXPECT_EQ(files.Move(move), "ok");
  }
  EXPECT_EQ(files.Needed(blob), "F1 F2");
  EXPECT_EQ(files.Move("F1", kRemoved), "ok");
  EXPECT_EQ(files.Needed(blob), "F2");
}

TEST(MoveFile, only_staff_release_a_file_that_the_scanner_found) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove found = files.MoveTo("F1", kQuarantined);
  found.by_scanner = true;
  found.reason = "Eicar-Test-Signature";
  EXPECT_EQ(files.Move(found), "ok");
  EXPECT_EQ(files.Move("F1", kReady), "FORBIDDEN");
  FileMove verdict = files.MoveTo("F1", kQuarantined);
  verdict.band = 0;
  EXPECT_EQ(files.Move(verdict), "ok");
  EXPECT_EQ(files.File("F1"), "quarantined 10 band=0 scanner due=720") << "a band is no release";
  EXPECT_EQ(files.Move("F1", kReady), "FORBIDDEN");
  FileMove release = files.MoveTo("F1", kReady);
  release.staff = CallerFrom("ann(moderator)");
  release.reason = "false alarm";
  EXPECT_EQ(files.Move(release), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 band=0 due=24");
  EXPECT_EQ(files.Move("F1", kQuarantined), "ok");
  EXPECT_EQ(files.Move("F1", kReady), "ok") << "a service releases what a service held";
}

TEST(MoveFile, no_verdict_replaces_the_scanner) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove release = files.MoveTo("F1", kReady);
  release.scanned = false;
  EXPECT_EQ(files.Move(release), "ACTION_INVALID_STATE");
  release.staff = CallerFrom("ann(moderator)");
  EXPECT_EQ(files.Move(release), "ACTION_INVALID_STATE");
  FileMove hold = files.MoveTo("F1", kQuarantined);
  hold.scanned = false;
  EXPECT_EQ(files.Move(hold), "ok");
  EXPECT_EQ(files.File("F1"), "quarantined 10 unscanned due=720");
  EXPECT_EQ(files.Move(release), "ok");
  EXPECT_EQ(files.File("F1"), "scanning 10 due=first") << "the scanner has not seen it yet";
  EXPECT_EQ(files.Move("F1", kReady), "ok");
  hold.scanned = false;
  EXPECT_EQ(files.Move(hold), "ok");
  EXPECT_EQ(files.Move(release), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 due=24") << "it was scanned before";
}

TEST(MoveFile, the_scanner_does_not_release_a_file_that_was_held_meanwhile) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove clean = files.MoveTo("F1", kReady);
  clean.from = kScanning;
  EXPECT_EQ(files.Move("F1", kQuarantined), "ok");
  EXPECT_EQ(files.Move(clean), "ACTION_INVALID_STATE");
  EXPECT_TRUE(files.File("F1").starts_with("quarantined"));
}

TEST(MoveFile, keeps_the_whole_characters_of_a_long_reason) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove hold = files.MoveTo("F1", kQuarantined);
  hold.reason = std::string(199, 'x') + "é";
  EXPECT_EQ(files.Move(hold), "ok");
  const auto row = ReadFile(files.scene.Rows(), files.Thread(), UploadNamed("F1")).value();
  EXPECT_EQ(row->reason.value->value, std::string(199, 'x'));
}

TEST(MoveFile, a_band_alone_changes_no_state_and_keeps_a_band_that_was_judged) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  FileMove band = files.MoveTo("F1", kScanning);
  band.stored.reset();
  band.to.reset();
  band.band = 2;
  EXPECT_EQ(files.Move(band), "ok");
  FileMove clean = files.MoveTo("F1", kReady);
  clean.first_band = 0;
  EXPECT_EQ(files.Move(clean), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 band=2 due=24");
}

// F1 is an image that was scanned, and waits an hour for its band.
class WaitsForBand : public testing::Test {
 protected:
  WaitsForBand() {
    files.Given("buyer", "F1", kScanning);
    EXPECT_EQ(files.Send("buyer", "F1"), "ok");
    EXPECT_EQ(files.Move(Prepared("F1")), "ok");
    EXPECT_EQ(files.File("F1"), "scanning 10 M1 due=1");
  }
  FileMove Prepared(const std::string& name) {
    FileMove move = files.MoveTo(name, kReady);
    move.from = kScanning;
    move.first_band = 0;
    move.band_patience_ms = kHourInMs;
    return move;
  }
  FileMove Verdict(std::optional<FileState> to, std::optional<int64_t> band) {
    FileMove move = files.MoveTo("F1", kReady);
    move.to = to;
    move.band = band;
    move.scanned = false;
    return move;
  }
  FileScene files;
};

TEST_F(WaitsForBand, and_is_ready_with_it) {
  files.Received();
  EXPECT_EQ(files.Move(Verdict({}, 1)), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M1 band=1");
  EXPECT_EQ(files.Dues(), "");
  EXPECT_EQ(files.Received(), "T 5 message.updated M1 buyer '' asset files=1\n");
  EXPECT_EQ(files.BandOfMessage("M1"), 1);
}

TEST_F(WaitsForBand, or_is_ready_without_it_if_the_back_end_says_so) {
  EXPECT_EQ(files.Move(Verdict(kReady, {})), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M1");
}

TEST_F(WaitsForBand, and_stays_ready_if_its_variants_come_after_the_verdict) {
  EXPECT_EQ(files.Move(Verdict(kReady, {})), "ok");
  FileMove late = Prepared("F1");
  late.to = late.from = std::nullopt;
  late.scanned = false;
  EXPECT_EQ(files.Move(late), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M1") << "not judged, and not taken back";
}

TEST_F(WaitsForBand, and_was_scanned_already_if_it_is_held_and_released) {
  EXPECT_EQ(files.Move(Verdict(kQuarantined, 2)), "ok");
  EXPECT_EQ(files.File("F1"), "quarantined 10 M1 band=2");
  EXPECT_EQ(files.Move(Verdict(kReady, {})), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M1 band=2");
}

TEST_F(WaitsForBand, and_goes_into_quarantine_instead_if_its_bytes_are_condemned) {
  files.Given("buyer", "F2", kUploading);
  FileMove same = files.MoveTo("F2", kScanning);
  same.stored->blob = protocol::Text<64>{FileScene::BlobOf("F1")};
  EXPECT_EQ(files.Move(same), "ok");
  FileMove held = files.MoveTo("F2", kQuarantined);
  held.condemns = true;
  EXPECT_EQ(files.Move(held), "ok");
  EXPECT_EQ(files.Move(Verdict({}, 1)), "ok");
  EXPECT_TRUE(files.File("F1").starts_with("quarantined 10 M1 band=1")) << files.File("F1");
}

TEST_F(WaitsForBand, only_if_it_is_an_image_or_a_video_that_nobody_has_judged) {
  files.Given("buyer", "F2", kScanning);
  FileMove band = files.MoveTo("F2", kReady);
  band.to.reset();
  band.band = 2;
  EXPECT_EQ(files.Move(band), "ok");
  EXPECT_EQ(files.Move(Prepared("F2")), "ok");
  EXPECT_EQ(files.File("F2"), "ready 10 band=2 due=24");
  UploadWish text = WishFor(files.Thread(), "F3", 10);
  text.mime = protocol::Text<127>{"text/plain"};
  EXPECT_EQ(files.Run([&](Transaction& tx) { return BeginUpload(tx, CallerFrom("buyer"), text); }), "ok");
  EXPECT_EQ(files.Move("F3", kScanning), "ok");
  EXPECT_EQ(files.Move(Prepared("F3")), "ok");
  EXPECT_EQ(files.File("F3"), "ready 10 band=0 due=24");
  files.Given("buyer", "F4", kScanning);
  FileMove at_once = Prepared("F4");
  at_once.band_patience_ms = 0;
  EXPECT_EQ(files.Move(at_once), "ok");
  EXPECT_EQ(files.File("F4"), "ready 10 due=24") << "without patience it is not judged, and not safe";
}

TEST_F(WaitsForBand, until_the_clock_ends_the_wait) {
  EXPECT_EQ(files.Sweep(), "");
  files.AdvanceHours(1);
  EXPECT_EQ(files.Sweep(), "F1 ready");
  FileMove end = Verdict(kReady, {});
  end.from = kScanning;
  EXPECT_EQ(files.Move(end), "ok");
  EXPECT_EQ(files.File("F1"), "ready 10 M1");
  EXPECT_EQ(files.Move(Verdict({}, 2)), "ok") << "a late verdict holds, too";
  EXPECT_EQ(files.Shown("M1"), "ready band=2");
}

TEST_F(WaitsForBand, and_goes_with_its_message) {
  EXPECT_EQ(files.scene.Do("buyer message.delete messageId=M1"), "ok");
  EXPECT_EQ(files.Sweep(), "F1 gone blob");
  EXPECT_EQ(files.Dues(), "");
}

TEST_F(WaitsForBand, however_often_the_clock_looks_before) {
  files.WriteDue("F1");
  EXPECT_EQ(files.Sweep(), "F1 stays");
  EXPECT_EQ(files.Dues(), "F1 1");
}

TEST(MoveFile, the_message_follows_its_files) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  files.Given("buyer", "F2", kReady);
  EXPECT_EQ(files.Send("buyer", "F1,F2"), "ok");
  files.Received();
  EXPECT_EQ(files.Shown("M1"), "scanning; ready");
  FileMove move = files.MoveTo("F1", kReady);
  move.band = 2;
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(files.Received(), "T 5 message.updated M1 buyer '' asset files=2\n");
  EXPECT_EQ(files.Shown("M1"), "ready band=2; ready");
  EXPECT_EQ(files.BandOfMessage("M1"), 2);
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(files.Received(), "");
  EXPECT_EQ(files.Move("F2", kQuarantined), "ok");
  EXPECT_EQ(files.Received(), "T 6 message.updated M1 buyer '' asset files=2\n");
  EXPECT_EQ(files.Shown("M1"), "ready band=2; quarantined");
}

TEST(MoveFile, the_band_of_a_message_is_the_highest_of_its_files) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  files.Given("buyer", "F2", kReady);
  EXPECT_EQ(files.Send("buyer", "F1,F2"), "ok");
  const auto judge = [&](const char* name, int64_t band) {
    FileMove move = files.MoveTo(name, kReady);
    move.band = band;
    EXPECT_EQ(files.Move(move), "ok");
    return files.BandOfMessage("M1");
  };
  EXPECT_EQ(judge("F1", 2), 2);
  EXPECT_EQ(judge("F2", 1), 2);
  EXPECT_EQ(judge("F1", 0), 1);
  EXPECT_EQ(judge("F2", 0), 0);
  files.scene.Do("ann(admin) moderation.message messageId=M1 moderation=clean nsfwBand=2 reason=r");
  EXPECT_EQ(judge("F1", 1), 2) << "staff set it higher";
}

TEST(MoveFile, a_withheld_message_keeps_its_files_as_they_are_now) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M1 moderation=blocked reason=r"), "ok");
  files.Received();
  FileMove move = files.MoveTo("F1", kQuarantined);
  move.band = 2;
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(files.Received(), "") << "members see no attachments";
  EXPECT_EQ(files.Shown("M1"), "");
  EXPECT_EQ(files.scene.Do("ann(admin) moderation.message messageId=M1 moderation=clean reason=r"), "ok");
  EXPECT_EQ(files.Shown("M1"), "quarantined band=2");
  EXPECT_EQ(files.BandOfMessage("M1"), 2);
}

TEST(MoveFile, a_deleted_message_does_not_show_its_files_again) {
  FileScene files;
  files.Given("buyer", "F1", kScanning);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  EXPECT_EQ(files.scene.Do("buyer message.delete messageId=M1"), "ok");
  files.Received();
  EXPECT_EQ(files.Move("F1", kReady), "ok");
  EXPECT_EQ(files.Received(), "");
  EXPECT_EQ(files.Shown("M1"), "");
}

TEST(MoveFile, an_act_of_staff_is_recorded_and_one_of_the_server_is_not) {
  FileScene files;
  files.Given("buyer", "F1", kReady);
  EXPECT_EQ(files.Send("buyer", "F1"), "ok");
  const auto acts = [&] {
    std::vector<ActRow> out;
    EXPECT_TRUE(files.scene.table
                    ->Scan(ThreadPartition(FileScene::Tenant(), files.Thread()),
                           RangeOf(storage::ThreadTag::kAct), storage::Direction::kForward, SIZE_MAX,
                           [&](std::string_view, storage::RowView row) {
                             out.push_back(ItemFrom<ActRow>(row.payload));
                             return true;
                           })
                    .ok());
    return out;
  };
  FileMove move = files.MoveTo("F1", kQuarantined);
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(acts().size(), 0u);
  move = files.MoveTo("F1", kReady);
  move.staff = CallerFrom("ann(moderator)");
  move.reason = "harmless";
  EXPECT_EQ(files.Move(move), "ok");
  ASSERT_EQ(acts().size(), 1u);
  EXPECT_EQ(acts()[0].action, "moderation.file");
  EXPECT_EQ(files.Move(move), "ok");
  EXPECT_EQ(acts().size(), 1u) << "a repeat is no act";
}

}  // namespace
}  // namespace parley::threads
