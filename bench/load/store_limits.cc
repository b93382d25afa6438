#include "bench/load/store_limits.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "bench/measure/cpu.h"
#include "storage/rocksdb_internal.h"

namespace parley::bench {
namespace {

void Must(const rocksdb::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "parley-bench: %s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}

std::unique_ptr<storage::Database> OpenRaw(const std::string& dir, bool many_writers) {
  storage::RocksdbSettings settings;
  settings.dir = dir;
  rocksdb::DBOptions options = storage::DatabaseOptions(settings, rocksdb::Env::Default());
  options.allow_concurrent_memtable_write = many_writers;
  auto database = std::make_unique<storage::Database>();
  rocksdb::DB* db = nullptr;
  Must(rocksdb::DB::Open(options, dir, storage::FamilyDescriptors(settings), &database->handles, &db),
       "opening");
  database->db.reset(db);
  return database;
}

void Fill(const storage::Database& database, const PhysicalCommit& commit, rocksdb::WriteBatch* batch) {
  for (const PhysicalRow& row : commit) {
    Must(batch->Put(database.handles[row.family], row.key, row.value), "filling a batch");
  }
}

StoreLimit Per(size_t commits, int64_t ns, int64_t cpu_ns) {
  return {static_cast<double>(commits) * 1e9 / static_cast<double>(ns),
          static_cast<double>(cpu_ns) / 1e3 / static_cast<double>(commits)};
}

}  // namespace

StoreLimit MeasureCommitter(const std::string& dir, const std::vector<PhysicalCommit>& commits,
                            size_t group) {
  const auto database = OpenRaw(dir, false);
  rocksdb::WriteOptions options;
  options.sync = true;
  const int64_t began = NowNs(), cpu = ReadCpu(getpid()).on_cpu_ns;
  for (size_t at = 0; at < commits.size(); at += group) {
    rocksdb::WriteBatch batch;
    for (size_t i = at; i < std::min(at + group, commits.size()); ++i) Fill(*database, commits[i], &batch);
    Must(database->db->Write(options, &batch), "writing");
  }
  return Per(commits.size(), NowNs() - began, ReadCpu(getpid()).on_cpu_ns - cpu);
}

StoreLimit MeasureIndependentWriters(const std::string& dir, const std::vector<PhysicalCommit>& commits,
                                     size_t writers) {
  const auto database = OpenRaw(dir, true);
  rocksdb::WriteOptions options;
  options.sync = true;
  std::atomic<size_t> next = 0;
  const int64_t began = NowNs(), cpu = ReadCpu(getpid()).on_cpu_ns;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < writers; ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < commits.size(); at = next++) {
        rocksdb::WriteBatch batch;
        Fill(*database, commits[at], &batch);
        Must(database->db->Write(options, &batch), "writing");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return Per(commits.size(), NowNs() - began, ReadCpu(getpid()).on_cpu_ns - cpu);
}

double MeasureReplay(const std::string& dir) {
  const int64_t began = NowNs();
  const auto database = OpenRaw(dir, false);
  return static_cast<double>(NowNs() - began) / 1e9;
}

void CompactStore(const std::string& dir) {
  const auto database = OpenRaw(dir, false);
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  for (rocksdb::ColumnFamilyHandle* family : database->handles) {
    Must(database->db->CompactRange(options, family, nullptr, nullptr), "compacting");
  }
}

int64_t MeasureSync(const std::string& dir, size_t bytes, int times) {
  const std::string path = dir + "/sync";
  const int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
  const std::string block(bytes, 'x');
  std::vector<int64_t> took;
  for (int i = 0; i < times; ++i) {
    const int64_t began = NowNs();
    if (write(fd, block.data(), block.size()) < 0 || fdatasync(fd) != 0) std::perror("fdatasync");
    took.push_back(NowNs() - began);
  }
  close(fd);
  unlink(path.c_str());
  std::nth_element(took.begin(), took.begin() + times / 2, took.end());
  return took[static_cast<size_t>(times) / 2];
}

}  // namespace parley::bench
