// The file of sealing keys: bad files are rejected, and no key is ever lost.
#include "storage/sealing/key_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOne = "psk_" + std::string(64, '1'), kTwo = "psk_" + std::string(64, '2');

class KeyFile : public testing::Test {
 protected:
  void Put(const std::string& text, fs::perms mode = fs::perms(0600)) {
    std::ofstream(path_) << text;
    fs::permissions(path_, mode);
  }
  std::string Text() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Returns the ids, or the reason for the rejection.
  std::string Read() const {
    const auto keys = ReadKeyFile(path_);
    if (!keys.ok()) return keys.error().message;
    if (!*keys) return "no file";
    std::string out;
    for (const SealingKey& key : **keys) out += key.id.ToText() + " ";
    return out;
  }
  static std::string IdOf(char digit) {
    return SealingKey::FromBytes(std::string(32, static_cast<char>((digit - '0') * 17))).id.ToText();
  }

  TempDir dir_;
  const std::string path_ = dir_.path() + "/sealing.key";
};

TEST_F(KeyFile, is_made_with_one_key_for_its_owner_alone) {
  EXPECT_EQ(Read(), "no file");
  ::umask(0);
  const auto made = MakeKeyFile(path_);
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->size(), 1u);
  EXPECT_EQ(made->front().bytes.size(), kSealingKeyBytes);
  EXPECT_EQ(Read(), made->front().id.ToText() + " ");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0600));
  EXPECT_EQ(MakeKeyFile(path_)->front().bytes, made->front().bytes) << "one that is there is kept";
}

TEST_F(KeyFile, a_new_key_comes_first_and_none_is_lost) {
  Put("# mine\n" + kOne + "\n\n" + kTwo + "\n");
  const auto keys = AddKey(path_);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(Read(), keys->front().id.ToText() + " " + IdOf('1') + " " + IdOf('2') + " ");
  EXPECT_THAT(Text(), HasSubstr("# mine\n" + kOne));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0600));
  fs::remove(path_);
  EXPECT_FALSE(AddKey(path_).ok()) << "there is nothing to add to";
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(KeyFile, two_concurrent_additions_both_succeed) {
  Put(kOne + "\n");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_TRUE(AddKey(path_).ok()); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ((*ReadKeyFile(path_))->size(), 9u);
}

TEST_F(KeyFile, an_unfinished_file_of_a_crash_does_no_harm) {
  Put(kOne + "\n");
  std::ofstream(path_ + ".new") << "psk_half";
  EXPECT_EQ(AddKey(path_)->size(), 2u);
  EXPECT_FALSE(fs::exists(path_ + ".new"));
}

TEST_F(KeyFile, one_that_others_may_access_is_refused) {
  for (const unsigned mode : {0640u, 0604u, 0620u, 0601u}) {
    Put(kOne + "\n", fs::perms(mode));
    EXPECT_THAT(Read(), HasSubstr("chmod 600")) << mode;
    EXPECT_FALSE(AddKey(path_).ok());
  }
  Put(kOne + "\n", fs::perms(0400));
  EXPECT_EQ(Read(), IdOf('1') + " ");
}

TEST_F(KeyFile, symbolic_links_and_non_files_are_refused) {
  std::ofstream(dir_.path() + "/real") << kOne << "\n";
  fs::permissions(dir_.path() + "/real", fs::perms(0600));
  fs::create_symlink(dir_.path() + "/real", path_);
  EXPECT_THAT(Read(), HasSubstr("symbolic link"));
  EXPECT_FALSE(MakeKeyFile(path_).ok());
  fs::remove(path_);
  fs::create_symlink(dir_.path() + "/nowhere", path_);
  EXPECT_FALSE(MakeKeyFile(path_).ok()) << "no file is created through a dangling link";
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_THAT(Read(), HasSubstr("no file"));
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(Read(), HasSubstr("no file")) << "and the read does not wait for a pipe";
}

TEST_F(KeyFile, truncated_or_other_text_is_refused_without_showing_it) {
  const std::pair<std::string, const char*> kBad[] = {
      {"", "hold no key"},
      {"# only a comment\n", "hold no key"},
      {kOne, "cut short"},
      {kTwo + "\n" + kOne.substr(0, 40), "cut short"},
      {kTwo + "\n" + kOne.substr(0, 40) + "\n", "line 2 no key"},
      {kOne + "0\n", "line 1 no key"},
      {"psk_" + std::string(63, '1') + "G\n", "line 1 no key"},
      {"opk_" + std::string(64, '1') + "\n", "line 1 no key"},
      {kOne + "\r\n", "line 1 no key"},
      {kOne + "\n" + kTwo + "\n" + kOne + "\n", "line 3 the key"},
      {std::string(70'000, '#') + "\n", "too large"},
  };
  for (const auto& [text, why] : kBad) {
    Put(text);
    EXPECT_THAT(Read(), HasSubstr(why)) << text.substr(0, 80);
    EXPECT_THAT(Read(), Not(HasSubstr("1111"))) << text.substr(0, 80);
  }
}

}  // namespace
}  // namespace parley::storage
