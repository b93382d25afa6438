// RocksDB's own log file, begun only once the store is open: RocksDB would rename the file of whoever holds
// the store before it finds out that it is held.
#pragma once

#include <rocksdb/env.h>

#include <atomic>
#include <memory>

namespace parley::storage {

// Thread-safe. Lines are dropped until Attach().
class DeferredLog final : public rocksdb::Logger {
 public:
  explicit DeferredLog(rocksdb::InfoLogLevel level) : rocksdb::Logger(level) {}

  // At most once.
  void Attach(std::shared_ptr<rocksdb::Logger> target) {
    owned_ = std::move(target);
    target_.store(owned_.get(), std::memory_order_release);
  }
  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    if (rocksdb::Logger* const target = target_.load(std::memory_order_acquire))
      target->Logv(format, arguments);
  }

 private:
  std::shared_ptr<rocksdb::Logger> owned_;
  std::atomic<rocksdb::Logger*> target_{nullptr};
};

}  // namespace parley::storage
