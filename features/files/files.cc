#include "features/files/files.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include "features/files/clamd_scanner.h"
#include "features/files/store_choice.h"
#include "protocol/base/log.h"
#include "threads/model/file_mark.h"

namespace parley::features {
namespace {

// Threads wait longer for a bucket than for a disk.
constexpr size_t kDiskThreads = 2, kBucketThreads = 8, kDiskJobsMax = 4096;
constexpr size_t kWorkThreads = 2, kBucketWorkThreads = 4, kWorkJobsMax = 4096;

// The options were checked at the start.
std::unique_ptr<BlobStore> StoreFor(const ServiceParts& parts, StoreHealth& health) {
  auto made = MakeBlobStore(parts.option, health);
  if (made.ok()) return std::move(*made);
  protocol::Log(protocol::LogLevel::kError, "files", "the store of files cannot be used",
                {{"why", made.error().message}});
  std::abort();
}

bool IsBucket(const ServiceParts& parts) {
  return !parts.option("files_store").empty();
}

ScanChoice ScanChoiceOf(const ServiceParts& parts) {
  return ParseScanChoice(parts.option("files_scan")).value_or(ScanChoice());
}

std::optional<int64_t> BandPatienceOf(const ServiceParts& parts) {
  if (parts.option("files_band") != "service") return std::nullopt;
  const std::string seconds = parts.option("files_band_patience_s");
  int64_t value = 0;
  std::from_chars(seconds.data(), seconds.data() + seconds.size(), value);
  return value * 1000;
}

std::unique_ptr<Scanner> ScannerFor(const ScanChoice& choice) {
  return choice.by == ScanChoice::By::kClamd ? NewClamdScanner(choice) : nullptr;
}

}  // namespace

Files::Files(const ServiceParts& parts)
    : table_(parts.table),
      links_(parts.table.identity().secret),
      staging_(FilesDirectory(parts.option)),
      health_(parts.metrics),
      blobs_(StoreFor(parts, health_)),
      scanning_(ScanChoiceOf(parts).by, ScannerFor(ScanChoiceOf(parts)), parts.metrics),
      band_patience_ms_(BandPatienceOf(parts)),
      due_at_(parts.due_at),
      in_work_(std::make_shared<InWork>(parts.due)),
      to_store_(std::make_shared<InWork>(nullptr)),
      media_({.program = MediaHelper::ProgramFor(parts.option("files_media")),
              .processes_max = std::max<size_t>(std::thread::hardware_concurrency(), 1)},
             parts.metrics),
      refusals_(parts.metrics),
      redirects_(parts.option("files_redirect") == "true"),
      orphans_(*this, parts.clock, parts.metrics),
      disks_("files", IsBucket(parts) ? kBucketThreads : kDiskThreads, kDiskJobsMax),
      work_("files-work", IsBucket(parts) ? kBucketWorkThreads : kWorkThreads, kWorkJobsMax) {
  parts.metrics.AddReadGauge("parley_files_in_work",
                             "Complete files that are being stored, scanned or prepared, or wait for it",
                             [in_work = in_work_, to_store = to_store_] {
                               return static_cast<double>(in_work->size() + to_store->size());
                             });
}

void Files::EndThreads() {
  disks_.EndThreads();
  work_.EndThreads();
}

void Files::Stop() {
  blobs_->Stop();
  media_.Stop();  // its running jobs fail, and the clock starts them again
  in_work_->Stop();
  scanning_.Stop();
  work_.Stop();
  disks_.Stop();
}

FileRules Files::RulesOf(const Host& host, const protocol::TenantId& tenant) {
  const accounts::TenantPtr found = host.FindTenant(tenant);
  return found ? FilesBy(*found) : FileRules{};
}

void Files::WakeAt(protocol::Time at) const {
  if (due_at_) due_at_(at);
}

std::string Files::Remark() const {
  std::string out = health_.Remark();
  if (!scanning_.unreachable()) return out;
  if (!out.empty()) out += "; ";
  return out + "the scanner of files does not answer; files wait for it: " + std::to_string(in_work_->size());
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
    const protocol::MutexLock lock(&mutex_);
    while (removing_.contains({tenant, blob})) removed_.Wait(&mutex_);
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

protocol::Result<bool> Files::IsNeeded(const protocol::TenantId& tenant, const std::string& blob) const {
  bool needed = false;
  const auto status =
      table_.Scan(threads::BlobPartition(tenant, blob), threads::FileRefs(), storage::Direction::kForward, 1,
                  [&](std::string_view, storage::RowView) { return needed = true; });
  if (!status.ok()) return threads::FromStorage(status);
  return needed;
}

// A request that stores bytes pins their name first, and unpins it after the commit of the row. So this sees
// the pin or, because it reads the table itself and no older snapshot, the row. A later pin waits until the
// bytes are removed, and then they are stored again.
protocol::Result<bool> Files::RemoveUnneeded(const protocol::TenantId& tenant, const std::string& blob,
                                             const std::vector<std::string>& names) {
  {
    const protocol::MutexLock lock(&mutex_);
    while (removing_.contains({tenant, blob})) removed_.Wait(&mutex_);
    if (pinned_.contains({tenant, blob})) return false;
    removing_.emplace(tenant, blob);
  }
  auto needed = IsNeeded(tenant, blob);
  protocol::Status status = needed.ok() ? protocol::Ok() : protocol::Status(needed.error());
  for (size_t i = 0; status.ok() && !*needed && i < names.size(); ++i)
    status = blobs_->Remove(tenant, names[i]);
  {
    const protocol::MutexLock lock(&mutex_);
    removing_.erase({tenant, blob});
  }
  removed_.SignalAll();
  if (!status.ok()) return std::move(status.error());
  return !*needed;
}

protocol::Status Files::DropBlob(const protocol::TenantId& tenant, const std::string& blob) {
  std::vector<std::string> names;
  for (const std::string_view variant : kBlobVariants) names.push_back(blob + std::string(variant));
  names.push_back(blob);
  auto removed = RemoveUnneeded(tenant, blob, names);
  return removed.ok() ? protocol::Ok() : protocol::Status(std::move(removed.error()));
}

protocol::Result<bool> Files::DropListed(const protocol::TenantId& tenant, const std::string& name) {
  return RemoveUnneeded(tenant, name.substr(0, name.find('-')), {name});
}

std::unique_ptr<Service> MakeFiles(const ServiceParts& parts) {
  return std::make_unique<Files>(parts);
}

Files& FilesOf(const Host& host) {
  return static_cast<Files&>(*host.FindService("files"));
}

}  // namespace parley::features
