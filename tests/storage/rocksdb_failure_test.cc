// Directories that are not stores, locks, damage, and stores opened read-only. A rejected opening changes
// nothing.
#include <fcntl.h>
#include <rocksdb/utilities/checkpoint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/row_format.h"
#include "storage/store_meta.h"
#include "storage/store_rows.h"
#include "tests/storage/rocksdb_fixture.h"

namespace parley::storage {
namespace {

TEST_F(RocksdbFailure, a_store_held_by_this_process_is_locked) {
  const auto table = Open();
  ASSERT_NE(table, nullptr);
  const auto again = OpenRocksdb({.dir = dir_});
  ASSERT_TRUE(std::holds_alternative<OpenError>(again));
  EXPECT_EQ(std::get<OpenError>(again).fault, OpenFault::kLocked);
  EXPECT_EQ(CommitText(*table, {thread_, {}, {Set("a", "1")}, "one"}), "ok@1")
      << "the first was not disturbed";
}

TEST_F(RocksdbFailure, a_store_held_by_another_process_is_locked) {
  MakeStore();
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open((dir_ + "/LOCK").c_str(), O_RDWR);
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    char byte = fcntl(fd, F_SETLK, &lock) == 0 ? '+' : '-';
    close(done[1]);
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    _exit(read(done[0], &byte, 1) == 0 ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, '+');
  ExpectRefused(OpenFault::kLocked, {"in use by another process"});
  ExpectRefused(OpenFault::kLocked, {"in use by another process"}, {.dir = dir_, .read_only = true});
  close(done[1]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  for (const int fd : {ready[0], ready[1], done[0]}) close(fd);
  EXPECT_NE(Open(), nullptr) << "free again";
}

TEST_F(RocksdbFailure, rocksdb_keeps_no_log_of_its_own_that_could_fail_on_a_full_disk) {
  MakeStore();
  for (const auto& [path, bytes] : Contents()) {
    EXPECT_FALSE(fs::path(path).filename().string().starts_with("LOG")) << path;
  }
}

TEST_F(RocksdbFailure, a_missing_store_is_not_created_when_it_should_be_there) {
  ExpectRefused(OpenFault::kMissing, {"no store"}, {.dir = dir_, .create_if_missing = false});
  ExpectRefused(OpenFault::kMissing, {"no store"}, {.dir = dir_, .read_only = true});
  EXPECT_FALSE(fs::exists(dir_));
}

TEST_F(RocksdbFailure, a_directory_with_other_things_in_it_is_not_a_store) {
  fs::create_directory(dir_);
  WriteFile(dir_ + "/holiday.jpg", "not yours");
  ExpectRefused(OpenFault::kNotAStore, {"other files"});
}

TEST_F(RocksdbFailure, a_file_is_not_a_store) {
  WriteFile(dir_, "text");
  ExpectRefused(OpenFault::kNotAStore, {"not a directory"});
  EXPECT_EQ(ReadFile(dir_), "text");
}

TEST_F(RocksdbFailure, a_rocksdb_of_something_else_is_not_a_store) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, dir_, &db).ok());
  ASSERT_TRUE(db->Put({}, "key", "value").ok());
  delete db;
  ExpectRefused(OpenFault::kNotAStore, {"something else"});
  ASSERT_TRUE(rocksdb::DB::Open(options, dir_, &db).ok());
  rocksdb::ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(db->CreateColumnFamily({}, "theirs", &family).ok());
  delete family;
  delete db;
  ExpectRefused(OpenFault::kNotAStore, {"something else"});
}

TEST_F(RocksdbFailure, a_store_of_a_newer_format_names_who_wrote_it) {
  MakeStore();
  WithRawDatabase([](const Database& database) {
    const std::string meta = KeyWriter().Number(kStoreFormat + 1).Text("Parley 9.9").Bytes() + "whatever";
    rocksdb::ColumnFamilyHandle* const rows = database.family(Family::kRows);
    ASSERT_TRUE(database.db->Put({}, rows, MetaKey(), EncodeRowHead(1) + meta).ok());
    ASSERT_TRUE(database.db->Flush({}, rows).ok());
  });
  ExpectRefused(OpenFault::kUnknownFormat, {"Parley 9.9", "format " + std::to_string(kStoreFormat)});
  ExpectRefused(OpenFault::kUnknownFormat, {"Parley 9.9", "format " + std::to_string(kStoreFormat)},
                {.dir = dir_, .read_only = true});
}

