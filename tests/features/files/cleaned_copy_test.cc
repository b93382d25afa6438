// The copy without metadata: it has its own hash, replaces nothing that is stored, and is gone afterwards.
#include "features/files/cleaned_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "protocol/base/encoding.h"

namespace parley::features {
namespace {

using namespace std::literals;
namespace fs = std::filesystem;

const std::string kPixels = "\xff\xdb\0\x03 \xff\xda\0\x02 pixels \xff\xd9"s;
const std::string kPicture = "\xff\xd8\xff\xfe\0\x08SECRET"s + kPixels;
const std::string kCleaned = "\xff\xd8"s + kPixels;

std::string Sha256(const std::string& bytes) {
  Digest digest(Digest::Kind::kSha256);
  digest.Add(bytes);
  return protocol::Hex(digest.Finish());
}

std::string BytesOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class CleanedCopyTest : public testing::Test {
 protected:
  CleanedCopyTest() {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }
  ~CleanedCopyTest() override { fs::remove_all(directory_); }

  void Stage(const std::string& bytes) {
    auto file = PosixFile::Create(path_);
    ASSERT_TRUE(file.ok());
    staged_.emplace(std::move(*file), path_, 0);
    ASSERT_TRUE(staged_->Append(bytes).ok());
  }

  const fs::path directory_ =
      fs::path(testing::TempDir()) /
      ("cleaned_copy_"s + testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string path_ = (directory_ / "upload").string();
  std::optional<StagedFile> staged_;
};

TEST_F(CleanedCopyTest, the_copy_has_its_own_bytes_and_hash_and_is_removed) {
  Stage(kPicture);
  StagedReader reader(*staged_);
  std::string path;
  {
    CleanedCopy copy(*staged_);
    path = copy.path();
    const auto cleaned = clean::Clean(reader, "image/jpeg", copy);
    ASSERT_TRUE(cleaned.ok());
    EXPECT_EQ(cleaned->kind, clean::Cleaned::Kind::kCleaned);
    ASSERT_TRUE(copy.Finish().ok());
    EXPECT_EQ(BytesOf(path), kCleaned);
    EXPECT_EQ(copy.hash(), Sha256(kCleaned));
    EXPECT_EQ(cleaned->size, static_cast<int64_t>(kCleaned.size()));
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(BytesOf(path_), kPicture) << "the upload stays until its row has moved";
}

TEST_F(CleanedCopyTest, a_file_without_metadata_has_no_copy) {
  Stage(kCleaned);
  StagedReader reader(*staged_);
  CleanedCopy copy(*staged_);
  const auto cleaned = clean::Clean(reader, "image/jpeg", copy);
  ASSERT_TRUE(cleaned.ok());
  EXPECT_EQ(cleaned->kind, clean::Cleaned::Kind::kUnchanged);
  EXPECT_FALSE(fs::exists(copy.path()));
}

// A crash after the copy was stored, which gave its file a second name, and before the copy was removed.
TEST_F(CleanedCopyTest, a_copy_that_a_crash_left_is_replaced_and_not_overwritten) {
  Stage(kPicture);
  const std::string left = CleanedPathOf(path_), stored = (directory_ / "stored").string();
  std::ofstream(left, std::ios::binary) << "an earlier copy, longer than the new one, of the same upload";
  fs::create_hard_link(left, stored);
  StagedReader reader(*staged_);
  CleanedCopy copy(*staged_);
  ASSERT_TRUE(clean::Clean(reader, "image/jpeg", copy).ok());
  ASSERT_TRUE(copy.Finish().ok());
  EXPECT_EQ(BytesOf(copy.path()), kCleaned);
  EXPECT_EQ(BytesOf(stored), "an earlier copy, longer than the new one, of the same upload");
}

}  // namespace
}  // namespace parley::features
