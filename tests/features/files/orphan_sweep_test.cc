#include "features/files/orphan_sweep.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "features/files/files.h"
#include "storage/memory_table.h"
#include "tests/features/files/temporary_folder.h"
#include "tests/threads/fakes.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

constexpr auto kOld = std::chrono::hours(2);

class Orphans : public testing::Test {
 protected:
  ~Orphans() override { files.Stop(); }

  void Commit(const storage::PartitionKey& partition, const storage::SortKey& sort,
              std::optional<std::string> payload) {
    storage::CommitRequest request;
    request.partition = partition;
    request.writes.push_back(
        {sort, payload ? std::optional(storage::Row{1, *std::move(payload)}) : std::nullopt});
    std::vector<storage::CommitResult> results;
    EXPECT_TRUE(table->Commit({&request, 1}, &results).ok());
  }
  void SetRef(bool needed) {
    Commit(threads::BlobPartition(tenant, blob), threads::FileRefKey(file),
           needed ? std::optional<std::string>("") : std::nullopt);
  }
  void SetRow(threads::FileState state) {
    threads::FileRow row;
    row.item.attachment_id.value = file;
    row.item.state.value = state;
    row.by = protocol::UserId{"ann"};
    row.begun_at = clock.Now();
    Commit(threads::FilePartition(tenant, file), threads::FileThreadKey(), std::string(thread.ulid.raw()));
    Commit(threads::ThreadPartition(tenant, thread), threads::FileKey(file), threads::EncodeFile(row));
  }

  static void Age(const std::string& path, std::chrono::seconds age) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
  }
  void Store(const std::string& name, std::chrono::seconds age = kOld) {
    EXPECT_TRUE(files.blobs().Put(tenant, name, folder.Write("upload", "bytes")).ok());
    Age(folder.path() + "/files/demo/" + name, age);
    std::filesystem::remove(folder.path() + "/upload");
  }
  // Stages one byte, and whatever else can lie beside it.
  std::string Stage(std::chrono::seconds age = kOld) {
    std::string path;
    {
      auto staged = files.staging().Open(tenant, file);
      EXPECT_TRUE(staged.ok() && staged->Append("x").ok() && staged->Sync().ok());
      path = staged->path();
    }
    Age(path, age);
    for (const char* beside : {".scratch", ".unconfirmed", ".cleaned"}) {
      std::ofstream(path + beside) << "1";
      Age(path + beside, age);
    }
    return path;
  }
  static std::string Remaining(const std::string& path) {
    std::string out;
    for (const char* end : {"", ".scratch", ".unconfirmed", ".cleaned"})
      if (std::filesystem::exists(path + end)) out += std::string("x") + end + " ";
    return out;
  }
  bool HasStored(const std::string& name) { return folder.Has("files/demo/" + name); }

  // A whole pass; the test can do something between its steps.
  void Sweep(const std::function<void()>& between = {}) {
    OrphanPass pass(files, protocol::SystemClock().Now());
    while (pass.Step())
      if (between) between();
    EXPECT_FALSE(pass.failed());
    removed = pass.staged() + pass.stored();
  }

  const protocol::TenantId tenant{"demo"};
  const protocol::AttachmentId file = *protocol::AttachmentId::FromText("att_01h00000000000000000000001");
  const protocol::ThreadId thread = *protocol::ThreadId::FromText("thrd_01h00000000000000000000002");
  const std::string blob = std::string(64, 'a');
  size_t removed = 0;
  TemporaryFolder folder;
  threads::FakeClock clock;
  protocol::Metrics metrics;
  const std::unique_ptr<storage::MemoryTable> table = storage::NewMemoryTable();
  Files files{{*table, clock, metrics,
               [this](std::string_view key) { return key == "data" ? folder.path() : std::string(); }}};
};

TEST_F(Orphans, stored_by_an_upload_that_never_committed_are_removed) {
  for (const char* variant : {"", "-thumb", "-preview", "-blurred"}) Store(blob + variant);
  Sweep();
  EXPECT_EQ(removed, 4u);
  for (const char* variant : {"", "-thumb", "-preview", "-blurred"}) EXPECT_FALSE(HasStored(blob + variant));
  Sweep();
  EXPECT_EQ(removed, 0u);
}

TEST_F(Orphans, are_not_bytes_with_a_row) {
  SetRef(true);
  Store(blob);
  Store(blob + "-thumb");
  Sweep();
  EXPECT_TRUE(HasStored(blob));
  EXPECT_TRUE(HasStored(blob + "-thumb"));
  SetRef(false);
  Sweep();
  EXPECT_FALSE(HasStored(blob));
  EXPECT_FALSE(HasStored(blob + "-thumb"));
}

