// For tests: the RocksDB backend on a custom Env that fails or loses writes.
#pragma once

#include "storage/rocksdb_table.h"

namespace rocksdb {
class Env;
}

namespace parley::storage {

// REQUIRES: `env` outlives the table; its files are real ones (the directory is inspected directly).
std::variant<std::unique_ptr<Table>, OpenError> OpenRocksdbOn(const RocksdbSettings& settings,
                                                              rocksdb::Env* env);

}  // namespace parley::storage
