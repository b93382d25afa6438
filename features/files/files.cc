#include "features/files/files.h"

#include <algorithm>
#include <thread>

#include "features/files/clamd_scanner.h"
#include "threads/model/file_mark.h"

namespace parley::features {
namespace {

constexpr size_t kDiskThreads = 2, kDiskJobsMax = 4096;
constexpr size_t kWorkThreads = 2, kWorkJobsMax = 4096;

std::string DirectoryOf(const ServiceParts& parts) {
  const std::string chosen = parts.option("files_dir");
  return chosen.empty() ? parts.option("data") + "/files" : chosen;
}

ScanChoice ScanChoiceOf(const ServiceParts& parts) {
  return ParseScanChoice(parts.option("files_scan")).value_or(ScanChoice());
}

std::unique_ptr<Scanner> ScannerFor(const ScanChoice& choice) {
  return choice.by == ScanChoice::By::kClamd ? NewClamdScanner(choice) : nullptr;
}

}  // namespace

Files::Files(const ServiceParts& parts)
    : table_(parts.table),
      links_(parts.table.identity().secret),
      staging_(DirectoryOf(parts)),
      blobs_(NewDirectoryBlobs(DirectoryOf(parts))),
      scanning_(ScanChoiceOf(parts).by, ScannerFor(ScanChoiceOf(parts)), parts.metrics),
      in_work_(std::make_shared<InWork>(parts.due)),
      media_({.program = MediaHelper::ProgramFor(parts.option("files_media")),
              .processes_max = std::max<size_t>(std::thread::hardware_concurrency(), 1)},
             parts.metrics),
      refusals_(parts.metrics),
      disks_("files", kDiskThreads, kDiskJobsMax),
      work_("files-work", kWorkThreads, kWorkJobsMax) {
  parts.metrics.AddReadGauge("parley_files_in_work",
                             "Complete files that are being scanned or prepared, or wait for it",
                             [in_work = in_work_] { return static_cast<double>(in_work->size()); });
}

void Files::Stop() {
  media_.Stop();  // its running jobs fail, and the clock starts them again
  in_work_->Stop();
  scanning_.Stop();
  work_.Stop();
  disks_.Stop();
}

FileRules Files::RulesOf(const Host& host, const protocol::TenantId& tenant) {
  const accounts::TenantPtr found = host.FindTenant(tenant);
  return found ? found->files() : FileRules{};
}

std::string Files::Remark() const {
  if (!scanning_.unreachable()) return {};
  return "the scanner of files does not answer; files wait for it: " + std::to_string(in_work_->size());
}

bool Files::Claim(const protocol::AttachmentId& file) {
  const protocol::MutexLock lock(&mutex_);
  return claimed_.insert(file).second;
}

void Files::Release(const protocol::AttachmentId& file) {
  const protocol::MutexLock lock(&mutex_);
  claimed_.erase(file);
}

protocol::Status Files::PutPinned(const protocol::TenantId& tenant, const std::string& blob,
                                  const std::string& path) {
  {
    const protocol::MutexLock removing(&removing_);
    const protocol::MutexLock lock(&mutex_);
    pinned_.emplace(tenant, blob);
  }
  auto put = blobs_->Put(tenant, blob, path);
  if (!put.ok()) Unpin(tenant, blob);
  return put;
}

void Files::Unpin(const protocol::TenantId& tenant, const std::string& blob) {
  const protocol::MutexLock lock(&mutex_);
  const auto found = pinned_.find({tenant, blob});
  if (found != pinned_.end()) pinned_.erase(found);
}

protocol::Status Files::DropBlob(const protocol::TenantId& tenant, const std::string& blob) {
  const protocol::MutexLock removing(&removing_);
  {
    const protocol::MutexLock lock(&mutex_);
    if (pinned_.contains({tenant, blob})) return protocol::Ok();
  }
  // The table itself and no older snapshot: a pin ends when its row is committed.
  bool needed = false;
  const auto status =
      table_.Scan(threads::BlobPartition(tenant, blob), threads::FileRefs(), storage::Direction::kForward, 1,
                  [&](std::string_view, storage::RowView) { return needed = true; });
  if (!status.ok()) return threads::FromStorage(status);
  if (needed) return protocol::Ok();
  for (const char* variant : {"-thumb", "-preview", "-blurred", ""})
    PARLEY_CHECK_OK(blobs_->Remove(tenant, blob + variant));
  return protocol::Ok();
}

std::unique_ptr<Service> MakeFiles(const ServiceParts& parts) {
  return std::make_unique<Files>(parts);
}

Files& FilesOf(const Host& host) {
  return static_cast<Files&>(*host.FindService("files"));
}

}  // namespace parley::features
