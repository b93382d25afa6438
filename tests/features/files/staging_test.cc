#include "features/files/staging.h"

#include <gtest/gtest.h>

#include "tests/features/files/temporary_folder.h"

namespace parley::features {
namespace {

class StagedUploads : public testing::Test {
 protected:
  StagedFile Open() {
    auto opened = staging.Open(tenant, file);
    EXPECT_TRUE(opened.ok());
    return std::move(opened.value());
  }
  int64_t Offset() { return staging.OffsetOf(tenant, file).value(); }
  std::string Bytes() { return folder.Read(name); }
  // Another process, which begins with what is on the disk.
  void Append(std::string_view bytes) {
    StagedFile opened = Open();
    EXPECT_TRUE(opened.Append(bytes).ok() && opened.Sync().ok());
  }

  const protocol::TenantId tenant{"demo"};
  const protocol::AttachmentId file = *protocol::AttachmentId::FromText("att_01h00000000000000000000001");
  const std::string name = ".uploads/demo/" + file.ToText();
  TemporaryFolder folder;
  const Staging staging{folder.path()};
};

TEST_F(StagedUploads, go_on_where_their_bytes_end) {
  EXPECT_EQ(Offset(), 0);
  EXPECT_FALSE(staging.TouchedAt(tenant, file));
  Append("one");
  EXPECT_EQ(Offset(), 3);
  EXPECT_TRUE(staging.TouchedAt(tenant, file));
  StagedFile again = Open();
  EXPECT_EQ(again.offset(), 3);
  EXPECT_TRUE(again.Append("two").ok());
  EXPECT_EQ(again.offset(), 6);
  EXPECT_EQ(*again.ReadAt(2, 3), "etw");
  EXPECT_EQ(Bytes(), "onetwo");
}

TEST_F(StagedUploads, keep_bytes_that_were_confirmed) {
  Append("one");
  StagedFile opened = Open();
  EXPECT_TRUE(opened.BeginUnconfirmed().ok() && opened.Append("two").ok());
  EXPECT_EQ(Offset(), 3) << "the others are not confirmed yet";
  EXPECT_TRUE(opened.Confirm().ok());
  EXPECT_EQ(Offset(), 6);
  EXPECT_EQ(Open().offset(), 6);
}

TEST_F(StagedUploads, drop_bytes_that_were_not_confirmed_before_the_end) {
  Append("one");
  {
    StagedFile opened = Open();
    EXPECT_TRUE(opened.BeginUnconfirmed().ok() && opened.Append("two").ok() && opened.Sync().ok());
  }
  EXPECT_EQ(Bytes(), "onetwo");
  StagedFile again = Open();
  EXPECT_EQ(again.offset(), 3);
  EXPECT_EQ(Bytes(), "one");
  EXPECT_TRUE(again.Append("2").ok());
  EXPECT_EQ(Open().offset(), 4) << "those that came afterwards count";
}

TEST_F(StagedUploads, drop_bytes_whose_checksum_differs) {
  Append("one");
  StagedFile opened = Open();
  EXPECT_TRUE(opened.BeginUnconfirmed().ok() && opened.Append("two").ok());
  EXPECT_TRUE(opened.DropUnconfirmed().ok());
  EXPECT_EQ(opened.offset(), 3);
  EXPECT_EQ(Offset(), 3);
  EXPECT_TRUE(opened.Append("2").ok());
  EXPECT_EQ(Bytes(), "one2");
}

// The mark is synced before the first byte that it covers.
TEST_F(StagedUploads, keep_their_bytes_if_a_crash_tore_the_mark) {
  Append("one");
  folder.Write(name + ".unconfirmed", "");
  EXPECT_EQ(Offset(), 3);
  EXPECT_EQ(Open().offset(), 3);
  EXPECT_FALSE(folder.Has(name + ".unconfirmed"));
}

TEST_F(StagedUploads, start_again_if_the_whole_file_is_sent) {
  Append("one");
  StagedFile opened = Open();
  EXPECT_TRUE(opened.Restart().ok() && opened.Append("x").ok());
  EXPECT_EQ(Open().offset(), 1);
  EXPECT_EQ(Bytes(), "x");
}

// A server that ended after it stored the bytes and before it moved the upload's row.
TEST_F(StagedUploads, change_no_stored_bytes_if_they_start_again) {
  Append("one");
  std::filesystem::create_hard_link(folder.path() + "/" + name, folder.path() + "/stored");
  StagedFile opened = Open();
  EXPECT_TRUE(opened.Restart().ok() && opened.Append("two").ok());
  EXPECT_EQ(Bytes(), "two");
  EXPECT_EQ(folder.Read("stored"), "one");
}

TEST_F(StagedUploads, leave_nothing_when_they_are_removed) {
  Append("one");
  EXPECT_TRUE(Open().BeginUnconfirmed().ok());
  EXPECT_TRUE(staging.Remove(tenant, file).ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() + "/.uploads/demo"));
  EXPECT_TRUE(staging.Remove(tenant, file).ok()) << "twice is no failure";
  EXPECT_EQ(Offset(), 0);
}

TEST_F(StagedUploads, of_tenants_do_not_meet) {
  Append("one");
  EXPECT_EQ(*staging.OffsetOf({"acme"}, file), 0);
}

TEST_F(StagedUploads, are_for_the_server_only) {
  Append("one");
  const auto rights = [&](const std::string& path) {
    return std::filesystem::status(folder.path() + "/" + path).permissions();
  };
  using std::filesystem::perms;
  EXPECT_EQ(rights(name), perms::owner_read | perms::owner_write);
  EXPECT_EQ(rights(".uploads/demo"), perms::owner_all);
}

}  // namespace
}  // namespace parley::features
