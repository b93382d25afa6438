#include "features/files/files.h"

#include <gtest/gtest.h>

#include "storage/memory_table.h"
#include "tests/features/files/temporary_folder.h"
#include "tests/threads/fakes.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

class StoredBytes : public testing::Test {
 protected:
  ~StoredBytes() override { files.Stop(); }

  std::string Upload() { return folder.Write("upload", "bytes"); }
  bool Has(const std::string& name) {
    auto opened = files.blobs().Open(tenant, name);
    EXPECT_TRUE(opened.ok());
    return opened.ok() && *opened != nullptr;
  }
  // Drops the bytes if nothing needs them, and returns whether they are still there.
  bool RemainsAfterDrop() {
    EXPECT_TRUE(files.DropBlob(tenant, blob).ok());
    return Has(blob);
  }
  void SetRef(bool needed) {
    storage::CommitRequest request;
    request.partition = threads::BlobPartition(tenant, blob);
    request.writes.push_back(
        {threads::FileRefKey(file), needed ? std::optional(storage::Row{1, {}}) : std::nullopt});
    std::vector<storage::CommitResult> results;
    EXPECT_TRUE(table->Commit({&request, 1}, &results).ok());
  }

  const protocol::TenantId tenant{"demo"};
  const protocol::AttachmentId file = *protocol::AttachmentId::FromText("att_01h00000000000000000000001");
  const std::string blob = std::string(64, 'a');
  TemporaryFolder folder;
  threads::FakeClock clock;
  protocol::Metrics metrics;
  const std::unique_ptr<storage::MemoryTable> table = storage::NewMemoryTable();
  Files files{{*table, clock, metrics,
               [this](std::string_view key) { return key == "data" ? folder.path() : std::string(); }}};
};

TEST_F(StoredBytes, are_dropped_with_their_variants) {
  for (const char* variant : {"", "-thumb", "-preview", "-blurred"})
    EXPECT_TRUE(files.blobs().Put(tenant, blob + variant, Upload()).ok());
  EXPECT_FALSE(RemainsAfterDrop());
  for (const char* variant : {"-thumb", "-preview", "-blurred"}) EXPECT_FALSE(Has(blob + variant));
  EXPECT_FALSE(RemainsAfterDrop()) << "twice is no failure";
}

TEST_F(StoredBytes, remain_while_a_row_needs_them) {
  EXPECT_TRUE(files.blobs().Put(tenant, blob, Upload()).ok());
  SetRef(true);
  EXPECT_TRUE(RemainsAfterDrop());
  SetRef(false);
  EXPECT_FALSE(RemainsAfterDrop());
}

TEST_F(StoredBytes, remain_from_their_pin_to_their_row) {
  EXPECT_TRUE(files.PutPinned(tenant, blob, Upload()).ok());
  EXPECT_TRUE(RemainsAfterDrop()) << "the row is not committed yet";
  SetRef(true);
  EXPECT_TRUE(RemainsAfterDrop());
  files.Unpin(tenant, blob);
  EXPECT_TRUE(RemainsAfterDrop());
  SetRef(false);
  EXPECT_FALSE(RemainsAfterDrop());
}

TEST_F(StoredBytes, that_were_dropped_are_stored_again) {
  EXPECT_TRUE(files.blobs().Put(tenant, blob, Upload()).ok());
  EXPECT_FALSE(RemainsAfterDrop());
  EXPECT_TRUE(files.PutPinned(tenant, blob, Upload()).ok());
  EXPECT_TRUE(RemainsAfterDrop());
}

TEST_F(StoredBytes, of_two_uploads_need_both_pins_to_end) {
  EXPECT_TRUE(files.PutPinned(tenant, blob, Upload()).ok());
  EXPECT_TRUE(files.PutPinned(tenant, blob, Upload()).ok());
  files.Unpin(tenant, blob);
  EXPECT_TRUE(RemainsAfterDrop());
  files.Unpin(tenant, blob);
  EXPECT_FALSE(RemainsAfterDrop());
  files.Unpin(tenant, blob);
}

TEST_F(StoredBytes, that_could_not_be_stored_are_not_pinned) {
  EXPECT_FALSE(files.PutPinned(tenant, blob, folder.path() + "/nothing").ok());
  EXPECT_TRUE(files.blobs().Put(tenant, blob, Upload()).ok());
  EXPECT_FALSE(RemainsAfterDrop());
}

TEST_F(StoredBytes, of_another_tenant_are_others) {
  EXPECT_TRUE(files.blobs().Put({"acme"}, blob, Upload()).ok());
  EXPECT_TRUE(files.PutPinned(tenant, blob, Upload()).ok());
  EXPECT_TRUE(files.DropBlob({"acme"}, blob).ok());
  EXPECT_TRUE(Has(blob));
}

}  // namespace
}  // namespace parley::features
