// Blobs in a directory.
#include <gtest/gtest.h>

#include <set>

#include "features/files/blob_store.h"
#include "tests/features/files/temporary_folder.h"

namespace parley::features {
namespace {

class DirectoryBlobs : public testing::Test {
 protected:
  std::string Bytes(const std::string& blob) {
    auto opened = blobs->Open(tenant, blob);
    EXPECT_TRUE(opened.ok());
    if (!*opened) return "none";
    return *(*opened)->ReadAt(0, static_cast<size_t>((*opened)->size()));
  }
  std::set<std::string> All() {
    std::set<std::string> out;
    EXPECT_TRUE(blobs
                    ->List([&](const protocol::TenantId& of, const std::string& blob) {
                      out.insert(of.ToText() + " " + blob);
                      return true;
                    })
                    .ok());
    return out;
  }

  const protocol::TenantId tenant{"demo"};
  TemporaryFolder folder;
  const std::unique_ptr<BlobStore> blobs = NewDirectoryBlobs(folder.path() + "/files");
};

TEST_F(DirectoryBlobs, are_read_in_pieces) {
  EXPECT_EQ(Bytes("abc"), "none");
  EXPECT_TRUE(blobs->Put(tenant, "abc", folder.Write("upload", "0123456789")).ok());
  EXPECT_EQ(Bytes("abc"), "0123456789");
  auto opened = blobs->Open(tenant, "abc");
  EXPECT_EQ((*opened)->size(), 10);
  EXPECT_EQ(*(*opened)->ReadAt(3, 4), "3456");
  EXPECT_EQ(*(*opened)->ReadAt(8, 4), "89");
  EXPECT_EQ(*(*opened)->ReadAt(10, 4), "");
}

TEST_F(DirectoryBlobs, outlive_the_file_that_they_came_from) {
  const std::string path = folder.Write("upload", "bytes");
  EXPECT_TRUE(blobs->Put(tenant, "abc", path).ok());
  EXPECT_TRUE(folder.Has("upload")) << "it stays until its upload is removed";
  std::filesystem::remove(path);
  EXPECT_EQ(Bytes("abc"), "bytes");
}

TEST_F(DirectoryBlobs, never_change_under_their_name) {
  EXPECT_TRUE(blobs->Put(tenant, "abc", folder.Write("one", "first")).ok());
  EXPECT_TRUE(blobs->Put(tenant, "abc", folder.Write("two", "second")).ok());
  EXPECT_EQ(Bytes("abc"), "first");
}

TEST_F(DirectoryBlobs, can_be_read_to_the_end_after_their_removal) {
  EXPECT_TRUE(blobs->Put(tenant, "abc", folder.Write("one", "bytes")).ok());
  auto opened = blobs->Open(tenant, "abc");
  EXPECT_TRUE(blobs->Remove(tenant, "abc").ok());
  EXPECT_TRUE(blobs->Remove(tenant, "abc").ok()) << "twice is no failure";
  EXPECT_EQ(*(*opened)->ReadAt(0, 5), "bytes");
  EXPECT_EQ(Bytes("abc"), "none");
}

TEST_F(DirectoryBlobs, are_listed_with_their_tenants_and_without_uploads) {
  EXPECT_EQ(All(), std::set<std::string>());
  const std::string path = folder.Write("one", "bytes");
  EXPECT_TRUE(blobs->Put(tenant, "abc", path).ok());
  EXPECT_TRUE(blobs->Put(tenant, "abc-thumb", path).ok());
  EXPECT_TRUE(blobs->Put({"acme"}, "abc", path).ok());
  std::filesystem::create_directories(folder.path() + "/files/.uploads/demo");
  EXPECT_EQ(All(), (std::set<std::string>{"demo abc", "demo abc-thumb", "acme abc"}));
  int seen = 0;
  EXPECT_TRUE(blobs->List([&](const protocol::TenantId&, const std::string&) { return ++seen < 2; }).ok());
  EXPECT_EQ(seen, 2);
}

TEST_F(DirectoryBlobs, of_a_missing_file_are_not_stored) {
  EXPECT_FALSE(blobs->Put(tenant, "abc", folder.path() + "/nothing").ok());
  EXPECT_EQ(Bytes("abc"), "none");
}

}  // namespace
}  // namespace parley::features
