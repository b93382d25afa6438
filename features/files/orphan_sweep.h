// Removes bytes that no row names: what a crash left between the bytes and their row, and what could not be
// removed when it was no longer needed. Runs at the start and every hour, a few files at a time, in a turn of
// its own beside the tenants' work.
//
// It never removes bytes that are or will be needed:
//   stored  Files::RemoveUnneeded proves it, by pins.
//   staged  The row is committed before the first byte is staged, so bytes without a row have none any more.
//           Bytes with a row are only removed if it is in a state in which nothing reads them. The upload is
//           claimed first, so no request writes it.
// Besides, everything that was written in the last hour stays. On its way it finds uploads that a crash left
// between their last byte and the store.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "features/files/blob_store.h"
#include "features/files/folder_walk.h"
#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class Files;

// One pass over everything that is stored. Blocking; one thread at a time.
class OrphanPass {
 public:
  static constexpr int64_t kGraceMs = int64_t{3600} * 1000;

  // Called with each upload whose bytes are all staged, but not stored yet.
  using OnComplete = std::function<void(const protocol::TenantId& tenant, const protocol::ThreadId& thread,
                                        const protocol::AttachmentId& file)>;
  // Removes nothing that was written later than kGraceMs before `now`.
  OrphanPass(Files& files, protocol::Time now, OnComplete on_complete = {});
  // Looks at a few more files. Returns false at the end.
  bool Step();

  size_t staged() const { return staged_; }  // removed files, from here on
  size_t stored() const { return stored_; }
  bool failed() const { return failed_; }  // something could not be read or removed

 private:
  bool StepStaged();
  bool StepStored();
  void ExamineStaged(const FolderWalk::Found& found);
  bool IsLeft(const protocol::TenantId& tenant, const protocol::AttachmentId& file);

  Files& files_;
  const protocol::Time until_;
  const OnComplete on_complete_;
  std::optional<FolderWalk> walk_;
  const std::unique_ptr<BlobList> list_;
  size_t staged_ = 0, stored_ = 0;
  bool failed_ = false;
};

// Thread contract: thread-safe.
class OrphanSweep {
 public:
  OrphanSweep(Files& files, const protocol::Clock& clock, protocol::Metrics& metrics);

  // Whether none runs and the last one began long enough ago.
  bool IsDue() const;
  // Does nothing unless it is due. `on_complete`: as of OrphanPass.
  void Begin(OrphanPass::OnComplete on_complete);

 private:
  void Continue(std::shared_ptr<OrphanPass> pass);
  void End(const OrphanPass& pass);

  Files& files_;
  const protocol::Clock& clock_;
  mutable protocol::Mutex mutex_;
  bool running_ GUARDED_BY(mutex_) = false;
  std::optional<protocol::Time> begun_at_ GUARDED_BY(mutex_);
  std::optional<protocol::Time> ended_at_ GUARDED_BY(mutex_);  // the last one without a failure
  protocol::Counter staged_, stored_, failed_;
};

}  // namespace parley::features
