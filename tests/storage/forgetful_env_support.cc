#include "tests/storage/forgetful_env.h"

#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>

#include "protocol/base/mutex.h"

namespace parley::storage {

using protocol::Mutex;
using protocol::MutexLock;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// The state of each file written since the Env was made; all others are durable.
class ForgetfulDisk {
 public:
  explicit ForgetfulDisk(uint64_t seed) : random_(seed) {}

  // Called before every operation that changes the disk. Not ok: the power is off. Sets `in_the_middle` if
  // this operation cuts it.
  IOStatus Use(bool* in_the_middle = nullptr) {
    MutexLock lock(&mutex_);
    if (cut_) return IOStatus::IOError("the power is off");
    if (left_ == 0 || --left_ > 0) return IOStatus::OK();
    cut_ = true;
    if (in_the_middle != nullptr) *in_the_middle = true;
    return IOStatus::IOError("the power goes off");
  }
  void CutAfter(uint64_t operations) {
    MutexLock lock(&mutex_);
    left_ = operations;
  }
  bool is_cut() {
    MutexLock lock(&mutex_);
    return cut_;
  }

  void Created(const std::string& path, uint64_t size) {
    MutexLock lock(&mutex_);
    files_[path] = {size, size, /*listed=*/size > 0};
  }
  void Appended(const std::string& path, uint64_t size) {
    MutexLock lock(&mutex_);
    files_[path].size += size;
  }
  void Truncated(const std::string& path, uint64_t size) {
    MutexLock lock(&mutex_);
    files_[path].size = size;
    files_[path].synced = std::min(files_[path].synced, size);
  }
  void Synced(const std::string& path) {
    MutexLock lock(&mutex_);
    files_[path].synced = files_[path].size;
    files_[path].listed = true;
  }
  void DirectorySynced(const std::string& dir) {
    MutexLock lock(&mutex_);
    for (auto& [path, file] : files_) {
      if (std::filesystem::path(path).parent_path() == dir) file.listed = true;
    }
  }
  void Renamed(const std::string& from, const std::string& to) {
    MutexLock lock(&mutex_);
    const auto found = files_.find(from);
    if (found == files_.end()) return;
    files_[to] = found->second;
    files_.erase(found);
    for (auto& [path, file] : files_) file.listed = true;  // the journal is in order
  }
  void Deleted(const std::string& path) {
    MutexLock lock(&mutex_);
    files_.erase(path);
  }
  uint64_t SomeOf(uint64_t size) {
    MutexLock lock(&mutex_);
    return random_() % (size + 1);
  }

  void ForgetUnsynced() {
    MutexLock lock(&mutex_);
    for (const auto& [path, file] : files_) {
      std::error_code ignored;
      if (!file.listed && random_() % 2 == 0) {
        std::filesystem::remove(path, ignored);
      } else if (std::filesystem::exists(path, ignored)) {
        const uint64_t unsynced = file.size - file.synced;
        // Often all or nothing, because those are the edge cases.
        const uint64_t kept = random_() % 3 == 0   ? 0
                              : random_() % 2 == 0 ? unsynced
                                                   : random_() % (unsynced + 1);
        std::filesystem::resize_file(path, file.synced + kept, ignored);
      }
    }
    files_.clear();
  }

  void Fail(ForgetfulEnv::Fault fault) {
    MutexLock lock(&mutex_);
    fault_ = fault;
  }
  IOStatus AppendFault(const std::string& path) {
    MutexLock lock(&mutex_);
    using Fault = ForgetfulEnv::Fault;
    const bool wal = path.ends_with(".log"), table = path.ends_with(".sst");
    if (wal && fault_ == Fault::kWalNoSpace) return IOStatus::NoSpace("injected");
    if ((wal && fault_ == Fault::kWalAppend) || (table && fault_ == Fault::kTableAppend)) {
      return IOStatus::IOError("injected");
    }
    return IOStatus::OK();
  }
  IOStatus SyncFault(const std::string& path) {
    MutexLock lock(&mutex_);
    const bool fails = fault_ == ForgetfulEnv::Fault::kWalSync && path.ends_with(".log");
    return fails ? IOStatus::IOError("injected") : IOStatus::OK();
  }

