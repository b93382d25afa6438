// RocksDB's options, each with its reason. Options that are not named here stay at RocksDB's defaults on
// purpose: no mmap (a page fault would block a thread unaccountably), paranoid checks on, checksums verified
// on every read, no pipelined, unordered or manual-WAL writes (with one committer they gain nothing), no
// atomic flush (the WAL is always on).
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include "storage/rocksdb_internal.h"
#include "storage/table_specs.h"

namespace parley::storage {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

std::shared_ptr<rocksdb::TableFactory> TableFormat(const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  // Rows are small and neighbours are read together: half the index size of 4 KiB blocks, and better
  // compression.
  table.block_size = 8 * 1024;
  // Ten bits a key: one miss in a hundred goes to disk. Whole keys, because lookups are of points, and
  // partitions are scanned.
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.whole_key_filtering = true;
  // Index and filters count against the cache, so that memory has one bound. They are partitioned, with their
  // top level and those of the newest level pinned, so that a small cache does not evict them before the
  // rows.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.pin_top_level_index_and_filter = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  return std::shared_ptr<rocksdb::TableFactory>(rocksdb::NewBlockBasedTableFactory(table));
}

rocksdb::ColumnFamilyOptions FamilyOptions(const RocksdbSettings& settings,
                                           const std::shared_ptr<rocksdb::TableFactory>& format) {
  rocksdb::ColumnFamilyOptions options;
  options.table_factory = format;
  // Small, because an insertion costs the depth of the skip list, and its cache misses.
  options.write_buffer_size = settings.memtable_bytes;
  // Several, so that a burst is absorbed while the one flush thread writes.
  options.max_write_buffer_number = 4;
  // The levels are sized from the bottom up, which bounds wasted space to a tenth.
  options.level_compaction_dynamic_level_bytes = true;
  options.target_file_size_base = 32 * kMiB;
  options.max_bytes_for_level_base = 128 * kMiB;
  // The newest level is as large as the one below it, so that merging the two rewrites each about once.
  // Lookups skip the files of the newest level by their filters, which are pinned.
  options.level0_file_num_compaction_trigger = 8;
  // LZ4 costs next to nothing for rows that are rewritten soon; ZSTD is for the lowest level, which has nine
  // tenths of the rows and keeps them long.
  options.compression = rocksdb::kLZ4Compression;
  options.bottommost_compression = rocksdb::kZSTD;
  return options;
}

// Discards RocksDB's own log. Everything that an operator must know comes back in a Status, which we log
// once, and another file on a full disk can fail, too (this build asserts then). RocksDB would also rename
// the log of the process that owns the store before it detects the lock.
class NoLog final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

}  // namespace

Family FamilyOf(TableTag table) {
  const TableSpec* spec = FindSpec(table);
  return spec && spec->derived ? Family::kIndex : Family::kRows;
}

rocksdb::DBOptions DatabaseOptions(const RocksdbSettings& settings, rocksdb::Env* env) {
  rocksdb::DBOptions options;
  options.env = env;
  options.create_if_missing = settings.create_if_missing;
  options.create_missing_column_families = settings.create_if_missing;

  // A power cut leaves a WAL that ends in half a record: only unsynced bytes can be missing, and they are
  // dropped. With damage anywhere else the store does not open: kPointInTimeRecovery would open it and
  // silently lose the acknowledged commits after the damage.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // Detects a closed WAL that is missing or shorter than its synced part.
  options.track_and_verify_wals_in_manifest = true;
  // Bounds the replay at a restart, whichever family lags with its flush.
  options.max_total_wal_size = 128 * kMiB;

  // No automatic retries after an I/O error: writes stay rejected until the store is reopened and
  // recovered.
  options.max_bgerror_resume_count = 0;

  // One flush and one compaction: this is a small machine, and commits need the other core.
  options.max_background_jobs = 2;
  // One committer writes, so the atomics of concurrent inserts are not needed.
  options.allow_concurrent_memtable_write = false;
  // Deletes a dropped iterator's files in the background instead of on the reader's thread.
  options.avoid_unnecessary_blocking_io = true;
  // Spread write-back, so that a commit's sync does not wait for megabytes from a compaction (or from
  // unsynced applies).
  options.bytes_per_sync = kMiB;
  options.wal_bytes_per_sync = kMiB;

  // Open files are bounded, because sockets need descriptors too.
  options.max_open_files = kStoreFilesMax;
  // Start-up does not use these statistics, and with many files they cost seconds.
  options.skip_stats_update_on_db_open = true;
  // No periodic dumps: our own metrics suffice.
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.info_log = std::make_shared<NoLog>();
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> FamilyDescriptors(const RocksdbSettings& settings) {
  const auto format = TableFormat(rocksdb::NewLRUCache(settings.block_cache_bytes));
  const rocksdb::ColumnFamilyOptions base = FamilyOptions(settings, format);

  rocksdb::ColumnFamilyOptions rows = base;
  // Every command asks "is this request new?", and the answer is nearly always yes: this answers it without
  // searching each memtable.
  rows.memtable_whole_key_filtering = true;
  rows.memtable_prefix_bloom_size_ratio = 0.02;

  std::vector<rocksdb::ColumnFamilyDescriptor> out(kFamilyCount);
  out[static_cast<size_t>(Family::kRows)] = {kFamilyNames[static_cast<size_t>(Family::kRows)], rows};
  out[static_cast<size_t>(Family::kIndex)] = {kFamilyNames[static_cast<size_t>(Family::kIndex)], base};
  out[static_cast<size_t>(Family::kLog)] = {kFamilyNames[static_cast<size_t>(Family::kLog)], base};
  return out;
}

rocksdb::DBOptions ProbeOptions(rocksdb::Env* env) {
  rocksdb::DBOptions options;
  options.env = env;
  options.max_open_files = 16;
  // As in DatabaseOptions(): without it, RocksDB 7.8 dereferences null when it opens a store read-only that
  // tracks its WALs.
  options.track_and_verify_wals_in_manifest = true;
  options.skip_stats_update_on_db_open = true;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  return options;
}

}  // namespace parley::storage
