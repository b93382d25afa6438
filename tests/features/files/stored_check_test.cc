#include "features/files/stored_check.h"

#include <gmock/gmock.h>

#include <fstream>

#include "features/files/digest.h"
#include "protocol/base/encoding.h"
#include "storage/memory_table.h"
#include "tests/features/files/temporary_folder.h"
#include "threads/model/file_row.h"
#include "threads/model/keys.h"

namespace parley::features {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// An upload F with the bytes "bytes" and a variant of four bytes.
class StoredCheckup : public testing::Test {
 protected:
  void SetUp() override {
    Digest digest(Digest::Kind::kSha256);
    digest.Add("bytes");
    blob = protocol::Hex(digest.Finish());
    row.item.attachment_id.value = *protocol::AttachmentId::FromText("att_01h00000000000000000000001");
    row.item.state.value = threads::FileState::kReady;
    row.item.size.value = 5;
    row.by = protocol::UserId{"ann"};
    row.begun_at = protocol::Time{1};
    row.item.sha256.value = protocol::Text<64>{blob};
    row.blob.value = protocol::Text<64>{blob};
    protocol::FileVariant thumb;
    thumb.name = protocol::VariantName::kThumb;
    thumb.size = 4;
    row.item.variants.value.emplace();
    row.item.variants.value->items.push_back(thumb);
    WriteRow();
    Commit(threads::BlobPartition(tenant, blob), threads::FileRefKey(row.id()), "");
    EXPECT_TRUE(blobs->Put(tenant, blob, folder.Write("a", "bytes")).ok());
    EXPECT_TRUE(blobs->Put(tenant, blob + "-thumb", folder.Write("b", "tiny")).ok());
  }
  void Commit(const storage::PartitionKey& partition, const storage::SortKey& sort, std::string payload) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back({sort, storage::Row{1, std::move(payload)}});
    std::vector<storage::CommitResult> results;
    EXPECT_TRUE(table->Commit({&request, 1}, &results).ok());
  }
  void WriteRow() {
    const auto thread = *protocol::ThreadId::FromText("thrd_01h00000000000000000000002");
    Commit(threads::ThreadPartition(tenant, thread), threads::FileKey(row.id()), threads::EncodeFile(row));
  }
  std::vector<std::string> Faults(bool hashes = false) {
    std::vector<std::string> out;
    report = {};
    EXPECT_TRUE(CheckStored(
                    *table, *blobs, hashes, [&](const std::string& what) { out.push_back(what); }, &report)
                    .ok());
    EXPECT_EQ(report.differences, out.size());
    EXPECT_EQ(report.trouble, "");
    return out;
  }
  void Overwrite(const std::string& name, const std::string& bytes) {
    folder.Write("files/demo/" + name, bytes);
  }

  const protocol::TenantId tenant{"demo"};
  TemporaryFolder folder;
  const std::unique_ptr<BlobStore> blobs = NewDirectoryBlobs(folder.path() + "/files");
  const std::unique_ptr<storage::MemoryTable> table = storage::NewMemoryTable();
  threads::FileRow row;
  std::string blob;
  StoredReport report;
};

TEST_F(StoredCheckup, finds_no_fault) {
  EXPECT_THAT(Faults(true), IsEmpty());
  EXPECT_EQ(report.files, 1u);
  EXPECT_EQ(report.blobs, 2u);
  EXPECT_EQ(report.orphans, 0u);
}

TEST_F(StoredCheckup, finds_missing_bytes) {
  EXPECT_TRUE(blobs->Remove(tenant, blob).ok());
  EXPECT_THAT(Faults(),
              ElementsAre("demo: att_01h00000000000000000000001: its stored bytes are missing: " + blob));
}

TEST_F(StoredCheckup, finds_a_missing_variant) {
  EXPECT_TRUE(blobs->Remove(tenant, blob + "-thumb").ok());
  EXPECT_THAT(Faults(),
              ElementsAre("demo: att_01h00000000000000000000001, thumb: its stored bytes are missing: " +
                          blob + "-thumb"));
}

TEST_F(StoredCheckup, finds_another_size) {
  Overwrite(blob, "byte");
  Overwrite(blob + "-thumb", "large");
  EXPECT_THAT(Faults(),
              ElementsAre("demo: att_01h00000000000000000000001: has 4 stored bytes instead of 5",
                          "demo: att_01h00000000000000000000001, thumb: has 5 stored bytes instead of 4"));
}

TEST_F(StoredCheckup, finds_other_bytes_if_it_reads_them) {
  Overwrite(blob, "BYTES");
  EXPECT_THAT(Faults(), IsEmpty());
  EXPECT_THAT(Faults(true),
              ElementsAre("demo: att_01h00000000000000000000001: its stored bytes have another SHA-256"));
}

TEST_F(StoredCheckup, counts_bytes_without_a_row) {
  EXPECT_TRUE(blobs->Put(tenant, std::string(64, 'a'), folder.Write("c", "x")).ok());
  EXPECT_TRUE(blobs->Put({"acme"}, blob, folder.Write("c", "x")).ok());
  EXPECT_THAT(Faults(), IsEmpty());
  EXPECT_EQ(report.orphans, 2u);
}

TEST_F(StoredCheckup, expects_no_bytes_of_an_upload_that_is_not_complete) {
  EXPECT_TRUE(blobs->Remove(tenant, blob).ok());
  row.blob.value.reset();
  row.item.state.value = threads::FileState::kUploading;
  WriteRow();
  EXPECT_THAT(Faults(), IsEmpty());
  EXPECT_EQ(report.files, 0u);
}

}  // namespace
}  // namespace parley::features
