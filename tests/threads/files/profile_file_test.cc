// Avatars and brands: uploads that belong to no thread.
#include "threads/files/profile_file.h"

#include <gtest/gtest.h>

#include "tests/threads/files/file_scene.h"

namespace parley::threads {
namespace {

using enum FileState;

class ProfileFiles : public testing::Test {
 protected:
  std::string Run(std::function<Result<Decision>(Transaction&)> decide) {
    std::string outcome;
    Job job;
    job.tenant = FileScene::Tenant();
    job.thread = ThreadId();
    job.decide = std::move(decide);
    job.done = [&](const Answer& answer) { outcome = answer.ok() ? "ok" : ErrorText(answer.error()); };
    files.scene.executor->Submit(std::move(job));
    files.scene.Step();
    return outcome;
  }
  std::string Begin(const std::string& by, const std::string& name, FilePurpose purpose) {
    return Run([wish = WishFor({}, name, 10), caller = CallerFrom(by), purpose](Transaction& tx) {
      return BeginProfile(tx, caller, wish, purpose);
    });
  }
  std::string Move(const std::string& name, FileState to) {
    FileMove move = files.MoveTo(name, to);
    move.thread = ThreadId();
    if (move.stored) move.stored->size = 10;
    return Run([move](Transaction& tx) { return MoveFile(tx, FileScene::Tenant(), move); });
  }
  void Ready(const std::string& by, const std::string& name, FilePurpose purpose = FilePurpose::kAvatar) {
    EXPECT_EQ(Begin(by, name, purpose), "ok");
    EXPECT_EQ(Move(name, kScanning), "ok");
    EXPECT_EQ(Move(name, kReady), "ok");
  }
  std::string Current(const std::string& user, FilePurpose purpose = FilePurpose::kAvatar) {
    const auto file = ReadProfile(files.scene.Rows(), purpose, UserId{KeyText::UpToNul(user)}).value();
    return file ? files.scene.names.NameOf(file->ToText()) : "none";
  }
  bool Exists(const std::string& name) {
    return ReadFile(files.scene.Rows(), {}, UploadNamed(name)).value().has_value();
  }
  // Looks after all uploads that are due.
  void Sweep() {
    std::vector<FileDue> found;
    EXPECT_TRUE(files.scene.table
                    ->Scan(FileDuePartition(FileScene::Tenant()), storage::SortRange::All(),
                           storage::Direction::kForward, SIZE_MAX,
                           [&](std::string_view sort, storage::RowView) {
                             FileDue due;
                             EXPECT_TRUE(ParseFileDueKey(sort, &due));
                             if (due.at <= files.scene.clock.Now()) found.push_back(due);
                             return true;
                           })
                    .ok());
    for (const FileDue& due : found) {
      EXPECT_EQ(Run([due](Transaction& tx) {
                  return SweepFile(tx, FileScene::Tenant(), {due, std::nullopt});
                }),
                "ok");
    }
  }
  FileScene files;
};

TEST_F(ProfileFiles, an_upload_becomes_the_avatar_when_it_is_ready) {
  EXPECT_EQ(Begin("buyer", "F1", FilePurpose::kAvatar), "ok");
  EXPECT_EQ(Move("F1", kScanning), "ok");
  EXPECT_EQ(Current("buyer"), "none");
  EXPECT_EQ(Move("F1", kReady), "ok");
  EXPECT_EQ(Current("buyer"), "F1");
  EXPECT_EQ(Current("seller"), "none");
  EXPECT_EQ(Current("buyer", FilePurpose::kBrand), "none");
  files.AdvanceHours(1000);
  Sweep();
  EXPECT_TRUE(Exists("F1"));
}

TEST_F(ProfileFiles, a_new_avatar_replaces_the_one_before) {
  Ready("buyer", "F1");
  Ready("seller", "F2");
  Ready("buyer", "F3");
  EXPECT_EQ(Current("buyer"), "F3");
  Sweep();
  EXPECT_FALSE(Exists("F1"));
  EXPECT_EQ(files.Needed(FileScene::BlobOf("F1")), "") << "its bytes may go";
  EXPECT_TRUE(Exists("F2"));
  EXPECT_EQ(files.Needed(FileScene::BlobOf("F3")), "F3");
}

TEST_F(ProfileFiles, one_that_never_gets_ready_changes_nothing) {
  Ready("buyer", "F1");
  EXPECT_EQ(Begin("buyer", "F2", FilePurpose::kAvatar), "ok");
  EXPECT_EQ(Move("F2", kScanning), "ok");
  EXPECT_EQ(Move("F2", kQuarantined), "ok");
  EXPECT_EQ(Current("buyer"), "F1");
  EXPECT_EQ(Begin("buyer", "F3", FilePurpose::kAvatar), "ok");
  files.AdvanceHours(25);
  Sweep();
  EXPECT_FALSE(Exists("F3"));
  EXPECT_TRUE(Exists("F1"));
}

TEST_F(ProfileFiles, services_and_admins_set_the_brand) {
  EXPECT_EQ(Begin("buyer", "F1", FilePurpose::kBrand), "FORBIDDEN");
  EXPECT_EQ(Begin("service", "F1", FilePurpose::kBrand), "FORBIDDEN") << "it names no user";
  Ready("ann(admin)", "F1", FilePurpose::kBrand);
  Ready("service(buyer)", "F2", FilePurpose::kBrand);
  EXPECT_EQ(Current("", FilePurpose::kBrand), "F2");
  EXPECT_EQ(Current("buyer"), "none");
  Sweep();
  EXPECT_FALSE(Exists("F1"));
}

}  // namespace
}  // namespace parley::threads