TEST_F(Orphans, are_not_what_the_last_hour_brought) {
  Store(blob, std::chrono::minutes(50));
  const std::string path = Stage(std::chrono::minutes(50));
  Sweep();
  EXPECT_TRUE(HasStored(blob));
  EXPECT_EQ(Remaining(path), "x x.scratch x.unconfirmed x.cleaned ");
}

// The bytes can be older than their name: an equal file was stored before, or the upload paused for days.
TEST_F(Orphans, are_not_pinned_bytes_whose_row_comes_during_the_sweep) {
  Store(blob);
  EXPECT_TRUE(files.PutPinned(tenant, blob, folder.Write("upload", "bytes")).ok());
  Sweep([&] {
    SetRef(true);
    files.Unpin(tenant, blob);
  });
  EXPECT_TRUE(HasStored(blob));
  Sweep();
  EXPECT_TRUE(HasStored(blob));
}

TEST_F(Orphans, that_are_stored_again_during_their_removal_remain) {
  for (int i = 0; i < 50; ++i) {
    Store(blob);
    std::thread uploader(
        [&] { EXPECT_TRUE(files.PutPinned(tenant, blob, folder.Write("again", "bytes")).ok()); });
    Sweep();
    uploader.join();
    EXPECT_TRUE(HasStored(blob)) << "pinned bytes are there, round " << i;
    files.Unpin(tenant, blob);
    EXPECT_TRUE(files.DropBlob(tenant, blob).ok());
  }
}

TEST_F(Orphans, staged_by_an_upload_without_a_row_are_removed) {
  const std::string path = Stage();
  Sweep();
  EXPECT_EQ(Remaining(path), "");
  EXPECT_EQ(removed, 4u);
}

TEST_F(Orphans, are_not_the_bytes_of_an_upload_under_way) {
  for (const threads::FileState state :
       {threads::FileState::kRequested, threads::FileState::kUploading, threads::FileState::kScanning}) {
    SetRow(state);
    const std::string path = Stage();
    Sweep();
    EXPECT_EQ(Remaining(path), "x x.scratch x.unconfirmed x.cleaned ");
  }
}

TEST_F(Orphans, are_the_staged_bytes_of_an_upload_that_has_ended) {
  for (const threads::FileState state : {threads::FileState::kReady, threads::FileState::kQuarantined,
                                         threads::FileState::kFailed, threads::FileState::kCancelled}) {
    SetRow(state);
    const std::string path = Stage();
    Sweep();
    EXPECT_EQ(Remaining(path), "");
  }
}

TEST_F(Orphans, wait_for_the_writer_of_their_upload) {
  SetRow(threads::FileState::kFailed);
  const std::string path = Stage();
  EXPECT_TRUE(files.Claim(file));
  Sweep();
  EXPECT_EQ(Remaining(path), "x x.scratch x.unconfirmed x.cleaned ");
  files.Release(file);
  Sweep();
  EXPECT_EQ(Remaining(path), "");
  EXPECT_TRUE(files.Claim(file)) << "the sweep gave it back";
}

TEST_F(Orphans, are_not_files_that_others_put_there) {
  std::filesystem::create_directories(folder.path() + "/files/demo");
  std::filesystem::create_directories(folder.path() + "/files/.uploads/demo");
  for (const char* name : {"files/demo/NOTES.txt", "files/.uploads/demo/notes", "files/lost"}) {
    folder.Write(name, "not ours");
    Age(folder.path() + "/" + name, kOld);
  }
  Sweep();
  EXPECT_EQ(removed, 0u);
  for (const char* name : {"files/demo/NOTES.txt", "files/.uploads/demo/notes", "files/lost"})
    EXPECT_TRUE(folder.Has(name));
}

TEST_F(Orphans, of_many_files_are_found_in_short_steps) {
  for (int i = 0; i < 300; ++i) {
    std::string name = std::string(61, 'b') + std::to_string(100 + i);
    Store(name);
  }
  int steps = 0;
  Sweep([&] { ++steps; });
  EXPECT_EQ(removed, 300u);
  EXPECT_GE(steps, 4);
}

TEST_F(Orphans, are_looked_for_at_the_start_and_every_hour) {
  EXPECT_TRUE(files.orphans().IsDue());
  files.orphans().Begin({});
  EXPECT_FALSE(files.orphans().IsDue());
  while (metrics.Render().find("parley_file_swept_last_seconds 0\n") != std::string::npos)
    std::this_thread::yield();
  EXPECT_FALSE(files.orphans().IsDue());
  clock.Advance(3'600'000);
  EXPECT_TRUE(files.orphans().IsDue());
}

}  // namespace
}  // namespace parley::features