TEST_F(RocksdbFailure, a_row_of_a_newer_format_is_corrupt_when_read) {
  MakeStore();
  WithRawDatabase([&](const Database& database) {
    ASSERT_TRUE(
        database.db->Put({}, database.family(Family::kRows), RowKeyBytes(thread_, Sort("two")), "\x02new")
            .ok());
  });
  const auto table = Open();
  ASSERT_NE(table, nullptr);
  std::optional<Row> row;
  const Status status = table->Get(thread_, Sort("two"), &row);
  EXPECT_EQ(status.code, StatusCode::kCorrupt);
  EXPECT_NE(status.detail.find("format 2"), std::string::npos) << status.detail;
  EXPECT_EQ(GetText(*table, thread_, "three"), std::string(100, 'x'));
}

TEST_F(RocksdbFailure, a_garbled_or_missing_file_of_the_store_is_named_as_damage) {
  struct Damage {
    const char* what;
    std::function<void()> inflict;
  };
  const Damage damages[] = {
      {"CURRENT garbled", [&] { WriteFile(dir_ + "/CURRENT", "what?"); }},
      {"CURRENT names what is not there", [&] { WriteFile(dir_ + "/CURRENT", "MANIFEST-999999\n"); }},
      {"CURRENT missing", [&] { fs::remove(dir_ + "/CURRENT"); }},
      {"MANIFEST garbled", [&] { Garble(FileLike("MANIFEST-", ""), 10, 30); }},
      {"MANIFEST missing", [&] { fs::remove(FileLike("MANIFEST-", "")); }},
      {"table file garbled",
       [&] {
         const auto sst = FileLike("", ".sst");
         Garble(sst, 0, fs::file_size(sst));
       }},
      {"table file cut",
       [&] {
         const auto sst = FileLike("", ".sst");
         fs::resize_file(sst, fs::file_size(sst) / 2);
       }},
      {"table file missing", [&] { fs::remove(FileLike("", ".sst")); }},
      {"first commit in the WAL garbled", [&] { Garble(FileLike("", ".log"), 30, 8); }},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(damage.what);
    fs::remove_all(dir_);
    MakeStore();
    damage.inflict();
    ExpectRefused(OpenFault::kCorrupt, {"damaged", "Nothing in it was changed"});
    if (HasFatalFailure()) return;
  }
}

TEST_F(RocksdbFailure, damage_found_late_in_the_wal_leaves_no_trace_of_the_replay) {
  const size_t memtable = 64 << 10;
  {
    const auto table = Open();
    ASSERT_NE(table, nullptr);
    for (int i = 0; i < 200; ++i) {
      CommitText(*table, {thread_, {}, {Set(std::to_string(i), std::string(2000, 'x'))}, "entry"});
    }
  }
  const auto wal = FileLike("", ".log");
  Garble(wal, fs::file_size(wal) - 20000, 8);
  ExpectRefused(OpenFault::kCorrupt, {"damaged"}, {.dir = dir_, .memtable_bytes = memtable});
}

TEST_F(RocksdbFailure, without_permission_the_store_stays_closed) {
  MakeStore();
  fs::permissions(temp_.path(), fs::perms::all);
  fs::permissions(dir_, fs::perms::owner_all);
  const bool root = geteuid() == 0;
  if (!root) fs::permissions(dir_, fs::perms::none);
  int answer[2];
  ASSERT_EQ(pipe(answer), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (root && setuid(65534) != 0) _exit(1);
    const auto opened = OpenRocksdb({.dir = dir_});
    const auto* error = std::get_if<OpenError>(&opened);
    const char fault = error == nullptr ? -1 : static_cast<char>(error->fault);
    _exit(write(answer[1], &fault, 1) == 1 ? 0 : 1);
  }
  char fault = 0;
  ASSERT_EQ(read(answer[0], &fault, 1), 1);
  EXPECT_EQ(static_cast<OpenFault>(fault), OpenFault::kNoPermission);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  close(answer[0]);
  close(answer[1]);
  fs::permissions(dir_, fs::perms::owner_all);
  EXPECT_NE(Open(), nullptr);
}

