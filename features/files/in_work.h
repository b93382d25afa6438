// Keeps which files are being worked on, so that each is worked on once at a time. Their number is limited;
// the clock starts the work of further files when there is room.
//
// Thread contract: thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <set>

#include "protocol/base/ids.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class InWork {
 public:
  static constexpr size_t kFilesMax = 4096;

  // `due`: wakes the clock.
  explicit InWork(std::function<void()> due) : due_(std::move(due)) {}

  // Returns false if the file is being worked on, or if too many are.
  bool Begin(const protocol::AttachmentId& file);
  void End(const protocol::AttachmentId& file);
  bool Has(const protocol::AttachmentId& file) const;
  size_t size() const;
  // Whether files that are not in work wait for it.
  void SetMore(bool more);
  void Wake() const;  // wakes the clock: uploads are due
  void Stop();        // no longer wakes the clock

 private:
  mutable protocol::Mutex mutex_;
  std::set<protocol::AttachmentId> files_ GUARDED_BY(mutex_);
  bool more_ GUARDED_BY(mutex_) = false;
  std::function<void()> due_ GUARDED_BY(mutex_);
};

// The work on one file, which ends when its last owner is gone.
struct FileWork {
  FileWork(std::shared_ptr<InWork> all, protocol::TenantId of, protocol::ThreadId in,
           protocol::AttachmentId which)
      : in_work(std::move(all)), tenant(std::move(of)), thread(in), file(which) {}
  ~FileWork() { in_work->End(file); }
  FileWork(const FileWork&) = delete;
  FileWork& operator=(const FileWork&) = delete;

  const std::shared_ptr<InWork> in_work;
  const protocol::TenantId tenant;
  const protocol::ThreadId thread;
  const protocol::AttachmentId file;
  int failures = 0;  // in the present stage
  int scans = 0;     // that ended without a result, although the scanner answers
};
using FileWorkPtr = std::shared_ptr<FileWork>;

}  // namespace parley::features