 private:
  struct File {
    uint64_t size = 0;
    uint64_t synced = 0;
    bool listed = false;  // the file or its directory was synced since the file was created
  };
  Mutex mutex_;
  std::mt19937_64 random_ GUARDED_BY(mutex_);
  std::map<std::string, File> files_ GUARDED_BY(mutex_);
  uint64_t left_ GUARDED_BY(mutex_) = 0;  // operations until the cut; 0: none planned
  bool cut_ GUARDED_BY(mutex_) = false;
  ForgetfulEnv::Fault fault_ GUARDED_BY(mutex_) = ForgetfulEnv::Fault::kNone;
};

namespace {

using DiskPtr = std::shared_ptr<ForgetfulDisk>;

class ForgetfulFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ForgetfulFile(std::unique_ptr<rocksdb::FSWritableFile> target, std::string path, DiskPtr disk)
      : FSWritableFileOwnerWrapper(std::move(target)), path_(std::move(path)), disk_(std::move(disk)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* dbg) override {
    if (IOStatus fault = disk_->AppendFault(path_); !fault.ok()) return fault;
    bool in_the_middle = false;
    const IOStatus power = disk_->Use(&in_the_middle);
    if (!power.ok() && !in_the_middle) return power;
    // A write during which the power is cut may write any part of its bytes.
    const Slice part(data.data(), in_the_middle ? disk_->SomeOf(data.size()) : data.size());
    const IOStatus written = FSWritableFileOwnerWrapper::Append(part, options, dbg);
    if (written.ok()) disk_->Appended(path_, part.size());
    return power.ok() ? written : power;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* dbg) override {
    return Append(data, options, dbg);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    disk_->Truncated(path_, size);
    return FSWritableFileOwnerWrapper::Truncate(size, options, dbg);
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return SyncFile(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return SyncFile(); }

 private:
  // The kernel need not sync: no machine loses power here.
  IOStatus SyncFile() {
    if (IOStatus fault = disk_->SyncFault(path_); !fault.ok()) return fault;
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    disk_->Synced(path_);
    return IOStatus::OK();
  }

  const std::string path_;
  const DiskPtr disk_;
};

class ForgetfulDirectory final : public rocksdb::FSDirectory {
 public:
  ForgetfulDirectory(std::string path, DiskPtr disk) : path_(std::move(path)), disk_(std::move(disk)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    disk_->DirectorySynced(path_);
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  const std::string path_;
  const DiskPtr disk_;
};

class ForgetfulFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit ForgetfulFileSystem(DiskPtr disk)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), disk_(std::move(disk)) {}
  const char* Name() const override { return "ForgetfulFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    const IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, dbg);
    return Wrap(status, path, 0, result);
  }
  IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    const IOStatus status = FileSystemWrapper::ReopenWritableFile(path, options, result, dbg);
    std::error_code error;
    const uint64_t size = std::filesystem::file_size(path, error);
    return Wrap(status, path, error ? 0 : size, result);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) override {
    *result = std::make_unique<ForgetfulDirectory>(path, disk_);
    return IOStatus::OK();
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    const IOStatus status = FileSystemWrapper::RenameFile(from, to, options, dbg);
    if (status.ok()) disk_->Renamed(from, to);
    return status;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    const IOStatus status = FileSystemWrapper::DeleteFile(path, options, dbg);
    if (status.ok()) disk_->Deleted(path);
    return status;
  }
  IOStatus Truncate(const std::string& path, size_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    if (IOStatus power = disk_->Use(); !power.ok()) return power;
    return FileSystemWrapper::Truncate(path, size, options, dbg);
  }

 private:
  IOStatus Wrap(const IOStatus& status, const std::string& path, uint64_t size,
                std::unique_ptr<rocksdb::FSWritableFile>* result) {
    if (!status.ok()) return status;
    disk_->Created(path, size);
    *result = std::make_unique<ForgetfulFile>(std::move(*result), path, disk_);
    return status;
  }

  const DiskPtr disk_;
};

// RocksDB sleeps for a second after a background error; tests need not wait.
class SleeplessClock final : public rocksdb::SystemClockWrapper {
 public:
  SleeplessClock() : SystemClockWrapper(rocksdb::SystemClock::Default()) {}
  const char* Name() const override { return "SleeplessClock"; }
  void SleepForMicroseconds(int) override {}
};

class ComposedEnv final : public rocksdb::EnvWrapper {
 public:
  explicit ComposedEnv(const DiskPtr& disk) : ComposedEnv(std::make_shared<ForgetfulFileSystem>(disk)) {}
  const char* Name() const override { return "ComposedEnv"; }

 private:
  explicit ComposedEnv(const std::shared_ptr<rocksdb::FileSystem>& files)
      : EnvWrapper(rocksdb::NewCompositeEnv(files)) {
    file_system_ = files;
    system_clock_ = std::make_shared<SleeplessClock>();
  }
};

}  // namespace

ForgetfulEnv::ForgetfulEnv(uint64_t seed)
    : disk_(std::make_shared<ForgetfulDisk>(seed)), env_(std::make_unique<ComposedEnv>(disk_)) {}
ForgetfulEnv::~ForgetfulEnv() = default;

void ForgetfulEnv::CutAfter(uint64_t operations) {
  disk_->CutAfter(operations);
}
bool ForgetfulEnv::is_cut() const {
  return disk_->is_cut();
}
void ForgetfulEnv::ForgetUnsynced() {
  disk_->ForgetUnsynced();
}
void ForgetfulEnv::Fail(Fault fault) {
  disk_->Fail(fault);
}

}  // namespace parley::storage