TEST_F(RocksdbFailure, half_a_record_at_the_end_of_the_wal_is_dropped_and_all_before_it_kept) {
  MakeStore();
  const auto wal = [&] { return FileLike("", ".log"); };
  auto table = Open();
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(CommitText(*table, {thread_, {}, {Set("four", "4")}, "four"}), "ok@4");
  const size_t synced = ReadFile(wal()).size();
  ASSERT_TRUE(
      table->Apply(std::vector<DerivedWrite>{{inbox_, Sort("a"), Row{1, std::string(50, 'a')}}}, "inbox", 4)
          .ok());
  const size_t whole = ReadFile(wal()).size();
  ASSERT_GT(whole, synced + 50);
  table.reset();
  const auto files = Contents();
  for (size_t size = synced; size <= whole; size += size < synced + 20 ? 1 : 13) {
    SCOPED_TRACE(size - synced);
    fs::remove_all(dir_);
    fs::create_directory(dir_);
    for (const auto& [path, bytes] : files) WriteFile(path, bytes);
    fs::resize_file(wal(), size);
    table = Open();
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(LogText(*table), "1:one 2:two 3:three 4:four");
    EXPECT_EQ(GetText(*table, inbox_, "a"), "-");
    EXPECT_EQ(CursorOf(*table, "inbox"), 0u);
    table.reset();
  }
}

TEST_F(RocksdbFailure, zeros_after_the_wal_as_from_preallocation_are_ignored) {
  MakeStore();
  const auto wal = FileLike("", ".log");
  fs::resize_file(wal, fs::file_size(wal) + 5000);
  const auto table = Open();
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(LogText(*table), "1:one 2:two 3:three");
}

TEST_F(RocksdbFailure, a_store_opened_to_be_read_reads_and_refuses_writes_and_other_openings) {
  MakeStore();
  const auto files = Contents();
  {
    const auto reader = Succeed(OpenRocksdb({.dir = dir_, .read_only = true}));
    ASSERT_NE(reader, nullptr);
    EXPECT_EQ(LogText(*reader), "1:one 2:two 3:three");
    EXPECT_EQ(reader->LastPosition(), 3u);
    EXPECT_EQ(GetText(*reader->NewSnapshot(), thread_, "two"), std::string(100, 'x'));
    std::vector<CommitResult> results;
    EXPECT_EQ(reader->Commit({}, &results).code, StatusCode::kUnavailable);
    EXPECT_EQ(reader->Apply({}, "inbox", 1).code, StatusCode::kUnavailable);
    EXPECT_NE(reader->WriteFault(), "");
    ExpectRefused(OpenFault::kLocked, {"in use"});
  }
  EXPECT_TRUE(files == Contents()) << "reading touched nothing";
  EXPECT_NE(Open(), nullptr);
}

TEST_F(RocksdbFailure, a_checkpoint_opens_to_be_read_and_to_be_written) {
  MakeStore();
  const std::string copy = temp_.path() + "/checkpoint";
  WithRawDatabase([&](const Database& database) {
    rocksdb::Checkpoint* checkpoint = nullptr;
    ASSERT_TRUE(rocksdb::Checkpoint::Create(database.db.get(), &checkpoint).ok());
    const std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
    // Large, so that the checkpoint includes the WAL.
    ASSERT_TRUE(checkpoint->CreateCheckpoint(copy, /*log_size_for_flush=*/1 << 20).ok());
  });
  for (const bool read_only : {true, false, true}) {
    const auto table = Succeed(OpenRocksdb({.dir = copy, .read_only = read_only}));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(LogText(*table), "1:one 2:two 3:three");
  }
}

}  // namespace
}  // namespace parley::storage
