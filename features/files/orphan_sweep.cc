#include "features/files/orphan_sweep.h"

#include <utility>

#include "features/files/files.h"
#include "protocol/base/log.h"
#include "threads/model/file_row.h"

namespace parley::features {
namespace {

constexpr size_t kFilesPerStep = 64;
constexpr std::chrono::milliseconds kRest{20};  // between steps, so that a large store costs little
// Less than the hour for which the clock sleeps at most.
constexpr int64_t kEveryMs = int64_t{55} * 60 * 1000;

// The queue gives it a turn like a tenant; no tenant has this name.
constexpr std::string_view kOwner = "";

}  // namespace

OrphanPass::OrphanPass(Files& files, protocol::Time now, OnComplete on_complete)
    : files_(files),
      until_{now.ms - kGraceMs},
      on_complete_(std::move(on_complete)),
      walk_(files.staging().Walk()),
      list_(files.blobs().List()) {}

bool OrphanPass::Step() {
  if (walk_ && StepStaged()) return true;
  walk_.reset();
  return StepStored();
}

bool OrphanPass::StepStaged() {
  for (size_t i = 0; i < kFilesPerStep; ++i) {
    const auto found = walk_->Next();
    if (!found) return false;
    ExamineStaged(*found);
  }
  return true;
}

void OrphanPass::ExamineStaged(const FolderWalk::Found& found) {
  const auto file = Staging::UploadOf(found.name);
  if (!file || !IsLeft(found.tenant, *file) || found.written_at >= until_) return;
  if (!files_.Claim(*file)) return;   // the next sweep looks again
  if (IsLeft(found.tenant, *file)) {  // again, because a writer may have ended since
    const bool removed = RemoveFile(found.path).ok();
    failed_ |= !removed;
    if (removed) ++staged_;
  }
  files_.Release(*file);
}

// Whether nothing will read the staged bytes again. While the file is `scanning`, its stages use the folder.
bool OrphanPass::IsLeft(const protocol::TenantId& tenant, const protocol::AttachmentId& file) {
  const threads::RowReader rows(files_.table(), tenant);
  const auto thread = threads::ThreadOfFile(rows, file);
  failed_ |= !thread.ok();
  if (!thread.ok() || !*thread) return thread.ok();
  const auto row = threads::ReadFile(rows, **thread, file);
  failed_ |= !row.ok();
  if (!row.ok() || !*row) return row.ok();
  const threads::FileState state = (*row)->state();
  if (state == threads::FileState::kUploading && on_complete_) {
    const auto offset = files_.staging().OffsetOf(tenant, file);
    if (offset.ok() && *offset == (*row)->declared_size) on_complete_(tenant, **thread, file);
  }
  return state != threads::FileState::kRequested && state != threads::FileState::kUploading &&
         state != threads::FileState::kScanning;
}

bool OrphanPass::StepStored() {
  const auto listed = list_->Next();
  failed_ |= !listed.ok();
  if (!listed.ok() || listed->empty()) return false;
  for (const ListedBlob& one : *listed) {
    if (one.written_at >= until_) continue;
    const auto removed = files_.DropListed(one.tenant, one.blob);
    failed_ |= !removed.ok();
    if (removed.ok() && *removed) ++stored_;
  }
  return true;
}

OrphanSweep::OrphanSweep(Files& files, const protocol::Clock& clock, protocol::Metrics& metrics)
    : files_(files), clock_(clock) {
  const auto count = [&](const char* kind) {
    return metrics.AddCounter("parley_file_orphans_removed_total",
                              "Files removed because no row names them: stored, or staged for an upload",
                              {{"kind", kind}});
  };
  staged_ = count("staged");
  stored_ = count("stored");
  failed_ = metrics.AddCounter("parley_file_sweeps_failed_total",
                               "Sweeps for bytes that no row names in which something failed");
  metrics.AddReadGauge("parley_file_swept_last_seconds",
                       "Unix time at which the last sweep for bytes that no row names ended; 0: none did",
                       [this] {
                         const protocol::MutexLock lock(&mutex_);
                         return ended_at_ ? static_cast<double>(ended_at_->ms) / 1000 : 0;
                       });
}

bool OrphanSweep::IsDue() const {
  const protocol::MutexLock lock(&mutex_);
  return !running_ && (!begun_at_ || clock_.Now().ms - begun_at_->ms >= kEveryMs);
}

void OrphanSweep::Begin(OrphanPass::OnComplete on_complete) {
  const protocol::Time now = clock_.Now();
  {
    const protocol::MutexLock lock(&mutex_);
    if (running_ || (begun_at_ && now.ms - begun_at_->ms < kEveryMs)) return;
    running_ = true;
    begun_at_ = now;
  }
  files_.work().SubmitLater(
      kOwner,
      [this, now, on_complete = std::move(on_complete)] {
        Continue(std::make_shared<OrphanPass>(files_, now, on_complete));
      },
      std::chrono::milliseconds{0});
}

void OrphanSweep::Continue(std::shared_ptr<OrphanPass> pass) {
  if (!pass->Step()) return End(*pass);
  files_.work().SubmitLater(
      kOwner, [this, pass = std::move(pass)] { Continue(pass); }, kRest);
}

void OrphanSweep::End(const OrphanPass& pass) {
  staged_.Add(static_cast<double>(pass.staged()));
  stored_.Add(static_cast<double>(pass.stored()));
  if (pass.failed()) failed_.Add();
  if (pass.staged() + pass.stored() > 0 || pass.failed())
    protocol::Log(pass.failed() ? protocol::LogLevel::kWarn : protocol::LogLevel::kInfo, "files",
                  "the sweep for bytes that no row names ended",
                  {{"stored", static_cast<uint64_t>(pass.stored())},
                   {"staged", static_cast<uint64_t>(pass.staged())},
                   {"complete", pass.failed() ? "no" : "yes"}});
  const protocol::MutexLock lock(&mutex_);
  running_ = false;
  if (!pass.failed()) ended_at_ = clock_.Now();
}

}  // namespace parley::features
