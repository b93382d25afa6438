// Only its owner may access a store.
#include "storage/store_modes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

namespace fs = std::filesystem;

// Sets a umask while it lives.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(::umask(mask)) {}
  ~Umask() { ::umask(before_); }

 private:
  const mode_t before_;
};

unsigned ModeOf(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions());
}

class StoreModes : public testing::Test {
 protected:
  std::string Path(const std::string& name) { return dir_.path() + "/" + name; }
  std::optional<OpenError> Open(const std::string& dir) {
    RocksdbSettings settings;
    settings.dir = dir;
    auto opened = OpenRocksdb(settings);
    if (auto* error = std::get_if<OpenError>(&opened)) return *error;
    return std::nullopt;
  }
  TempDir dir_;
};

TEST_F(StoreModes, a_new_store_is_for_its_owner_whatever_the_umask) {
  for (const mode_t mask : {0000u, 0022u, 0077u}) {
    const Umask umask(mask);
    const std::string store = Path("above" + std::to_string(mask) + "/store");
    EXPECT_FALSE(Open(store));
    EXPECT_EQ(ModeOf(store), 0700u) << mask;
    EXPECT_FALSE(IsOpenToOthers(store));
  }
}

TEST_F(StoreModes, a_store_that_was_open_to_others_is_closed_with_its_files) {
  const std::string store = Path("store");
  ASSERT_FALSE(Open(store));
  const std::string secret = store + "/000000.log";
  std::ofstream(secret) << "x";
  fs::permissions(store, fs::perms(0755));
  fs::permissions(secret, fs::perms(0664));
  EXPECT_TRUE(IsOpenToOthers(store));
  EXPECT_FALSE(MakePrivate(store));
  EXPECT_EQ(ModeOf(store), 0700u);
  EXPECT_EQ(ModeOf(secret), 0600u);
}

TEST_F(StoreModes, files_that_are_open_to_others_are_closed_in_a_private_store_too) {
  const std::string store = Path("store");
  ASSERT_FALSE(Open(store));
  const std::string secret = store + "/000000.log";
  std::ofstream(secret) << "x";
  fs::permissions(secret, fs::perms(0664));
  EXPECT_FALSE(MakePrivate(store));
  EXPECT_EQ(ModeOf(secret), 0600u);
}

TEST_F(StoreModes, a_store_that_is_private_is_left_as_it_is) {
  const std::string store = Path("store");
  fs::create_directory(store);
  fs::permissions(store, fs::perms(0500));
  EXPECT_FALSE(MakePrivate(store + "/"));
  EXPECT_EQ(ModeOf(store), 0500u);
  fs::permissions(store, fs::perms(0700));
}

TEST_F(StoreModes, a_path_that_is_no_directory_is_an_error) {
  std::ofstream(Path("file")) << "x";
  const auto error = MakePrivate(Path("file"));
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("irectory"), std::string::npos) << error->message;
}

}  // namespace
}  // namespace parley::storage
