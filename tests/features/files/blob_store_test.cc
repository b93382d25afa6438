// What every store of bytes does: a directory, and a bucket if the environment names one:
//   PARLEY_TEST_S3=http://127.0.0.1:4568 AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… features_test
// The bucket `parley-test` exists then. tests/e2e/files_s3.test.mjs runs them so.
#include "features/files/blob_store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "features/files/store_choice.h"
#include "protocol/base/clock.h"
#include "tests/features/files/temporary_folder.h"

namespace parley::features {
namespace {

std::string BucketEndpoint() {
  const char* endpoint = std::getenv("PARLEY_TEST_S3");
  return endpoint ? endpoint : "";
}

std::vector<std::string> Kinds() {
  if (BucketEndpoint().empty()) return {"directory"};
  return {"directory", "bucket"};
}

class Blobs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const bool bucket = GetParam() == "bucket";
    const auto option = [&](std::string_view key) -> std::string {
      if (key == "data") return folder.path();
      if (!bucket) return "";
      if (key == "files_store") return "s3://parley-test" + folder.path();  // each test has a prefix
      if (key == "files_s3_endpoint") return BucketEndpoint();
      if (key == "files_s3_region") return "us-east-1";
      return key == "files_s3_path_style" ? "true" : "";
    };
    auto made = MakeBlobStore(option, health);
    ASSERT_TRUE(made.ok()) << made.error().message;
    blobs = std::move(*made);
  }
  void Put(const std::string& blob, const std::string& bytes) {
    EXPECT_TRUE(blobs->Put(tenant, blob, folder.Write("upload", bytes)).ok());
    std::filesystem::remove(folder.path() + "/upload");
  }
  std::string Bytes(const std::string& blob) {
    auto opened = blobs->Open(tenant, blob);
    EXPECT_TRUE(opened.ok());
    if (!opened.ok() || !*opened) return "none";
    auto bytes = (*opened)->ReadAt(0, static_cast<size_t>((*opened)->size()));
    EXPECT_TRUE(bytes.ok());
    return bytes.ok() ? *bytes : "unreadable";
  }
  std::set<std::string> All() {
    std::set<std::string> out;
    const auto list = blobs->List();
    for (auto page = list->Next(); page.ok() && !page->empty(); page = list->Next()) {
      for (const ListedBlob& one : *page) {
        out.insert(one.tenant.ToText() + " " + one.blob);
        EXPECT_LT(std::abs(one.written_at.ms - protocol::SystemClock().Now().ms), 600'000);
      }
    }
    return out;
  }

  const protocol::TenantId tenant{"demo"};
  TemporaryFolder folder;
  protocol::Metrics metrics;
  StoreHealth health{metrics};
  std::unique_ptr<BlobStore> blobs;
};

TEST_P(Blobs, are_read_in_pieces) {
  EXPECT_EQ(Bytes("abc"), "none");
  Put("abc", "0123456789");
  EXPECT_EQ(Bytes("abc"), "0123456789");
  auto opened = blobs->Open(tenant, "abc");
  EXPECT_EQ((*opened)->size(), 10);
  EXPECT_EQ(*(*opened)->ReadAt(3, 4), "3456");
  EXPECT_EQ(*(*opened)->ReadAt(8, 4), "89");
  EXPECT_EQ(*(*opened)->ReadAt(10, 4), "");
  EXPECT_EQ(*(*opened)->ReadAt(0, 3), "012");
  EXPECT_EQ(*(*opened)->ReadAt(3, 3), "345") << "read ahead";
  EXPECT_EQ(*(*opened)->ReadAt(6, 9), "6789");
}

TEST_P(Blobs, outlive_the_file_that_they_came_from) {
  const std::string path = folder.Write("upload", "bytes");
  EXPECT_TRUE(blobs->Put(tenant, "abc", path).ok());
  EXPECT_TRUE(folder.Has("upload")) << "it stays until its upload is removed";
  std::filesystem::remove(path);
  EXPECT_EQ(Bytes("abc"), "bytes");
}

TEST_P(Blobs, never_change_under_their_name) {
  Put("abc", "first");
  Put("abc", "second");
  EXPECT_EQ(Bytes("abc"), "first");
}

TEST_P(Blobs, are_removed_once_or_twice) {
  Put("abc", "bytes");
  EXPECT_TRUE(blobs->Remove(tenant, "abc").ok());
  EXPECT_EQ(Bytes("abc"), "none");
  EXPECT_TRUE(blobs->Remove(tenant, "abc").ok());
  Put("abc", "others");
  EXPECT_EQ(Bytes("abc"), "others");
}

TEST_P(Blobs, are_listed_with_their_tenants_and_without_uploads) {
  EXPECT_EQ(All(), std::set<std::string>());
  const std::string path = folder.Write("one", "bytes");
  EXPECT_TRUE(blobs->Put(tenant, "abc", path).ok());
  EXPECT_TRUE(blobs->Put(tenant, "abc-thumb", path).ok());
  EXPECT_TRUE(blobs->Put({"acme"}, "abc", path).ok());
  std::filesystem::create_directories(folder.path() + "/files/.uploads/demo");
  EXPECT_EQ(All(), (std::set<std::string>{"demo abc", "demo abc-thumb", "acme abc"}));
}

TEST_P(Blobs, are_listed_in_pages) {
  const std::string path = folder.Write("one", "bytes");
  for (int i = 0; i < 150; ++i) EXPECT_TRUE(blobs->Put(tenant, "b" + std::to_string(i), path).ok());
  EXPECT_LT(blobs->List()->Next()->size(), 100u);
  EXPECT_EQ(All().size(), 150u);
}

TEST_P(Blobs, have_names_that_lead_nowhere_else) {
  const std::string path = folder.Write("one", "bytes");
  for (const char* blob : {"", ".", "..", "../x", "a/b", "a.b", "A", "a b"}) {
    EXPECT_FALSE(blobs->Put(tenant, blob, path).ok()) << blob;
    EXPECT_FALSE(blobs->Open(tenant, blob).ok()) << blob;
    EXPECT_FALSE(blobs->Remove(tenant, blob).ok()) << blob;
  }
  for (const char* owner : {".", "..", ".uploads"}) {
    EXPECT_FALSE(blobs->Put({owner}, "abc", path).ok()) << owner;
    EXPECT_FALSE(blobs->Open({owner}, "abc").ok()) << owner;
  }
}

TEST_P(Blobs, of_tenants_with_unusual_names_are_apart) {
  const std::string path = folder.Write("one", "bytes");
  EXPECT_TRUE(blobs->Put({"a:b"}, "abc", path).ok());
  EXPECT_TRUE(blobs->Put({"a.b"}, "abc-thumb", path).ok());
  EXPECT_EQ(All(), (std::set<std::string>{"a:b abc", "a.b abc-thumb"}));
}

TEST_P(Blobs, of_a_missing_file_are_not_stored) {
  EXPECT_FALSE(blobs->Put(tenant, "abc", folder.path() + "/nothing").ok());
  EXPECT_EQ(Bytes("abc"), "none");
}

TEST_P(Blobs, can_be_large) {
  std::string bytes(size_t{40} << 20, 'x');
  for (size_t i = 0; i < bytes.size(); i += 1000) bytes[i] = static_cast<char>(i / 1000);
  Put("abc", bytes);
  EXPECT_TRUE(Bytes("abc") == bytes);
  auto opened = blobs->Open(tenant, "abc");
  const size_t at = (size_t{16} << 20) - 5;  // over the edge of a part
  EXPECT_TRUE(*(*opened)->ReadAt(static_cast<int64_t>(at), 10) == bytes.substr(at, 10));
}

INSTANTIATE_TEST_SUITE_P(In, Blobs, testing::ValuesIn(Kinds()), [](const auto& kind) { return kind.param; });

TEST(DirectoryBlobs, can_be_read_to_the_end_after_their_removal) {
  TemporaryFolder folder;
  const auto blobs = NewDirectoryBlobs(folder.path() + "/files");
  EXPECT_TRUE(blobs->Put({"demo"}, "abc", folder.Write("one", "bytes")).ok());
  auto opened = blobs->Open({"demo"}, "abc");
  EXPECT_TRUE(blobs->Remove({"demo"}, "abc").ok());
  EXPECT_EQ(*(*opened)->ReadAt(0, 5), "bytes");
}

}  // namespace
}  // namespace parley::features
