// Checks that the shim covers every way in which RocksDB writes. Puts numbered keys with or without a synced
// log, with memtables so small that logs, tables and manifests are created and deleted all the time, and
// prints each key that it would acknowledge. Without sync it does not flush either: tables are synced, so a
// kill after a flush would lose nothing. `check N` reports whether all keys below N exist and no key has a
// gap below it.
//
// usage: powercut_rocksdb_probe DIR sync|nosync        (runs until it is killed)
//        powercut_rocksdb_probe DIR check N            (exit 0: all exist; 1: not; 2: does not open)
#include <rocksdb/db.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

std::string Key(int n) {
  char key[16];
  std::snprintf(key, sizeof key, "%010d", n);
  return key;
}

std::unique_ptr<rocksdb::DB> Open(const char* dir, bool flushes) {
  rocksdb::Options options;
  options.create_if_missing = true;
  if (flushes) options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.level0_file_num_compaction_trigger = 2;
  options.max_manifest_file_size = 4 << 10;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, dir, &db);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return std::unique_ptr<rocksdb::DB>(db);
}

int Write(rocksdb::DB& db, bool sync) {
  int next = 0;
  std::unique_ptr<rocksdb::Iterator> last(db.NewIterator({}));
  if (last->SeekToLast(); last->Valid()) next = std::stoi(last->key().ToString()) + 1;
  last.reset();
  rocksdb::WriteOptions options;
  options.sync = sync;
  for (;; ++next) {
    if (!db.Put(options, Key(next), std::string(1000 + next % 2000, 'v')).ok()) return 1;
    std::printf("%d\n", next);
    std::fflush(stdout);
  }
}

int Check(rocksdb::DB& db, int wanted) {
  int next = 0;
  std::unique_ptr<rocksdb::Iterator> it(db.NewIterator({}));
  for (it->SeekToFirst(); it->Valid() && it->key() == Key(next); it->Next()) ++next;
  std::printf("%d keys without a hole, %d acknowledged\n", next, wanted);
  return it->status().ok() && !it->Valid() && next >= wanted ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string what = argv[2];
  const std::unique_ptr<rocksdb::DB> db = Open(argv[1], what != "nosync");
  if (!db) return 2;
  if (what == "check") return Check(*db, std::stoi(argv[3]));
  return Write(*db, what == "sync");
}
