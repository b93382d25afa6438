// For tests: the RocksDB backend on an Env of their own, which fails or forgets.
#pragma once

#include "storage/rocksdb_table.h"

namespace rocksdb {
class Env;
}

namespace parley::storage {

// REQUIRES: `env` outlives the table; its files are real ones (the directory is looked at directly).
std::variant<std::unique_ptr<Table>, OpenError> OpenRocksdbOn(const RocksdbSettings& settings,
                                                              rocksdb::Env* env);

}  // namespace parley::storage
