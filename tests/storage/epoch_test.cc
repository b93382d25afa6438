// A store that was copied or restored must get another epoch; until it does, the server detects it.
#include "storage/epoch.h"

#include <gtest/gtest.h>

#include "storage/origin.h"
#include "storage/row_format.h"
#include "storage/store_meta.h"
#include "storage/store_rows.h"
#include "tests/storage/rocksdb_fixture.h"

namespace parley::storage {
namespace {

class Epoch : public RocksdbFailure {
 protected:
  void SetUp() override { MakeStore(); }
  // Like the server when it starts; returns the epoch that it would report to its clients.
  std::string Serve(const std::string& dir) {
    const auto table = Succeed(OpenRocksdb({.dir = dir}));
    const std::string epoch = table->identity().epoch;
    if (!IsUnrenewedCopy(dir, epoch)) {
      EXPECT_EQ(WriteOrigin(dir, epoch), "");
    }
    return epoch;
  }
  bool Suspect(const std::string& dir) {
    const auto table = Succeed(OpenRocksdb({.dir = dir, .create_if_missing = false, .read_only = true}));
    return IsUnrenewedCopy(dir, table->identity().epoch);
  }
  std::string Copy(const std::string& to) {
    fs::copy(dir_, temp_.path() + "/" + to, fs::copy_options::recursive);
    return temp_.path() + "/" + to;
  }
  static EpochChange Renew(const std::string& dir) {
    auto renewed = RenewEpoch(dir);
    if (const auto* error = std::get_if<OpenError>(&renewed)) {
      ADD_FAILURE() << error->message;
      return {};
    }
    return std::get<EpochChange>(renewed);
  }
};

TEST_F(Epoch, changes_and_nothing_else_does) {
  const StoreIdentity before = Open()->identity();
  const EpochChange change = Renew(dir_);
  EXPECT_EQ(change.before, before.epoch);
  EXPECT_NE(change.after, before.epoch);
  EXPECT_TRUE(change.after.starts_with("ep_") && change.after.size() == before.epoch.size());
  for (const bool read_only : {true, false}) {
    const auto table = Succeed(OpenRocksdb({.dir = dir_, .read_only = read_only}));
    EXPECT_EQ(table->identity().epoch, change.after);
    EXPECT_EQ(table->identity().secret, before.secret) << "tokens and cursors go on being good";
    EXPECT_EQ(table->LastPosition(), 3u);
  }
}

TEST_F(Epoch, is_not_changed_under_a_server) {
  const auto table = Open();
  const auto renewed = RenewEpoch(dir_);
  ASSERT_TRUE(std::holds_alternative<OpenError>(renewed));
  EXPECT_EQ(std::get<OpenError>(renewed).fault, OpenFault::kLocked);
}

TEST_F(Epoch, of_nothing_is_not_changed_and_makes_no_store) {
  const auto renewed = RenewEpoch(temp_.path() + "/nowhere");
  ASSERT_TRUE(std::holds_alternative<OpenError>(renewed));
  EXPECT_EQ(std::get<OpenError>(renewed).fault, OpenFault::kMissing);
  EXPECT_FALSE(fs::exists(temp_.path() + "/nowhere"));
}

// Reading META before the opening uses the files alone.
TEST_F(Epoch, that_is_in_the_wal_alone_counts) {
  StoreMeta meta = NewStoreMeta();
  WithRawDatabase([&](const Database& database) {
    rocksdb::WriteOptions synced;
    synced.sync = true;
    ASSERT_TRUE(
        database.db
            ->Put(synced, database.family(Family::kRows), MetaKey(), EncodeRowHead(1) + EncodeMeta(meta))
            .ok());
  });
  EXPECT_EQ(Succeed(OpenRocksdb({.dir = dir_, .read_only = true}))->identity().epoch, meta.identity.epoch);
  EXPECT_EQ(Open()->identity().epoch, meta.identity.epoch);
}

TEST_F(Epoch, that_a_copy_kept_is_noticed_until_it_is_renewed) {
  const std::string epoch = Serve(dir_);
  EXPECT_FALSE(Suspect(dir_)) << "it is the original";
  const std::string copy = Copy("copy");
  EXPECT_TRUE(Suspect(copy));
  EXPECT_EQ(Serve(copy), epoch) << "it is served all the same";
  EXPECT_TRUE(Suspect(copy)) << "and noticed again";
  Renew(copy);
  EXPECT_FALSE(Suspect(copy));
  EXPECT_NE(Serve(copy), epoch);
  EXPECT_FALSE(Suspect(copy));
  EXPECT_FALSE(Suspect(dir_));
}

TEST_F(Epoch, that_was_put_back_into_the_same_directory_is_noticed) {
  Serve(dir_);
  const std::string backup = Copy("backup");
  for (const bool in_place : {false, true}) {
    Serve(dir_);  // time passes
    for (const auto& entry : fs::directory_iterator(dir_)) {
      if (!in_place || entry.path().filename() != "ORIGIN") fs::remove_all(entry.path());
    }
    for (const auto& entry : fs::directory_iterator(backup)) {
      // Like rsync --inplace: the bytes change, the file stays.
      WriteFile(fs::path(dir_) / entry.path().filename(), ReadFile(entry.path()));
    }
    EXPECT_TRUE(Suspect(dir_)) << in_place;
    Renew(dir_);
    EXPECT_FALSE(Suspect(dir_)) << in_place;
  }
}

TEST_F(Epoch, stays_with_a_store_that_is_moved_or_starts_again) {
  Serve(dir_);
  Serve(dir_);
  const std::string moved = temp_.path() + "/moved";
  fs::rename(dir_, moved);
  EXPECT_FALSE(Suspect(moved));
  Serve(moved);
  EXPECT_FALSE(Suspect(moved));
}

TEST_F(Epoch, of_a_store_that_no_server_marked_is_not_suspected) {
  EXPECT_FALSE(Suspect(dir_));
  EXPECT_FALSE(Suspect(Copy("copy"))) << "as those of 0.1.0 are";
  Serve(dir_);
  WriteFile(dir_ + "/ORIGIN", "");
  EXPECT_FALSE(Suspect(dir_));
}

}  // namespace
}  // namespace parley::storage
